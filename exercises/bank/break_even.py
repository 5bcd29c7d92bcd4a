from crossover.theory import expected_tokens, roofline_break_even

from ..questions import Number, Wrong
from ._facts import ENVELOPE, NVIDIA_CARDS, ROUND, SHARED_CHIP, chips, rooflines

CHIPS = chips(*NVIDIA_CARDS, "TPU-v5e", "TPU-v4", "MI300X")


def batch(chip, sizes, gamma, alpha):
    return roofline_break_even(*rooflines(CHIPS[chip], *PAIRS[sizes]), gamma, alpha)


def knee(chip, sizes, gamma, alpha, width=None):
    return rooflines(CHIPS[chip], 1)[0].crossover_batch(width or gamma + 1)


def in_knees(tokens_less_draft):
    """A wrong formula: the knee times other tokens than E[T] less the draft's cost."""

    def formula(chip, sizes, gamma, alpha):
        target, draft = PAIRS[sizes]
        tokens = tokens_less_draft(expected_tokens(alpha, gamma), gamma, alpha, draft / target)
        return knee(chip, sizes, gamma, alpha) * tokens

    return formula


def worked(chip, sizes, gamma, alpha):
    target, draft = PAIRS[sizes]
    tokens, cost = expected_tokens(alpha, gamma), gamma * draft / target
    return (
        "Plain decoding and drafting are still memory-bound there, verification is not: "
        r"$E[T] \cdot T = γ T_d + T \cdot B / B^*(γ + 1)$, so "
        rf"$B = B^* (E[T] - γ T_d / T) = {knee(chip, sizes, gamma, alpha):.2f} \cdot "
        rf"({tokens:.4f} - {cost:.4f}) = {batch(chip, sizes, gamma, alpha):.2f}$."
    )


PAIRS = {"70 and 7": (70, 7), "70 and 1.5": (70, 1.5), "32 and 3": (32, 3), "123 and 7": (123, 7)}

question = Number(
    id="break-even",
    topic="throughput",
    chapter="06",
    level="analyse",
    minutes=10,
    points=4,
    text=(
        "Target and draft have {{sizes}} billion parameters, both in fp16, and share "
        + SHARED_CHIP
        + ENVELOPE
        + ROUND
        + "With γ = {{gamma}} and α = {{alpha}}, at which batch is speculative decoding just as "
        "fast as plain decoding? Do not round the batch. Find out first which of the three "
        "kinds of pass are compute-bound there."
    ),
    parameters={
        "chip": list(CHIPS),
        "sizes": list(PAIRS),
        "gamma": [3, 4, 5, 6],
        "alpha": [0.62, 0.66, 0.7, 0.74, 0.79, 0.83],
    },
    answer=batch,
    unit="sequences",
    low=1,
    high=5000,
    wrong=[
        Wrong(
            "the knee",
            knee,
            "That is the knee, where verification begins to cost time. The gain made until then "
            "has still to be used up.",
        ),
        Wrong(
            "drafting forgotten",
            in_knees(lambda tokens, gamma, alpha, cost: tokens),
            "The γ draft steps take time too. Take them off what the round yields.",
        ),
        Wrong(
            "w = γ",
            lambda chip, sizes, gamma, alpha: (
                batch(chip, sizes, gamma, alpha) * (gamma + 1) / gamma
            ),
            "Verification is γ + 1 positions wide, so its time is 2N·B·(γ + 1)/FLOPS.",
        ),
        Wrong(
            "every draft judged",
            in_knees(lambda tokens, gamma, alpha, cost: 1 + alpha * gamma - gamma * cost),
            "1 + αγ tokens would need every draft to be judged. Use the geometric sum.",
        ),
        Wrong(
            "plain decoding's knee",
            lambda chip, sizes, gamma, alpha: knee(chip, sizes, gamma, alpha, width=1),
            "That is where plain decoding turns compute-bound. Speculation has lost well before.",
        ),
    ],
    worked=worked,
)
