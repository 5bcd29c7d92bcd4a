"""What each sequence of a recorded round did: its tokens, its two caches, its blocks.

The page and the picture only draw what stands here; neither works anything out.
"""

from dataclasses import dataclass

from .round_words import reason, round_words

HISTORY = 3  # positions shown before the last token committed before the round
TAIL = 26  # characters of text shown before the round's own tokens
ROWS = ("drafted", "text", "target K/V", "draft K/V")
# A cell's code to its name on the page and what it says.
STATES = {
    "a": ("accepted", "accepted draft"),
    "r": ("rejected", "rejected draft"),
    "t": ("committed", "committed before"),
    "c": ("correction", "correction"),
    "b": ("bonus", "bonus token"),
    "n": ("own", "the target's own token"),
    "h": ("held", "entry from before"),
    "k": ("kept", "entry kept"),
    "d": ("dropped", "entry dropped"),
    "o": ("owed", "owed: the draft takes it in first"),
    "l": ("left", "rejected entry, left in place"),
    "s": ("stale", "stale entry from a rejected draft"),
    ".": ("none", "nothing"),
}


@dataclass(frozen=True)
class Card:
    """One sequence in one round.

    `status` is running, admitted, idle (others are admitted), waiting, preempted or
    finished. Only a running one has cells: `rows` holds a string for each of `ROWS`, one
    code of `STATES` for each position from `first` on. `tokens` are the round's own, as
    (text, code): accepted drafts, the correction or bonus, then rejected drafts. `caches`
    holds, for the target's and the draft's, the entries kept, the block table, and how
    many of its blocks are new.
    """

    status: str
    title: str
    before: str = ""
    tokens: tuple = ()
    position: int = 0
    first: int = 0
    rows: tuple = ()
    caches: tuple = ()


@dataclass(frozen=True)
class Shown:
    """One round as it is shown: a sentence and a `Card` for each sequence."""

    words: str
    cards: tuple


def cache_states(entries, columns, newest, stale=frozenset(), rolled_back=True):
    """The codes of one cache over `columns`, as a string.

    Parameters
    ----------
    entries : Entries
        What the round wrote and kept.
    columns : range
        Positions.
    newest : int
        Where the round's last token stands; it has no entry yet.
    stale : set of int
        Positions that hold a rejected draft's entry from an earlier round.
    rolled_back : bool
        False: what should be dropped stays.
    """
    end = entries.first + entries.kept

    def code(p):
        if p in stale:
            return "s"
        if p < entries.first:
            return "h"
        if p < end:
            return "k"
        if p in entries.dropped:
            return "d" if rolled_back else "l"
        return "o" if p < newest else "."

    return "".join(map(code, columns))


def token_states(step, columns):
    """The codes of the rows "drafted" and "text" over `columns`, as two strings."""
    drafted = step.position + 1
    judged = drafted + step.accepted
    newest = step.position + len(step.emitted)

    def proposal(p):
        inside = drafted <= p < drafted + len(step.proposed)
        return ("a" if p < judged else "r") if inside else "."

    def text(p):
        if p < drafted:
            return "t"
        return "." if p > newest else "a" if p < judged else last_state(step)

    return "".join(map(proposal, columns)), "".join(map(text, columns))


def last_state(step):
    """The code of the token that the target itself adds to a round."""
    if not step.proposed:
        return "n"
    return "c" if step.accepted < len(step.proposed) else "b"


def shown_rounds(recording, run, decode):
    """Every round of one run of `recording`, as a list of `Shown`.

    Parameters
    ----------
    recording : Recording
    run : str
        A key of ``recording.runs``; "target" and "draft" name the cache without rollback.
    decode : callable
        A list of token numbers to text.
    """
    return _Walk(recording, run, decode).shown


class _Walk:
    """Goes through the rounds of a run, keeping what a single round does not say."""

    def __init__(self, recording, name, decode):
        self.recording, self.name, self.decode = recording, name, decode
        self.run = recording.runs[name]
        count = len(recording.prompts)
        self.status = ["waiting"] * count
        self.length = list(recording.prompts)  # tokens so far
        self.stale = [(set(), set()) for _ in range(count)]
        self.blocks = [[(), ()] for _ in range(count)]
        self.wrong = [self.first_wrong(request) for request in range(count)]
        self.passed = self.judged = 0
        self.shown = [self.show(number, each) for number, each in enumerate(self.run.rounds)]

    def show(self, number, round_):
        steps = {step.request: step for step in round_.steps}
        read = 0
        for request in round_.preempted:
            self.status[request] = "preempted"
            self.stale[request], self.blocks[request] = (set(), set()), [(), ()]
        cards = []
        for request, before in enumerate(self.status):
            if request in steps:
                read += self.stale_read(steps[request])
                cards.append(self.running(steps[request], round_))
            elif request in round_.admitted:
                self.status[request] = "running"
                written = self.length[request] - 1
                cards.append(Card("admitted", f"admitted: both caches get {written} entries"))
            else:
                cards.append(self.resting(request, before))
        reached = self.passed / self.judged if self.judged else None
        words = round_words(self.run, self.name, number, read, reached)
        for request in round_.finished:
            self.status[request] = "finished"
        self.status = ["waiting" if each == "preempted" else each for each in self.status]
        return Shown(words, tuple(cards))

    def stale_read(self, step):
        """Stale entries within reach of this round's passes."""
        return sum(
            position < entries.first + entries.written
            for entries, stale in zip((step.target, step.draft), self.stale[step.request],
                                      strict=True)
            for position in stale
        )  # fmt: skip

    def resting(self, request, status):
        title = {
            "running": "waits while others are admitted",
            "waiting": "waits for blocks",
            "preempted": "preempted: its blocks go to the others",
            "finished": f"finished: {reason(self.run, request)}",
        }[status]
        status = "idle" if status == "running" else status
        return Card(status, title, self.tail(request, self.length[request]))

    def running(self, step, round_):
        request, drafts = step.request, len(step.proposed)
        newest = step.position + len(step.emitted)
        first = max(0, step.position - HISTORY)
        columns = range(first, step.position + self.recording.gamma + 2)
        rows, caches = list(token_states(step, columns)), []
        for place, name in enumerate(("target", "draft")):
            entries, stale = getattr(step, name), self.stale[request][place]
            sound = self.name != name
            rows.append(cache_states(entries, columns, newest, stale, sound))
            if not sound:
                stale |= set(entries.dropped)
            known = self.blocks[request][place] or entries.blocks
            self.blocks[request][place] = entries.blocks
            new = len(set(entries.blocks) - set(known))
            caches.append((entries.first + entries.kept, entries.blocks, new))
        before = self.tail(request, step.position + 1)
        tokens = [(token, "a") for token in step.emitted[: step.accepted]]
        tokens += [(token, last_state(step)) for token in step.emitted[step.accepted :]]
        tokens += [(token, "r") for token in step.proposed[step.accepted :]]
        self.length[request] += len(step.emitted)
        self.passed += step.accepted
        self.judged += min(step.accepted + 1, drafts)
        title = f"K = {step.accepted} of {drafts}, ends at {newest}"
        if newest >= self.wrong[request]:
            title += f", wrong since {self.wrong[request]}"
        if request in round_.finished:
            title += f"; finished: {reason(self.run, request)}"
        tokens = tuple((self.text([token]), code) for token, code in tokens)
        return Card("running", title, before, tokens, step.position, first, tuple(rows),
                    tuple(caches))  # fmt: skip

    def first_wrong(self, request):
        """Where a greedy text leaves the one with rollback; past its end if nowhere."""
        mine = self.run.tokens[request]
        if self.recording.temperature:
            return len(mine)  # sampled texts may differ by chance
        right = self.recording.runs["rollback"].tokens[request]
        return next((i for i, token in enumerate(mine) if right[i : i + 1] != (token,)), len(mine))

    def text(self, tokens):
        return self.decode(tokens).replace("\n", "⏎")

    def tail(self, request, length):
        text = self.text(self.run.tokens[request][:length][-TAIL:])
        return text if len(text) <= TAIL else "…" + text[-TAIL:]
