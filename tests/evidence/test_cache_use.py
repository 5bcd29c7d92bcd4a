"""Use of a K/V pool: requests get their lengths, entries are counted, by hand where it can be."""

import numpy as np
import pytest

from crossover.engine import Engine
from crossover.evidence.cache_use import contended, fill_pool, filled, used_share

RNG = np.random.default_rng(5)
PROMPTS = RNG.integers(2, 30, 40).tolist()
LENGTHS = [p + int(n) for p, n in zip(PROMPTS, RNG.integers(1, 60, 40), strict=True)]


@pytest.mark.parametrize("block_size", [96, 16, 1])
def test_every_request_ends_at_its_length(block_size):
    generation = fill_pool(PROMPTS, LENGTHS, 96, 384, block_size)
    ends = [p + len(c.tokens) for p, c in zip(PROMPTS, generation, strict=True)]
    assert ends == LENGTHS
    assert all(len(c.tokens) == c.tokens[0] + 1 and c.tokens[-1] == 0 for c in generation)


def test_reserved_windows_by_hand():
    # Two windows of 8: both requests start with 3 tokens; after round r each has 2 + r entries.
    generation = fill_pool([3, 3, 3], [6, 6, 6], 8, 16, 8)
    rounds = contended(generation)
    assert [len(r.steps) for r in rounds] == [2, 2, 2]
    assert [sorted(filled(r, 8).values()) for r in rounds] == [[3, 3], [4, 4], [5, 5]]
    assert used_share(generation, 16, 8) == pytest.approx(np.mean([6, 8, 10]) / 16)


def test_blocks_hold_what_was_written_and_no_more():
    generation = fill_pool(PROMPTS, LENGTHS, 96, 384, 16)
    for round_ in generation.trace:
        if round_.kind == "decode":
            held = filled(round_, 16)
            assert set(held) <= set(range(24)) and len(held) == 24 - round_.free[0] + sum(
                len(s.target.blocks) for s in round_.steps if s.request in round_.finished
            )
            assert sum(held.values()) == sum(s.position + 1 for s in round_.steps)


def test_a_shared_block_counts_once(pair_engine):
    rounds = [r for r in pair_engine.generate([[1] * 20, [1] * 20], 2).trace if r.steps]
    first, second = (set(step.target.blocks) for step in rounds[0].steps)
    assert first & second
    assert sum(filled(rounds[0], 16).values()) == 20 + 20 - 16


@pytest.fixture
def pair_engine():
    from crossover.engine import load_model

    return Engine(load_model("draft"), max_batch=2)


def test_smaller_blocks_use_more_of_the_pool():
    shares = [
        used_share(fill_pool(PROMPTS, LENGTHS, 96, 384, size), 384, size) for size in (96, 32, 8)
    ]
    assert shares == sorted(shares) and shares[0] < 0.6 < 0.85 < shares[-1] < 1


def test_bad_input_is_named():
    with pytest.raises(ValueError, match="prompt = 1, length = 4: expected 2 <= prompt"):
        fill_pool([1], [4], 8, 8, 4)
    with pytest.raises(ValueError, match="length = 9: expected .* <= 8"):
        fill_pool([3], [9], 8, 8, 4)
    with pytest.raises(ValueError, match="entries = 10: expected a multiple of block_size = 4"):
        fill_pool([3], [5], 8, 10, 4)
    with pytest.raises(ValueError, match="give more requests"):
        used_share(fill_pool([3], [5], 8, 8, 8), 8, 8)
