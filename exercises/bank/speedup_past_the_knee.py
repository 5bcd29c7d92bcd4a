from crossover.theory import expected_tokens, round_time, speedup

from ..questions import Number, Wrong
from ._facts import ENVELOPE, RIDGE_NEAR_200, ROUND, SHARED_CHIP, chips, rooflines

CHIPS = chips(*RIDGE_NEAR_200)


def pair(chip, target, draft):
    return rooflines(CHIPS[chip], target, draft)


def gain(chip, target, draft, batch, gamma, alpha):
    return speedup(*pair(chip, target, draft), batch, gamma, alpha)


def with_seconds(seconds):
    """A wrong formula that puts other seconds in the place of the round's."""

    def formula(chip, target, draft, batch, gamma, alpha):
        big, small = pair(chip, target, draft)
        return expected_tokens(alpha, gamma) * big(batch, 1) / seconds(big, small, batch, gamma)

    return formula


def every_draft_judged(chip, target, draft, batch, gamma, alpha):
    right = gain(chip, target, draft, batch, gamma, alpha)
    return right * (1 + alpha * gamma) / expected_tokens(alpha, gamma)


def worked(chip, target, draft, batch, gamma, alpha):
    big, small = pair(chip, target, draft)
    return (
        f"Plain step {big(batch, 1) * 1e3:.2f} ms, memory-bound. Draft step "
        f"{small(batch, 1) * 1e3:.2f} ms, also memory-bound. Verification "
        f"{big(batch, gamma + 1) * 1e3:.2f} ms, compute-bound. The round takes "
        f"{round_time(big, small, batch, gamma) * 1e3:.2f} ms and yields $E[T] = "
        f"{expected_tokens(alpha, gamma):.4f}$ tokens a sequence: speedup "
        f"{gain(chip, target, draft, batch, gamma, alpha):.3f}."
    )


question = Number(
    id="speedup-past-the-knee",
    topic="throughput",
    chapter="06",
    level="apply",
    minutes=8,
    points=3,
    text=(
        "A target of {{target}} and a draft of {{draft}} billion parameters, both in fp16, share "
        + SHARED_CHIP
        + ENVELOPE
        + ROUND
        + "Here $B$ = {{batch}} sequences, γ = {{gamma}}, α = {{alpha}}. What is the speedup over "
        "plain decoding at the same batch?"
    ),
    parameters={
        "chip": list(CHIPS),
        "target": [32, 70],
        "draft": [3, 7],
        "batch": [88, 103, 119, 137],
        "gamma": [3, 4, 5, 6],
        "alpha": [0.64, 0.71, 0.78, 0.84],
    },
    answer=gain,
    unit="1",
    low=0,
    high=10,
    wrong=[
        Wrong(
            "verification still free",
            with_seconds(lambda big, small, batch, gamma: big(1, 1) + gamma * small(batch, 1)),
            "At this batch the verification pass is compute-bound and takes longer than a read of "
            "the weights.",
        ),
        Wrong(
            "drafting forgotten",
            with_seconds(lambda big, small, batch, gamma: big(batch, gamma + 1)),
            "A round is verification and γ draft steps before it.",
        ),
        Wrong(
            "w = γ",
            with_seconds(
                lambda big, small, batch, gamma: (
                    round_time(big, small, batch, gamma) - big.seconds_per_position * batch
                )
            ),
            "Verification takes in the last committed token as well: γ + 1 positions.",
        ),
        Wrong(
            "every draft judged",
            every_draft_judged,
            "1 + αγ tokens would need every draft to be judged. Those behind a rejection are "
            "thrown away.",
        ),
    ],
    worked=worked,
)
