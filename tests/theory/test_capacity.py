"""What fits: three published models by hand, the source pair, the edges."""

import math

import altair as alt
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from crossover.theory import ACCELERATORS, MODELS, Accelerator, Capacity, Model, smallest_degree

from ..vega import in_vega

A100 = ACCELERATORS["A100-80GB-SXM"]
SHAPE_70B = {"layers": 80, "heads": 64, "kv_heads": 8, "head_dim": 128}
SHAPE_7B = {"layers": 32, "heads": 32, "kv_heads": 32, "head_dim": 128}
TARGET, DRAFT = Model("target", 70e9, **SHAPE_70B), Model("draft", 7e9, **SHAPE_7B)
degrees = st.sampled_from([1, 2, 4, 8, 16])
contexts = st.floats(1, 1e5)


@pytest.mark.parametrize(
    ("name", "chip", "degree", "context", "by_hand"),
    [
        # 24e9·0.9 - 13 476 831 232 = 8 123 168 768; a sequence takes 4096·524 288
        ("Llama-2-7B", "L4", 1, 4096, 3),
        # 2·80e9·0.9 - 137 953 296 384 = 6 046 703 616; 4096·327 680 = 1 342 177 280
        ("Llama-2-70B", "A100-80GB-SXM", 2, 4096, 4),
        # 8·141e9·0.9 - 811 706 777 600 = 203 493 222 400; 8192·516 096 = 4 227 858 432
        ("Llama-3.1-405B", "H200-SXM", 8, 8192, 48),
    ],
)
def test_largest_batch_by_hand(name, chip, degree, context, by_hand):
    group = Capacity(MODELS[name], ACCELERATORS[chip], tensor_parallel=degree)
    assert group.largest_batch(context) == by_hand
    assert group.spare_bytes(by_hand, context) >= 0 > group.spare_bytes(by_hand + 1, context)


def test_the_sums_by_hand():
    group = Capacity(MODELS["Llama-2-7B"], ACCELERATORS["L4"])
    assert group.usable_bytes == pytest.approx(21.6e9, rel=1e-15)
    assert group.weight_bytes == 13_476_831_232
    assert group.cache_bytes(3, 4096) == 3 * 4096 * 524_288
    assert group.spare_bytes(3, 4096) == pytest.approx(1_680_717_824, abs=1)


def test_the_source_pair_does_not_fit_one_card():
    one = Capacity(TARGET, A100, DRAFT, usable=1)
    assert one.spare_bytes() == 80e9 - 154e9
    assert one.largest_batch(1000) == 0
    assert one.verdict().endswith("(80.0 GB usable): 74.0 GB too much")
    assert smallest_degree(TARGET, A100, usable=1) == 2
    assert smallest_degree(TARGET, A100, DRAFT, usable=1) == 2
    assert smallest_degree(TARGET, A100, DRAFT) == 4  # 154 GB on 2 x 72 GB is 10 GB short
    assert Capacity(TARGET, A100, DRAFT, 2).spare_bytes() == pytest.approx(-10e9)
    # int4 weights: 35 GB, one card is enough
    assert smallest_degree(Model("int4", 70e9, 0.5), A100) == 1


def test_the_draft_takes_more_cache_than_the_target():
    without, with_draft = (Capacity(TARGET, A100, draft, 4) for draft in (None, DRAFT))
    # 288e9 usable: (288 - 140)e9 / 327.68e6 = 451.7; (288 - 154)e9 / 851.968e6 = 157.3
    assert without.largest_batch(1000) == 451
    assert with_draft.largest_batch(1000) == 157
    # most of the loss is the draft's cache, not its weights
    assert with_draft.largest_batch(1000, draft_context=0) == 408
    everything = [Capacity(TARGET, A100, draft, 4, usable=1) for draft in (None, DRAFT)]
    assert [group.largest_batch(1000) for group in everything] == [549, 194]


def test_it_says_by_how_much():
    group = Capacity(TARGET, A100, DRAFT, 4)
    spare = group.verdict(157, 1000)
    assert spare.startswith("weights 154.0 GB + cache 133.8 GB on 4 x 80.0 GB (288.0 GB usable)")
    assert spare.endswith(f"{group.spare_bytes(157, 1000) / 1e9:.1f} GB to spare")
    assert group.verdict(158, 1000).endswith("0.6 GB too much")
    with pytest.raises(ValueError, match=r"largest = 2: does not fit; .*: 10.0 GB too much"):
        smallest_degree(TARGET, A100, DRAFT, largest=2)


@given(st.sampled_from(list(MODELS)), degrees, contexts, contexts, st.booleans())
def test_largest_batch_fits_and_one_more_does_not(name, degree, context, draft_context, drafting):
    draft = MODELS["Llama-3-8B"] if drafting else None
    group = Capacity(MODELS[name], A100, draft, degree)
    batch = group.largest_batch(context, draft_context)
    assert batch == math.floor(batch)
    rounding = 1e-6 * group.usable_bytes
    if batch >= 1:
        assert group.spare_bytes(batch, context, draft_context) >= -rounding
    assert group.spare_bytes(batch + 1, context, draft_context) < rounding


@given(degrees, contexts, contexts, st.floats(0.1, 1), st.floats(0.1, 1))
def test_more_room_never_holds_less(degree, a, b, u, v):
    short, long = sorted((a, b))
    less, more = (Capacity(TARGET, A100, DRAFT, degree, usable) for usable in sorted((u, v)))
    assert less.largest_batch(long) <= more.largest_batch(short)
    assert Capacity(TARGET, A100, DRAFT, 2 * degree).largest_batch(short) >= Capacity(
        TARGET, A100, DRAFT, degree
    ).largest_batch(short)


@given(st.integers(1, 400), contexts)
def test_smallest_degree_is_the_first_that_fits(batch, context):
    try:
        degree = smallest_degree(TARGET, A100, DRAFT, batch, context)
    except ValueError:
        assert Capacity(TARGET, A100, DRAFT, 64).largest_batch(context) < batch
        return
    assert degree in {2**k for k in range(7)}
    assert Capacity(TARGET, A100, DRAFT, degree).spare_bytes(batch, context) >= 0
    assume(degree > 1)
    assert Capacity(TARGET, A100, DRAFT, degree // 2).spare_bytes(batch, context) < 0


def test_chips_beyond_the_key_value_heads_store_copies():
    def each(model, degree):
        return Capacity(model, A100, tensor_parallel=degree).cache_bytes(1, 1)

    grouped, full = MODELS["Llama-2-70B"], MODELS["Llama-2-7B"]  # 8 and 32 of them
    assert each(grouped, 8) == 327_680 and each(grouped, 16) == 2 * 327_680
    assert each(full, 16) == each(full, 1) == 524_288


def test_without_context_nothing_bounds_the_batch():
    assert Capacity(TARGET, A100, DRAFT, 4).largest_batch(0) == math.inf
    assert Capacity(TARGET, A100, DRAFT, 1).largest_batch(0) == 0
    # a model without a shape can still be asked whether its weights fit
    assert Capacity(Model("bare", 7e9), A100).spare_bytes() == pytest.approx(72e9 - 14e9)


def test_arrays_broadcast():
    group = Capacity(TARGET, A100, DRAFT, 4)
    context = np.array([0, 500, 1000, 1e9])
    assert group.largest_batch(context).tolist() == [math.inf, 314, 157, 0]
    assert group.spare_bytes(np.array([[1], [8]]), context).shape == (2, 4)
    assert type(group.largest_batch(1000)) is float


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Capacity(TARGET, Accelerator("bare", 1e14, 1e12)), "memory of bare = None"),
        (lambda: Capacity(TARGET, A100, tensor_parallel=0), "tensor_parallel = 0"),
        (lambda: Capacity(TARGET, A100, usable=1.5), "usable = 1.5: .*at most 1"),
        (lambda: Capacity(TARGET, A100).largest_batch(-1), "context = -1"),
        (lambda: Capacity(TARGET, A100, DRAFT).largest_batch(1, -2), "draft_context = -2"),
        (lambda: Capacity(TARGET, A100).spare_bytes(0), "batch = 0"),
        (lambda: Capacity(Model("bare", 7e9), A100).largest_batch(1), "layers.* of bare"),
        (lambda: Capacity(TARGET, A100, Model("d", 1)).largest_batch(1), "kv_heads.* of d"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_capacity_can_be_traced():
    rows = [
        {"t": t, "u": u, "L": L, "M": M, "B": 3}
        for t in (1, 2, 4, 16)
        for u in (0.5, 0.9)
        for L in (0, 777, 32_000)
        for M in (80e9, 192e9)
    ]

    def group(t, u, M):
        return Capacity(TARGET, Accelerator("chip", 1e14, 1e12, M), DRAFT, t, u)

    datum = alt.datum
    traced = group(datum.t, datum.u, datum.M)
    here = [group(r["t"], r["u"], r["M"]) for r in rows]
    batches = [g.largest_batch(r["L"], 512) for g, r in zip(here, rows, strict=True)]
    assert in_vega(traced.largest_batch(datum.L, 512), rows) == batches
    spare = [g.spare_bytes(r["B"], r["L"]) for g, r in zip(here, rows, strict=True)]
    assert in_vega(traced.spare_bytes(datum.B, datum.L), rows) == pytest.approx(spare)
    assert len(set(batches)) > 10
