from crossover.theory import expected_tokens

from ..questions import Number, Wrong


def milliseconds(verify_ms, draft_ms, gamma, alpha):
    return (verify_ms + gamma * draft_ms) / expected_tokens(alpha, gamma)


def worked(verify_ms, draft_ms, gamma, alpha):
    seconds, tokens = verify_ms + gamma * draft_ms, expected_tokens(alpha, gamma)
    return (
        rf"The round takes ${verify_ms} + {gamma} \cdot {draft_ms} = {seconds:.1f}$ ms and yields "
        f"$E[T] = {tokens:.4f}$ tokens: {seconds / tokens:.2f} ms a token."
    )


question = Number(
    id="time-per-token",
    topic="throughput",
    chapter="06",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A verification pass takes {{verify_ms}} ms and a draft step {{draft_ms}} ms. With γ = "
        "{{gamma}} drafts a round, each accepted with probability {{alpha}} independently of the "
        "others, how many ms does a sequence take for a token on average?"
    ),
    parameters={
        "verify_ms": [38, 47, 58, 69, 83, 104, 131],
        "draft_ms": [2.2, 3.4, 4.7, 6.1],
        "gamma": [3, 4, 5],
        "alpha": [0.62, 0.69, 0.75, 0.81, 0.87],
    },
    answer=milliseconds,
    unit="ms",
    low=1,
    high=500,
    wrong=[
        Wrong(
            "drafting forgotten",
            lambda verify_ms, draft_ms, gamma, alpha: milliseconds(verify_ms, 0, gamma, alpha),
            "The γ draft steps run before the verification and take time too.",
        ),
        Wrong(
            "one draft step",
            lambda verify_ms, draft_ms, gamma, alpha: (
                milliseconds(verify_ms, draft_ms / gamma, gamma, alpha)
            ),
            "The draft proposes one token after the other: γ steps a round.",
        ),
        Wrong(
            "every draft accepted",
            lambda verify_ms, draft_ms, gamma, alpha: (
                (verify_ms + gamma * draft_ms) / (gamma + 1)
            ),
            "γ + 1 tokens come only if every draft is accepted. Divide by the expected number.",
        ),
        Wrong(
            "the whole round",
            lambda verify_ms, draft_ms, gamma, alpha: verify_ms + gamma * draft_ms,
            "That is the time of a round, which yields more than one token.",
        ),
    ],
    worked=worked,
)
