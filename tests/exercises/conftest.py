"""An assignment of five small questions, one of each kind, and its salt."""

from pathlib import Path

import pytest

from exercises import assignment, roster
from exercises.questions import Choice, Function, Number, Numbers, Text, Wrong

SALT = "a salt for the tests only"
READY = sorted((Path(assignment.__file__).parent / "assignments").glob("*.yml"))
COMMON = {"topic": "batching", "chapter": "06", "level": "apply", "minutes": 3, "points": 2}


def number(**fields):
    """A question whose answer is 2·size."""
    return Number(**COMMON | {
        "id": "twice", "text": "Twice {{size}}?", "parameters": {"size": list(range(101, 201))},
        "answer": lambda size: 2 * size, "unit": "tokens", "low": 1, "high": 1e6, "wrong": [
            Wrong("half", lambda size: size / 2, "You halved it."),
            Wrong("square", lambda size: size**2, "You squared it.")]} | fields)


def numbers(**fields):
    return Numbers(**COMMON | {
        "id": "sum-and-product", "text": "Of {{a}} and {{b}}?",
        "parameters": {"a": list(range(10, 20)), "b": list(range(31, 41))},
        "answer": lambda a, b: {"sum": a + b, "product": a * b},
        "units": {"sum": "tokens", "product": "1"}, "wrong": [
            Wrong("difference", lambda a, b: {"sum": b - a}, "That is the difference."),
            Wrong("swapped", lambda a, b: {"sum": a * b, "product": a + b}, "Swapped.")]} | fields)


def choice(**fields):
    return Choice(**COMMON | {
        "id": "larger", "text": "Which is larger, {{a}} or 50?", "parameters": {"a": [10, 90]},
        "options": {"a": "the first, {{a}}", "b": "the second", "c": "neither"},
        "answer": lambda a: "a" if a > 50 else "b",
        "wrong": {"a": "Look at the first again.", "b": "Look at the second again.",
                  "c": "One of them is."}} | fields)


def scale(batch, factor):
    return [batch * factor + term for term in range(2)]


def function(**fields):
    return Function(**COMMON | {
        "id": "scaled", "text": "Scale by {{factor}}.",
        "parameters": {"factor": list(range(2, 62))}, "name": "scaled", "signature": "batch",
        "answer": scale,
        "inputs": lambda rng, factor: [(rng.randint(1000, 9999),) for _ in range(3)],
        "examples": [(1,), (7,)], "wrong": [
            Wrong("not scaled", lambda batch, factor: [batch, batch + 1], "Scale it."),
            Wrong("shifted", lambda batch, factor: [batch + factor] * 2, "Do not add.")]} | fields)


def text(**fields):
    return Text(**COMMON | {"id": "why", "text": "Why?", "parameters": {},
                            "rubric": "Two points for the reason that tokens share a read.",
                            } | fields)


KINDS = {"number": number, "numbers": numbers, "choice": choice, "function": function,
         "text": text}


@pytest.fixture
def salt():
    return SALT


@pytest.fixture
def students():
    return [roster.Student(name, "", line) for line, name in enumerate(["amal", "Bo/1", "李"], 2)]


@pytest.fixture
def small(tmp_path):
    """The assignment of those questions, from a file."""
    questions = {question.id: question for question in (make() for make in KINDS.values())}
    path = tmp_path / "small.yml"
    path.write_text("id: small\ntitle: A small one\nquestions:\n"
                    + "".join(f"  - {name}\n" for name in questions))
    return assignment.read(path, questions)
