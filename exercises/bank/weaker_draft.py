from crossover.theory import expected_tokens

from ..questions import Numbers, Wrong
from ._facts import chips

CHIPS = chips("A100-80GB-SXM", "A100-40GB-SXM", "H100-SXM", "H200-SXM", "A40", "L40S", "TPU-v4",
              "MI300X")  # fmt: skip


def after(chip, gamma, hoped, alpha):
    return {
        "tokens": expected_tokens(alpha, gamma),
        "crossover_batch": CHIPS[chip].ridge_point() / (gamma + 1),
    }


def worked(chip, gamma, hoped, alpha):
    found = after(chip, gamma, hoped, alpha)
    return (
        rf"$E[T] = (1 - {alpha}^{gamma + 1}) / (1 - {alpha}) = {found['tokens']:.4f}$, down from "
        f"{expected_tokens(hoped, gamma):.4f}. $B^*({gamma + 1}) = "
        rf"{found['crossover_batch']:.2f}$ sequences, as before: $R d / 2w$ has no α. A rejected "
        "position costs as much arithmetic as an accepted one. What falls is the speedup, and with "
        "it the break-even."
    )


question = Numbers(
    id="weaker-draft",
    topic="speculation",
    chapter="10",
    level="recall",
    minutes=4,
    points=2,
    text=(
        "A draft was hoped to be accepted at a rate of α = {{hoped}}; measured is {{alpha}}. "
        "γ = {{gamma}} stays, and so does the fp16 target on its chip {{chip}}. At the measured "
        "rate, how many `tokens` does a round yield on average, and from which batch on is "
        "verification compute-bound (not rounded)? No caches, no overheads."
    ),
    parameters={
        "chip": list(CHIPS),
        "gamma": [3, 5, 6],
        "hoped": [0.78, 0.82],
        "alpha": [0.56, 0.59, 0.62, 0.64, 0.67, 0.69],
    },
    answer=after,
    units={"tokens": "tokens", "crossover_batch": "sequences"},
    wrong=[
        Wrong(
            "knee moved with α",
            lambda chip, gamma, hoped, alpha: {
                "crossover_batch": CHIPS[chip].ridge_point() / (gamma + 1) * alpha / hoped
            },
            "The knee says when a pass is compute-bound. A rejected position takes the same "
            "arithmetic as an accepted one, so α is not in it.",
        ),
        Wrong(
            "sum stops too early",
            lambda chip, gamma, hoped, alpha: {"tokens": expected_tokens(alpha, gamma - 1)},
            "The sum has γ + 1 terms, the last being α^γ: the exponent is γ + 1.",
        ),
        Wrong(
            "every draft judged",
            lambda chip, gamma, hoped, alpha: {"tokens": 1 + alpha * gamma},
            "A rejection throws away all drafts behind it, so fewer than αγ are accepted.",
        ),
        Wrong(
            "endless window",
            lambda chip, gamma, hoped, alpha: {"tokens": 1 / (1 - alpha)},
            "1/(1 − α) is the ceiling for a window without end.",
        ),
        Wrong(
            "w = γ",
            lambda chip, gamma, hoped, alpha: {
                "crossover_batch": CHIPS[chip].ridge_point() / gamma
            },
            "Verification takes in γ + 1 positions a sequence.",
        ),
    ],
    worked=worked,
)
