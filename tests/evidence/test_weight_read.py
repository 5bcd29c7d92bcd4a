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


def test_the_recording_is_of_a_matrix_that_no_cache_held():
    stored = recorded("weight_read", weight_read.measure)
    assert stored["rows"] == list(weight_read.ROWS)
    seconds = np.array(stored["seconds"])
    # What the chapter says: many rows cost far less than as many times one row.
    assert seconds[-1] < seconds[0] * stored["rows"][-1] / 4
    assert stored["matrix_bytes"] >= weight_read.out_of_cache_bytes(None) / 4
