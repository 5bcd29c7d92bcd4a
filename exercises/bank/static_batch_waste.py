from ..questions import Number, Wrong


def percent(**lengths):
    tokens = list(lengths.values())
    return 100 * (1 - sum(tokens) / (len(tokens) * max(tokens)))


def worked(**lengths):
    tokens = list(lengths.values())
    rows = len(tokens) * max(tokens)
    return (
        f"The batch runs {max(tokens)} steps with {len(tokens)} rows, {rows} row-steps. "
        f"{sum(tokens)} of them yield a token, so {percent(**lengths):.2f} % are wasted."
    )


question = Number(
    id="static-batch-waste",
    topic="batching",
    chapter="03",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "Four requests of {{a}}, {{b}}, {{c}} and {{d}} output tokens are decoded as one static "
        "batch: all four rows run until the longest request is done. Which share of the "
        "row-steps yields no token, in percent?"
    ),
    parameters={
        "a": [110, 135, 160, 190, 225],
        "b": [240, 270, 305, 340, 370],
        "c": [90, 120, 150, 185, 205],
        "d": [375, 388, 401, 415, 429],
    },
    answer=percent,
    unit="%",
    rtol=0.001,
    low=0,
    high=100,
    wrong=[
        Wrong(
            "share used",
            lambda **lengths: 100 - percent(**lengths),
            "That is the share that yields a token. The question asks for the rest.",
        ),
        Wrong(
            "longest row counted out",
            lambda **lengths: percent(**lengths) * 4 / 3,
            "The longest request's row-steps belong to the total too, though none of them is "
            "wasted: divide by all four rows.",
        ),
        Wrong(
            "shortest against longest",
            lambda **lengths: 100 * (1 - min(lengths.values()) / max(lengths.values())),
            "That is the waste of the shortest row alone. Count the row-steps of all four.",
        ),
    ],
    worked=worked,
)
