from crossover.theory import expected_tokens

from ..questions import Function, Wrong


def spread(alpha, gamma, rounds):
    """Chances of 1 to gamma + 1 tokens, then mean square less squared mean."""
    chances = [alpha**k * (1 - alpha) for k in range(gamma)] + [alpha**gamma]
    mean = sum(chance * (k + 1) for k, chance in enumerate(chances))
    square = sum(chance * (k + 1) ** 2 for k, chance in enumerate(chances))
    return rounds * (square - mean**2)


def draw_inputs(rng, rounds):
    return [(round(rng.uniform(0.3, 0.95), 3), rng.randint(1, 12)) for _ in range(12)]


question = Function(
    id="variance-of-tokens",
    topic="speculation",
    chapter="04",
    level="analyse",
    minutes=20,
    points=4,
    text=(
        "Two sequences that start together drift apart, because rounds yield different numbers of "
        "tokens. A round drafts `gamma` tokens, each accepted with probability `alpha` "
        "independently of all others, and adds one token of the target.\n\n"
        "Write `variance_of_tokens(alpha, gamma)`: the variance, in tokens squared, of the number "
        "of tokens one sequence gains in {{rounds}} independent rounds."
    ),
    parameters={"rounds": list(range(40, 160))},
    name="variance_of_tokens",
    signature="alpha, gamma",
    answer=spread,
    inputs=draw_inputs,
    examples=[(0.75, 4), (0.5, 1)],
    wrong=[
        Wrong(
            "calls the library",
            lambda alpha, gamma, rounds: rounds * expected_tokens(alpha, gamma),
            "`expected_tokens` gives the mean. The variance is the mean square less the square of "
            "the mean.",
        ),
        Wrong(
            "window without end",
            lambda alpha, gamma, rounds: rounds * alpha / (1 - alpha) ** 2,
            "That is the variance of a geometric number without bound. At most γ drafts can be "
            "accepted, which cuts the tail off.",
        ),
        Wrong(
            "drafts judged alone",
            lambda alpha, gamma, rounds: rounds * gamma * alpha * (1 - alpha),
            "That is the binomial variance, as if every draft were judged. The first rejection "
            "ends the round.",
        ),
        Wrong(
            "rounds squared",
            lambda alpha, gamma, rounds: rounds * spread(alpha, gamma, rounds),
            "Variances of independent rounds add up: multiply by the number of rounds, not by its "
            "square.",
        ),
    ],
    worked=lambda rounds: (
        r"$P(K = k) = \alpha^k (1 - \alpha)$ for $k < \gamma$ and $\alpha^\gamma$ for "
        r"$k = \gamma$; a round gives $T = K + 1$. "
        rf"The answer is ${rounds} \cdot (E[T^2] - E[T]^2)$. For α = 0.75, γ = 4 it is "
        f"{spread(0.75, 4, rounds):.2f}."
    ),
)
