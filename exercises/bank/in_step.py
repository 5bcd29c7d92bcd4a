from crossover.theory import expected_tokens

from ..questions import Number, Wrong


def tokens(alpha, gamma, batch):
    return expected_tokens(alpha**batch, gamma)


def worked(alpha, gamma, batch):
    return (
        rf"All accept their first $k$ drafts with probability $(α^k)^B = (α^B)^k$, so the shortest "
        rf"$K$ is that of one sequence with rate $α^B = {alpha**batch:.5f}$. "
        f"$E[T] = {tokens(alpha, gamma, batch):.4f}$."
    )


question = Number(
    id="in-step",
    topic="rollback",
    chapter="07",
    level="apply",
    minutes=5,
    points=2,
    text=(
        "An engine keeps one step counter for its whole batch: all {{batch}} sequences advance by "
        "the accepted length of the unluckiest, and one token of the target's. γ = {{gamma}} "
        "drafts each, every one accepted with probability {{alpha}}, independently. How many "
        "tokens does a sequence gain a round on average?"
    ),
    parameters={
        "alpha": [round(0.74 + 0.013 * step, 3) for step in range(18)],
        "gamma": [3, 4, 5],
        "batch": [2, 3, 4],
    },
    answer=tokens,
    unit="tokens",
    rtol=0.002,
    low=1,
    high=10,
    wrong=[
        Wrong(
            "each at its own length",
            lambda alpha, gamma, batch: expected_tokens(alpha, gamma),
            "That is what a sequence gains if it keeps its own accepted length.",
        ),
        Wrong(
            "rate divided by the batch",
            lambda alpha, gamma, batch: expected_tokens(alpha / batch, gamma),
            "All must accept the draft at one place: the probabilities multiply.",
        ),
        Wrong(
            "the target's token forgotten",
            lambda alpha, gamma, batch: tokens(alpha, gamma, batch) - 1,
            "Each sequence also gains a token of the target itself.",
        ),
    ],
    worked=worked,
)
