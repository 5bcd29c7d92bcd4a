from crossover.theory import expected_tokens

from ..questions import Function, Wrong


def tree_tokens(alpha, gamma, width, fade):
    """A level passes unless all its candidates fail."""
    miss, rate = 1.0, alpha
    for _ in range(width):
        miss *= 1 - rate
        rate *= fade
    return 1 + sum((1 - miss) ** level for level in range(1, gamma + 1))


def draw_inputs(rng, fade):
    return [
        (round(rng.uniform(0.3, 0.85), 3), rng.randint(1, 8), rng.randint(2, 6)) for _ in range(12)
    ]


question = Function(
    id="tokens-with-a-tree",
    topic="speculation",
    chapter="04",
    level="analyse",
    minutes=20,
    points=4,
    text=(
        "Instead of one token the draft proposes `width` candidates at each of `gamma` levels. "
        "The target tries the candidates of a level one after the other until it accepts one, and "
        "goes on below that one; if it accepts none, the round ends. The first candidate is "
        "accepted with probability `alpha`; if it is rejected, the second with {{fade}}·`alpha`; "
        "the third with {{fade}}²·`alpha`; and so on. Levels are independent.\n\n"
        "Write `tree_tokens(alpha, gamma, width)`: the expected tokens emitted a round, the "
        "target's own token included."
    ),
    parameters={"fade": [round(0.4 + 0.005 * step, 3) for step in range(80)]},
    name="tree_tokens",
    signature="alpha, gamma, width",
    answer=tree_tokens,
    inputs=draw_inputs,
    examples=[(0.6, 4, 3), (0.75, 4, 1)],
    wrong=[
        Wrong(
            "calls the library",
            lambda alpha, gamma, width, fade: expected_tokens(alpha, gamma),
            "`expected_tokens` knows one candidate a level. A level with several fails only if all "
            "of them are rejected.",
        ),
        Wrong(
            "calls the library with a longer window",
            lambda alpha, gamma, width, fade: expected_tokens(alpha, gamma * width),
            "More candidates at a level do not make the chain longer: at most γ levels can pass.",
        ),
        Wrong(
            "candidates alike",
            lambda alpha, gamma, width, fade: expected_tokens(1 - (1 - alpha) ** width, gamma),
            "A later candidate is accepted less often than the first, by the factor given for each "
            "place.",
        ),
        Wrong(
            "rates added up",
            lambda alpha, gamma, width, fade: expected_tokens(
                min(1, sum(alpha * fade**place for place in range(width))), gamma
            ),
            "The second candidate is tried only if the first was rejected, so the rates do not "
            "add. Multiply the chances of failing.",
        ),
    ],
    worked=lambda fade: (
        rf"A level fails with $m = \prod_{{i=0}}^{{k-1}} (1 - {fade}^i \alpha)$, $k$ being the "
        r"width. With $s = 1 - m$, $E[T] = 1 + s + \dots + s^\gamma$. For `(0.6, 4, 3)` it is "
        f"{tree_tokens(0.6, 4, 3, fade):.4f}."
    ),
)
