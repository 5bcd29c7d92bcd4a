"""After any history of admissions, rounds, preemptions and ends the caches are right.

Right means: entries equal a recomputation from nothing on the committed tokens, every
block is free or held, and a block is held twice only by sequences that agree on its tokens.
"""

from collections import Counter
from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from crossover.engine.kvcache import PagedCache
from crossover.engine.layout import pack
from crossover.engine.rounds import Decoder
from crossover.engine.scheduler import Scheduler, Sequence
from crossover.engine.transformer import Recompute

BLOCKS, SIZE, ROWS, WINDOW, VOCABULARY = 14, 4, 4, 40, 6


class Recorder(Recompute):
    """Keeps the keys and values of one pass over a whole text."""

    def __init__(self):
        self.entries = []

    def update(self, layer, layout, k, v):
        self.entries.append((k, v))
        return super().update(layer, layout, k, v)


def recompute(model, tokens):
    """Keys and values ``(2, layers, tokens, kv_heads, head)`` of a whole text."""
    recorder, layout = Recorder(), pack([0], [len(tokens)])
    layout.mask_to(len(tokens), model.dtype)
    model.forward(np.array(tokens), layout, recorder, None)
    return np.array([[entry[i] for entry in recorder.entries] for i in range(2)])


def read(cache, row, length):
    """The first `length` entries of `row`, shaped as `recompute` gives them."""
    table = cache.blocks_of(row)
    return np.array(
        [
            store[:, table].reshape(len(store), -1, *store.shape[3:])[:, :length]
            for store in (cache.keys, cache.values)
        ]
    )


class EngineHistory(RuleBasedStateMachine):
    """Drives a scheduler and a decoder by hand, on a small pool that runs out often."""

    cache_type = PagedCache

    def __init__(self, models):
        super().__init__()
        self.models = models
        self.caches = [self.cache_type(model, ROWS, BLOCKS, SIZE) for model in models]
        self.scheduler = Scheduler(self.caches, ROWS, pass_tokens=24)
        self.decoder = Decoder(models, self.caches, temperature=1.0)
        self.count = 0

    def _queue(self, tokens):
        self.scheduler.waiting.append(
            Sequence(self.count, tokens, WINDOW, np.random.default_rng(self.count))
        )
        self.count += 1

    @rule(tokens=st.lists(st.integers(0, VOCABULARY - 1), min_size=1, max_size=14))
    def ask(self, tokens):
        self._queue(tokens)

    @precondition(lambda self: self.scheduler.running)
    @rule(data=st.data(), tail=st.lists(st.integers(0, VOCABULARY - 1), max_size=4))
    def ask_with_a_shared_prefix(self, data, tail):
        other = data.draw(st.sampled_from(self.scheduler.running))
        cut = data.draw(st.integers(1, min(len(other.tokens), WINDOW - 6)))
        self._queue(other.tokens[:cut] + tail)

    @rule(gamma=st.integers(0, 4))
    def admit(self, gamma):
        self.decoder.prefill(self.scheduler.admit(gamma))

    @precondition(lambda self: self.scheduler.running)
    @rule(gamma=st.integers(0, 4))
    def round(self, gamma):
        gammas = {s: min(gamma, s.limit - len(s.tokens) - 1) for s in self.scheduler.running}
        self.scheduler.make_room(gammas)
        running = list(self.scheduler.running)
        self.decoder.round(running, [gammas[s] for s in running])
        for sequence in running:
            if len(sequence.tokens) == sequence.limit:
                self.scheduler.finish(sequence, "length")

    @precondition(lambda self: self.scheduler.running)
    @rule(data=st.data(), end=st.booleans())
    def preempt_or_finish(self, data, end):
        sequence = data.draw(st.sampled_from(self.scheduler.running))
        if end:
            self.scheduler.finish(sequence, "stop")
        else:
            self.scheduler.preempt(sequence)

    @invariant()
    def caches_equal_a_recomputation(self):
        for sequence in self.scheduler.running:
            known = len(sequence.tokens) - 1
            for which, (model, cache) in enumerate(zip(self.models, self.caches, strict=True)):
                row = sequence.rows[which]
                length = cache.committed[row]
                assert length == cache.written[row] and (
                    length == known if which == 0 else length <= known
                )
                if length:
                    np.testing.assert_allclose(
                        read(cache, row, length),
                        recompute(model, sequence.tokens[:length]),
                        atol=1e-5,
                    )

    @invariant()
    def every_block_is_free_or_held(self):
        for which, cache in enumerate(self.caches):
            held = Counter(
                b for s in self.scheduler.running for b in cache.blocks_of(s.rows[which])
            )
            assert cache.free_blocks + len(held) == BLOCKS
            assert sorted(cache._free_blocks + list(held)) == list(range(BLOCKS))
            assert [held[b] for b in range(BLOCKS)] == cache.references.tolist()

    @invariant()
    def sharers_agree_on_the_tokens(self):
        for which, cache in enumerate(self.caches):
            holders = {}
            for s in self.scheduler.running:
                for place, block in enumerate(cache.blocks_of(s.rows[which])):
                    other, at = holders.setdefault(block, (s, place))
                    stop = min(
                        cache.written[s.rows[which]],
                        cache.written[other.rows[which]],
                        (place + 1) * SIZE,
                    )
                    assert place == at and s.tokens[:stop] == other.tokens[:stop]


def run(history, tiny, examples, phases=tuple(Phase)):
    models = [
        tiny(seed, layers, 16, VOCABULARY, WINDOW, dtype=np.float32)
        for seed, layers in ((1, 2), (2, 1))
    ]
    run_state_machine_as_test(
        partial(history, models),
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            deadline=None,
            phases=phases,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_any_history_leaves_the_caches_right(tiny):
    run(EngineHistory, tiny, 40)


@pytest.mark.long
def test_many_more_histories_leave_the_caches_right(tiny):
    run(EngineHistory, tiny, 600)


class NoCopy(PagedCache):
    """Saboteur: writes into shared blocks as if they were its own."""

    def reserve(self, row, length):
        shared = self.references.copy()
        self.references[self.references > 1] = 1
        super().reserve(row, length)
        self.references = np.where(shared > 1, shared, self.references)


class NoRollback(PagedCache):
    """Saboteur: keeps rejected entries where the next tokens' entries belong."""

    def rollback(self, row, length):
        self.committed[row] = self.written[row]
        return 0


@pytest.mark.parametrize("saboteur", [NoCopy, NoRollback])
def test_the_machine_catches_a_saboteur(tiny, saboteur):
    history = type("Sabotaged", (EngineHistory,), {"cache_type": saboteur})
    with pytest.raises((AssertionError, ExceptionGroup, ValueError)):
        run(history, tiny, 300, [Phase.generate])  # no shrinking: one failure will do
