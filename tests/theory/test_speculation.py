"""E[T], the round and the speedup: closed forms, limits, properties."""

import inspect
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    Accelerator,
    Model,
    Roofline,
    baseline_throughput,
    expected_tokens,
    roofline_break_even,
    round_time,
    speculative_throughput,
    speedup,
    speedup_floor,
)

alphas = st.floats(0, 1)
gammas = st.integers(0, 16)
batches = st.floats(1, 1e4)


@st.composite
def rooflines(draw):
    chip = Accelerator("chip", draw(st.floats(1e13, 1e16)), draw(st.floats(1e11, 1e13)))
    size = draw(st.floats(1e9, 1e12))
    small = size * draw(st.floats(1e-3, 1))
    return Roofline(Model("target", size), chip), Roofline(Model("draft", small), chip)


@given(st.fractions(0, 1, max_denominator=10**9), st.integers(0, 40))
def test_expected_tokens_is_the_geometric_sum(alpha, gamma):
    exact = sum(alpha**k for k in range(gamma + 1))
    assert expected_tokens(float(alpha), gamma) == pytest.approx(float(exact), rel=1e-9)


@given(st.floats(0, 1e-4), st.integers(0, 40))
def test_expected_tokens_near_one(miss, gamma):
    alpha = Fraction(1.0 - miss)
    exact = sum(alpha**k for k in range(gamma + 1))
    assert expected_tokens(1.0 - miss, gamma) == pytest.approx(float(exact), rel=1e-9)


@pytest.mark.parametrize("gamma", [1, 2, 4])
def test_expected_tokens_by_enumerating_outcomes(gamma):
    alpha, total = 0.75, 0.0
    for accepted in product((True, False), repeat=gamma):
        chance = np.prod([alpha if a else 1 - alpha for a in accepted])
        kept = next((k for k, a in enumerate(accepted) if not a), gamma)
        total += chance * (kept + 1)
    assert expected_tokens(alpha, gamma) == pytest.approx(total, rel=1e-12)


@given(alphas, gammas)
def test_expected_tokens_ends_and_ceiling(alpha, gamma):
    assert expected_tokens(0, gamma) == 1
    assert expected_tokens(1, gamma) == gamma + 1
    assert 1 <= expected_tokens(alpha, gamma) <= gamma + 1
    if alpha < 1:
        assert expected_tokens(alpha, gamma) <= 1 / (1 - alpha) * (1 + 1e-9)


@given(rooflines(), batches, alphas)
def test_gamma_zero_is_plain_decoding(pair, batch, alpha):
    target, draft = pair
    assert speedup(target, draft, batch, 0, alpha) == 1
    assert round_time(target, draft, batch, 0) == target(batch, 1)
    plain = baseline_throughput(target, batch)
    assert speculative_throughput(target, draft, batch, 0, alpha) == plain


@given(rooflines(), batches, st.integers(1, 16), alphas)
def test_speedup_is_the_ratio_of_throughputs(pair, batch, gamma, alpha):
    target, draft = pair
    ratio = speculative_throughput(target, draft, batch, gamma, alpha) / baseline_throughput(
        target, batch
    )
    assert speedup(target, draft, batch, gamma, alpha) == pytest.approx(ratio, rel=1e-12)


@given(rooflines(), batches, st.integers(1, 16))
def test_alpha_zero_never_pays_and_alpha_one_is_the_best_case(pair, batch, gamma):
    target, draft = pair
    assert speedup(target, draft, batch, gamma, 0) < 1
    best = speedup(target, draft, batch, gamma, 1)
    assert best <= gamma + 1
    assert speedup(target, draft, batch, gamma, 0.9) < best


@given(rooflines(), st.integers(1, 16), alphas)
def test_large_batch_limit(pair, gamma, alpha):
    target, draft = pair
    far = 1e6 * max(target.crossover_batch(1), draft.crossover_batch(1), 1)
    flops = [r.accelerator.peak_flops["fp16"] for r in pair]
    per_token = (draft.model.params / flops[1]) / (target.model.params / flops[0])
    limit = expected_tokens(alpha, gamma) / (gamma + 1 + gamma * per_token)
    assert speedup(target, draft, far, gamma, alpha) == pytest.approx(limit, rel=1e-12)
    assert speedup_floor(target, draft, gamma, alpha) == pytest.approx(limit, rel=1e-12)
    assert limit < 1


@given(rooflines(), st.floats(0.01, 100), batches, st.integers(1, 16), alphas)
def test_n_cancels_when_both_models_grow_alike(pair, scale, batch, gamma, alpha):
    grown = [Roofline(Model("m", r.model.params * scale), r.accelerator) for r in pair]
    before = speedup(*pair, batch, gamma, alpha)
    assert speedup(*grown, batch, gamma, alpha) == pytest.approx(before, rel=1e-9)


@given(rooflines(), batches, batches, st.integers(1, 16), alphas)
def test_speedup_never_rises_with_batch_below_the_baseline_knee(pair, a, b, gamma, alpha):
    target, draft = pair
    low, high = sorted(max(1, min(x, target.crossover_batch(1))) for x in (a, b))
    at_low = speedup(target, draft, low, gamma, alpha)
    assert speedup(target, draft, high, gamma, alpha) <= at_low * (1 + 1e-12)


@pytest.mark.parametrize(
    "formula",
    [speedup, speculative_throughput, speedup_floor, roofline_break_even, baseline_throughput],
)
def test_lists_are_arrays(target, draft, formula):
    values = {"batch": [1, 64, 200], "gamma": [1, 4, 0], "alpha": [0.5, 0.75, 1.0]}
    named = {n: v for n, v in values.items() if n in inspect.signature(formula).parameters}
    models = (target,) if formula is baseline_throughput else (target, draft)
    each = [formula(*models, *row) for row in zip(*named.values(), strict=True)]
    assert formula(*models, **named) == pytest.approx(each)


def test_arrays_broadcast_and_scalars_stay_scalars(target, draft):
    batch = np.array([1, 8, 128])[:, None, None]
    gamma, alpha = np.arange(9)[:, None], np.array([0, 0.5, 0.75, 1])
    table = speedup(target, draft, batch, gamma, alpha)
    assert table.shape == (3, 9, 4)
    assert table[2, 4, 2] == speedup(target, draft, 128, 4, 0.75)
    assert type(speedup(target, draft, 128, 4, 0.75)) is float
    assert type(expected_tokens(np.float64(0.5), np.int64(3))) is float


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"alpha": 1.0001}, "alpha = 1.0001: expected a finite number from 0 to 1"),
        ({"alpha": -0.1}, "alpha = -0.1"),
        ({"alpha": np.nan}, "alpha = nan"),
        ({"alpha": [0.5, 2]}, "alpha = 2.0 at index 1"),
        ({"gamma": -1}, "gamma = -1: expected a whole number, at least 0"),
        ({"gamma": 2.5}, "gamma = 2.5"),
        ({"gamma": np.inf}, "gamma = inf"),
        ({"gamma": "4"}, "gamma = '4'"),
        ({"batch": 0}, "batch = 0"),
        ({"batch": np.array([4, np.nan])}, "batch = nan at index 1"),
    ],
)
def test_bad_input_is_named(target, draft, bad, message):
    arguments = {"batch": 8, "gamma": 4, "alpha": 0.75} | bad
    with pytest.raises(ValueError) as caught:
        speedup(target, draft, **arguments)
    assert message in str(caught.value)


def test_contexts_reach_the_right_model():
    seen = {}

    def latency(name):
        def seconds(batch, width, context):
            seen[name, width] = context
            return 1.0

        return seconds

    speedup(latency("target"), latency("draft"), 8, 4, 0.75, context=100, draft_context=7)
    assert seen == {("target", 5): 100, ("target", 1): 100, ("draft", 1): 7}
    speedup(latency("target"), latency("draft"), 8, 4, 0.75, context=100)
    assert seen["draft", 1] == 100
