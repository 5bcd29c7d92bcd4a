"""The pictures of chapter 11 show what the theory says."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.contour import QuadContourSet

from crossover.show.context import (
    LEVELS,
    knee_over_context,
    long_context_map,
    speedup_over_context,
)
from crossover.theory import ACCELERATORS, MODELS, Capacity, Roofline, speedup

A100 = ACCELERATORS["A100-80GB-SXM"]
TARGET = replace(MODELS["Llama-2-70B"], params=70e9)
DRAFT = replace(MODELS["Llama-2-7B"], params=7e9)
READINGS = {
    reading: [Roofline(model, A100, roof_per=reading) for model in (TARGET, DRAFT)]
    for reading in ("pass", "operator")
}
PAIR = READINGS["pass"]


def named(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_the_knee_is_finite_up_to_its_limit():
    ax = knee_over_context(PAIR[0], widths=(1, 5))
    verticals = [line.get_xdata()[0] for line in ax.get_lines() if line.get_linestyle() == ":"]
    assert [round(at) for at in verticals] == [2946, 18902]
    for width, limit in zip((1, 5), verticals, strict=True):
        x, y = named(ax)[f"w = {width}"].get_data()
        assert np.isfinite(y).all() and 0.95 * limit < x[-1] < limit
        assert y == pytest.approx(PAIR[0].crossover_batch(width, x))


def test_two_caches_two_readings_two_panels_and_their_limits():
    panels = speedup_over_context(READINGS, 4, 0.75, budget=512, batches=(32, 128))
    for ax, batch in zip(panels, (32, 128), strict=True):
        lines = named(ax)
        for reading, pair in READINGS.items():
            x, full = lines[f"full draft cache, roof per {reading}"].get_data()
            _, fixed = lines[f"fixed draft cache, roof per {reading}"].get_data()
            assert full == pytest.approx(speedup(*pair, batch, 4, 0.75, x))
            assert fixed == pytest.approx(speedup(*pair, batch, 4, 0.75, x, np.minimum(x, 512)))
            assert np.array_equal(full[x <= 512], fixed[x <= 512])
        limits = [line.get_ydata()[0] for line in ax.get_lines() if line.get_marker() == "<"]
        assert [round(limit, 2) for limit in limits] == [3.05, 0.41]


@pytest.mark.parametrize("budget", [None, 512])
def test_the_contours_of_the_map_are_the_speedups(budget):
    ax = long_context_map(*PAIR, 4, 0.75, Capacity(TARGET, A100, DRAFT, 4), budget)
    filled, lines = [drawn for drawn in ax.collections if isinstance(drawn, QuadContourSet)]
    assert filled.filled and list(filled.levels[:2]) == [0, 1]
    assert list(lines.levels) == list(LEVELS)
    seen = 0
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        x, y = path.vertices.T
        kept = x if budget is None else np.minimum(x, budget)
        gain = speedup(*PAIR, y, 4, 0.75, x, kept)
        assert gain == pytest.approx(np.full(len(x), level), rel=0.02)
        seen += len(x)
    assert seen > 1000


def test_the_map_marks_the_break_even_and_the_memory():
    group = Capacity(TARGET, A100, DRAFT, 4)
    ax = long_context_map(*PAIR, 4, 0.75, group, 512)
    x, even = named(ax)["as fast as off: 1"].get_data()
    drawn = np.isfinite(even)
    gain = speedup(*PAIR, even[drawn], 4, 0.75, x[drawn], np.minimum(x, 512)[drawn])
    assert gain == pytest.approx(np.ones(drawn.sum()))
    assert speedup(*PAIR, 512, 4, 0.75, x[~drawn], 512).min() > 1
    x, holds = named(ax)["what 4 cards hold"].get_data()
    assert holds[0] == group.largest_batch(x[0]) > 1
