from ..questions import Number, Wrong


def batch(rate, tokens, step_ms):
    return rate * tokens * step_ms / 1e3


def worked(rate, tokens, step_ms):
    stay = tokens * step_ms / 1e3
    return (
        rf"A request stays ${tokens} \cdot {step_ms}$ ms, {stay:.2f} s. Requests in the system are "
        rf"rate times stay: ${rate} \cdot {stay:.2f} = {batch(rate, tokens, step_ms):.2f}$."
    )


question = Number(
    id="batch-by-littles-law",
    topic="batching",
    chapter="03",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "{{rate}} requests arrive each second and ask for {{tokens}} tokens on average. A decoding "
        "step takes {{step_ms}} ms whatever the batch, and nobody waits. How many sequences does "
        "the batch hold on average?"
    ),
    parameters={
        "rate": [0.6, 0.9, 1.3, 1.7, 2.1, 2.6],
        "tokens": [150, 190, 230, 290, 350],
        "step_ms": [23, 29, 34, 41, 53, 69],
    },
    answer=batch,
    unit="sequences",
    low=0.1,
    high=1000,
    wrong=[
        Wrong(
            "a step for a request",
            lambda rate, tokens, step_ms: rate * step_ms / 1e3,
            "A request stays for as many steps as it has tokens, not for one.",
        ),
        Wrong(
            "rate over stay",
            lambda rate, tokens, step_ms: rate / (tokens * step_ms / 1e3),
            "Little's law multiplies: number in the system = arrival rate × time each one stays.",
        ),
        Wrong(
            "milliseconds for seconds",
            lambda rate, tokens, step_ms: rate * tokens * step_ms,
            "The rate is per second and the step in milliseconds. Bring both to seconds.",
        ),
    ],
    worked=worked,
)
