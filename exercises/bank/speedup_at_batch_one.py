from crossover.theory import expected_tokens

from ..questions import Number, Wrong


def gain(alpha, gamma, cost):
    return expected_tokens(alpha, gamma) / (1 + gamma * cost)


def worked(alpha, gamma, cost):
    return (
        rf"$E[T] = (1 - {alpha}^{gamma + 1}) / (1 - {alpha}) = "
        rf"{expected_tokens(alpha, gamma):.4f}$. The round costs "
        rf"$1 + {gamma} \cdot {cost} = {1 + gamma * cost:.2f}$ plain steps. "
        f"The speedup is {gain(alpha, gamma, cost):.3f}."
    )


question = Number(
    id="speedup-at-batch-one",
    topic="speculation",
    chapter="04",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "One sequence is decoded with γ = {{gamma}} drafts a round, each accepted with probability "
        "{{alpha}} independently of the others. A draft step takes {{cost}} of a target step, and "
        "verification takes as long as one target step. What is the speedup over plain decoding?"
    ),
    parameters={
        "alpha": [0.58, 0.63, 0.67, 0.72, 0.77, 0.81, 0.86],
        "gamma": [3, 4, 5, 6],
        "cost": [0.02, 0.04, 0.06, 0.09, 0.11, 0.14],
    },
    answer=gain,
    unit="1",
    low=0,
    high=20,
    wrong=[
        Wrong(
            "drafting costs nothing",
            lambda alpha, gamma, cost: expected_tokens(alpha, gamma),
            "That is the tokens of a round. The round also takes γ draft steps.",
        ),
        Wrong(
            "the target's own token forgotten",
            lambda alpha, gamma, cost: (expected_tokens(alpha, gamma) - 1) / (1 + gamma * cost),
            "A round also yields the correction or bonus token of the target itself.",
        ),
        Wrong(
            "every draft judged",
            lambda alpha, gamma, cost: (1 + alpha * gamma) / (1 + gamma * cost),
            "αγ accepted drafts would hold if every draft were judged. After the first rejection "
            "the rest is thrown away.",
        ),
        Wrong(
            "sum stops too early",
            lambda alpha, gamma, cost: expected_tokens(alpha, gamma - 1) / (1 + gamma * cost),
            "The sum runs from 1 to α^γ, which makes γ + 1 terms: the exponent is γ + 1.",
        ),
    ],
    worked=worked,
)
