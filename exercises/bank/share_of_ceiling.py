from crossover.theory import expected_tokens

from ..questions import Number, Wrong


def percent(alpha, gamma):
    return 100 * expected_tokens(alpha, gamma) * (1 - alpha)


def worked(alpha, gamma):
    return (
        rf"$E[T] (1 - α) = 1 - α^{{γ+1}} = 1 - {alpha}^{gamma + 1}$, "
        f"{percent(alpha, gamma):.2f} %. A wider window can bring only the rest."
    )


question = Number(
    id="share-of-ceiling",
    topic="window",
    chapter="08",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "However many tokens are drafted a round, the expected number emitted stays below a "
        "ceiling. With α = {{alpha}}, which share of it does γ = {{gamma}} reach, in percent?"
    ),
    parameters={
        "alpha": [round(0.66 + 0.013 * step, 3) for step in range(21)],
        "gamma": [2, 3, 4, 5, 6, 7],
    },
    answer=percent,
    unit="%",
    rtol=0.0005,
    low=0,
    high=100,
    wrong=[
        Wrong(
            "exponent γ",
            lambda alpha, gamma: percent(alpha, gamma - 1),
            "The sum of 1 + α + … + α^γ has γ + 1 terms: the exponent is γ + 1.",
        ),
        Wrong(
            "share missing",
            lambda alpha, gamma: 100 - percent(alpha, gamma),
            "That is what is still missing from the ceiling.",
        ),
        Wrong(
            "window taken for the ceiling",
            lambda alpha, gamma: 100 * expected_tokens(alpha, gamma) / (gamma + 1),
            "γ + 1 tokens are the most that this window can yield. The ceiling for all windows is "
            "1/(1 − α).",
        ),
    ],
    worked=worked,
)
