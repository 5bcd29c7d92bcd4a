from crossover.theory import expected_tokens

from ..questions import Number, Wrong


def wasted(batch, gamma, alpha):
    return batch * (gamma + 1 - expected_tokens(alpha, gamma))


def worked(batch, gamma, alpha):
    return (
        f"A sequence has {gamma + 1} positions verified and gains "
        f"{expected_tokens(alpha, gamma):.4f} tokens. The difference times {batch} is "
        f"{wasted(batch, gamma, alpha):.2f}."
    )


question = Number(
    id="wasted-positions",
    topic="rollback",
    chapter="07",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "{{batch}} sequences verify γ = {{gamma}} drafts each in one pass; every draft is accepted "
        "with probability {{alpha}} independently of the others. Each emitted token uses one "
        "verified position. How many of the pass's positions are wasted on average?"
    ),
    parameters={
        "batch": [12, 17, 23, 31, 40, 52],
        "gamma": [3, 4, 5, 6],
        "alpha": [0.61, 0.67, 0.73, 0.78, 0.84],
    },
    answer=wasted,
    unit="positions",
    low=0,
    high=1000,
    wrong=[
        Wrong(
            "rejected share of all drafts",
            lambda batch, gamma, alpha: batch * gamma * (1 - alpha),
            "That would hold if every draft were judged. A rejection throws away all drafts behind "
            "it as well.",
        ),
        Wrong(
            "w = γ",
            lambda batch, gamma, alpha: batch * (gamma - expected_tokens(alpha, gamma)),
            "The pass has γ + 1 positions a sequence.",
        ),
        Wrong(
            "positions used",
            lambda batch, gamma, alpha: batch * expected_tokens(alpha, gamma),
            "Those are the positions that yield a token. The question asks for the rest.",
        ),
    ],
    worked=worked,
)
