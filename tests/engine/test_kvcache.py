"""Blocks, tables and lengths: every misuse raises, nothing is lost or shared by mistake."""

import numpy as np
import pytest

from crossover.engine.kvcache import CacheError, OutOfBlocks, PagedCache


@pytest.fixture
def cache(tiny):
    return PagedCache(tiny(1), rows=4, blocks=6, block_size=4)


def write(cache, row, count, value=1.0):
    """Write `count` entries to `row`, all of them `value`."""
    cache.reserve(row, int(cache.written[row]) + count)
    layout = cache.extend([row], [count])
    entry = np.full((count, *cache.keys.shape[3:]), value)
    for layer in range(len(cache.keys)):
        cache.update(layer, layout, entry, -entry)


def read(cache, row):
    """The written keys of `row` in layer 0, one number an entry."""
    entries = cache.keys[0][cache.blocks_of(row)].reshape(-1, *cache.keys.shape[3:])
    return entries[: cache.written[row], 0, 0].tolist()


def test_entries_go_where_the_table_says(cache):
    first, second = cache.add(), cache.add()
    write(cache, first, 3, 1.0)
    write(cache, second, 5, 2.0)
    write(cache, first, 3, 3.0)
    assert read(cache, first) == [1, 1, 1, 3, 3, 3] and read(cache, second) == [2] * 5
    assert len(cache.blocks_of(first)) == 2 and cache.free_blocks == 2


def test_gathered_entries_are_in_order_of_position(cache):
    row = cache.add()
    cache.reserve(row, 6)
    layout = cache.extend([row], [6])
    new = np.arange(6.0)[:, None, None] * np.ones(cache.keys.shape[3:])
    keys, values = cache.update(1, layout, new, -new)
    assert keys.shape == (1, 8, *cache.keys.shape[3:])
    np.testing.assert_array_equal(keys[0, :6, 0, 0], np.arange(6))
    np.testing.assert_array_equal(values[0, :6], -keys[0, :6])


def test_rollback_drops_the_uncommitted_and_gives_back_their_blocks(cache):
    row = cache.add()
    write(cache, row, 9)
    cache.commit(row, 3)
    assert cache.rollback(row, 4) == 5
    assert cache.free_blocks == 5 and cache.written[row] == 4
    assert cache.rollback(row, 3) == 1


def test_a_fork_copies_on_write_and_leaves_the_parent_alone(cache):
    parent = cache.add()
    write(cache, parent, 6, 1.0)
    cache.commit(parent, 6)
    child = cache.fork(parent, 5)
    assert cache.free_blocks == 4 and cache.blocks_of(child) == cache.blocks_of(parent)
    write(cache, child, 2, 7.0)
    assert read(cache, child) == [1] * 5 + [7, 7] and read(cache, parent) == [1] * 6
    assert cache.blocks_of(child)[0] == cache.blocks_of(parent)[0]
    assert cache.blocks_of(child)[1] != cache.blocks_of(parent)[1]
    cache.free(parent)
    assert read(cache, child) == [1] * 5 + [7, 7] and cache.free_blocks == 4


def test_the_parent_copies_too_when_it_writes_first(cache):
    parent = cache.add()
    write(cache, parent, 6, 1.0)
    cache.commit(parent, 6)
    child = cache.fork(parent, 6)
    write(cache, parent, 1, 9.0)
    assert read(cache, parent) == [1] * 6 + [9] and read(cache, child) == [1] * 6


def test_out_of_blocks_keeps_what_was_reserved_and_can_be_tried_again(cache):
    first, second = cache.add(), cache.add()
    write(cache, first, 12)
    with pytest.raises(OutOfBlocks, match="all 6 blocks"):
        cache.reserve(second, 16)
    cache.free(first)
    write(cache, second, 16)
    assert len(set(cache.blocks_of(second))) == 4


def test_misuse_raises(cache):
    row = cache.add()
    write(cache, row, 6)
    cache.commit(row, 4)
    with pytest.raises(CacheError, match="4..6"):
        cache.rollback(row, 3)
    with pytest.raises(CacheError, match="4..6"):
        cache.rollback(row, 7)
    with pytest.raises(CacheError, match="within the 2 uncommitted"):
        cache.commit(row, 3)
    with pytest.raises(CacheError, match="within the 4 committed"):
        cache.fork(row, 5)
    with pytest.raises(CacheError, match="past the table, which ends at 64"):
        cache.reserve(row, 65)
    with pytest.raises(CacheError, match="past their blocks"):
        cache.extend([row], [3])
    cache.free(row)
    for action in (cache.free, cache.blocks_of, lambda r: cache.commit(r, 0)):
        with pytest.raises(CacheError, match="was freed or never added"):
            action(row)


def test_rows_run_out_with_an_error_of_their_own(cache):
    for _ in range(4):
        cache.add()
    with pytest.raises(CacheError, match="all 4 rows are taken"):
        cache.add()


@pytest.mark.parametrize("name", ["rows", "blocks", "block_size"])
def test_sizes_below_one_are_refused(tiny, name):
    with pytest.raises(CacheError, match=f"{name} must be at least 1, got 0"):
        PagedCache(tiny(1), **({"rows": 1, "blocks": 1, "block_size": 1} | {name: 0}))
