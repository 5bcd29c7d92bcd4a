from ..questions import Number, Wrong


def steps(**lengths):
    """Two rows; each request, in order, takes the row that is free first."""
    busy = [0, 0]
    for tokens in lengths.values():
        busy[busy.index(min(busy))] += tokens
    return max(busy)


def static_steps(a, b, c, d, e):
    return max(a, b) + max(c, d) + e


def worked(**lengths):
    busy, lines = [0, 0], []
    for name, tokens in lengths.items():
        row = busy.index(min(busy))
        lines.append(f"- {name} starts after step {busy[row]} and ends at {busy[row] + tokens}")
        busy[row] += tokens
    return "\n".join([*lines, "", f"The last one ends at step {max(busy)}."])


question = Number(
    id="continuous-steps",
    topic="batching",
    chapter="03",
    level="apply",
    minutes=5,
    points=2,
    text=(
        "Five requests wait in this order: a, b, c, d, e, with {{a}}, {{b}}, {{c}}, {{d}} and "
        "{{e}} output tokens. A continuous batch has two rows. A step yields one token for each "
        "occupied row, and a row whose request is done takes the next one in the following step. "
        "After how many steps are all five done? Prompts cost nothing."
    ),
    parameters={
        "a": [412, 447, 483, 529, 561],
        "b": [93, 118, 147, 171],
        "c": [102, 129, 153, 186],
        "d": [111, 137, 168, 194],
        "e": [205, 241, 276, 318],
    },
    answer=steps,
    unit="steps",
    rtol=1e-6,
    low=100,
    high=3000,
    wrong=[
        Wrong(
            "static batching",
            static_steps,
            "That waits for the longer of two requests before it starts the next two. A "
            "continuous batch refills a row as soon as it is free.",
        ),
        Wrong(
            "tokens over rows",
            lambda **lengths: sum(lengths.values()) / 2,
            "That would need both rows busy to the end. A request stays in its row, so one row "
            "ends before the other.",
        ),
        Wrong(
            "one after the other",
            lambda **lengths: sum(lengths.values()),
            "That uses one row. The second works at the same time.",
        ),
    ],
    worked=worked,
)
