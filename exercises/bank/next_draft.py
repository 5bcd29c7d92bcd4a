from ..questions import Numbers, Wrong
from ._facts import ENVELOPE, PAIR_ON_CHIP, RIDGE_NEAR_200, ROUND, chips, rooflines

CHIPS = chips(*RIDGE_NEAR_200)


def gain_and_cost(chip, batch, gamma, alpha):
    target, draft = rooflines(CHIPS[chip], 70, 7)
    longer = target(batch, gamma + 2) - target(batch, gamma + 1) + draft(batch, 1)
    return {"tokens": alpha ** (gamma + 1), "cost": longer / target(batch, 1)}


def worked(chip, batch, gamma, alpha):
    found = gain_and_cost(chip, batch, gamma, alpha)
    return (
        rf"$E[T]$ gains the term $α^{{γ+1}} = {found['tokens']:.4f}$. Verification grows by one "
        rf"position, $B / B^*(1)$ of a plain step, and there is one draft step more, 0.1: "
        f"{found['cost']:.4f}. The next draft pays if the tokens it brings, over what it costs, "
        "exceed what the round yields for a plain step already."
    )


question = Numbers(
    id="next-draft",
    topic="window",
    chapter="08",
    level="apply",
    minutes=6,
    points=3,
    text=(
        PAIR_ON_CHIP
        + ENVELOPE
        + ROUND
        + "At $B$ = {{batch}} sequences, with α = {{alpha}}, the window is widened from "
        "γ = {{gamma}} by one draft. How many `tokens` a round more does a sequence gain, and what "
        "is the `cost`, the longer round time in units of a plain decoding step at this batch?"
    ),
    parameters={
        "chip": list(CHIPS),
        "batch": [84, 93, 101, 112, 126, 139],
        "gamma": [2, 3, 4, 5],
        "alpha": [0.65, 0.7, 0.74, 0.78, 0.83],
    },
    answer=gain_and_cost,
    units={"tokens": "tokens", "cost": "plain steps"},
    wrong=[
        Wrong(
            "every draft judged",
            lambda chip, batch, gamma, alpha: {"tokens": alpha},
            "The new draft counts only if all drafts before it pass as well.",
        ),
        Wrong(
            "exponent γ",
            lambda chip, batch, gamma, alpha: {"tokens": alpha**gamma},
            "That is the last term of the narrower window. The new draft adds the next one.",
        ),
        Wrong(
            "drafting only",
            lambda chip, batch, gamma, alpha: {"cost": 0.1},
            "That is the draft step. Past the knee the wider verification takes longer too.",
        ),
        Wrong(
            "verification only",
            lambda chip, batch, gamma, alpha: {
                "cost": gain_and_cost(chip, batch, gamma, alpha)["cost"] - 0.1
            },
            "One more draft needs one more draft step.",
        ),
    ],
    worked=worked,
)
