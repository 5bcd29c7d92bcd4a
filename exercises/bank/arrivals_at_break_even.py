from crossover.theory import expected_tokens, roofline_break_even

from ..questions import Number, Wrong
from ._facts import ENVELOPE, PAIR_ON_CHIP, ROUND, chips, rooflines

CHIPS = chips("A100-80GB-SXM", "A100-40GB-SXM", "H100-SXM", "H200-SXM", "A40", "L40S", "MI300X")


def rate(chip, gamma, alpha, tokens):
    target, draft = rooflines(CHIPS[chip], 70, 7)
    return roofline_break_even(target, draft, gamma, alpha) / (tokens * target(1, 1))


def at_the_knee(chip, gamma, alpha, tokens):
    target, _ = rooflines(CHIPS[chip], 70, 7)
    return target.crossover_batch(gamma + 1) / (tokens * target(1, 1))


def worked(chip, gamma, alpha, tokens):
    target, draft = rooflines(CHIPS[chip], 70, 7)
    even, step = roofline_break_even(target, draft, gamma, alpha), target(1, 1)
    return (
        f"The break-even is {even:.2f} sequences. There a sequence takes as long for a token as in "
        f"plain decoding, one read of the weights, {step * 1e3:.2f} ms, and stays "
        f"{tokens * step:.2f} s. By Little's law {even:.2f} sequences are in the batch at "
        f"{rate(chip, gamma, alpha, tokens):.4f} requests/s."
    )


question = Number(
    id="arrivals-at-break-even",
    topic="batching",
    chapter="10",
    level="analyse",
    minutes=10,
    points=4,
    text=(
        PAIR_ON_CHIP
        + ENVELOPE
        + ROUND
        + "γ = {{gamma}}, α = {{alpha}}. Requests ask for {{tokens}} tokens on average, prompts "
        "cost nothing, and every request is served at once. At how many requests a second does "
        "the batch, on average, stand where speculation is just as fast as plain decoding?"
    ),
    parameters={
        "chip": list(CHIPS),
        "gamma": [3, 4, 5],
        "alpha": [0.66, 0.71, 0.76, 0.81],
        "tokens": [160, 210, 270, 340, 420],
    },
    answer=rate,
    unit="requests/s",
    low=0.1,
    high=1000,
    wrong=[
        Wrong(
            "at the knee",
            at_the_knee,
            "That is the load at the knee of verification. The break-even lies at a larger batch.",
        ),
        Wrong(
            "a token a round",
            lambda chip, gamma, alpha, tokens: (
                rate(chip, gamma, alpha, tokens) / expected_tokens(alpha, gamma)
            ),
            "A round yields $E[T]$ tokens a sequence. A request stays for fewer rounds than it has "
            "tokens.",
        ),
        Wrong(
            "length of a request forgotten",
            lambda chip, gamma, alpha, tokens: rate(chip, gamma, alpha, tokens) * tokens,
            "That is tokens a second. Each request asks for many of them.",
        ),
    ],
    worked=worked,
)
