"""The bars are the shares given; the band is that of a sample of this size."""

import numpy as np
import pytest

from crossover.show import stale


def test_bars_lines_and_bands():
    exact = [0.5, 0.3, 0.2]
    given = {"correct": [0.49, 0.31, 0.2], "stale": [0.1, 0.3, 0.6]}
    ax = stale.shares(["a", "b", "else"], exact, given, samples=400)
    for bars, (label, share) in zip(ax.containers, given.items(), strict=True):
        assert bars.get_label() == label
        assert [bar.get_height() for bar in bars] == share
        nearest = [round(bar.get_x() + bar.get_width() / 2) for bar in bars]
        assert nearest == [0, 1, 2]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["a", "b", "else"]
    *bands, lines = ax.collections
    assert [line[0, 1] for line in lines.get_segments()] == exact
    half = 1.96 * np.sqrt(0.25 / 400)
    low, high = bands[0].get_paths()[0].get_extents().intervaly
    assert (low, high) == pytest.approx((0.5 - half, 0.5 + half))
