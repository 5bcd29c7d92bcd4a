from math import comb

from ..questions import Number, Wrong


def chance(alpha, gamma, accepted):
    return alpha**accepted * (1 - alpha)


def worked(alpha, gamma, accepted):
    return (
        f"The first {accepted} drafts are accepted and the next one is rejected: "
        rf"$\alpha^{accepted} (1 - \alpha) = {alpha}^{accepted} \cdot {1 - alpha:.3g} = "
        f"{chance(alpha, gamma, accepted):.4f}$. How many drafts come after it makes no difference."
    )


question = Number(
    id="chance-of-k",
    topic="speculation",
    chapter="04",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A round drafts {{gamma}} tokens. Each is accepted with probability {{alpha}}, "
        "independently of the others, and the first rejection ends the round. With which "
        "probability are exactly {{accepted}} of them accepted?"
    ),
    parameters={
        "alpha": [round(0.56 + 0.016 * step, 3) for step in range(21)],
        "gamma": [5, 6, 7, 8],
        "accepted": [1, 2, 3, 4],
    },
    answer=chance,
    unit="1",
    rtol=0.001,
    low=0,
    high=1,
    wrong=[
        Wrong(
            "at least so many",
            lambda alpha, gamma, accepted: alpha**accepted,
            "That is the chance of at least so many. Exactly so many needs the next one to be "
            "rejected.",
        ),
        Wrong(
            "any of the drafts",
            lambda alpha, gamma, accepted: (
                comb(gamma, accepted) * alpha**accepted * (1 - alpha) ** (gamma - accepted)
            ),
            "The binomial counts acceptances anywhere in the window. Here the first rejection ends "
            "the round, so only one order is possible.",
        ),
        Wrong(
            "rejection counted twice",
            lambda alpha, gamma, accepted: alpha ** (accepted - 1) * (1 - alpha),
            "Count the acceptances before the rejection: there are as many as the question says, "
            "not one fewer.",
        ),
    ],
    worked=worked,
)
