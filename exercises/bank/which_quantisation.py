from ..questions import Choice

question = Choice(
    id="which-quantisation",
    topic="quantisation",
    chapter="09",
    level="analyse",
    minutes=4,
    points=2,
    text=(
        "A node runs $B$ = {{batch}} sequences with γ = {{gamma}}, just below the knee of its fp16 "
        "verification pass at {{knee}}. The target is to be quantised. The chip does int8 "
        "arithmetic at twice the fp16 rate. Which scheme leaves the verification pass "
        "memory-bound at this batch?"
    ),
    parameters={"batch": [26, 27, 28], "gamma": [4, 5], "knee": [29, 30, 31]},
    options={
        "a": "W8A8: int8 weights, int8 arithmetic.",
        "b": "W8A16: int8 weights, fp16 arithmetic.",
        "c": "W4A16: int4 weights, fp16 arithmetic.",
        "d": "All three: a quantised pass is shorter, so it has more room.",
    },
    answer=lambda **values: "a",
    wrong={
        "b": "The read halves and the arithmetic does not, so the knee halves and the batch is "
        "past it.",
        "c": "The read falls to a quarter and the arithmetic stays: the knee falls to a quarter.",
        "d": "What counts is the arithmetic for each byte read, R·d, not how long the pass takes.",
    },
    worked=lambda batch, gamma, knee: (
        "**a.** $B^* = R d / 2w$. W8A8 halves $d$ and doubles $R$, so the knee stays at "
        f"{knee}. W8A16 moves it to {knee / 2:g} and W4A16 to {knee / 4:g}, both below {batch}."
    ),
)
