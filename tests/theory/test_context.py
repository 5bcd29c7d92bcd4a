"""Cached tokens: both readings of the roof, their limits, their knees, their traces."""

import math

import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Accelerator,
    Model,
    Roofline,
    break_even_batch,
    expected_tokens,
    is_traced,
    long_context_speedup,
    speedup,
    win_intervals,
)

from .test_tracing import in_vega

A100 = ACCELERATORS["A100-80GB-SXM"]
SHAPE_70B = {"layers": 80, "heads": 64, "kv_heads": 8, "head_dim": 128}
SHAPE_7B = {"layers": 32, "heads": 32, "kv_heads": 32, "head_dim": 128}
READINGS = ["pass", "operator"]
readings = st.sampled_from(READINGS)
batches = st.floats(1, 1e4)
widths = st.integers(1, 32)
contexts = st.floats(0, 1e6)
alphas = st.floats(0, 1)


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


@pytest.mark.parametrize(("roof_per", "at_4000"), [("pass", 1.10), ("operator", 1.08)])
def test_context_changes_the_sign(roof_per, at_4000):
    pair = source_pair(roof_per)
    assert round(speedup(*pair, 32, 4, 0.75), 2) == 2.11
    assert round(speedup(*pair, 32, 4, 0.75, context=4000), 2) == at_4000
    assert round(long_context_speedup(*pair, 4, 0.75), 2) == 0.41
    # staging: three requests with a thousand tokens, where both readings agree
    assert round(speedup(*pair, 3, 4, 0.75, context=1000), 2) == 2.12


def test_source_pair_at_the_limit_is_the_ratio_of_the_caches():
    pair = source_pair("pass")
    assert 524_288 / 327_680 == 1.6
    expected = expected_tokens(0.75, 4) / (1 + 4 * 1.6)
    assert long_context_speedup(*pair, 4, 0.75) == pytest.approx(expected, rel=1e-12)


@given(rooflines(), rooflines(), batches, st.integers(0, 12), alphas, st.floats(0, 1))
def test_long_context_limit(target, draft, batch, gamma, alpha, share):
    far = 1e12 * max(target.model.params, draft.model.params) / 1e8
    found = speedup(target, draft, batch, gamma, alpha, far, share * far)
    limit = long_context_speedup(target, draft, gamma, alpha, share)
    # a share of almost 0 still leaves the draft's weights to read; they vanish too
    assert found == pytest.approx(limit, rel=1e-4)


@pytest.mark.parametrize("roof_per", READINGS)
def test_a_compressed_draft_cache_turns_the_sign_with_the_batch(roof_per):
    # MagicDec (Chen et al. 2024), blog Table 2: Llama-3.1-8B drafts for itself from
    # 512 of its 32 000 cached tokens, on 8 chips; acceptance 0.81 at that length
    chips = Roofline(MODELS["Llama-3-8B"], A100, roof_per=roof_per, tensor_parallel=8)
    published = {(32, 3): 1.22, (64, 3): 1.38, (128, 4): 1.47}
    found = [speedup(chips, chips, b, g, 0.81, 32_000, 512) for b, g in published]
    assert found == sorted(found)  # more pays more, as published ...
    assert all(ours > theirs for ours, theirs in zip(found, published.values(), strict=True))
    falling = [speedup(chips, chips, b, g, 0.81) for b, g in published]
    assert falling == sorted(falling, reverse=True) and falling[0] < 1
    assert all(speedup(chips, chips, b, g, 0.81, 32_000) < 1 for b, g in published)
    # ... and a single sequence loses, so the wins start later than at 1
    [(first, last)] = win_intervals(chips, chips, 3, 0.81, 512, 32_000, 512)
    assert 1 < first < 4 and last == 512
    assert speedup(chips, chips, first, 3, 0.81, 32_000, 512) == pytest.approx(1)
    assert break_even_batch(chips, chips, 3, 0.81, 512, 32_000, 512) == 0


def test_break_even_with_context_finds_the_root():
    for roof_per in READINGS:
        pair = source_pair(roof_per)
        for context in (500, 2000, 4000):
            edge = break_even_batch(*pair, 4, 0.75, context=context)
            assert speedup(*pair, edge, 4, 0.75, context) == pytest.approx(1, abs=1e-12)
            assert speedup(*pair, edge + 1e-6, 4, 0.75, context) < 1
    # the same draft on a cache of 512 tokens breaks even later than on 4000
    assert break_even_batch(*pair, 4, 0.75, context=4000, draft_context=512) > edge


def test_the_search_looks_at_the_knees_that_context_moves():
    # With a nearly free draft the speedup's turning points are the knees of its
    # passes; both are fractions here, between the whole batches the search tries.
    target, _ = source_pair("pass")
    for width in (1, 5):
        assert target.knots(width, 1000) == [target.crossover_batch(width, 1000)]
    asked = []

    class Watched:
        def __init__(self, name):
            self.name = name

        def __call__(self, batch, width=1, context=0):
            return target(batch, width, context)

        def knots(self, width, context=0):
            asked.append((self.name, width, context))
            return [2.5]

    win_intervals(Watched("target"), Watched("draft"), 4, 0.75, 8, 1000, 30)
    assert asked == [("target", 1, 1000), ("target", 5, 1000), ("draft", 1, 30)]


def test_a_win_between_two_whole_batches_is_found_at_a_knee():
    # plain decoding turns compute-bound at 2.5: there alone speculation wins
    class Peak:
        def __call__(self, batch, width=1, context=0):
            batch = np.asarray(batch, dtype=float)
            return 1.0 + 0.5 * np.maximum(0, 1 - 4 * abs(batch - context)) * (width == 1)

        def knots(self, width, context=0):
            return [context - 0.25, context, context + 0.25] if width == 1 else []

    free = lambda batch, width, context: 0.3 + 0 * np.asarray(batch)  # noqa: E731
    [(low, high)] = win_intervals(Peak(), free, 1, 0.0, 8, 2.5)
    assert 2.25 < low < 2.5 < high < 2.75


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
