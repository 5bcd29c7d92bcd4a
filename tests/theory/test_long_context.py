"""Speculation over a long context: where its sign turns, and the search for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    MODELS,
    Roofline,
    break_even_batch,
    expected_tokens,
    long_context_speedup,
    speedup,
    win_intervals,
)

from .test_context import A100, READINGS, batches, rooflines, source_pair
from .test_speculation import alphas


@pytest.mark.parametrize(("roof_per", "at_4000"), [("pass", 1.10), ("operator", 1.08)])
def test_context_changes_the_sign(roof_per, at_4000):
    pair = source_pair(roof_per)
    assert round(speedup(*pair, 32, 4, 0.75), 2) == 2.11
    assert round(speedup(*pair, 32, 4, 0.75, context=4000), 2) == at_4000
    assert round(long_context_speedup(*pair, 4, 0.75), 2) == 0.41
    # staging: three requests with a thousand tokens, where both readings agree
    assert round(speedup(*pair, 3, 4, 0.75, context=1000), 2) == 2.12


def test_source_pair_at_the_limit_is_the_ratio_of_the_caches():
    pair = source_pair("pass")
    assert 524_288 / 327_680 == 1.6
    expected = expected_tokens(0.75, 4) / (1 + 4 * 1.6)
    assert long_context_speedup(*pair, 4, 0.75) == pytest.approx(expected, rel=1e-12)


@given(rooflines(), rooflines(), batches, st.integers(0, 12), alphas, st.floats(0, 1))
def test_long_context_limit(target, draft, batch, gamma, alpha, share):
    far = 1e12 * max(target.model.params, draft.model.params) / 1e8
    found = speedup(target, draft, batch, gamma, alpha, far, share * far)
    limit = long_context_speedup(target, draft, gamma, alpha, share)
    # a share of almost 0 still leaves the draft's weights to read; they vanish too
    assert found == pytest.approx(limit, rel=1e-4)


@pytest.mark.parametrize("roof_per", READINGS)
def test_a_compressed_draft_cache_turns_the_sign_with_the_batch(roof_per):
    # MagicDec (Chen et al. 2024), blog Table 2: Llama-3.1-8B drafts for itself from
    # 512 of its 32 000 cached tokens, on 8 chips; acceptance 0.81 at that length
    chips = Roofline(MODELS["Llama-3-8B"], A100, roof_per=roof_per, tensor_parallel=8)
    published = {(32, 3): 1.22, (64, 3): 1.38, (128, 4): 1.47}
    found = [speedup(chips, chips, b, g, 0.81, 32_000, 512) for b, g in published]
    assert found == sorted(found)  # more pays more, as published ...
    assert all(ours > theirs for ours, theirs in zip(found, published.values(), strict=True))
    falling = [speedup(chips, chips, b, g, 0.81) for b, g in published]
    assert falling == sorted(falling, reverse=True) and falling[0] < 1
    assert all(speedup(chips, chips, b, g, 0.81, 32_000) < 1 for b, g in published)
    # ... and a single sequence loses, so the wins start later than at 1
    [(first, last)] = win_intervals(chips, chips, 3, 0.81, 512, 32_000, 512)
    assert 1 < first < 4 and last == 512
    assert speedup(chips, chips, first, 3, 0.81, 32_000, 512) == pytest.approx(1)
    assert break_even_batch(chips, chips, 3, 0.81, 512, 32_000, 512) == 0


def test_break_even_with_context_finds_the_root():
    for roof_per in READINGS:
        pair = source_pair(roof_per)
        for context in (500, 2000, 4000):
            edge = break_even_batch(*pair, 4, 0.75, context=context)
            assert speedup(*pair, edge, 4, 0.75, context) == pytest.approx(1, abs=1e-12)
            assert speedup(*pair, edge + 1e-6, 4, 0.75, context) < 1
    # the same draft on a cache of 512 tokens breaks even later than on 4000
    assert break_even_batch(*pair, 4, 0.75, context=4000, draft_context=512) > edge


def test_the_search_looks_at_the_knees_that_context_moves():
    # With a nearly free draft the speedup's turning points are the knees of its
    # passes; both are fractions here, between the whole batches the search tries.
    target, _ = source_pair("pass")
    for width in (1, 5):
        assert target.knots(width, 1000) == [target.crossover_batch(width, 1000)]
    asked = []

    class Watched:
        def __init__(self, name):
            self.name = name

        def __call__(self, batch, width=1, context=0):
            return target(batch, width, context)

        def knots(self, width, context=0):
            asked.append((self.name, width, context))
            return [2.5]

    win_intervals(Watched("target"), Watched("draft"), 4, 0.75, 8, 1000, 30)
    assert asked == [("target", 1, 1000), ("target", 5, 1000), ("draft", 1, 30)]


def test_a_win_between_two_whole_batches_is_found_at_a_knee():
    # plain decoding turns compute-bound at 2.5: there alone speculation wins
    class Peak:
        def __call__(self, batch, width=1, context=0):
            batch = np.asarray(batch, dtype=float)
            return 1.0 + 0.5 * np.maximum(0, 1 - 4 * abs(batch - context)) * (width == 1)

        def knots(self, width, context=0):
            return [context - 0.25, context, context + 0.25] if width == 1 else []

    free = lambda batch, width, context: 0.3 + 0 * np.asarray(batch)  # noqa: E731
    [(low, high)] = win_intervals(Peak(), free, 1, 0.0, 8, 2.5)
    assert 2.25 < low < 2.5 < high < 2.75
