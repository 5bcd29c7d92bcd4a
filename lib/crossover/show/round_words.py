"""What a recorded round, and a whole recorded run, says in words."""

NAMES = "ABCDEFGH"  # of the sequences


def round_words(run, name, number, read, reached):
    """Round `number` of `run` in two or three sentences.

    Parameters
    ----------
    run : Run
    name : str
        Its name: rollback, or the cache that is not rolled back.
    number : int
    read : int
        Stale entries within reach of this round's passes.
    reached : float, optional
        Share of the drafts judged so far that passed; None before the first.

    Returns
    -------
    str
    """
    round_ = run.rounds[number]
    start = f"Round {number + 1} of {len(run.rounds)}"
    if round_.kind == "prefill":
        return f"{start}, a prefill: {_listed(round_.admitted)} admitted."
    accepted = ", ".join(f"{NAMES[step.request]} {step.accepted}" for step in round_.steps)
    new = sum(len(step.emitted) for step in round_.steps)
    left = {
        cache: sum(len(getattr(step, cache).dropped) for step in round_.steps)
        for cache in ("target", "draft")
    }
    verbs = {cache: "leaves" if cache == name else "drops" for cache in left}
    parts = [
        f"{start}: accepted drafts {accepted}; new tokens {new}.",
        f"The target {verbs['target']} {left['target']} entries, "
        f"the draft {verbs['draft']} {left['draft']}.",
    ]
    if name != "rollback":
        parts.append(
            f"Stale entries read by the {name}: {read}; the target's distributions are off "
            f"by {max(run.errors[number]):.2f}."
        )
    if reached is not None:
        parts.append(f"Acceptance so far {reached:.2f}.")
    if round_.preempted:
        parts.append(f"{_listed(round_.preempted)} preempted.")
    return " ".join(parts)


def reason(run, request):
    """Why a sequence ended."""
    words = {"stop": "end of the text", "length": "length asked for", "window": "window full"}
    return words[run.reasons[request]]


def acceptance(run):
    """Share of the run's judged drafts that passed."""
    steps = [step for each in run.rounds for step in each.steps]
    return sum(s.accepted for s in steps) / sum(min(s.accepted + 1, len(s.proposed)) for s in steps)


def verdict(recording, name):
    """What a whole run shows, in two or three sentences."""
    right, run = recording.runs["rollback"], recording.runs[name]
    off = max(max(each, default=0) for each in run.errors)
    exact = "the ones a clean cache gives" if off < 5e-4 else f"off by up to {off:.2f}"
    if name == "rollback":
        return (
            f"{len(run.rounds)} rounds, acceptance {acceptance(run):.2f}. The target's "
            f"distributions are {exact}."
        )
    said = (
        f"Without rollback in the {name}'s cache: {len(run.rounds)} rounds instead of "
        f"{len(right.rounds)}, acceptance {acceptance(run):.2f} instead of "
        f"{acceptance(right):.2f}. The target's distributions are {exact}"
    )
    if recording.temperature == 0:
        apart = [i for i, both in enumerate(zip(run.tokens, right.tokens, strict=True))
                 if both[0] != both[1]]  # fmt: skip
        if apart:
            return f"{said}, and the text of {_listed(apart)} is wrong."
        return f"{said}, and the text is the same, token for token."
    if off < 5e-4:
        return f"{said}: the text differs as another seed's would."
    return f"{said}: the text is not the target's."


def _listed(requests):
    return ", ".join(NAMES[request] for request in requests)
