"""What a round writes, keeps and drops: closed forms, and a stepping simulator as judge."""

from itertools import count, product

import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import expected_tokens, round_entries


class Cache(dict):
    """Position to the tokens an entry was computed from, the token itself last.

    Entries are overwritten, never deleted: rollback is by length alone.
    """

    def take_in(self, tokens, position):
        self[position] = tuple(tokens[: position + 1])
        return position

    def holds(self, text, position):
        return self.get(position) == tuple(text[: position + 1])


class Sequence:
    """Steps a draft and a verification token by token; knows no formula."""

    def __init__(self, prompt):
        self.fresh = count()
        self.text = [next(self.fresh) for _ in range(prompt)]
        self.target, self.draft = Cache(), Cache()
        for cache in (self.target, self.draft):
            for position in range(prompt - 1):
                cache.take_in(self.text, position)

    def catch_up(self):
        """Let the draft take in committed tokens it has not seen, but for the last."""
        return [
            self.draft.take_in(self.text, p)
            for p in range(len(self.text) - 1)
            if not self.draft.holds(self.text, p)
        ]

    def round(self, gamma, accepted):
        """Return the positions the target and the draft wrote."""
        tokens, last = list(self.text), len(self.text) - 1
        by_draft = []
        for _ in range(gamma):
            by_draft.append(self.draft.take_in(tokens, len(tokens) - 1))
            tokens.append(next(self.fresh))
        by_target = [self.target.take_in(tokens, p) for p in range(last, len(tokens))]
        self.text = [*tokens[: last + 1 + accepted], next(self.fresh)]
        return by_target, by_draft


@st.composite
def outcomes(draw, most=12):
    gamma = draw(st.integers(0, most))
    return gamma, draw(st.integers(0, gamma))


@given(st.integers(0, 50), outcomes())
def test_one_round_agrees_with_the_simulator(position, outcome):
    sequence = Sequence(position + 1)
    by_target, by_draft = sequence.round(*outcome)
    told = round_entries(position, *outcome)

    for cache, written, entries in (
        (sequence.target, by_target, told.target),
        (sequence.draft, by_draft, told.draft),
    ):
        assert list(entries.written) == written
        assert list(entries.kept) == [p for p in written if cache.holds(sequence.text, p)]
        assert list(entries.dropped) == [p for p in written if not cache.holds(sequence.text, p)]
    assert told.emitted[-1] == len(sequence.text) - 1
    assert list(told.owed) == sequence.catch_up()
    assert not any(
        cache.holds(sequence.text, told.emitted[-1]) for cache in (sequence.target, sequence.draft)
    )


@given(st.integers(0, 5), st.lists(outcomes(6), max_size=8))
def test_rollback_by_length_alone_holds_over_many_rounds(position, rounds):
    sequence = Sequence(position + 1)
    for outcome in rounds:
        sequence.round(*outcome)
        told = round_entries(position, *outcome)
        position = told.emitted[-1]
        assert position == len(sequence.text) - 1 == told.target.committed_length
        for cache, entries in ((sequence.target, told.target), (sequence.draft, told.draft)):
            held = [p for p in range(position + 1) if cache.holds(sequence.text, p)]
            assert held == list(range(entries.committed_length))
        assert sequence.catch_up() == list(told.owed)


@given(st.integers(0, 10**9), outcomes(40))
def test_counts(position, outcome):
    gamma, accepted = outcome
    told = round_entries(position, gamma, accepted)
    assert len(told.target.written) == gamma + 1
    assert len(told.target.kept) == accepted + 1
    assert len(told.target.dropped) == gamma - accepted
    assert len(told.draft.written) == gamma
    assert len(told.draft.kept) == min(accepted + 1, gamma)
    assert len(told.draft.dropped) == max(gamma - accepted - 1, 0)
    assert len(told.emitted) == accepted + 1
    assert len(told.owed) == (accepted == gamma)


@given(st.integers(0, 1000), outcomes(), st.integers(0, 12))
def test_the_next_round_of_the_same_width_writes_over_all_that_was_dropped(
    position, outcome, accepted_next
):
    gamma, accepted = outcome
    before = round_entries(position, gamma, accepted)
    after = round_entries(before.emitted[-1], gamma, min(accepted_next, gamma))
    assert set(before.target.dropped) <= set(after.target.written)
    assert set(before.draft.dropped) <= set(after.draft.written)


@pytest.mark.parametrize(
    ("accepted", "ends", "target_dropped", "draft_dropped", "owed"),
    [
        (4, 105, [], [], [104]),
        (2, 103, [103, 104], [103], []),
        (1, 102, [102, 103, 104], [102, 103], []),
        (0, 101, [101, 102, 103, 104], [101, 102, 103], []),
    ],
)
def test_sequences_a_to_d_of_the_chapter(accepted, ends, target_dropped, draft_dropped, owed):
    told = round_entries(100, gamma=4, accepted=accepted)
    assert told.emitted == range(101, ends + 1)
    assert list(told.target.dropped) == target_dropped
    assert list(told.draft.dropped) == draft_dropped
    assert list(told.owed) == owed


@pytest.mark.parametrize(("alpha", "gamma", "batch"), [(0.75, 4, 2), (0.6, 2, 3), (1, 3, 2)])
def test_a_batch_in_lockstep_accepts_like_one_sequence_with_alpha_to_the_batch(alpha, gamma, batch):
    chance = [alpha**k * (1 - alpha) for k in range(gamma)] + [alpha**gamma]
    shortest = sum(
        np.prod([chance[k] for k in accepted]) * (min(accepted) + 1)
        for accepted in product(range(gamma + 1), repeat=batch)
    )
    assert expected_tokens(alpha**batch, gamma) == pytest.approx(shortest, rel=1e-12)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"position": -1}, "position = -1: expected a whole number, at least 0"),
        ({"position": 100.5}, "position = 100.5"),
        ({"gamma": -1}, "gamma = -1"),
        ({"gamma": "4"}, "gamma = '4'"),
        ({"accepted": 5}, "accepted = 5: expected a whole number from 0 to 4"),
        ({"accepted": np.nan}, "accepted = nan"),
        ({"accepted": True}, "accepted = True"),
        ({"accepted": np.array([4, 2])}, "accepted = array([4, 2]): expected one whole number"),
        ({"position": alt.param(name="p")}, "expected one whole number"),
    ],
)
def test_bad_input_is_named(bad, message):
    with pytest.raises(ValueError) as caught:
        round_entries(**({"position": 100, "gamma": 4, "accepted": 2} | bad))
    assert message in str(caught.value)


def test_numpy_integers_give_plain_positions():
    told = round_entries(np.int64(100), np.int32(4), np.float64(2))
    assert told == round_entries(100, 4, 2)
    assert type(told.emitted[-1]) is int
