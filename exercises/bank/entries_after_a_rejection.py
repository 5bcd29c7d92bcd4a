from crossover.theory import round_entries

from ..questions import Numbers, Wrong


def after(position, gamma, accepted):
    entries = round_entries(position, gamma, accepted)
    return {
        "last_token": entries.emitted[-1],
        "target_length": entries.target.committed_length,
        "target_dropped": len(entries.target.dropped),
        "draft_dropped": len(entries.draft.dropped),
    }


def worked(position, gamma, accepted):
    entries = round_entries(position, gamma, accepted)
    found = after(position, gamma, accepted)
    return (
        f"Of the drafts at {position + 1} to {position + gamma} the target accepts {accepted}, and "
        f"puts its correction at {found['last_token']}. Nobody has taken the correction in, so it "
        "has no entry. "
        f"Verification wrote {entries.target.written[0]} to {entries.target.written[-1]}; up to "
        f"{entries.target.kept[-1]} they hold, {found['target_length']} entries from 0 on, and "
        f"{found['target_dropped']} are dropped. The draft wrote {entries.draft.written[0]} to "
        f"{entries.draft.written[-1]}, never its own draft {gamma}, and drops "
        f"{found['draft_dropped']}. Masked by length they do no harm and need not be freed."
    )


question = Numbers(
    id="entries-after-a-rejection",
    topic="rollback",
    chapter="10",
    level="apply",
    minutes=8,
    points=4,
    text=(
        "The last committed token of a sequence stands at position {{position}}, counted from 0; "
        "no cache holds an entry for it yet. γ = {{gamma}} tokens are drafted and verified, and "
        "the target accepts the first {{accepted}} of them. After the round: at which position "
        "does the text's `last_token` stand; how many entries of the target's cache hold, counted "
        "from position 0 (`target_length`); and how many of the entries written in this round must "
        "not be read again, in the target's cache (`target_dropped`) and in the draft's "
        "(`draft_dropped`)?"
    ),
    parameters={
        "position": [187, 214, 263, 308, 341, 397, 452, 519, 586, 640, 703, 777],
        "gamma": [4, 5, 6, 7],
        "accepted": [0, 1, 2],
    },
    answer=after,
    units={
        "last_token": "position",
        "target_length": "entries",
        "target_dropped": "entries",
        "draft_dropped": "entries",
    },
    rtol=1e-6,
    wrong=[
        Wrong(
            "the correction has an entry",
            lambda position, gamma, accepted: {
                "target_length": position + accepted + 2,
                "target_dropped": gamma - accepted - 1,
            },
            "An entry is written when a model takes a token in. The correction has been sampled, "
            "but nobody has taken it in.",
        ),
        Wrong(
            "draft writes all its proposals",
            lambda position, gamma, accepted: {"draft_dropped": gamma - accepted},
            "The draft proposes its last token and does not take it in: it writes γ entries, that "
            "of the last committed token among them.",
        ),
        Wrong(
            "correction forgotten",
            lambda position, gamma, accepted: {"last_token": position + accepted},
            "The target puts a token of its own in the place of the first rejected draft.",
        ),
        Wrong(
            "all drafts dropped",
            lambda position, gamma, accepted: {
                "target_dropped": gamma + 1,
                "draft_dropped": gamma,
            },
            "Entries computed from tokens that are now in the text hold, that of the old last "
            "token among them.",
        ),
    ],
    worked=worked,
)
