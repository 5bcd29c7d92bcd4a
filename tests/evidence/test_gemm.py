"""Measured passes: through the data, inside the range, the design's figures."""

import numpy as np
import pytest

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.theory import best_gamma, break_even_batch, speedup, win_intervals


@pytest.fixture(scope="module")
def pair():
    return [MeasuredProfile("A100-80GB-SXM", name) for name in ("Llama-2-70B", "Llama-2-7B")]


@pytest.mark.parametrize("key", profiles(), ids=str)
def test_interpolation_passes_through_the_data(key):
    profile = MeasuredProfile(*key)
    assert np.array_equal(profile(profile.positions), profile.seconds)
    middle = (profile.positions[1:] + profile.positions[:-1]) / 2
    between = (profile.seconds[1:] + profile.seconds[:-1]) / 2
    assert np.allclose(profile(middle), between, rtol=1e-12)


def test_only_positions_matter(pair):
    assert pair[0](32, 5) == pair[0](160, 1) == pair[0](batch=80, width=2)


@pytest.mark.parametrize(
    ("batch", "expected"),
    [(1, 2.16), (8, 2.16), (32, 1.43), (64, 0.98), (81, 0.92), (128, 0.72), (256, 0.65)],
)
def test_measured_speedups(pair, batch, expected):
    assert round(speedup(*pair, batch, 4, 0.75), 2) == expected


def test_measured_steps(pair):
    assert round(speedup(*pair, 32, 3, 0.75), 2) == 1.89
    assert round(speedup(*pair, 128, 1, 0.75), 3) == 1.006
    intervals = win_intervals(*pair, 4, 0.75)
    assert len(intervals) == 2  # gamma = 4 crosses 1 three times
    edges = [edge for interval in intervals for edge in interval][1:]
    for edge in edges:
        assert speedup(*pair, edge, 4, 0.75) == pytest.approx(1, abs=1e-9)
    assert break_even_batch(*pair, 4, 0.75) == intervals[0][1]


def test_the_h100_wins_where_the_a100_does_not():
    pair = [MeasuredProfile("H100-SXM", name) for name in ("Llama-2-70B", "Llama-2-7B")]
    assert round(speedup(*pair, 128, 1, 0.75), 2) == 1.35


def test_nothing_outside_the_range(pair):
    with pytest.raises(ValueError, match=r"batch \* width = 4100.0: .* from 1 to 4096"):
        pair[0](820, 5)
    assert pair[0](4096) > 0
    with pytest.raises(NotImplementedError, match="context"):
        pair[0](8, 5, context=100)


def test_a_search_stays_in_the_range(pair):
    assert win_intervals(*pair, 1, 1.0, max_batch=10**6)[-1][1] <= 2048
    assert best_gamma(*pair, np.array([2048, 2049, 4096]), 1.0, max_gamma=40).max() <= 1


def test_unknown_series_lists_the_known():
    with pytest.raises(ValueError, match="A100-80GB-SXM, Llama-2-70B, 1"):
        MeasuredProfile("A100-80GB-SXM", "Llama-2-70B", 8)
