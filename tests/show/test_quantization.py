"""The picture of chapter 09 shows what the theory says."""

import numpy as np
import pytest

from crossover.show.quantization import speedups_with_break_even
from crossover.theory import ACCELERATORS, Model, Roofline, break_even_batch, speedup

A100 = ACCELERATORS["A100-80GB-SXM"]
TARGET, DRAFT = Roofline(Model("target", 70e9), A100), Roofline(Model("draft", 7e9), A100)
W8A8 = Roofline(Model("target", 70e9, 1), A100, "int8")
W8A16 = Roofline(Model("target", 70e9, 1), A100, "fp16")
PAIRS = {"fp16": (TARGET, DRAFT), "W8A8": (W8A8, DRAFT), "W8A16": (W8A16, DRAFT)}


def test_each_curve_and_its_break_even():
    batches = np.arange(1, 160)
    ax = speedups_with_break_even(PAIRS, 4, 0.75, batches)
    curves = [line for line in ax.get_lines() if len(line.get_xdata()) == len(batches)]
    diamonds = [line for line in ax.get_lines() if line.get_marker() == "D"]
    assert len(curves) == len(diamonds) == len(PAIRS)
    for (label, pair), curve, diamond in zip(PAIRS.items(), curves, diamonds, strict=True):
        even = break_even_batch(*pair, 4, 0.75)
        assert curve.get_ydata() == pytest.approx(speedup(*pair, batches, 4, 0.75))
        assert diamond.get_xdata() == pytest.approx([even])
        assert curve.get_label() == f"{label}: {even:.1f}"
        assert curve.get_color() == diamond.get_color()


def test_no_more_pairs_than_looks():
    with pytest.raises(ValueError, match="pairs has 6 entries: expected at most 5"):
        speedups_with_break_even(dict.fromkeys("abcdef", (TARGET, DRAFT)), 4, 0.75, [1])
