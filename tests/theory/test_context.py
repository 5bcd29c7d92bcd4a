"""Cached tokens in a pass: both readings of the roof, their knees, their traces."""

import math

import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    ACCELERATORS,
    Accelerator,
    Model,
    Roofline,
    is_traced,
    long_context_speedup,
    speedup,
)

from ..vega import in_vega

A100 = ACCELERATORS["A100-80GB-SXM"]
SHAPE_70B = {"layers": 80, "heads": 64, "kv_heads": 8, "head_dim": 128}
SHAPE_7B = {"layers": 32, "heads": 32, "kv_heads": 32, "head_dim": 128}
READINGS = ["pass", "operator"]
readings = st.sampled_from(READINGS)
batches = st.floats(1, 1e4)
widths = st.integers(1, 32)
contexts = st.floats(0, 1e6)


def source_pair(roof_per):
    """The source chapter's round parameter counts, on the shapes of Llama-2."""
    target, draft = Model("target", 70e9, **SHAPE_70B), Model("draft", 7e9, **SHAPE_7B)
    return [Roofline(model, A100, roof_per=roof_per) for model in (target, draft)]


@st.composite
def rooflines(draw):
    kv_heads = draw(st.integers(1, 16))
    shape = {
        "layers": draw(st.integers(1, 128)),
        "heads": kv_heads * draw(st.integers(1, 16)),
        "kv_heads": kv_heads,
        "head_dim": draw(st.sampled_from([64, 128])),
    }
    model = Model("m", draw(st.floats(1e8, 1e12)), draw(st.sampled_from([0.5, 1, 2])), **shape)
    chip = Accelerator("chip", draw(st.floats(1e13, 1e16)), draw(st.floats(1e11, 1e13)))
    return Roofline(model, chip, roof_per=draw(readings))


def parts(roofline, batch, width, context):
    """Seconds of (reading weights, their arithmetic, reading the cache, attention)."""
    model, chip = roofline.model, roofline.accelerator
    kappa = 2 * model.layers * model.kv_heads * model.head_dim * 2
    attention = 4 * model.layers * model.heads * model.head_dim * batch * width * context
    rate = chip.peak_flops["fp16"]
    return (
        model.params * model.bytes_per_param / chip.bandwidth,
        2 * model.params * batch * width / rate,
        batch * context * kappa / chip.bandwidth,
        attention / rate,
    )


@given(rooflines(), batches, widths, contexts)
def test_pass_time_from_its_four_parts(roofline, batch, width, context):
    weights, arithmetic, cache, attention = parts(roofline, batch, width, context)
    one_roof = max(weights + cache, arithmetic + attention)
    two_roofs = max(weights, arithmetic) + max(cache, attention)
    expected = {"pass": one_roof, "operator": two_roofs}[roofline.roof_per]
    assert roofline(batch, width, context) == pytest.approx(expected, rel=1e-12)
    assert one_roof <= two_roofs * (1 + 1e-12)


@given(rooflines(), batches, widths)
def test_context_zero_is_the_plain_roofline_bit_for_bit(roofline, batch, width):
    weights_only = Model("m", roofline.model.params, roofline.model.bytes_per_param)
    plain = Roofline(weights_only, roofline.accelerator)
    assert roofline(batch, width, 0) == plain(batch, width)
    # an array takes the longer formula, which adds zeros
    assert np.all(roofline(batch, width, np.zeros(2)) == plain(batch, width))
    assert roofline.crossover_batch(width, 0) == plain.crossover_batch(width)
    assert np.all(roofline.crossover_batch(width, np.zeros(2)) == plain.crossover_batch(width))
    assert roofline.knots(width) == plain.knots(width)


@given(rooflines(), batches, widths, contexts, contexts)
def test_pass_time_never_falls_with_context(roofline, batch, width, a, b):
    low, high = sorted((a, b))
    assert roofline(batch, width, low) <= roofline(batch, width, high) * (1 + 1e-12)


@given(rooflines(), widths, contexts)
def test_crossover_batch_with_context(roofline, width, context):
    model, ridge = roofline.model, roofline.accelerator.ridge_point()
    weights, cache = model.params * model.bytes_per_param, context * model.kv_bytes_per_token
    attention = 4 * model.layers * model.heads * model.head_dim * width * context
    denominator = 2 * model.params * width + attention - ridge * cache
    found = roofline.crossover_batch(width, context)
    if roofline.roof_per == "operator":
        assert found == roofline.crossover_batch(width)
    elif abs(denominator) > 1e-9 * (2 * model.params * width + attention):
        expected = ridge * weights / denominator if denominator > 0 else math.inf
        assert found == pytest.approx(expected, rel=1e-6)
    if found < math.inf:
        weights, arithmetic, cache, attention = parts(roofline, found, width, context)
        if roofline.roof_per == "pass":
            weights, arithmetic = weights + cache, arithmetic + attention
        assert weights == pytest.approx(arithmetic, rel=1e-6)


@given(rooflines(), widths)
def test_context_limit_is_where_the_crossover_leaves_for_infinity(roofline, width):
    limit = roofline.context_limit(width)
    if roofline.roof_per == "operator":
        assert limit == math.inf
    elif math.isinf(limit):
        # attention is compute-bound itself, so context only brings the knee nearer
        assert width >= roofline.attention_crossover_width() * (1 - 1e-12)
        assert roofline.crossover_batch(width, 1e6) <= roofline.crossover_batch(width)
    else:
        assert roofline.crossover_batch(width, limit * (1 - 1e-6)) < math.inf
        assert roofline.crossover_batch(width, limit * (1 + 1e-6)) == math.inf
        seconds = roofline(1e9, width, limit * 2)
        weights, _, cache, _ = parts(roofline, 1e9, width, limit * 2)
        assert seconds == pytest.approx(weights + cache, rel=1e-12)  # memory-bound at any batch


def test_grouped_queries_keep_the_knee_within_reach():
    target, draft = source_pair("pass")
    # fp16: R·kv_heads/heads
    assert target.attention_crossover_width() == pytest.approx(153.016 / 8, rel=1e-5)
    assert draft.attention_crossover_width() == pytest.approx(153.016, rel=1e-5)
    assert round(target.context_limit(1)) == 2946
    assert round(target.context_limit(5)) == 18902
    every_head_its_own = Model("mha", 70e9, **SHAPE_70B | {"kv_heads": 64})
    assert round(Roofline(every_head_its_own, A100).context_limit(5)) == 1804


def test_a_model_without_a_shape_names_what_is_missing(target):
    for context in (1, np.array([0, 5]), alt.datum.L):
        with pytest.raises(ValueError, match="layers, heads, kv_heads, head_dim of target"):
            target(8, 5, context)
        with pytest.raises(ValueError, match="layers"):
            target.crossover_batch(5, context)
    with pytest.raises(ValueError, match="needs heads of mine"):
        Roofline(Model("mine", 7e9, **SHAPE_7B | {"heads": None}), A100)(1, 1, 1)
    for ask in (target.attention_crossover_width, lambda: target.context_limit(5)):
        with pytest.raises(ValueError, match="layers"):
            ask()


@pytest.mark.parametrize("bad", [-1, np.nan, np.inf, "4000", [0, -2]])
def test_context_refused(bad):
    target, _ = source_pair("pass")
    for use in (lambda: target(8, 5, bad), lambda: target.crossover_batch(5, bad)):
        with pytest.raises(ValueError, match="context = .*at least 0"):
            use()


def test_other_bad_input_is_named():
    with pytest.raises(ValueError, match="roof_per = 'layer': expected one of .*'operator'"):
        source_pair("layer")
    pair = source_pair("pass")
    with pytest.raises(ValueError, match="draft_share = 1.5"):
        long_context_speedup(*pair, 4, 0.75, draft_share=1.5)
    with pytest.raises(ValueError, match="width = 0"):
        pair[0].seconds_per_cached_token(0)


def test_arrays_broadcast():
    target, draft = source_pair("operator")
    batch, context = np.array([1, 8, 64, 512])[:, None], np.array([0, 1000, 32_000])
    table = speedup(target, draft, batch, 4, 0.75, context)
    assert table.shape == (4, 3)
    assert table[2, 1] == speedup(target, draft, 64, 4, 0.75, 1000)
    assert table[1, 0] == speedup(target, draft, 8, 4, 0.75)
    assert type(target(8, 5, 1000)) is float
    assert type(target.crossover_batch(5, 1000)) is float
    assert target(8, 5, np.zeros((2, 1))).shape == (2, 1)


def context_rows(count, seed):
    random = np.random.default_rng(seed)
    rows = [
        {
            "B": float(np.exp(random.uniform(0, np.log(2048)))),
            "gamma": int(random.integers(0, 13)),
            "alpha": float(random.uniform(0, 1)),
            "L": float(np.exp(random.uniform(0, np.log(1e6)))),
        }
        for _ in range(count)
    ]
    for row in rows[::8]:
        row["L"] = 0.0
    return rows


@pytest.mark.parametrize("roof_per", READINGS)
@pytest.mark.parametrize(
    "formula",
    [
        lambda t, d, B, gamma, alpha, L: speedup(t, d, B, gamma, alpha, L),
        lambda t, d, B, gamma, alpha, L: speedup(t, d, B, gamma, alpha, L, 512),
        lambda t, d, B, gamma, alpha, L: t.crossover_batch(gamma + 1, L),
        lambda t, d, B, gamma, alpha, L: t.context_limit(gamma + 1),
        lambda t, d, B, gamma, alpha, L: long_context_speedup(t, d, gamma, alpha, 0.5),
    ],
)
def test_traced_formulas_equal_python(roof_per, formula):
    pair = source_pair(roof_per)
    rows = context_rows(80, seed=11)
    here = [formula(*pair, **row) for row in rows]
    datum = alt.datum
    traced = formula(*pair, datum.B, datum.gamma, datum.alpha, datum.L)
    if not is_traced(traced):  # the operator reading has no context limit at any width
        assert traced == math.inf and roof_per == "operator"
        return
    assert in_vega(traced, rows) == pytest.approx(here, rel=1e-9)


def test_a_traced_context_of_zero_is_exact_in_the_browser():
    rows = [{"B": float(b), "L": 0.0} for b in (1, 7, 30, 31, 200)]
    for roof_per in READINGS:
        target, _ = source_pair(roof_per)
        plain = [target(row["B"], 5) for row in rows]
        assert in_vega(target(alt.datum.B, 5, alt.datum.L), rows) == plain


@given(rooflines(), batches, widths, contexts)
def test_intensity_is_arithmetic_over_bytes(roofline, batch, width, context):
    reading, arithmetic, cache, attention = parts(roofline, batch, width, context)
    chip = roofline.accelerator
    flops = (arithmetic + attention) * chip.peak_flops["fp16"]
    moved = (reading + cache) * chip.bandwidth
    found = roofline.intensity(batch, width, context)
    assert found == pytest.approx(flops / moved, rel=1e-9)
    if roofline.roof_per == "pass":  # the pass reaches what the roof allows
        reached = flops / roofline(batch, width, context)
        assert roofline.attainable_flops(found) == pytest.approx(reached, rel=1e-9)


def test_intensity_needs_a_shape_only_for_context(target):
    assert target.intensity(8, 5) == 40
    with pytest.raises(ValueError, match="context above 0 needs layers"):
        target.intensity(8, 5, 1)
    with pytest.raises(ValueError, match="intensity = 0"):
        target.attainable_flops(0)
