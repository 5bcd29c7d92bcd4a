"""What was handed in against the answer: a share of the points, and feedback.

Only plain numbers, bools, strings, lists and dicts come here; nothing of a student's
process does. A number is an int or a float that is finite; a bool is not a number.
"""

import math
from dataclasses import dataclass

from .check import is_finite
from .questions import Choice, Function, Number, Numbers, Text

RIGHT = "Right."
MISSING = "Nothing handed in."


@dataclass(frozen=True)
class Raised:
    """A hidden case on which the student's function gave no result, and why."""

    reason: str


def compare(question, values, handed_in, cases=None):
    """Return the share of the points that `handed_in` earns, and feedback.

    Parameters
    ----------
    question : Question
    values : dict
        The student's values.
    handed_in : number, str, dict or list
        As the kind asks; for a `Function` the results on `cases`, in their order, each
        a plain value or `Raised`. None: nothing handed in.
    cases : list of tuple
        For a `Function`: the hidden arguments.

    Returns
    -------
    share : float or None
        0 to 1; None for a `Text`, which is marked by hand.
    feedback : str
    """
    if isinstance(question, Text):
        return None, "To be marked by hand."
    if handed_in is None:
        return 0.0, MISSING
    return _KINDS[type(question)](question, values, handed_in, cases)


def is_number(value):
    """Return whether `value` is a plain int or float, finite as a float."""
    return type(value) in (int, float) and is_finite(value)


def agrees(value, expected, rtol):
    """Return whether two plain results are the same: shape, kind, and numbers within `rtol`."""
    if isinstance(expected, (list, tuple)):
        return (isinstance(value, (list, tuple)) and len(value) == len(expected)
                and all(agrees(v, e, rtol) for v, e in zip(value, expected, strict=True)))
    if isinstance(expected, (bool, str)) or expected is None:
        return type(value) is type(expected) and value == expected
    if not is_number(value):
        return False
    return math.isclose(value, expected, rel_tol=0, abs_tol=rtol * abs(expected) or 1e-12)


def _number(question, values, handed_in, _cases):
    if not is_number(handed_in):
        return 0.0, f"Expected a number in {question.unit}, not {_kind(handed_in)}."
    if agrees(handed_in, question.answer(**values), question.rtol):
        return 1.0, RIGHT
    for mistake in question.wrong:
        if agrees(handed_in, mistake.formula(**values), question.rtol):
            return 0.0, mistake.feedback
    return 0.0, "Not right."


def _numbers(question, values, handed_in, _cases):
    if not isinstance(handed_in, dict):
        return 0.0, f"Expected a dict with {', '.join(question.units)}, not {_kind(handed_in)}."
    expected = question.answer(**values)
    mistakes = [(mistake, mistake.formula(**values)) for mistake in question.wrong]
    right, words = 0, []
    for name, unit in question.units.items():
        value = handed_in.get(name)
        if agrees(value, expected[name], question.rtol):
            right += 1
        elif value is None:
            words.append(f"{name}: {MISSING}")
        elif not is_number(value):
            words.append(f"{name}: expected a number in {unit}, not {_kind(value)}.")
        else:
            named = [mistake.feedback for mistake, gives in mistakes
                     if name in gives and agrees(value, gives[name], question.rtol)]
            words.append(f"{name}: {named[0] if named else 'Not right.'}")
    return right / len(question.units), " ".join(words) or RIGHT


def _choice(question, values, handed_in, _cases):
    letter = handed_in.strip().casefold() if isinstance(handed_in, str) else None
    if letter not in question.options:
        return 0.0, f"Expected one of the letters {', '.join(question.options)}."
    if letter == question.answer(**values):
        return 1.0, RIGHT
    return 0.0, question.wrong.get(letter, "Not right.")


def _function(question, values, handed_in, cases):
    if not isinstance(handed_in, list) or len(handed_in) != len(cases):
        return 0.0, f"{question.name} gave no result on the {len(cases)} hidden cases."
    bad = [(args, result) for args, result in zip(cases, handed_in, strict=True)
           if not agrees(result, question.answer(*args, **values), question.rtol)]
    if not bad:
        return 1.0, RIGHT
    for mistake in question.wrong:
        if all(agrees(result, mistake.formula(*args, **values), question.rtol)
               for args, result in zip(cases, handed_in, strict=True)):
            return 0.0, mistake.feedback
    args, result = bad[0]
    call = f"{question.name}({', '.join(map(repr, args))})"
    why = f" There it gives no result: {result.reason}" if isinstance(result, Raised) else ""
    return 0.0, f"Wrong on {len(bad)} of {len(cases)} hidden cases, {call} among them.{why}"


def _kind(value):
    unfit = type(value) in (int, float) and not is_number(value)
    return "NaN or infinity" if unfit else type(value).__name__


_KINDS = {Number: _number, Numbers: _numbers, Choice: _choice, Function: _function}
