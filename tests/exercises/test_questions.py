"""A question says what is wrong with it; the bank and assignments say which file."""

import pytest

from exercises import assignment, bank
from exercises.questions import Wrong

from .conftest import KINDS

ONE = [Wrong("one", lambda **_: 0, "Wrong.")]


@pytest.mark.parametrize("kind, field, value", [
    ("number", "id", "Not An Id"),
    ("number", "topic", ""),
    ("number", "chapter", "6"),
    ("number", "level", "hard"),
    ("number", "minutes", 0),
    ("number", "points", -1),
    ("number", "parameters", {"size": [1, 1]}),
    ("number", "parameters", {"size": []}),
    ("number", "low", 2e6),
    ("number", "high", float("nan")),
    ("number", "rtol", 0.5),
    ("number", "wrong", ONE),
    ("number", "wrong", ONE * 2),
    ("numbers", "units", {"sum": "1"}),
    ("choice", "options", {"1": "{{a}}"}),
    ("choice", "wrong", {"a": "No.", "z": "No."}),
    ("function", "name", "not a name"),
    ("function", "examples", []),
    ("text", "rubric", "  "),
])
def test_a_faulty_field_is_named(kind, field, value):
    with pytest.raises(ValueError, match="low" if field == "high" else field):
        KINDS[kind](**{field: value})


@pytest.mark.parametrize("text", ["No place.", "{{size}} and {{other}}"])
def test_places_and_parameters_must_agree(text):
    with pytest.raises(ValueError, match="twice: text .* parameters are \\['size'\\]"):
        KINDS["number"](text=text)


def test_values_are_put_into_text_and_options():
    question = KINDS["choice"]()
    assert question.fill(question.text, {"a": 90}) == "Which is larger, 90 or 50?"
    assert question.fill(question.options["a"], {"a": 0.75}) == "the first, 0.75"
    assert question.fill("{{a}}, $\\frac{{a}}{b}$", {"a": 70.0}) == "70, $\\frac70{b}$"


def test_every_variant_once():
    variants = list(KINDS["numbers"]().variants())
    assert len(variants) == len({tuple(v.items()) for v in variants}) == 100
    assert {"a": 19, "b": 40} in variants


def test_the_bank_loads_and_is_ordered():
    questions = bank.load()
    assert {"ridge-point", "speedup-with-launch"} <= set(questions)
    chapters = [question.chapter for question in questions.values()]
    assert chapters == sorted(chapters)


@pytest.mark.parametrize("name, holds, message", [
    ("lost.py", "", "lost.py: expected `question = "),
    ("other.py", "from exercises.bank.ridge_point import question", "other.py: .* expected other"),
])
def test_a_faulty_file_of_the_bank_is_named(monkeypatch, tmp_path, name, holds, message):
    (tmp_path / name).write_text(holds)
    monkeypatch.setattr(bank, "FOLDER", tmp_path)
    monkeypatch.setattr(bank, "__path__", [str(tmp_path)])
    with pytest.raises(ValueError, match=message):
        bank.load()


def test_an_assignment_numbers_its_questions(small):
    assert [item.column for item in small.items] == ["q1", "q2", "q3", "q4", "q5"]
    assert [item.variable for item in small.items] == ["q1", "q2", "q3", "scaled", "q5"]
    assert (small.points, small.minutes) == (10, 15)


@pytest.mark.parametrize("holds, message", [
    ("id: [", "not YAML"),
    ("- 1", "id = None"),
    ("id: HW 1\ntitle: t\nquestions: [twice]", "id = 'HW 1'"),
    ("id: a\nquestions: [twice]", "title = None"),
    ("id: a\ntitle: t", "questions = None"),
    ("id: a\ntitle: t\nquestions: [twcie]", "'twcie'; nearest: twice"),
    ("id: a\ntitle: t\nquestions: [twice, twice]", "twice"),
    ("id: a\ntitle: t\nquestions:\n- twice: 3", "the bank has no question {'twice': 3}"),
    ("id: a\ntitle: t\nquestions:\n- [twice]", r"the bank has no question \['twice'\]"),
    ("id: a\ntitle: t\npoints: 3\nquestions: [twice]", "unknown key points"),
    ("id: a\ntitle: t\npoints: 3\n7: x\nquestions: [twice]", "unknown key 7, points"),
])
def test_a_faulty_assignment_names_its_file(tmp_path, holds, message):
    path = tmp_path / "faulty.yml"
    path.write_text(holds)
    with pytest.raises(ValueError, match=rf"faulty.yml: .*{message}"):
        assignment.read(path, {"twice": KINDS["number"]()})


def test_a_missing_assignment_names_its_file(tmp_path):
    with pytest.raises(ValueError, match="lost.yml: No such file"):
        assignment.read(tmp_path / "lost.yml")
