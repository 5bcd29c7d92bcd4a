"""The audit passes what is in the project, and catches what is spoilt on purpose."""

import pytest

from exercises import __main__, audit
from exercises.questions import Wrong

from .conftest import KINDS, READY

OTHER = Wrong("other", lambda *_, **__: -1, "No.")


def test_there_are_two_assignments():
    assert [path.stem for path in READY] == ["hw1", "hw2"]


@pytest.mark.long
@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_the_ready_assignments_have_no_fault(path, capsys):
    code = __main__.main(["audit", str(path)])
    said = capsys.readouterr().out
    assert code == 0, said
    assert "0 faults" in said


@pytest.mark.long
def test_no_question_of_the_bank_has_a_fault(capsys):
    """test_bank.py looks at more of each question; this is the command as it is used."""
    code = __main__.main(["audit", "--bank"])
    said = capsys.readouterr().out
    assert code == 0, said


def test_questions_without_a_fault():
    for make in KINDS.values():
        question = make()
        assert audit.question_faults(question, audit.shared(question)) == []


@pytest.mark.parametrize("kind, spoilt, fault", [
    ("number", {"low": 250}, "the answer 202 is outside 250 to 1e+06"),
    ("number", {"answer": lambda size: float("nan")}, "the answer is nan"),
    ("number", {"wrong": [OTHER, Wrong("near", lambda size: 2.001 * size, "")]},
     "'near' is accepted"),
    # right in one variant of a hundred
    ("number", {"wrong": [OTHER, Wrong("once", lambda size: size * (1 + (size == 157)), "")]},
     "{'size': 157}: the mistake 'once'"),
    ("number", {"parameters": {"size": [101, 202, 303]}}, "share an answer with chance 33.3%"),
    ("number", {"parameters": {"size": list(range(1001, 1101))}}, "at most 2%: more values"),
    ("numbers", {"answer": lambda a, b: {"sum": a}}, "the answer is {'sum': 10}"),
    ("numbers", {"wrong": [OTHER, Wrong("sum", lambda a, b: {"sum": a + b}, "")]},
     "the mistake 'sum' is accepted"),
    ("numbers", {"wrong": [OTHER, Wrong("typo", lambda a, b: {"smu": 1}, "")]},
     "'typo' gives ['smu']"),
    ("choice", {"answer": lambda a: "z"}, "the answer is 'z'"),
    ("function", {"wrong": [OTHER, Wrong("same", lambda batch, factor: [batch * factor,
                  batch * factor + 1], "")]}, "'same' is accepted"),
    ("function", {"answer": lambda batch, factor: [2 * batch, 1]}, "share an answer with chance"),
    ("function", {"inputs": lambda rng, factor: []}, "the reference gives []"),
    ("function", {"answer": lambda batch, factor: {"batch": batch}}, "the reference gives"),
])
def test_a_spoilt_question_is_caught(kind, spoilt, fault):
    if "wrong" in spoilt and kind == "numbers":
        spoilt = spoilt | {"wrong": [Wrong("other", lambda a, b: {"sum": 0}, "No."),
                                     spoilt["wrong"][1]]}
    question = KINDS[kind](**spoilt)
    found = audit.question_faults(question, audit.shared(question))
    assert any(fault in line for line in found), found


def test_the_chance_is_counted_not_guessed():
    """1.5 rtol apart in a ring of neighbours: each accepts itself alone."""
    values = [100 * 1.0075**step for step in range(200)]
    question = KINDS["number"](parameters={"size": values})
    assert audit.shared(question) == pytest.approx(1 / 200)
    close = KINDS["number"](parameters={"size": [100, 100.2, 150, 200]})
    assert audit.shared(close) == pytest.approx(6 / 16)


def test_a_sample_of_pairs_comes_near_the_count(monkeypatch):
    question = KINDS["number"](parameters={"size": [100 * 1.01**step for step in range(120)]})
    counted = audit.shared(question)
    monkeypatch.setattr(audit, "PAIRS", 10_000)  # of 14 280
    assert audit.shared(question) == pytest.approx(counted, abs=0.004)


def test_too_many_variants_are_refused():
    question = KINDS["numbers"](parameters={"a": list(range(200)), "b": list(range(200))})
    with pytest.raises(ValueError, match="40000 variants"):
        audit.variants(question)


@pytest.mark.parametrize("words", [["audit"], ["audit", "hw1.yml", "--bank"]])
def test_an_assignment_or_the_bank(words, capsys):
    assert __main__.main(words) == 2
    assert "one of the two" in capsys.readouterr().err
