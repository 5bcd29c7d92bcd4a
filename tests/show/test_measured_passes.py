"""The pictures of chapter 12 show the measured passes."""

import numpy as np
import pytest

from crossover.evidence.gemm import MeasuredProfile
from crossover.show.measured_passes import staircase, window_choices
from crossover.theory import speedup

PAIR = [MeasuredProfile("A100-80GB-SXM", name) for name in ("Llama-2-70B", "Llama-2-7B")]


def named(ax):
    return {line.get_label(): line for line in ax.get_lines()}


def test_the_staircase_and_its_steps():
    ax = staircase(PAIR[0], last=640)
    lines = named(ax)
    x, measured = lines["measured"].get_data()
    assert x[0] == 1 and x[-1] == 640
    assert measured == pytest.approx(PAIR[0].seconds[: len(x)] * 1e3)
    assert np.all(lines["envelope"].get_ydata() < measured)
    assert lines["last before a step"].get_xdata().tolist() == [128, 256, 384, 512]
    assert [text.get_text() for text in ax.texts] == ["128", "256", "384", "512"]


def test_each_choice_is_judged_by_the_measured_passes():
    batches = np.arange(1, 65)
    choices = {"off": np.zeros(64, dtype=int), "four": np.full(64, 4)}
    ax = window_choices(*PAIR, 0.75, batches, choices)
    lines = named(ax)
    assert np.all(lines["off"].get_ydata() == 1)
    assert lines["four"].get_ydata() == pytest.approx(speedup(*PAIR, batches, 4, 0.75))
    assert len({(line.get_color(), line.get_linestyle()) for line in ax.get_lines()}) == 3


def test_no_more_choices_than_looks():
    with pytest.raises(ValueError, match="choices has 5 entries: expected at most 4"):
        window_choices(*PAIR, 0.75, [1], dict.fromkeys("abcde", 1))
