from ..questions import Number, Wrong


def both(p_paid, p_failed, q_paid, q_failed):
    p = p_paid, p_failed, 1 - p_paid - p_failed
    q = q_paid, q_failed, 1 - q_paid - q_failed
    return list(zip(p, q, strict=True))


def acceptance(**values):
    return sum(min(p, q) for p, q in both(**values))


def worked(**values):
    terms = " + ".join(f"{min(p, q):.3f}" for p, q in both(**values))
    return (
        r"A token $x$ is drawn with $q(x)$ and kept with $\min(1, p(x)/q(x))$, so it is drawn and "
        rf"kept with $\min(p(x), q(x))$. The sum is ${terms} = {acceptance(**values):.3f}$."
    )


question = Number(
    id="acceptance-of-a-draft",
    topic="speculation",
    chapter="00",
    level="apply",
    minutes=4,
    points=2,
    text=(
        "Only three tokens can come next: *paid*, *failed* and *pending*. The target gives *paid* "
        "the probability {{p_paid}}, *failed* {{p_failed}}, and *pending* the rest. The draft "
        "gives *paid* {{q_paid}}, *failed* {{q_failed}}, and *pending* the rest, and samples its "
        "proposal from that. With which probability is the proposal accepted by the rule that "
        "leaves the output the target's?"
    ),
    parameters={
        "p_paid": [0.451, 0.464, 0.472, 0.485, 0.497, 0.513, 0.538, 0.552, 0.567],
        "p_failed": [0.214, 0.251, 0.292],
        "q_paid": [0.153, 0.174, 0.197, 0.246, 0.268, 0.289, 0.323, 0.341, 0.365],
        "q_failed": [0.338, 0.381, 0.424],
    },
    answer=acceptance,
    unit="1",
    rtol=0.001,
    low=0,
    high=1,
    wrong=[
        Wrong(
            "both draw the same",
            lambda **values: sum(p * q for p, q in both(**values)),
            "That is the chance that two independent draws agree. The target does not draw; it "
            "keeps the proposal with probability min(1, p/q).",
        ),
        Wrong(
            "rejection",
            lambda **values: 1 - acceptance(**values),
            "That is the probability of a rejection, the sum of max(q − p, 0).",
        ),
        Wrong(
            "weighted with the target",
            lambda **values: sum(p * min(1, p / q) for p, q in both(**values)),
            "The draft makes the proposal, so min(1, p/q) is weighted with q, not with p.",
        ),
    ],
    worked=worked,
)
