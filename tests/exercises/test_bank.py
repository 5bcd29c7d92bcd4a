"""The bank as a whole, and what every question must hold in every variant."""

import random
import re
from collections import Counter
from inspect import getclosurevars

import pytest

from exercises import audit
from exercises.bank import load
from exercises.compare import agrees
from exercises.questions import LEVELS, PLACE, Choice, Function, Number, Numbers, Text

BANK = load()
COMPUTED = [question for question in BANK.values() if isinstance(question, (Number, Numbers))]
FUNCTIONS = [question for question in BANK.values() if isinstance(question, Function)]
CHOICES = [question for question in BANK.values() if isinstance(question, Choice)]


def by_id(questions):
    return pytest.mark.parametrize("question", questions, ids=lambda question: question.id)


def gap(value, expected):
    return abs(value - expected) / abs(expected) if expected else abs(value)


def far(value, expected, rtol):
    """Whether a result is wrong by more than twice the tolerance, or of another shape."""
    return not agrees(value, expected, 2 * rtol)


def test_breadth():
    kinds = Counter(type(question) for question in BANK.values())
    assert len(BANK) >= 44
    assert kinds[Function] >= 8 and kinds[Numbers] >= 5 and kinds[Choice] >= 4 and kinds[Text] >= 3
    assert {question.chapter for question in BANK.values()} >= {f"{n:02}" for n in range(13)}
    levels = Counter(question.level for question in BANK.values())
    assert min(levels[level] for level in LEVELS) >= 10
    short = [q for q in BANK.values() if isinstance(q, Number) and q.minutes == 2]
    assert len(short) >= 10
    assert all(q.level == "recall" for q in short)


def test_source_chapter_is_covered():
    recall = ["why-free-positions-end", "another-chip", "weaker-draft", "quantise-the-target",
              "entries-after-a-rejection", "double-gamma"]
    practice = {"core-concept": Function, "claim-from-a-company": Text, "concept-map": Text}
    assert set(recall) <= set(BANK)
    assert {name: type(BANK[name]) for name in practice} == practice


@by_id(COMPUTED)
def test_no_mistake_comes_near_the_answer(question):
    for values in question.variants():
        answer = question.answer(**values)
        for mistake in question.wrong:
            given = mistake.formula(**values)
            if isinstance(question, Number):
                given, expected = {"": given}, {"": answer}
            else:
                expected = answer
            assert set(given) <= set(expected)
            distance = max(gap(number, expected[name]) for name, number in given.items())
            assert distance > 2 * question.rtol, (mistake.name, values)
        if isinstance(question, Number):
            assert question.low <= answer <= question.high, values


@by_id(FUNCTIONS)
def test_no_mistake_passes_the_hidden_inputs(question):
    variants = list(question.variants())
    for number, values in enumerate(variants[::7]):
        cases = question.inputs(random.Random(number), **values)
        expected = [question.answer(*args, **values) for args in cases]
        for mistake in question.wrong:
            given = [mistake.formula(*args, **values) for args in cases]
            wrong = sum(map(far, given, expected, [question.rtol] * len(cases)))
            assert wrong >= 2, (mistake.name, values)


@by_id(FUNCTIONS)
def test_calling_the_library_is_a_named_mistake(question):
    """Its formula really uses `crossover`, itself or by a helper of its file."""
    calls = [mistake for mistake in question.wrong if mistake.name.startswith("calls the library")]
    assert calls

    def uses(function, depth=2):
        for found in getclosurevars(function).globals.values():
            module = getattr(found, "__module__", None) or type(found).__module__
            if module.startswith("crossover"):
                return True
            if depth and callable(found) and hasattr(found, "__code__") and uses(found, depth - 1):
                return True
        return False

    assert all(uses(mistake.formula) for mistake in calls)


@by_id(COMPUTED + FUNCTIONS)
def test_students_do_not_share_answers(question):
    assert audit.shared(question) <= audit.MOST_SHARED


@by_id(CHOICES)
def test_choices(question):
    answers = {question.answer(**values) for values in question.variants()}
    assert answers <= set(question.options)
    assert len(question.options) >= 4
    assert answers | set(question.wrong) == set(question.options)


def test_choices_do_not_favour_a_letter():
    letters = Counter(q.answer(**next(q.variants())) for q in CHOICES)
    assert max(letters.values()) <= len(CHOICES) / 2


@by_id(BANK.values())
def test_texts_fill_and_feedback_is_short(question):
    variants = list(question.variants())
    for values in variants[:: max(1, len(variants) // 20)]:
        for part in question.parts():
            filled = question.fill(part, values)
            assert not PLACE.search(filled) and "nan" not in filled.split()
    mistakes = getattr(question, "wrong", {})
    if isinstance(mistakes, dict):
        feedback = mistakes.values()
    else:
        feedback = [mistake.feedback for mistake in mistakes]
    for words in feedback:
        assert words.endswith(".") and len(words) <= 230
        assert 1 <= len(re.findall(r"[.:?](?:\s|$)", words)) <= 3


def numbers_in(text):
    return [float(found) for found in re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", text)]


@by_id(COMPUTED)
def test_worked_answer_ends_at_the_answer(question):
    variants = list(question.variants())
    for values in variants[:: max(1, len(variants) // 25)]:
        answer = question.answer(**values)
        expected = answer.values() if isinstance(answer, dict) else [answer]
        printed = numbers_in(question.worked(**values))
        for number in expected:
            assert min(gap(shown, number) for shown in printed) < 0.005, values


@by_id([question for question in BANK.values() if not isinstance(question, (Number, Numbers))])
def test_every_other_question_has_a_worked_answer(question):
    for values in list(question.variants())[:3]:
        worked = question.worked(**values)
        assert len(worked) > 40 and "{" + "{" not in worked
    if isinstance(question, Choice):
        assert worked.startswith(f"**{question.answer(**values)}.**")


@by_id(FUNCTIONS)
def test_worked_answer_shows_an_example(question):
    """The result on one of the public examples stands in the instructor's answer."""
    values = list(question.variants())[5]
    printed = numbers_in(question.worked(**values))
    shown = []
    for args in question.examples:
        result = question.answer(*args, **values)
        parts = result if isinstance(result, list) else [result]
        shown.append(all(min(gap(p, part) for p in printed) < 1e-3 for part in parts))
    assert any(shown)
