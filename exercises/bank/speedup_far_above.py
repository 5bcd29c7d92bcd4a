from crossover.theory import expected_tokens

from ..questions import Number, Wrong


def floor(target, draft, gamma, alpha):
    return expected_tokens(alpha, gamma) / (gamma + 1 + gamma * draft / target)


def worked(target, draft, gamma, alpha):
    tokens, cost = expected_tokens(alpha, gamma), gamma + 1 + gamma * draft / target
    return (
        rf"In units of a plain step the round costs $γ + 1 + γ N_d / N = {cost:.4f}$ and yields "
        f"{tokens:.4f} tokens: {tokens / cost:.4f}."
    )


question = Number(
    id="speedup-far-above",
    topic="throughput",
    chapter="06",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "So many sequences are decoded that every pass, of the target with {{target}} and of the "
        "draft with {{draft}} billion parameters, is compute-bound, at the same "
        "FLOP/s. γ = {{gamma}}, α = {{alpha}}. "
        "What does the speedup of speculative over plain decoding tend to?"
    ),
    parameters={
        "target": [27, 34, 70, 123],
        "draft": [1.5, 3, 7, 8],
        "gamma": [2, 3, 4, 5, 6],
        "alpha": [0.6, 0.66, 0.71, 0.77, 0.82],
    },
    answer=floor,
    unit="1",
    rtol=0.002,
    low=0,
    high=2,
    wrong=[
        Wrong(
            "drafting forgotten",
            lambda target, draft, gamma, alpha: expected_tokens(alpha, gamma) / (gamma + 1),
            "The draft's arithmetic counts too, its share being N_d/N a step.",
        ),
        Wrong(
            "verification free",
            lambda target, draft, gamma, alpha: (
                expected_tokens(alpha, gamma) / (1 + gamma * draft / target)
            ),
            "That is the speedup at small batch. Compute-bound, γ + 1 positions cost γ + 1 plain "
            "steps.",
        ),
        Wrong(
            "w = γ",
            lambda target, draft, gamma, alpha: (
                expected_tokens(alpha, gamma) / (gamma + gamma * draft / target)
            ),
            "Verification takes in γ + 1 positions.",
        ),
    ],
    worked=worked,
)
