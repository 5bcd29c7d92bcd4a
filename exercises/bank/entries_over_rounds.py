from crossover.theory import round_entries

from ..questions import Function, Wrong


def bytes_written(gamma, accepted, draft_kb):
    """The target writes gamma + 1 entries a round; the draft gamma, and what it owes."""
    owed = total = 0
    for count in accepted:
        total += gamma + owed
        owed = 1 if count == gamma else 0
    return total * draft_kb * 1000


def from_library(gamma, accepted, draft_kb):
    position = written = 0
    for count in accepted:
        entries = round_entries(position, gamma, count)
        written += len(entries.draft.written)
        position = entries.emitted[-1]
    return written * draft_kb * 1000


def kept_only(gamma, accepted, draft_kb):
    return sum(min(count + 1, gamma) for count in accepted) * draft_kb * 1000


def as_the_target(gamma, accepted, draft_kb):
    return len(accepted) * (gamma + 1) * draft_kb * 1000


def draw_inputs(rng, draft_kb):
    cases = []
    for _ in range(12):
        gamma = rng.randint(1, 6)
        accepted = [rng.randint(0, gamma) for _ in range(rng.randint(3, 12))]
        # full acceptances before the last round, where the debt shows
        accepted[rng.randrange(len(accepted) - 1)] = gamma
        cases.append((gamma, [*accepted, 0]))
    return cases


question = Function(
    id="entries-over-rounds",
    topic="rollback",
    chapter="07",
    level="apply",
    minutes=20,
    points=4,
    text=(
        "One entry of the draft's KV cache takes {{draft_kb}} kB (1 kB = 1000 bytes). A sequence "
        "starts with both caches complete but for its last token, and runs one round after "
        "another; in round $i$ it accepts `accepted[i]` of the `gamma` drafts. At the start of a "
        "round the draft takes in every committed token that it has no entry for.\n\n"
        "Write `draft_bytes_written(gamma, accepted)`: the bytes written to the draft's cache in "
        "all these rounds together, whether they are kept or overwritten later."
    ),
    parameters={"draft_kb": list(range(96, 640, 4))},
    name="draft_bytes_written",
    signature="gamma, accepted",
    answer=bytes_written,
    inputs=draw_inputs,
    examples=[(4, [4, 2, 0]), (1, [1, 1, 0])],
    wrong=[
        Wrong(
            "calls the library",
            from_library,
            "`round_entries` describes one round of a draft that is up to date. After a full "
            "acceptance the draft owes one token and takes it in first.",
        ),
        Wrong(
            "kept entries",
            kept_only,
            "That counts the entries that hold after each round. Dropped ones were written too.",
        ),
        Wrong(
            "as many as the target",
            as_the_target,
            "The target takes in the last token and all γ drafts. The draft does not take in its "
            "own last proposal.",
        ),
    ],
    worked=lambda draft_kb: (
        "A round writes γ entries, and one more if the round before accepted all γ: the draft "
        "never took in its last proposal, which is text now. `(4, [4, 2, 0])` writes 4 + 5 + 4 "
        f"entries, {bytes_written(4, [4, 2, 0], draft_kb)} bytes."
    ),
)
