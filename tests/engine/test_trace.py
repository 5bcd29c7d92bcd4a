"""The trace says which entries each cache wrote, kept and dropped."""

from itertools import pairwise

import numpy as np
import pytest

from crossover.engine import Engine
from crossover.engine.rounds import Decoder


@pytest.fixture(scope="module")
def models(tiny):
    return tiny(1, layers=2, window=128), tiny(2, layers=1, window=128)


class Accepts(Decoder):
    """Accepts a fixed number of drafts, whatever they are."""

    count = 0

    def verify(self, p, q, drafts, gammas, uniform):
        return np.minimum(gammas, self.count), np.zeros(len(p), int)


def forced(models, count, max_tokens=20, prompt=101, gamma=4):
    """One sequence, `count` drafts accepted in every round."""
    engine = Engine(*models, gamma=gamma)
    engine.decoder = type("Forced", (Accepts,), {"count": count})
    return engine.generate([[1] * prompt], max_tokens)


def test_sequence_d_of_the_source(models):
    step = forced(models, 0).steps[0]  # last committed token at position 100
    assert step.position == 100 and len(step.proposed) == 4 and step.accepted == 0
    assert (step.target.first, step.target.written, step.target.kept) == (100, 5, 1)
    assert (step.draft.first, step.draft.written, step.draft.kept) == (100, 4, 1)
    assert step.target.dropped == range(101, 105)
    assert step.draft.dropped == range(101, 104)
    assert len(step.emitted) == 1


@pytest.mark.parametrize("accepted", range(5))
def test_the_target_keeps_one_more_than_accepted_and_the_draft_at_most_gamma(models, accepted):
    for step in forced(models, accepted).steps:
        gamma, k = len(step.proposed), step.accepted
        if gamma == 4:
            assert (step.target.written, step.target.kept) == (5, k + 1)
            lag = step.position - step.draft.first
            assert (step.draft.written - lag, step.draft.kept - lag) == (4, min(k + 1, 4))
        assert step.target.first == step.position and len(step.emitted) == k + 1


def test_after_full_acceptance_the_draft_first_ingests_the_last_draft(models):
    steps = forced(models, 4).steps
    for before, after in pairwise(steps[:3]):
        assert after.position == before.position + 5
        assert after.draft.first == after.position - 1 and after.draft.written == 5


def test_positions_tokens_and_tables_follow_on_each_other(models):
    out = Engine(*models, gamma=3, max_batch=3, block_size=4).generate(
        [[i, i + 1, i] for i in range(5)], 30, 1.0
    )
    for request in range(5):
        steps = [step for step in out.steps if step.request == request]
        assert [t for step in steps for t in step.emitted] == out[request].tokens
        position = 2
        for step in steps:
            assert step.position == position
            assert step.emitted[: step.accepted] == step.proposed[: step.accepted]
            position += len(step.emitted)
            for entries in (step.target, step.draft):
                assert len(entries.blocks) == -(-(entries.first + entries.kept) // 4)
    assert any(step.accepted == 3 for step in out.steps), "no bonus token: nothing was tested"


def test_acceptance_counts_reached_and_passed(models):
    out = forced(models, 2, max_tokens=12, prompt=5)
    assert [len(s.proposed) for s in out.steps] == [4, 4, 4, 2]
    assert out.acceptance() == ([4, 4, 3, 0], [4, 4, 0, 0])


def test_draft_passes_and_gammas_shrink_near_the_end(models):
    out = forced(models, 4, max_tokens=8)
    decode = [r for r in out.trace if r.kind == "decode"]
    assert [(r.gamma, r.draft_passes) for r in decode] == [(4, 4), (4, 2)]
    assert out[0].finish_reason == "length" and len(out[0].tokens) == 8
