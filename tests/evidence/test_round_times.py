"""Rounds are timed pass by pass; what is counted in them is what the engine did."""

import pytest

from crossover.evidence import round_times
from crossover.evidence.recorded import recorded
from crossover.theory import expected_tokens


def check(found):
    per_gamma = ("alpha", "tokens_per_round", "round_seconds", "target_seconds")
    assert all(len(found[name]) == len(found["gammas"]) for name in per_gamma)
    assert found["draft_seconds"] > 0
    assert 0 < found["plain_seconds"] < found["plain_round_seconds"]
    for gamma, alpha, tokens, whole, verify in zip(
        found["gammas"], *(found[name] for name in per_gamma), strict=True
    ):
        assert 0 <= alpha <= 1 and 1 <= tokens <= gamma + 1
        assert 0 < verify < whole


def test_a_small_measurement():
    found = round_times.measure(gammas=(1, 2), prompts=2, tokens=12)
    check(found)
    # one draft a round: the share that passed is what a round emits beyond one token
    assert found["tokens_per_round"][0] == pytest.approx(1 + found["alpha"][0])


def test_the_recording_holds_the_same():
    found = recorded("round_times", round_times.measure)
    assert found["gammas"] == list(round_times.GAMMAS)
    check(found)
    for gamma, alpha, tokens in zip(
        *(found[name] for name in ("gammas", "alpha", "tokens_per_round")), strict=True
    ):
        assert tokens == pytest.approx(expected_tokens(alpha, gamma), rel=0.1)


@pytest.mark.parametrize("wrong, said", [
    ({"gammas": (0, 2)}, "gammas must be at least 1, got 0"),
    ({"prompts": 0}, "prompts must be at least 1, got 0"),
    ({"tokens": 8}, "tokens must be at least 9, got 8"),
])  # fmt: skip
def test_bad_input_is_refused_before_any_work(wrong, said):
    with pytest.raises(ValueError, match=said):
        round_times.measure(**wrong)
