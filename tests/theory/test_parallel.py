"""Tensor parallelism, the link between chips, and efficiencies below 1."""

import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Link,
    Model,
    Roofline,
    all_reduce_seconds,
    break_even_batch,
    roofline_break_even,
    speedup,
    speedup_floor,
)

from ..vega import in_vega
from .test_context import READINGS, batches, contexts, readings, widths

A100 = ACCELERATORS["A100-80GB-SXM"]
NAMES = ["Llama-2-70B", "Llama-2-7B"]
fractions = st.floats(0.05, 1)
names = st.sampled_from(list(MODELS))


def rooflines(**options):
    return [Roofline(MODELS[name], A100, **options) for name in NAMES]


@given(names, readings, batches, widths, contexts)
def test_one_chip_is_the_plain_roofline_exactly(name, roof_per, batch, width, context):
    plain = Roofline(MODELS[name], A100, roof_per=roof_per)
    alone = Roofline(
        MODELS[name], A100, roof_per=roof_per, tensor_parallel=1, link=Link(3e11, 1e-5)
    )
    assert alone(batch, width, context) == plain(batch, width, context)
    assert alone.crossover_batch(width, context) == plain.crossover_batch(width, context)


@given(names, readings, st.sampled_from([1, 2, 4, 8]), batches, widths, contexts)
def test_free_talk_divides_the_time_by_the_chips(name, roof_per, chips, batch, width, context):
    one = Roofline(MODELS[name], A100, roof_per=roof_per)
    group = Roofline(MODELS[name], A100, roof_per=roof_per, tensor_parallel=chips)
    # every model of the table has at least 8 key-value heads to share out
    assert group(batch, width, context) == pytest.approx(one(batch, width, context) / chips)
    assert group.crossover_batch(width, context) == pytest.approx(
        one.crossover_batch(width, context), rel=1e-9
    )


@pytest.mark.parametrize("gamma", [1, 4])
def test_free_talk_leaves_the_speedup_alone(gamma):
    batch = np.array([1, 8, 32, 81, 256])
    one, four = rooflines(), rooflines(tensor_parallel=4)
    assert speedup(*four, batch, gamma, 0.75) == pytest.approx(speedup(*one, batch, gamma, 0.75))


def test_more_chips_than_key_value_heads_hold_copies():
    model = MODELS["Llama-2-70B"]  # 8 key-value heads
    times = [
        Roofline(model, A100, tensor_parallel=chips).seconds_per_cached_token(1)
        for chips in (4, 8, 16)
    ]
    assert times[0] == pytest.approx(2 * times[1]) and times[2] == pytest.approx(times[1])


def test_all_reduce_by_hand():
    # 4 chips, 1 MB over 250 GB/s: 2·(3/4)·1e6/250e9 = 6 us, and 10 us to begin with
    assert all_reduce_seconds(1e6, 4, Link(250e9, 10e-6)) == pytest.approx(16e-6)
    assert all_reduce_seconds(1e6, 2, Link(250e9)) == pytest.approx(4e-6)
    assert all_reduce_seconds(1e6, 1, Link(250e9, 10e-6)) == 0


def test_two_all_reduces_a_layer():
    link = Link(300e9, 12e-6)
    quiet, talking = (
        Roofline(MODELS["Llama-2-70B"], A100, tensor_parallel=4, link=connection)
        for connection in (None, link)
    )
    # 80 layers, two each; 8 sequences x 5 positions of 8192 values of 2 bytes
    message = 8 * 5 * 8192 * 2
    assert talking(8, 5) - quiet(8, 5) == pytest.approx(160 * all_reduce_seconds(message, 4, link))
    assert talking(8, 5, 1000) - quiet(8, 5, 1000) == pytest.approx(talking(8, 5) - quiet(8, 5))


def test_talk_weighs_more_on_a_small_draft():
    link = Link(300e9, 10e-6)
    share = [
        1 - Roofline(MODELS[name], A100, tensor_parallel=4)(1) / talking(1)
        for name, talking in zip(NAMES, rooflines(tensor_parallel=4, link=link), strict=True)
    ]
    assert share[1] > 2 * share[0]
    quiet, talking = rooflines(tensor_parallel=4), rooflines(tensor_parallel=4, link=link)
    assert speedup(*talking, 1, 4, 0.75) < speedup(*quiet, 1, 4, 0.75)
    # the draft left on one chip of the four does not talk at all
    alone = Roofline(MODELS["Llama-2-7B"], A100)
    assert alone(1) > talking[1](1) > quiet[1](1)


@given(batches, widths, st.floats(0, 1e-3), st.floats(1e10, 1e12))
def test_a_slower_link_never_helps(batch, width, latency, bandwidth):
    def seconds(link):
        return Roofline(MODELS["Llama-2-7B"], A100, tensor_parallel=4, link=link)(batch, width)

    here = seconds(Link(bandwidth, latency))
    assert seconds(None) <= here <= seconds(Link(bandwidth / 2, latency))
    assert here <= seconds(Link(bandwidth, latency + 1e-6))


@given(names, fractions, fractions, batches, widths)
def test_efficiency_scales_each_half_and_the_knee_by_their_ratio(
    name, compute, memory, batch, width
):
    peak = Roofline(MODELS[name], A100)
    real = Roofline(MODELS[name], A100, compute_efficiency=compute, bandwidth_efficiency=memory)
    halves = peak.memory_seconds / memory, peak.seconds_per_position * batch * width / compute
    assert real(batch, width) == pytest.approx(max(halves))
    expected = peak.crossover_batch(width) * compute / memory
    assert real.crossover_batch(width) == pytest.approx(expected)
    assert real.attention_crossover_width() == pytest.approx(
        peak.attention_crossover_width() * compute / memory
    )


def test_full_efficiency_is_the_peak_exactly():
    for plain, full in zip(
        rooflines(), rooflines(compute_efficiency=1.0, bandwidth_efficiency=1), strict=True
    ):
        batch = np.arange(1, 400)
        assert np.array_equal(full(batch, 5, 1000), plain(batch, 5, 1000))


def test_closed_forms_follow_efficiency_and_refuse_a_link():
    slow = rooflines(tensor_parallel=4, compute_efficiency=0.7, bandwidth_efficiency=0.9)
    edge = roofline_break_even(*slow, 4, 0.75)
    assert edge == pytest.approx(break_even_batch(*slow, 4, 0.75))
    assert edge == pytest.approx(roofline_break_even(*rooflines(), 4, 0.75) * 7 / 9)
    talking = rooflines(tensor_parallel=4, link=Link(3e11, 1e-5))
    for closed_form in (roofline_break_even, speedup_floor):
        for pair in (talking, [slow[0], talking[1]]):
            with pytest.raises(ValueError, match="link = Link.*link=None only"):
                closed_form(*pair, 4, 0.75)
    edge = break_even_batch(*talking, 4, 0.75)
    assert speedup(*talking, edge, 4, 0.75) == pytest.approx(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tensor_parallel": 0}, "tensor_parallel = 0: expected a whole number, at least 1"),
        ({"tensor_parallel": 2.5}, "tensor_parallel = 2.5"),
        ({"compute_efficiency": 0}, "compute_efficiency = 0: .* above 0 and at most 1"),
        ({"bandwidth_efficiency": 1.01}, "bandwidth_efficiency = 1.01"),
        ({"link": 3e11}, "link = 3.*: expected a Link or None"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        rooflines(**options)


@pytest.mark.parametrize("bad", [0, -1, np.nan])
def test_bad_links_are_named(bad):
    with pytest.raises(ValueError, match="bandwidth = "):
        Link(bad)
    if bad != 0:
        with pytest.raises(ValueError, match="latency = "):
            Link(3e11, bad)
    with pytest.raises(ValueError, match="message_bytes = -1"):
        all_reduce_seconds(-1, 4, Link(3e11))


def test_a_link_needs_to_know_how_long_the_messages_are():
    pair = Roofline(Model("bare", 70e9), A100, tensor_parallel=4, link=Link(3e11))
    with pytest.raises(ValueError, match="link needs layers, heads, head_dim of bare"):
        pair(1)


@pytest.mark.parametrize("roof_per", READINGS)
def test_degree_link_and_efficiency_can_be_traced(roof_per):
    random = np.random.default_rng(5)
    rows = [
        {
            "t": int(2 ** random.integers(0, 6)),
            "bw": float(random.uniform(1e10, 1e12)),
            "wait": float(random.uniform(0, 1e-4)),
            "c": float(random.uniform(0.1, 1)),
            "m": float(random.uniform(0.1, 1)),
            "B": float(random.uniform(1, 512)),
        }
        for _ in range(40)
    ]

    def gain(t, bw, wait, c, m, B):
        pair = rooflines(
            roof_per=roof_per,
            tensor_parallel=t,
            link=Link(bw, wait),
            compute_efficiency=c,
            bandwidth_efficiency=m,
        )
        return speedup(*pair, B, 4, 0.75, 2000)

    datum = alt.datum
    traced = gain(datum.t, datum.bw, datum.wait, datum.c, datum.m, datum.B)
    assert in_vega(traced, rows) == pytest.approx([gain(**row) for row in rows], rel=1e-9)
