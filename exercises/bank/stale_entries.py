from ..questions import Choice

question = Choice(
    id="stale-entries",
    topic="rollback",
    chapter="07",
    level="analyse",
    minutes=4,
    points=2,
    text=(
        "A new engine handles ragged commits, and a reviewer suspects its rollback. Over a million "
        "tokens its acceptance rate is {{alpha}}, exactly what was measured before the change, and "
        "its speed is as computed. What follows?"
    ),
    parameters={"alpha": [0.71, 0.74, 0.78, 0.81]},
    options={
        "a": "The rollback is right: stale entries would have lowered the acceptance rate.",
        "b": "The draft's cache is right, and the target's may be wrong.",
        "c": "The target's cache is right, and the draft's may be wrong.",
        "d": "Nothing about the output. Compare it with plain decoding, token by token under "
        "greedy sampling or as a distribution.",
    },
    answer=lambda alpha: "d",
    wrong={
        "a": "Only stale entries in one cache alone lower the rate. Read in both, they mislead "
        "both models alike, and these go on agreeing.",
        "b": "Stale entries read by the draft alone would lower the rate, but both caches may be "
        "wrong together.",
        "c": "Stale entries in the target's cache are the ones that bend the output, and the rate "
        "does not tell them.",
    },
    worked=lambda alpha: (
        "**d.** The test compares target and draft with each other. If both read the same stale "
        f"entries they agree as well as before, here in {alpha} of the cases, and what comes out "
        "follows a wrong target. Only a comparison with plain decoding shows it."
    ),
)
