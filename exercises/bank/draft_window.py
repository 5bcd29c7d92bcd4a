from crossover.theory import expected_tokens

from ..questions import Number, Wrong
from ._facts import models

TARGETS = models("Llama-3-70B", "Llama-3.1-405B")
# a draft with a small cache could keep all of the context and still win
((WORDS, DRAFT),) = models("Llama-2-7B").items()


def tokens(target, gamma, alpha, context, gained=1):
    """`gained` is 1 for what a round yields beyond a plain step, 0 for all it yields."""
    share = (expected_tokens(alpha, gamma) - gained) / gamma
    return share * context * TARGETS[target].kv_bytes_per_token / DRAFT.kv_bytes_per_token


def worked(target, gamma, alpha, context):
    share = (expected_tokens(alpha, gamma) - 1) / gamma
    return (
        rf"The round pays while $1 + γ κ_d L_d / (κ L) < E[T]$: a draft step may read $(E[T] - 1) "
        rf"/ γ = {share:.4f}$ of the target's cache. With κ = {TARGETS[target].kv_bytes_per_token} "
        rf"and $κ_d$ = {DRAFT.kv_bytes_per_token} bytes that is "
        f"{tokens(target, gamma, alpha, context):.0f} tokens."
    )


question = Number(
    id="draft-window",
    topic="memory",
    chapter="11",
    level="analyse",
    minutes=8,
    points=3,
    text=(
        "Target, by shape: {{target}}. Draft, by shape: " + WORDS + ". Caches are in "
        "fp16. At {{context}} tokens a "
        "sequence and a large batch, reading the caches is all that counts, and attention waits "
        "for memory. The draft keeps only the last $L_d$ tokens of a sequence. γ = {{gamma}}, "
        "α = {{alpha}} whatever $L_d$. Below which $L_d$ is speculation faster than plain "
        "decoding?"
    ),
    parameters={
        "target": list(TARGETS),
        "gamma": [3, 4, 5],
        "alpha": [0.64, 0.68, 0.72, 0.76, 0.8, 0.84],
        "context": [16000, 20000, 24000, 32000, 40000],
    },
    answer=tokens,
    unit="tokens",
    low=100,
    high=1e6,
    wrong=[
        Wrong(
            "the target's own read forgotten",
            lambda **values: tokens(**values, gained=0),
            "Verification reads the target's cache once. Only what the round yields beyond one "
            "token is left to pay for drafting.",
        ),
        Wrong(
            "one draft step",
            lambda **values: tokens(**values) * values["gamma"],
            "Each of the γ draft steps reads the draft's cache.",
        ),
        Wrong(
            "caches alike",
            lambda target, gamma, alpha, context: (
                tokens(target, gamma, alpha, context)
                * DRAFT.kv_bytes_per_token / TARGETS[target].kv_bytes_per_token
            ),
            "A cached token does not take the same bytes in both models.",
        ),
    ],
    worked=worked,
)
