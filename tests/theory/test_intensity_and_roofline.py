"""Arithmetic intensity, the crossover batch and the envelope, by their properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    Accelerator,
    Model,
    Roofline,
    arithmetic_intensity,
    crossover_batch,
    ridge_point,
)

batches = st.floats(1, 1e5)
widths = st.integers(1, 64)
rates = st.floats(1e12, 1e16)
bandwidths = st.floats(1e11, 1e14)
sizes = st.floats(1e6, 1e12)
bytes_each = st.sampled_from([0.5, 1, 2, 4])


@given(batches, widths, bytes_each, sizes)
def test_intensity_is_flops_over_bytes_and_n_cancels(batch, width, d, params):
    flops, moved = 2 * params * batch * width, params * d
    assert arithmetic_intensity(batch, width, d) == pytest.approx(flops / moved, rel=1e-12)


@given(rates, bandwidths, bytes_each, widths)
def test_intensity_meets_the_ridge_at_the_crossover(rate, bandwidth, d, width):
    batch = crossover_batch(rate, bandwidth, d, width)
    met = 2 * batch * width / d
    assert met == pytest.approx(ridge_point(rate, bandwidth), rel=1e-12)


@given(rates, bandwidths, bytes_each, st.integers(0, 32))
def test_verification_crosses_gamma_plus_one_times_sooner(rate, bandwidth, d, gamma):
    plain = crossover_batch(rate, bandwidth, d, 1)
    assert plain / crossover_batch(rate, bandwidth, d, gamma + 1) == pytest.approx(gamma + 1)


@given(rates, bandwidths, bytes_each, widths, sizes)
def test_knee_of_the_roofline_is_the_crossover_batch(rate, bandwidth, d, width, params):
    roofline = Roofline(Model("m", params, d), Accelerator("chip", rate, bandwidth))
    knee = roofline.crossover_batch(width)
    assert roofline.seconds_per_position * knee * width == pytest.approx(roofline.memory_seconds)
    if knee >= 2:
        assert roofline(knee / 2, width) == roofline.memory_seconds
    assert roofline(max(1, 2 * knee), width) > roofline.memory_seconds


@given(batches, widths, sizes, st.floats(1, 100))
def test_scaling(batch, width, params, scale):
    def seconds(rate=3e14, bandwidth=2e12, n=params):
        return Roofline(Model("m", n), Accelerator("chip", rate, bandwidth))(batch, width)

    assert seconds(n=scale * params) == pytest.approx(scale * seconds())
    assert seconds(scale * 3e14, scale * 2e12) == pytest.approx(seconds() / scale)


@given(batches, batches, widths)
def test_pass_time_never_falls_with_batch_nor_width(a, b, width):
    roofline = Roofline(Model("m", 70e9), Accelerator("chip", 312e12, 2039e9))
    low, high = sorted((a, b))
    assert roofline(low, width) <= roofline(high, width) <= roofline(high, width + 1)


def test_arrays_broadcast(target):
    batch, width = np.arange(1, 300)[:, None], np.arange(1, 9)
    table = target(batch, width)
    assert table.shape == (299, 8)
    assert table[127, 4] == target(128, 5)
    intensity = arithmetic_intensity(batch, width, 2)
    memory_bound = intensity < target.accelerator.ridge_point()
    assert np.array_equal(memory_bound, table == target.memory_seconds)


@pytest.mark.parametrize("batch", [0, 0.5, -1, np.nan, np.inf, "8", None, [1, 0]])
def test_batch_refused(target, batch):
    with pytest.raises(ValueError, match="batch = .*at least 1"):
        target(batch)


def test_an_array_error_names_the_first_bad_entry(target):
    with pytest.raises(ValueError, match=r"batch = -3.0 at index \(1, 0\)"):
        target(np.array([[1, 2], [-3, 4]]))


@pytest.mark.parametrize("width", [0, 0.5, np.nan])
def test_width_refused(target, width):
    with pytest.raises(ValueError, match="width"):
        target(1, width)
