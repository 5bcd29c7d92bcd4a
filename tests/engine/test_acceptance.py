"""Acceptance is measured right, and where one alpha fails it is said."""

import numpy as np
import pytest

from crossover.engine import Engine
from crossover.engine.acceptance import tokens_per_round
from crossover.engine.trace import Generation, Round, Step

GAMMA = 4


def simulated(alphas, rounds=40, seed=0):
    """A generation whose prompt i accepts each draft with probability ``alphas[i]``."""
    rng = np.random.default_rng(seed)
    steps = []
    for request, alpha in enumerate(alphas):
        for _ in range(rounds):
            kept = int(np.cumprod(rng.random(GAMMA) < alpha).sum())
            steps.append(Step(request, 0, (0,) * GAMMA, kept, (0,) * (kept + 1), None, None))
    return Generation([], [Round("decode", GAMMA, tuple(steps), 4, (), (), (), (), 0, 0.0)])


def test_independent_acceptances_follow_the_formula():
    inside = 0
    for seed in range(40):
        found = tokens_per_round(simulated([0.75] * 60, seed=seed), GAMMA, 400)
        assert found.alpha == pytest.approx(0.75, abs=0.05)
        assert found.expected == pytest.approx((1 - found.alpha**5) / (1 - found.alpha))
        inside += found.independent
    assert inside >= 33  # 95 % intervals: 38 of 40 expected, below 33 once in 1400


def test_prompts_of_different_acceptance_emit_other_than_the_formula_says():
    found = tokens_per_round(simulated([0.3, 0.95] * 100), GAMMA)
    assert not found.independent
    assert found.by_position[3] > found.by_position[0] + 0.1  # the survivors are the easy ones


def test_rates_by_position_are_conditional_on_being_reached():
    steps = [Step(i, 0, (0,) * GAMMA, k, (), None, None) for i, k in enumerate([0, 1, 4, 4])]
    out = Generation([], [Round("decode", GAMMA, tuple(steps), 4, (), (), (), (), 0, 0.0)])
    found = tokens_per_round(out, GAMMA)
    assert found.by_position == pytest.approx((3 / 4, 2 / 3, 1, 1))
    assert found.alpha == pytest.approx(9 / 11)
    assert found.measured == pytest.approx(13 / 4)
    assert out.acceptance() == ([4, 3, 2, 2], [3, 2, 2, 2])


def test_too_little_to_tell_is_an_error():
    with pytest.raises(ValueError, match="at least two prompts, got 1"):
        tokens_per_round(simulated([0.5]), GAMMA)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_the_trained_pair_accepts_between_60_and_90_percent(pair, openings, temperature):
    out = Engine(*pair, gamma=GAMMA).generate(openings[:96], 48, temperature)
    found = tokens_per_round(out, GAMMA)
    print(f"T = {temperature:g}: {found}")
    assert 0.6 <= found.alpha <= 0.9
    whole = [s for s in out.steps if len(s.proposed) == GAMMA]
    assert found.measured == pytest.approx(np.mean([s.accepted + 1 for s in whole]))
