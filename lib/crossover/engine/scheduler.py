"""Which sequences run: admission, prefix sharing, preemption, finishing.

Continuous batching decides anew before every pass (Yu et al., 2022, Orca); static
batching admits only when nothing runs, so a batch waits for its longest member.
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field

import numpy as np

from .kvcache import OutOfBlocks


@dataclass(eq=False)
class Sequence:
    """One request on its way: its tokens so far, and its rows in the caches while it runs.

    Between rounds the caches hold entries for all tokens but the last, the draft's
    possibly for one fewer. `limit` bounds the total number of tokens.
    """

    request: int
    tokens: list
    limit: int
    rng: np.random.Generator
    prompt: int = 0
    rows: list = field(default_factory=list)
    head: tuple = ()  # its first block of tokens when admitted
    ready: bool = False
    preemptions: int = 0
    finish_reason: str | None = None

    def __post_init__(self):
        self.prompt = self.prompt or len(self.tokens)


def common_prefix(a, b):
    """Number of leading tokens in which lists `a` and `b` agree."""
    n = min(len(a), len(b))
    if a[:n] == b[:n]:
        return n
    return next(i for i in range(n) if a[i] != b[i])


class Scheduler:
    """Decides who runs, and owns who holds which cache rows.

    Parameters
    ----------
    caches : list of PagedCache
        The target's, then the draft's if there is one.
    max_batch : int
        Sequences running at once.
    pass_tokens : int
        Padded token positions in one prefill pass, unless a single prompt needs more.
    batching : str
        ``continuous`` or ``static``.
    """

    def __init__(self, caches, max_batch, pass_tokens=4096, batching="continuous"):
        if batching not in ("continuous", "static"):
            raise ValueError(f"batching must be 'continuous' or 'static', got {batching!r}")
        self.caches, self.max_batch = caches, max_batch
        self.pass_tokens, self.static = pass_tokens, batching == "static"
        self.waiting, self.running = deque(), []
        self._by_head = defaultdict(list)  # first block's tokens -> sequences that share them

    def admit(self, gamma=0):
        """Move waiting sequences to running while rows, blocks and the pass allow; list them.

        Each gets room for its prompt and a first round of `gamma` drafts. One that shares
        a block with another of this pass waits, to fork that one once it is filled.
        """
        admitted, widest = [], 0
        if self.static and self.running:
            return admitted
        while self.waiting and len(self.running) < self.max_batch:
            sequence = self.waiting[0]
            parent, shared = self._parent(sequence)
            widest = max(widest, len(sequence.tokens) - 1 - shared)
            full = admitted and widest * (len(admitted) + 1) > self.pass_tokens
            if full or (parent and not parent.ready):
                break
            if not self._place(sequence, parent, shared, gamma):
                break
            self.running.append(self.waiting.popleft())
            sequence.head = self._head(sequence)
            self._by_head[sequence.head].append(sequence)
            admitted.append(sequence)
        return admitted

    def _head(self, sequence):
        return tuple(sequence.tokens[: self.caches[0].block_size])

    def _parent(self, sequence):
        """The running sequence with the longest common prefix of at least one block."""
        best, shared = None, self.caches[0].block_size - 1
        for other in self._by_head.get(self._head(sequence), ()):
            common = common_prefix(sequence.tokens[:-1], other.tokens[:-1])
            if common > shared:
                best, shared = other, common
            if common == len(sequence.tokens) - 1:
                break
        return (best, shared) if best else (None, 0)

    def _place(self, sequence, parent, shared, gamma):
        """Take rows and blocks for `sequence`; False, with nothing taken, if there are none."""
        try:
            for i, cache in enumerate(self.caches):
                if parent:
                    row = parent.rows[i]
                    sequence.rows.append(cache.fork(row, min(shared, int(cache.committed[row]))))
                else:
                    sequence.rows.append(cache.add())
                cache.reserve(sequence.rows[i], min(len(sequence.tokens) + gamma, sequence.limit))
        except OutOfBlocks:
            self._release(sequence)
            return False
        return True

    def _release(self, sequence):
        # Placed halfway, it holds a row of the first cache only.
        for cache, row in zip(self.caches, sequence.rows, strict=False):
            cache.free(row)
        sequence.rows, sequence.ready = [], False

    def make_room(self, gammas):
        """Reserve what a round of ``gammas[sequence]`` drafts will write.

        When blocks run out the sequence admitted last is preempted: it loses its entries,
        goes to the head of the queue and recomputes them later. Returns the preempted.
        """
        preempted = []
        for sequence in list(self.running):
            while sequence in self.running:
                try:
                    for cache, row in zip(self.caches, sequence.rows, strict=True):
                        cache.reserve(row, len(sequence.tokens) + gammas[sequence])
                    break
                except OutOfBlocks:
                    preempted.append(self.preempt(self.running[-1]))
        return preempted

    def preempt(self, sequence):
        """Take `sequence` off the engine and put it first in the queue."""
        self._leave(sequence)
        sequence.preemptions += 1
        self.waiting.appendleft(sequence)
        return sequence

    def finish(self, sequence, reason):
        """Take `sequence` off the engine for good."""
        self._leave(sequence)
        sequence.finish_reason = reason

    def _leave(self, sequence):
        self.running.remove(sequence)
        self._by_head[sequence.head].remove(sequence)
        if not self._by_head[sequence.head]:
            del self._by_head[sequence.head]
        self._release(sequence)
