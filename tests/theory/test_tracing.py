"""The traced formula, evaluated by Vega, equals the formula in Python.

Vega runs inside the ``vl-convert`` wheel; the browser tests repeat this on the
built site.
"""

import math

import altair as alt
import numpy as np
import pytest

from crossover.theory import (
    ACCELERATORS,
    Accelerator,
    Model,
    Roofline,
    arithmetic_intensity,
    best_gamma,
    crossover_batch,
    expected_tokens,
    is_traced,
    maximum,
    minimum,
    page_value,
    roofline_break_even,
    speculative_throughput,
    speedup,
    vega_expression,
    where,
)

from ..vega import in_vega

A100 = ACCELERATORS["A100-80GB-SXM"]


def settings(count, seed):
    random = np.random.default_rng(seed)
    rows = [
        {
            "B": float(np.exp(random.uniform(0, np.log(2048)))),
            "gamma": int(random.integers(0, 17)),
            "alpha": float(random.uniform(0, 1)),
        }
        for _ in range(count)
    ]
    for i, row in enumerate(rows):
        row["gamma"] = 0 if i % 10 == 0 else row["gamma"]
        row["alpha"] = {1: 1.0, 2: 0.0, 3: 1 - 1e-7}.get(i % 10, row["alpha"])
    return rows


@pytest.mark.parametrize("precision, d", [("fp16", 2), ("int8", 1)])
def test_traced_speedup_equals_python_at_200_settings(precision, d):
    target = Roofline(Model("target", 70e9, d), A100, precision)
    draft = Roofline(Model("draft", 7e9), A100)
    rows = settings(200, seed=7)
    here = [speedup(target, draft, r["B"], r["gamma"], r["alpha"]) for r in rows]
    traced = speedup(target, draft, alt.datum.B, alt.datum.gamma, alt.datum.alpha)
    assert in_vega(traced, rows) == pytest.approx(here, rel=1e-9)
    assert len({round(value, 6) for value in here}) > 150


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_traced_speedup_equals_python_at_10_000_settings(target, draft, seed):
    rows = settings(1000, seed=seed)
    here = [speedup(target, draft, r["B"], r["gamma"], r["alpha"]) for r in rows]
    traced = speedup(target, draft, alt.datum.B, alt.datum.gamma, alt.datum.alpha)
    assert in_vega(traced, rows) == pytest.approx(here, rel=1e-9)


@pytest.mark.parametrize(
    "formula",
    [
        lambda t, d, B, g, a: expected_tokens(a, g),
        lambda t, d, B, g, a: speculative_throughput(t, d, B, g, a),
        lambda t, d, B, g, a: roofline_break_even(t, d, g, a),
        lambda t, d, B, g, a: t.crossover_batch(g + 1),
        lambda t, d, B, g, a: arithmetic_intensity(B, g + 1, 2),
    ],
)
def test_other_formulas(target, draft, formula):
    rows = settings(60, seed=3)
    here = [formula(target, draft, r["B"], r["gamma"], r["alpha"]) for r in rows]
    traced = formula(target, draft, alt.datum.B, alt.datum.gamma, alt.datum.alpha)
    assert is_traced(traced)
    assert in_vega(traced, rows) == pytest.approx(here, rel=1e-9)


def test_hardware_and_model_fields_can_be_traced():
    rows = [
        {"F": f, "BW": bw, "N": n, "d": d}
        for f in (1.25e14, 9.89e14)
        for bw in (9e11, 3.35e12)
        for n in (8e9, 405e9)
        for d in (0.5, 2)
    ]

    def gain(F, BW, N, d):
        chip = Accelerator("chip", F, BW)
        target, draft = Roofline(Model("t", N, d), chip), Roofline(Model("d", 1e9), chip)
        return speedup(target, draft, 48, 3, 0.8)

    here = [gain(**row) for row in rows]
    datum = alt.datum
    assert in_vega(gain(datum.F, datum.BW, datum.N, datum.d), rows) == pytest.approx(here, rel=1e-9)


def test_parameters_trace_as_well_as_data():
    gamma, alpha = alt.param("gamma", value=4), alt.param("alpha", value=0.75)
    batch = crossover_batch(312e12, 2039e9, 2, gamma + 1)
    assert vega_expression(batch) == "(306.0323688082393 / (2 * (gamma + 1)))"
    assert vega_expression(gamma) == "gamma"
    assert "pow(alpha,5.0)" in vega_expression(expected_tokens(alpha, 4))
    with pytest.raises(ValueError, match="value = 3"):
        vega_expression(3)


def test_helpers_choose_like_python():
    rows = [{"x": float(x)} for x in (-2, 0, 3)]
    x = alt.datum.x
    assert in_vega(maximum(x, 1), rows) == [1, 1, 3]
    assert in_vega(minimum(1, x), rows) == [-2, 0, 1]
    assert in_vega(where(x < 1, math.inf, np.float64(2.5)), rows) == [math.inf, math.inf, 2.5]


def test_a_page_value_is_looked_up():
    table = {"A": {"rate": 2.5}, "B": {"rate": 4}}
    rows = [{"chip": "B"}, {"chip": "A"}]
    rate = page_value("chips")[alt.datum.chip]["rate"]
    assert in_vega(rate * 2, rows, chips=table) == [8, 5]
    with pytest.raises(ValueError, match="name = 'a b'"):
        page_value("a b")


def test_a_search_says_that_it_needs_numbers(target, draft):
    with pytest.raises(ValueError, match="batch.*cannot be traced"):
        best_gamma(target, draft, alt.datum.B, 0.75)
