"""What chapter 04 draws is what the theory and the tables say."""

import numpy as np
import pytest

from crossover.engine.acceptance import RoundTokens
from crossover.evidence.published import leviathan_2023
from crossover.show import speculation
from crossover.theory import expected_tokens


def flat(cost):
    """A latency model whose pass takes `cost` at any width."""
    return lambda batch, width=1, context=0: cost


def test_accepted_and_replaced_add_up_to_the_target():
    p, q = np.array([0.1, 0.5, 0.1, 0.3]), np.array([0.6, 0.2, 0.05, 0.15])
    ax = speculation.accepted_and_replaced(list("abcd"), p, q, most=3)
    accepted, replaced = ([bar.get_height() for bar in bars] for bars in ax.containers)
    # c, on which the two differ least, is left out; the draft gave a too much
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["b", "d", "a"]
    assert accepted == pytest.approx([0.2, 0.15, 0.1])
    assert np.add(accepted, replaced) == pytest.approx([0.5, 0.3, 0.1])
    assert [bar.get_y() for bar in ax.containers[1]] == pytest.approx(accepted)
    assert ax.lines[0].get_ydata() == pytest.approx([0.2, 0.15, 0.6])


def test_rounds_measured_shows_both_sides():
    found = [RoundTokens(1, 0.8, (0.8,), 9, 1.8, 1.8, 0, 0),
             RoundTokens(2, 0.7, (0.6, 0.9), 9, 2.14, 2.19, -0.1, 0.1)]  # fmt: skip
    left, right = speculation.rounds_measured(found)
    formula, measured = left.lines
    assert formula.get_xdata().tolist() == measured.get_xdata().tolist() == [1, 2]
    assert list(formula.get_ydata()) == [1.8, 2.19] and list(measured.get_ydata()) == [1.8, 2.14]
    assert set(right.lines[0].get_ydata()) == {0.7}
    assert list(right.lines[1].get_ydata()) == [0.6, 0.9]


def test_speedup_by_gamma_marks_the_best_of_each():
    gammas, alpha = np.arange(13), 0.75
    pairs = {str(c): (flat(1.0), flat(c)) for c in (0.02, 0.3)}
    ax = speculation.speedup_by_gamma(pairs, alpha, gammas)
    for c, curve, mark in zip((0.02, 0.3), ax.lines[::2], ax.lines[1::2], strict=False):
        gains = expected_tokens(alpha, gammas) / (gammas * c + 1)
        assert curve.get_ydata() == pytest.approx(gains)
        assert mark.get_xdata() == [gains.argmax()] and mark.get_ydata() == [gains.max()]


def test_every_published_row_stands_at_its_figures():
    ax = speculation.expected_and_measured(leviathan_2023())
    shown = {(round(x, 9), y) for line in ax.lines[1:]
             for x, y in zip(*line.get_data(), strict=True)}  # fmt: skip
    assert shown == {
        (round(expected_tokens(r.alpha, r.gamma) / (r.gamma * r.cost_ratio + 1), 9),
         r.measured_speedup) for r in leviathan_2023()}  # fmt: skip
    spans = [segment for lines in ax.collections for segment in lines.get_segments()]
    assert len(spans) == 12
    for (low, y), (high, _) in spans:
        (x,) = [x for x, measured in shown if measured == y and low < x < high] or [None]
        assert x is not None
    looks = {(line.get_marker(), line.get_fillstyle()) for line in ax.lines[1:]}
    assert len(looks) == 6
