"""One pass or one round over the running sequences: prefill, propose, verify, settle.

With the last committed token at position n-1 the drafts stand at n .. n+gamma-1. The
draft writes entries for the last token and for drafts 1 .. gamma-1, the target for the
last token and all gamma drafts. After K acceptances positions up to n-1+K are valid; the
correction or bonus token has no entry anywhere yet.
"""

import numpy as np

from .sampling import distribution, sample, verify
from .trace import Entries, Step


class Decoder:
    """Runs passes of the target and, if there is one, the draft.

    `models` and `caches` are parallel lists: the target's, then the draft's. A subclass
    may replace `verify` or `settle` to show what breaks without them. `end` is the token
    after which nothing more is emitted.
    """

    verify = staticmethod(verify)

    def __init__(self, models, caches, temperature=0.0, top_p=1.0, end=None):
        self.models, self.caches, self.end = models, caches, end
        self.temperature, self.top_p = temperature, top_p

    def _pass(self, which, sequences, tokens, last_only):
        """One packed pass of model `which`; distributions after the (last) new tokens."""
        rows = [sequence.rows[which] for sequence in sequences]
        layout = self.caches[which].extend(rows, [len(new) for new in tokens])
        packed = np.concatenate(tokens)
        wanted = layout.last if last_only else slice(None)
        logits = self.models[which].forward(packed, layout, self.caches[which], wanted)
        return distribution(logits, self.temperature, self.top_p), layout

    def prefill(self, sequences):
        """Write and commit entries for all tokens but the last; True if a pass was needed."""
        ran = False
        for which, (model, cache) in enumerate(zip(self.models, self.caches, strict=True)):
            missing = [(s, s.tokens[cache.written[s.rows[which]] : -1]) for s in sequences]
            missing = [(s, tokens) for s, tokens in missing if tokens]
            if missing:
                rows = [s.rows[which] for s, _ in missing]
                layout = cache.extend(rows, [len(tokens) for _, tokens in missing])
                model.forward(np.concatenate([t for _, t in missing]), layout, cache, None)
                for row, (_, tokens) in zip(rows, missing, strict=True):
                    cache.commit(row, len(tokens))
                ran = True
        for sequence in sequences:
            sequence.ready = True
        return ran

    def round(self, sequences, gammas):
        """Draft, verify and settle once; one `Step` for each sequence.

        ``gammas[i]`` drafts for ``sequences[i]``; all 0 is plain decoding. Emitted tokens
        are appended to the sequences.
        """
        gammas = np.asarray(gammas)
        width = int(gammas.max())
        # A sequence draws from its own generator: its text does not depend on the batch.
        uniform = np.zeros((len(sequences), 2 * width + 1))
        for i, sequence in enumerate(sequences):
            uniform[i, : 2 * gammas[i] + 1] = sequence.rng.random(2 * gammas[i] + 1)
        tests = np.zeros((len(sequences), width + 1))
        for i, gamma in enumerate(gammas):
            tests[i, :gamma], tests[i, -1] = uniform[i, gamma : 2 * gamma], uniform[i, 2 * gamma]
        drafts, q = self.propose(sequences, gammas, uniform)
        tokens = [[s.tokens[-1], *drafts[i, : gammas[i]]] for i, s in enumerate(sequences)]
        p, layout = self._pass(0, sequences, tokens, last_only=False)
        accepted, following = self.verify(layout.pad(p), q, drafts, gammas, tests)
        return [
            self.settle(
                s, [int(t) for t in drafts[i, : gammas[i]]], int(accepted[i]), int(following[i])
            )
            for i, s in enumerate(sequences)
        ]

    def propose(self, sequences, gammas, uniform):
        """Draft tokens ``(rows, gamma)`` and the distributions they were drawn from."""
        width = int(gammas.max())
        drafts = np.zeros((len(sequences), width), np.int64)
        q = np.zeros((len(sequences), width, self.models[0].vocabulary))
        for j in range(width):
            active = np.flatnonzero(gammas > j)
            chosen = [sequences[i] for i in active]
            if j == 0:  # what the draft has not seen: the last token, or the last two
                cache = self.caches[1]
                tokens = [s.tokens[cache.written[s.rows[1]] :] for s in chosen]
            else:
                tokens = drafts[active, j - 1, None]
            q[active, j], _ = self._pass(1, chosen, tokens, last_only=True)
            drafts[active, j] = sample(q[active, j], uniform[active, j])
        return drafts, q

    def settle(self, sequence, proposed, accepted, following):
        """Keep what the accepted tokens wrote, drop the rest, and append what is emitted."""
        position = len(sequence.tokens) - 1
        valid = position + 1 + accepted
        entries = []
        for cache, row in zip(self.caches, sequence.rows, strict=True):
            first, written = int(cache.committed[row]), int(cache.written[row])
            kept = min(written, valid) - first
            cache.commit(row, kept)
            cache.rollback(row, first + kept)
            entries.append(Entries(first, written - first, kept, tuple(cache.blocks_of(row))))
        emitted = (*proposed[:accepted], following)
        if self.end in emitted:
            emitted = emitted[: emitted.index(self.end) + 1]
        sequence.tokens.extend(emitted)
        return Step(
            sequence.request,
            position,
            tuple(proposed),
            accepted,
            emitted,
            entries[0],
            entries[1] if len(entries) > 1 else None,
        )
