from ..questions import Numbers, Wrong


def probabilities(p_paid, p_failed, q_paid, q_failed):
    missing = q_paid - p_paid  # what the draft has too much of one, it lacks of the others
    failed = (p_failed - q_failed) / missing
    return {"failed": failed, "pending": 1 - failed}


def rest_of_target(p_paid, p_failed, q_paid, q_failed):
    failed = p_failed / (1 - p_paid)
    return {"failed": failed, "pending": 1 - failed}


def target(p_paid, p_failed, q_paid, q_failed):
    return {"failed": p_failed, "pending": 1 - p_paid - p_failed}


def unscaled(p_paid, p_failed, q_paid, q_failed):
    return {
        "failed": p_failed - q_failed,
        "pending": (1 - p_paid - p_failed) - (1 - q_paid - q_failed),
    }


def worked(p_paid, p_failed, q_paid, q_failed):
    left = unscaled(p_paid, p_failed, q_paid, q_failed)
    scaled = probabilities(p_paid, p_failed, q_paid, q_failed)
    return (
        rf"$\max(p - q, 0)$ is 0 for *paid*, {left['failed']:.3f} for *failed* and "
        f"{left['pending']:.3f} for *pending*. Scaled to sum to 1: {scaled['failed']:.4f} and "
        f"{scaled['pending']:.4f}."
    )


question = Numbers(
    id="correction-token",
    topic="speculation",
    chapter="04",
    level="apply",
    minutes=6,
    points=3,
    text=(
        "Only *paid*, *failed* and *pending* can come next. The target gives them {{p_paid}}, "
        "{{p_failed}} and the rest. The draft gave them {{q_paid}}, {{q_failed}} and the rest; "
        "its proposal, *paid*, was rejected. With which probabilities is the correction *failed* "
        "and *pending*, if the output must follow the target exactly?"
    ),
    parameters={
        "p_paid": [0.312, 0.325, 0.338, 0.352],
        "p_failed": [0.405, 0.416, 0.424, 0.433],
        "q_paid": [0.583, 0.597, 0.611, 0.622],
        "q_failed": [0.311, 0.318, 0.324, 0.331],
    },
    answer=probabilities,
    units={"failed": "1", "pending": "1"},
    rtol=0.002,
    wrong=[
        Wrong(
            "target without the rejected token",
            rest_of_target,
            "Leaving out the rejected token and scaling the target up counts again what the draft "
            "already yields. Draw from what the draft left short.",
        ),
        Wrong(
            "target as it is",
            target,
            "Drawing from the target would give the tokens that the draft proposes too often even "
            "more. Draw from what the draft left short.",
        ),
        Wrong(
            "not scaled",
            unscaled,
            "What is left short has to be scaled to sum to 1 before it is a distribution.",
        ),
    ],
    worked=worked,
)
