from crossover.theory import expected_tokens

from ..questions import Number, Wrong
from ._facts import models

TARGETS = models("Llama-2-70B", "Llama-3-70B", "Llama-3.1-405B")
DRAFTS = models("Llama-2-7B", "Llama-3-8B")


def ratio(target, draft):
    return DRAFTS[draft].kv_bytes_per_token / TARGETS[target].kv_bytes_per_token


def limit(target, draft, gamma, alpha):
    return expected_tokens(alpha, gamma) / (1 + gamma * ratio(target, draft))


def worked(target, draft, gamma, alpha):
    return (
        rf"$κ_d / κ = {DRAFTS[draft].kv_bytes_per_token} / {TARGETS[target].kv_bytes_per_token} = "
        rf"{ratio(target, draft):.4f}$. A round reads the target's caches once and the draft's "
        rf"{gamma} times, a plain step the target's once: $E[T] / (1 + γ κ_d / κ) = "
        rf"{expected_tokens(alpha, gamma):.4f} / {1 + gamma * ratio(target, draft):.4f} = "
        f"{limit(target, draft, gamma, alpha):.4f}$."
    )


question = Number(
    id="long-context-speedup",
    topic="memory",
    chapter="11",
    level="apply",
    minutes=6,
    points=3,
    text=(
        "Target, by shape: {{target}}. Draft, by shape: {{draft}}. Both caches "
        "are in fp16, and the draft caches as many "
        "tokens as the target. γ = {{gamma}}, α = {{alpha}}, independently. Contexts are so "
        "long that reading the caches is all that counts, and attention waits for memory in every "
        "pass. What does the speedup tend to?"
    ),
    parameters={
        "target": list(TARGETS),
        "draft": list(DRAFTS),
        "gamma": [2, 3, 4, 5],
        "alpha": [0.62, 0.68, 0.73, 0.78, 0.82, 0.86],
    },
    answer=limit,
    unit="1",
    rtol=0.002,
    low=0,
    high=10,
    wrong=[
        Wrong(
            "ratio of the parameters",
            lambda target, draft, gamma, alpha: (
                expected_tokens(alpha, gamma)
                / (1 + gamma * DRAFTS[draft].params / TARGETS[target].params)
            ),
            "With long contexts the caches are read, not the weights: compare bytes for a cached "
            "token.",
        ),
        Wrong(
            "drafting free",
            lambda target, draft, gamma, alpha: expected_tokens(alpha, gamma),
            "Every draft step reads the whole cache of the draft.",
        ),
        Wrong(
            "every position reads",
            lambda target, draft, gamma, alpha: (
                expected_tokens(alpha, gamma) / (gamma + 1 + gamma * ratio(target, draft))
            ),
            "All γ + 1 positions of a verification share one read of the target's cache.",
        ),
        Wrong(
            "grouped queries forgotten",
            lambda target, draft, gamma, alpha: (
                expected_tokens(alpha, gamma)
                / (1 + gamma * ratio(target, draft)
                   * (DRAFTS[draft].heads / DRAFTS[draft].kv_heads)
                   / (TARGETS[target].heads / TARGETS[target].kv_heads))
            ),
            "Count key-value heads, not query heads: grouped queries share what is cached.",
        ),
    ],
    worked=worked,
)
