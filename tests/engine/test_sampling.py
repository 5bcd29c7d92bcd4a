"""The emitted distribution is the target's: computed, not sampled."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from crossover.engine import sampling

SIZE = 7


def distributions(size=SIZE):
    """Distributions with some zeros, and some with everything on one token."""
    weight = st.one_of(st.just(0.0), st.floats(1e-6, 1.0))
    mixed = arrays(np.float64, size, elements=weight).filter(lambda w: w.sum() > 0)
    single = st.integers(0, size - 1).map(lambda i: np.eye(size)[i])
    return st.one_of(mixed.map(lambda w: w / w.sum()), single)


@given(distributions(), distributions())
def test_accepting_and_replacing_emits_the_target_distribution(p, q):
    kept = q * sampling.accept_probability(p, q)
    emitted = kept + (1 - kept.sum()) * sampling.residual(p, q)
    np.testing.assert_allclose(emitted, p, atol=1e-12)


@given(st.data(), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=60)
def test_verify_agrees_with_the_rule_applied_one_draft_at_a_time(data, gamma, rows):
    p = np.array([[data.draw(distributions()) for _ in range(gamma + 1)] for _ in range(rows)])
    q = np.array([[data.draw(distributions()) for _ in range(gamma)] for _ in range(rows)])
    gammas = np.array(data.draw(st.lists(st.integers(0, gamma), min_size=rows, max_size=rows)))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    drafts = np.array([[rng.choice(SIZE, p=q[i, j]) for j in range(gamma)] for i in range(rows)])
    uniform = rng.random((rows, gamma + 1))
    q[np.arange(gamma) >= gammas[:, None]] = 0
    accepted, following = sampling.verify(p, q, drafts, gammas, uniform)
    for i in range(rows):
        k = 0
        while k < gammas[i] and uniform[i, k] * q[i, k, drafts[i, k]] < p[i, k, drafts[i, k]]:
            k += 1
        left = p[i, k] if k == gammas[i] else np.maximum(p[i, k] - q[i, k], 0)
        expected = np.searchsorted(np.cumsum(left / left.sum()), uniform[i, -1], side="right")
        assert (accepted[i], following[i]) == (k, expected)


@given(distributions(), st.floats(0, 1, exclude_max=True))
def test_sample_never_draws_an_impossible_token(p, uniform):
    token = sampling.sample(p[None], np.array([uniform]))[0]
    assert p[token] > 0
    assert p[:token].sum() <= uniform + 1e-12 and uniform - 1e-12 <= p[: token + 1].sum()


@given(arrays(np.float64, SIZE, elements=st.floats(-50, 50)), st.floats(0.1, 3), st.floats(0.05, 1))
def test_top_p_keeps_the_smallest_set_that_holds_it(logits, temperature, top_p):
    full = sampling.distribution(logits, temperature)
    cut = sampling.distribution(logits, temperature, top_p)
    assert full.sum() == pytest.approx(1) and cut.sum() == pytest.approx(1)
    np.testing.assert_allclose(
        full, np.exp(logits / temperature - np.logaddexp.reduce(logits / temperature)), atol=1e-12
    )
    kept = cut > 0
    assert full[kept].sum() >= top_p - 1e-9
    assert full[kept].sum() - full[kept].min() < top_p + 1e-9
    assert full[kept].min() >= full[~kept].max(initial=0) - 1e-15
    np.testing.assert_allclose(cut[kept], full[kept] / full[kept].sum(), atol=1e-12)


def test_temperature_zero_puts_all_on_the_first_of_the_largest():
    p = sampling.distribution([[1.0, 3.0, 3.0], [5.0, 1.0, 2.0]], 0)
    np.testing.assert_array_equal(p, [[0, 1, 0], [1, 0, 0]])


@pytest.mark.parametrize(
    "temperature, top_p", [(-1, 1), (np.nan, 1), (np.inf, 1), (1, 0), (1, 1.1), (1, np.nan)]
)
def test_bad_settings_are_named(temperature, top_p):
    with pytest.raises(ValueError, match="temperature must be|top_p must be"):
        sampling.distribution([0.0, 1.0], temperature, top_p)
