from crossover.theory import round_time

from ..questions import Number, Wrong
from ._facts import ENVELOPE, ROUND, SHARED_CHIP, chips, rooflines

CHIPS = chips(
    "A100-80GB-SXM", "A100-40GB-SXM", "H200-SXM", "A40", "A10", "TPU-v5e", "TPU-v4", "MI300X"
)


def alpha(chip, draft, share):
    target, small = rooflines(CHIPS[chip], 70, draft)
    batch = batch_at(chip, share)
    return round_time(target, small, batch, 1) / target(batch, 1) - 1


def batch_at(chip, share):
    return share / 100 * CHIPS[chip].ridge_point()


def without_draft(chip, draft, share):
    return 2 * share / 100 - 1


def worked(chip, draft, share):
    return (
        rf"With γ = 1, $E[T] = 1 + α$. In plain steps verification takes $B / B^*(2) = "
        rf"{2 * share / 100:g}$ and the draft step {draft / 70:.4f}. "
        rf"$1 + α = {1 + alpha(chip, draft, share):.4f}$, α = {alpha(chip, draft, share):.4f}."
    )


question = Number(
    id="alpha-needed",
    topic="window",
    chapter="08",
    level="analyse",
    minutes=8,
    points=3,
    text=(
        "Target and draft have 70 and {{draft}} billion parameters, both in fp16, and share "
        + SHARED_CHIP
        + "The batch is {{share}} % of the one from which *plain* decoding is compute-bound. "
        + ENVELOPE
        + ROUND
        + "Which acceptance rate must a draft of this size reach for γ = 1 to be as fast as plain "
        "decoding?"
    ),
    parameters={
        "chip": list(CHIPS),
        "draft": [1.5, 3, 7, 8, 9, 13],
        "share": [63, 66, 69, 72, 76, 79, 82, 85, 88, 90],
    },
    answer=alpha,
    unit="1",
    rtol=0.002,
    low=0,
    high=1.5,
    wrong=[
        Wrong(
            "drafting forgotten",
            without_draft,
            "The draft step takes time too, its share of a plain step being that of its weights.",
        ),
        Wrong(
            "the target's token forgotten",
            lambda chip, draft, share: 1 + alpha(chip, draft, share),
            "That is what the round must yield. One of the tokens is the target's own.",
        ),
        Wrong(
            "verification free",
            lambda chip, draft, share: draft / 70,
            "At this batch two positions a sequence are past the knee of their pass, so "
            "verification takes longer than a plain step.",
        ),
    ],
    worked=worked,
)
