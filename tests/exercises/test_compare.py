"""What counts as right, and the feedback that a named mistake earns."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exercises.compare import MISSING, RIGHT, Raised, agrees, compare

from .conftest import KINDS, scale

SIZE = {"size": 120}  # the answer is 240, within 0.5 %


@pytest.mark.parametrize("value, share, feedback", [
    (240, 1, RIGHT),
    (240.0, 1, RIGHT),
    (241.19, 1, RIGHT),
    (241.204, 0, "Not right."),  # within 0.5 % of itself, not of the answer
    (60, 0, "You halved it."),
    (14_400, 0, "You squared it."),
    (None, 0, MISSING),
    (-240, 0, "Not right."),
    (0, 0, "Not right."),
    (True, 0, "Expected a number in tokens, not bool."),
    ("240", 0, "Expected a number in tokens, not str."),
    ([240], 0, "Expected a number in tokens, not list."),
    ({"not plain": "Yes"}, 0, "Expected a number in tokens, not dict."),
    (240 + 0j, 0, "Expected a number in tokens, not complex."),
    (math.nan, 0, "Expected a number in tokens, not NaN or infinity."),
    (math.inf, 0, "Expected a number in tokens, not NaN or infinity."),
    (10**400, 0, "Expected a number in tokens, not NaN or infinity."),
])
def test_number(value, share, feedback):
    assert compare(KINDS["number"](), SIZE, value) == (share, feedback)


class Everything(float):
    """Equal to everything, as a student might try."""

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__
    __sub__ = __rsub__ = lambda self, other: 0.0


def test_an_object_equal_to_everything_is_no_number():
    assert compare(KINDS["number"](), SIZE, Everything(1))[0] == 0
    assert compare(KINDS["numbers"](), {"a": 10, "b": 31},
                   {"sum": Everything(1), "product": Everything(1)})[0] == 0


@pytest.mark.parametrize("value, share, feedback", [
    ({"sum": 41, "product": 310}, 1, RIGHT),
    ({"sum": 41, "product": 310, "more": 1}, 1, RIGHT),
    ({"sum": 41}, 0.5, "product: Nothing handed in."),
    ({"sum": 21, "product": 310}, 0.5, "sum: That is the difference."),
    ({"sum": 310, "product": 41}, 0, "sum: Swapped. product: Swapped."),
    ({"sum": True, "product": 7}, 0,
     "sum: expected a number in tokens, not bool. product: Not right."),
    (41, 0, "Expected a dict with sum, product, not int."),
])
def test_numbers(value, share, feedback):
    assert compare(KINDS["numbers"](), {"a": 10, "b": 31}, value) == (share, feedback)


@pytest.mark.parametrize("value, share, feedback", [
    ("a", 1, RIGHT), (" A ", 1, RIGHT), ("b", 0, "Look at the second again."),
    ("c", 0, "One of them is."), ("ab", 0, "Expected one of the letters a, b, c."),
    (1, 0, "Expected one of the letters a, b, c."), (None, 0, MISSING),
])
def test_choice(value, share, feedback):
    assert compare(KINDS["choice"](), {"a": 90}, value) == (share, feedback)


CASES = [(3,), (8,), (1000,)]


@pytest.mark.parametrize("results, share, feedback", [
    ([scale(*args, factor=5) for args in CASES], 1, RIGHT),
    ([tuple(scale(*args, factor=5)) for args in CASES], 1, RIGHT),
    ([[b, b + 1] for (b,) in CASES], 0, "Scale it."),
    ([scale(3, 5), scale(8, 5), [1, 2]], 0, "Wrong on 1 of 3 hidden cases, scaled(1000) among"),
    ([scale(3, 5), scale(8, 5), Raised("ZeroDivisionError")], 0, "no result: ZeroDivisionError"),
    ([scale(3, 5)], 0, "scaled gave no result on the 3 hidden cases."),
    ([15, 40, 5000], 0, "Wrong on 3 of 3"),
    ("text", 0, "gave no result"),
])
def test_function(results, share, feedback):
    earned, words = compare(KINDS["function"](), {"factor": 5}, results, CASES)
    assert earned == share
    assert feedback in words


def test_text_is_for_a_human():
    assert compare(KINDS["text"](), {}, "Because.")[0] is None


def test_feedback_never_tells_the_answer():
    for value in (60, 1, True, None, "x", 14_400):
        assert "240" not in compare(KINDS["number"](), SIZE, value)[1]


@given(st.floats(1e-9, 1e9), st.floats(-0.02, 0.02), st.sampled_from([0.001, 0.005, 0.01]))
def test_tolerance_is_relative_to_the_answer(expected, error, rtol):
    if abs(abs(error) - rtol) > 1e-9:
        assert agrees(expected * (1 + error), expected, rtol) == (abs(error) <= rtol)


@pytest.mark.parametrize("value, expected, same", [
    (True, True, True), (1, True, False), (True, 1, False), ([1, [2]], [1, [2.0]], True),
    ([1, 2], [1], False), (1, [1], False), ("x", "x", True), (None, None, True),
    (0, 0.0, True), (1e-9, 0.0, False),
])
def test_shape_and_kind_count(value, expected, same):
    assert agrees(value, expected, 1e-6) is same
