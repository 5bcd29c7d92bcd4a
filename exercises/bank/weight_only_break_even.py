from crossover.theory import expected_tokens, roofline_break_even

from ..questions import Number, Wrong
from ._facts import ENVELOPE, NVIDIA_CARDS, ROUND, chips, rooflines

CHIPS = chips(*NVIDIA_CARDS, "TPU-v5e", "MI300X")


def even(chip, draft, gamma, alpha, target_bytes=1, draft_bytes=2):
    (target,) = rooflines(CHIPS[chip], 70, bytes_per_param=target_bytes)
    (small,) = rooflines(CHIPS[chip], draft, bytes_per_param=draft_bytes)
    return roofline_break_even(target, small, gamma, alpha)


def worked(chip, draft, gamma, alpha):
    (target,) = rooflines(CHIPS[chip], 70, bytes_per_param=1)
    tokens, cost = expected_tokens(alpha, gamma), gamma * 2 * draft / 70
    return (
        rf"The knee halves with $d$: $B^*({gamma + 1}) = {target.crossover_batch(gamma + 1):.2f}$. "
        rf"A draft step reads {2 * draft:g} GB, $T_d / T = {2 * draft / 70:.4f}$, twice as much as "
        rf"before. $B = B^* (E[T] - γ T_d / T) = B^* ({tokens:.4f} - {cost:.4f}) = "
        f"{even(chip, draft, gamma, alpha):.2f}$."
    )


question = Number(
    id="weight-only-break-even",
    topic="quantisation",
    chapter="09",
    level="analyse",
    minutes=10,
    points=4,
    text=(
        "A target of 70 billion parameters is quantised to W8A16: int8 weights, fp16 arithmetic. "
        "Its draft of {{draft}} billion stays in fp16. Both run on the chip {{chip}}; read all "
        "figures per card that would hold the pair. "
        + ENVELOPE
        + ROUND
        + "With γ = {{gamma}} and α = {{alpha}}, at which batch is speculative decoding as fast as "
        "plain decoding with the same quantised target? Do not round."
    ),
    parameters={
        "chip": list(CHIPS),
        "draft": [1.5, 3, 7],
        "gamma": [3, 4, 5],
        "alpha": [0.66, 0.7, 0.74, 0.78, 0.82, 0.86],
    },
    answer=even,
    unit="sequences",
    low=1,
    high=5000,
    wrong=[
        Wrong(
            "nothing quantised",
            lambda **values: even(**values, target_bytes=2),
            "That is the break-even of the fp16 pair. The read of the target's weights has halved, "
            "its arithmetic has not.",
        ),
        Wrong(
            "both quantised",
            lambda **values: even(**values, draft_bytes=1),
            "The draft stays in fp16, so its step takes twice the share of a plain step that it "
            "had. It is not enough to halve the break-even of the fp16 pair.",
        ),
        Wrong(
            "the knee",
            lambda chip, draft, gamma, alpha: CHIPS[chip].ridge_point() / 2 / (gamma + 1),
            "That is where verification becomes compute-bound. The gain made until then has still "
            "to be used up.",
        ),
    ],
    worked=worked,
)
