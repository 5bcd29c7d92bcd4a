"""Measured passes: through the data, inside the range, the design's figures."""

import numpy as np
import pytest

from crossover.evidence.gemm import MeasuredProfile, compare_best_gamma, profiles
from crossover.theory import (
    MODELS,
    Link,
    all_reduce_seconds,
    best_gamma,
    break_even_batch,
    speedup,
    win_intervals,
)

PAIRS = [("A100-80GB-SXM", 1), ("A100-80GB-SXM", 4), ("H100-SXM", 1), ("H100-SXM", 4), ("A40", 1)]


def measured(accelerator, tensor_parallel=1, link=None):
    names = "Llama-2-70B", "Llama-2-7B"
    return [MeasuredProfile(accelerator, name, tensor_parallel, link) for name in names]


@pytest.fixture(scope="module")
def pair():
    return measured("A100-80GB-SXM")


def test_the_series_are_all_there():
    known = {(chip, name, chips) for chip, chips in PAIRS for name in ("Llama-2-70B", "Llama-2-7B")}
    assert set(profiles()) == known and len(profiles()) == 10


@pytest.mark.parametrize("key", profiles(), ids=str)
def test_interpolation_passes_through_the_data(key):
    profile = MeasuredProfile(*key)
    assert np.array_equal(profile(profile.positions), profile.seconds)
    middle = (profile.positions[1:] + profile.positions[:-1]) / 2
    between = (profile.seconds[1:] + profile.seconds[:-1]) / 2
    assert np.allclose(profile(middle), between, rtol=1e-12)


def test_only_positions_matter(pair):
    assert pair[0](32, 5) == pair[0](160, 1) == pair[0](batch=80, width=2)


@pytest.mark.parametrize(
    ("batch", "expected"),
    [(1, 2.16), (8, 2.16), (32, 1.43), (64, 0.98), (81, 0.92), (128, 0.72), (256, 0.65)],
)
def test_measured_speedups(pair, batch, expected):
    assert round(speedup(*pair, batch, 4, 0.75), 2) == expected


def test_measured_steps(pair):
    assert round(speedup(*pair, 32, 3, 0.75), 2) == 1.89
    assert round(speedup(*pair, 128, 1, 0.75), 3) == 1.006
    intervals = win_intervals(*pair, 4, 0.75)
    assert len(intervals) == 2  # gamma = 4 crosses 1 three times
    edges = [edge for interval in intervals for edge in interval][1:]
    assert [round(edge, 1) for edge in edges] == [61.2, 65.1, 77.6]
    for edge in edges:
        assert speedup(*pair, edge, 4, 0.75) == pytest.approx(1, abs=1e-9)
    assert break_even_batch(*pair, 4, 0.75) == intervals[0][1]


def test_the_h100_wins_where_the_a100_does_not():
    assert round(speedup(*measured("H100-SXM"), 128, 1, 0.75), 2) == 1.35


@pytest.mark.parametrize("key", profiles(), ids=str)
def test_floor_and_knee_beside_the_envelope(key):
    profile, envelope = MeasuredProfile(*key), MeasuredProfile(*key).envelope()
    assert envelope.model is MODELS[key[1]] and envelope.tensor_parallel == key[2]
    # real passes are slower than the envelope, never faster
    assert np.all(profile.seconds > envelope(profile.positions))
    assert 1.15 < profile.seconds[0] / envelope.memory_seconds < 1.65
    slope = (profile(4096) - profile(2048)) / 2048
    assert profile.knee() == pytest.approx(profile(1) / slope, rel=1e-12)
    assert 0.78 < profile.knee() / envelope.crossover_batch(1) < 1.4


def test_tile_steps_of_the_a100_are_its_tile_rows(pair):
    steps = [position for position, _ in pair[0].tile_steps()]
    assert steps[:7] == [128, 256, 384, 512, 640, 768, 896]
    size = pair[0].tile_steps()[0][1]
    slope = pair[0](1) / pair[0].knee()
    assert size == pytest.approx((pair[0](136) - pair[0](128)) / slope - 8)
    assert pair[0](136) / pair[0](128) > 1.5
    # every jump left out is smaller than every jump kept
    everything = pair[0].tile_steps(least=1e-9)
    kept = {at for at, size in everything if size >= 64}
    assert kept == set(steps) and len(everything) > 2 * len(kept)


def test_the_all_reduces_come_on_top():
    link = Link(250e9, 10e-6)
    quiet, talking = measured("A100-80GB-SXM", 4), measured("A100-80GB-SXM", 4, link)
    by_hand = 160 * all_reduce_seconds(8 * 5 * 8192 * 2, 4, link)
    assert talking[0](8, 5) - quiet[0](8, 5) == pytest.approx(by_hand)
    assert talking[0].envelope()(8, 5) - quiet[0].envelope()(8, 5) == pytest.approx(by_hand)
    alone = measured("A100-80GB-SXM", 1, link)
    assert alone[0](8, 5) == measured("A100-80GB-SXM")[0](8, 5)
    assert speedup(*talking, 1, 4, 0.75) < speedup(*quiet, 1, 4, 0.75)


@pytest.mark.parametrize("where", PAIRS, ids=str)
def test_measured_best_gamma_is_never_worse_than_the_envelopes(where):
    pair, batch = measured(*where), np.arange(1, 257)[:, None]
    alpha = np.array([0, 0.3, 0.6, 0.75, 0.9, 1])
    choice = compare_best_gamma(*pair, batch, alpha, max_gamma=12)
    assert choice.measured_gamma.shape == (256, 6)
    assert np.all(choice.measured_speedup >= choice.envelope_speedup)
    assert np.all(choice.measured_speedup >= 1)
    assert np.array_equal(
        choice.envelope_gamma,
        best_gamma(*(profile.envelope() for profile in pair), batch, alpha, max_gamma=12),
    )
    # the speedups are those of measured passes, and the choice is worth making
    for row, column in ((31, 3), (127, 3), (200, 4)):
        arguments = batch[row, 0], int(choice.measured_gamma[row, column]), alpha[column]
        found = choice.measured_speedup[row, column]
        assert found == pytest.approx(speedup(*pair, *arguments), rel=1e-12)
    assert (choice.measured_speedup / choice.envelope_speedup).max() > 1.05


def test_best_gamma_lands_just_under_a_step(pair):
    choice = compare_best_gamma(*pair, 32, 0.75)
    assert choice[:2] == (4, 3)  # 160 positions against 128
    assert round(choice.measured_speedup / choice.envelope_speedup, 2) == 1.32
    batch = np.arange(22, 65)
    choice = compare_best_gamma(*pair, batch, 0.75)
    last = batch * (choice.measured_gamma + 1) - 1
    fills_a_row = last // 128 < (last + batch) // 128  # a wider window starts another
    # between 128 and the next measured point, 136, lies a ramp and no jump yet
    on_the_ramp = (last % 128) < 4
    assert np.all(fills_a_row | on_the_ramp) and fills_a_row.sum() >= 41


def test_filling_one_row_of_tiles_is_nearly_the_best(pair):
    batch = np.arange(22, 65)
    choice = compare_best_gamma(*pair, batch, 0.75)
    one_row = [speedup(*pair, int(b), int(128 // b - 1), 0.75) for b in batch]
    assert (one_row / choice.measured_speedup).mean() > 0.99
    assert (choice.envelope_speedup / choice.measured_speedup).mean() < 0.85


def test_the_envelopes_choice_can_lose_where_off_would_not():
    choice = compare_best_gamma(*measured("H100-SXM"), 200, 0.75)
    assert choice.envelope_gamma == 1 and choice.envelope_speedup < 0.95
    assert choice.measured_gamma == 0 and choice.measured_speedup == 1


def test_nothing_outside_the_range(pair):
    with pytest.raises(ValueError, match=r"batch \* width = 4100.0: .* from 1 to 4096"):
        pair[0](820, 5)
    assert pair[0](4096) > 0
    with pytest.raises(ValueError, match=r"batch \* width = 4097.0"):
        compare_best_gamma(*pair, 4097, 0.75)
    with pytest.raises(ValueError, match="least = 0"):
        pair[0].tile_steps(0)
    with pytest.raises(NotImplementedError, match="context"):
        pair[0](8, 5, context=100)


def test_a_search_stays_in_the_range(pair):
    assert win_intervals(*pair, 1, 1.0, max_batch=10**6)[-1][1] <= 2048
    assert best_gamma(*pair, np.array([2048, 2049, 4096]), 1.0, max_gamma=40).max() <= 1


def test_unknown_series_lists_the_known():
    with pytest.raises(ValueError, match="A100-80GB-SXM, Llama-2-70B, 1"):
        MeasuredProfile("A100-80GB-SXM", "Llama-2-70B", 8)
