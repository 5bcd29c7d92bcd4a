"""Break-even, winning intervals and the best gamma."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from crossover.theory import (
    best_gamma,
    break_even_batch,
    roofline_break_even,
    speedup,
    win_intervals,
)

from .test_speculation import alphas, rooflines


@given(rooflines(), st.integers(0, 12), alphas)
def test_closed_form_equals_the_numeric_root(pair, gamma, alpha):
    closed = roofline_break_even(*pair, gamma, alpha)
    # exactly at the edge of losing at batch 1, rounding decides between 0 and 1
    assume(gamma == 0 or abs(speedup(*pair, 1, gamma, alpha) - 1) > 1e-9)
    assume(closed < 4000 or math.isinf(closed))
    assert break_even_batch(*pair, gamma, alpha) == pytest.approx(closed, rel=1e-9)


@given(rooflines(), st.integers(1, 12), alphas)
def test_no_gamma_wins_once_plain_decoding_is_compute_bound(pair, gamma, alpha):
    target, draft = pair
    knee = target.crossover_batch(1)
    assert roofline_break_even(target, draft, gamma, alpha) <= knee * (1 + 1e-12)
    beyond = max(1, knee) * (1 + 1e-6)
    assert speedup(target, draft, beyond, gamma, alpha) < 1


def test_source_break_even_has_speedup_one(target, draft):
    batch = break_even_batch(target, draft, 4, 0.75)
    assert round(batch, 1) == 81.1
    assert speedup(target, draft, batch, 4, 0.75) == pytest.approx(1, abs=1e-12)
    assert speedup(target, draft, batch + 1e-6, 4, 0.75) < 1


def test_break_even_special_values(target, draft):
    assert break_even_batch(target, draft, 0, 0.75) == math.inf
    assert break_even_batch(target, draft, 4, 0.0) == 0.0
    assert break_even_batch(target, draft, 4, 0.75, max_batch=40) == math.inf
    assert roofline_break_even(target, draft, 0, 0.75) == math.inf
    assert roofline_break_even(target, draft, 4, 0.0) == 0.0


def step_at(edge, low, high):
    return lambda batch, width, context: np.where(np.asarray(batch) * width <= edge, low, high)


def test_at_a_jump_the_left_edge():
    # verification triples in time above 5 x 17.25 positions; the draft costs nothing
    target = step_at(5 * 17.25, 1.0, 4.0)
    free = step_at(np.inf, 0.0, 0.0)
    batch = break_even_batch(target, free, 4, 0.75, max_batch=60)
    assert batch == pytest.approx(17.25, rel=1e-12) and batch <= 17.25


def test_several_intervals_are_all_found():
    def target(batch, width, context):
        dear = (np.asarray(batch) % 20 >= 10) & (width > 1)
        return np.where(dear, 9.0, 1.0)

    free = step_at(np.inf, 0.0, 0.0)
    found = win_intervals(target, free, 4, 0.75, max_batch=64)
    assert np.allclose(found, [(1, 10), (20, 30), (40, 50), (60, 64)])
    assert break_even_batch(target, free, 4, 0.75, max_batch=64) == pytest.approx(10)


def test_losing_first_and_winning_later_has_break_even_zero():
    def target(batch, width, context):
        return np.where((np.asarray(batch) < 5) & (width > 1), 9.0, 1.0)

    free = step_at(np.inf, 0.0, 0.0)
    assert break_even_batch(target, free, 4, 0.75, max_batch=64) == 0.0
    assert np.allclose(win_intervals(target, free, 4, 0.75, max_batch=64), [(5, 64)])


def test_best_gamma_by_batch(target, draft):
    batch = np.arange(1, 400)
    best = best_gamma(target, draft, batch, 0.75)
    last_batch = {int(g): int(batch[best == g].max()) for g in np.unique(best)}
    assert last_batch == {5: 25, 4: 32, 3: 42, 2: 63, 1: 126, 0: 399}


@given(rooflines(), st.floats(1, 1000), alphas)
def test_best_gamma_is_the_smallest_best(pair, batch, alpha):
    found = best_gamma(*pair, batch, alpha, max_gamma=6)
    gains = [speedup(*pair, batch, gamma, alpha) for gamma in range(7)]
    assert found == gains.index(max(gains))


def test_best_gamma_broadcasts_and_breaks_ties_downwards(target, draft):
    assert best_gamma(target, draft, np.ones((3, 1)), np.linspace(0, 1, 5)).shape == (3, 5)
    assert type(best_gamma(target, draft, 8, 0.75)) is int
    flat = lambda batch, width, context: np.where(width > 1, float(width), 1.0)  # noqa: E731
    free = lambda batch, width, context: 0.0  # noqa: E731
    assert best_gamma(flat, free, 8, 1.0) == 0  # every gamma gives exactly 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t, d: break_even_batch(t, d, 4, [0.5, 0.7]), "alpha = .*one number"),
        (lambda t, d: break_even_batch(t, d, 2.5, 0.5), "gamma = 2.5"),
        (lambda t, d: win_intervals(t, d, 4, 1.5), "alpha = 1.5"),
        (lambda t, d: break_even_batch(t, d, 4, 0.5, max_batch=0), "max_batch = 0"),
        (lambda t, d: best_gamma(t, d, 0, 0.5), "batch = 0"),
        (lambda t, d: best_gamma(t, d, 8, 0.5, max_gamma=-1), "max_gamma = -1"),
    ],
)
def test_bad_input_is_named(target, draft, call, message):
    with pytest.raises(ValueError, match=message):
        call(target, draft)
