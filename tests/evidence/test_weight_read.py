"""Timing of a weight read: the counts are right, and live mode runs."""

import numpy as np
import pytest

from crossover.evidence import weight_read
from crossover.evidence.recorded import recorded


def test_live_counts_what_it_reads():
    found = recorded("weight_read", lambda: weight_read.measure(2**20, (1, 3), turns=1), live=True)
    assert found["matrix_bytes"] == 2**20
    assert found["weights"] * found["bytes_per_weight"] == 2**20
    assert found["rows"] == [1, 3]
    assert len(found["seconds"]) == 2 and min(found["seconds"]) > 0


def test_whole_outputs_only():
    row = 4 * weight_read.COLUMNS
    assert weight_read.measure(3 * row + 5, (1,), 1)["matrix_bytes"] == 3 * row
    with pytest.raises(ValueError, match=f"matrix_bytes = 5: expected at least {row}"):
        weight_read.measure(5)


@pytest.mark.parametrize("cache, least", [(None, 2**30), (2**20, 2**28), (480 * 2**20, 2**30)])
def test_the_matrix_is_well_outside_the_cache(cache, least):
    assert weight_read.out_of_cache_bytes(cache) >= max(least, 4 * (cache or 0))


def test_the_recording_bears_out_the_chapter():
    stored = recorded("weight_read", weight_read.measure)
    assert stored["rows"] == list(weight_read.ROWS)
    assert stored["matrix_bytes"] >= weight_read.out_of_cache_bytes(None) / 4
    seconds = dict(zip(stored["rows"], np.array(stored["seconds"]), strict=True))
    # The cache delivers faster than the memory, to the same routine.
    assert stored["matrix_bytes"] / seconds[1] < stored["small_bytes"] / stored["small_seconds"] / 2
    # Flat at first, then in proportion; far below a read for every row all the way.
    assert seconds[16] < 1.5 * seconds[2]
    assert seconds[256] > 1.5 * seconds[64]
    assert seconds[16] < 16 * seconds[1] / 2 and seconds[256] < 256 * seconds[1] / 4
