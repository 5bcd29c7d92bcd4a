from ..questions import Choice

question = Choice(
    id="where-to-switch-off",
    topic="throughput",
    chapter="06",
    level="analyse",
    minutes=4,
    points=2,
    text=(
        "For γ = {{gamma}} an operator has computed the knee of verification at {{knee}} sequences "
        "and the break-even at {{even}}. The window cannot be changed, only switched off. The "
        "node's batch moves between {{low}} and {{high}}. Which rule gives the most tokens a "
        "second?"
    ),
    parameters={
        "gamma": [3, 4],
        "knee": [31, 34, 38],
        "even": [78, 84, 91],
        "low": [10, 14, 18],
        "high": [105, 112, 120],
    },
    options={
        "a": "Off as soon as the batch exceeds {{knee}}, since verification is no longer free.",
        "b": "Off as soon as the batch exceeds {{even}}.",
        "c": "Always on: averaged over the day the gain at small batch outweighs the loss.",
        "d": "Off as soon as the batch exceeds {{knee}}·({{gamma}} + 1), where plain decoding is "
        "compute-bound too.",
    },
    answer=lambda **values: "b",
    wrong={
        "a": "At the knee the gain begins to shrink. It is still a gain until the break-even, and "
        "this rule gives it away.",
        "c": "A switch need not average: each pass can be run with or without speculation, "
        "whichever is faster at its batch.",
        "d": "Between the break-even and the knee of plain decoding speculation is slower than "
        "off, and this rule leaves it on.",
    },
    worked=lambda gamma, knee, even, low, high: (
        f"**b.** Beyond {knee} sequences the speedup falls but stays above 1 until {even}; beyond "
        "it plain decoding is faster. The best rule takes the faster of the two at each batch."
    ),
)
