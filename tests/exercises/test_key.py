"""The key: handed in as work it earns full marks, for everybody."""

from dataclasses import replace
from pathlib import Path

import pytest

from exercises import assignment, bank, compare, draw, key, release
from exercises.questions import Function, Text

from .conftest import READY

ROOT = Path(__file__).resolve().parents[2]


def marks(made, given, salt, student):
    """What the cells of a filled notebook earn, by column; run here, since they are ours."""
    names = {}
    for cell in made.cells:
        if cell.cell_type == "code":
            exec(cell.source, names)
    earned = {}
    for item in given.items:
        values = draw.values(item.question, salt, given.id, student)
        handed_in, cases = names[item.variable], None
        if isinstance(item.question, Function):
            cases = draw.inputs(item.question, salt, given.id, student)
            handed_in = [handed_in(*args) for args in cases]
        earned[item.column] = compare.compare(item.question, values, handed_in, cases)
    return earned


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_the_key_earns_full_marks_for_a_roster_of_200(path, salt):
    given = assignment.read(path)
    for student in [f"student {number}" for number in range(200)]:
        earned = marks(key.solved(given, salt, student), given, salt, student)
        expected = {item.column: None if isinstance(item.question, Text) else 1
                    for item in given.items}
        assert {column: share for column, (share, _) in earned.items()} == expected, earned


def test_another_students_key_does_not(small, salt):
    two = replace(small, items=small.items[:2])
    earned = marks(key.solved(two, salt, "amal"), two, salt, "bo")
    assert [share for share, _ in earned.values()] == [0, 0]


def test_the_whole_bank_has_a_key(salt):
    for question in bank.load().values():
        item = assignment.Item("q1", getattr(question, "name", "q1"), question)
        given = assignment.Assignment("all", "All", "", "", (item,), ROOT)
        written = key.key(given, salt, "amal")
        assert f"## q1 · {question.id}" in written
        assert "{{" not in written
        share, feedback = marks(key.solved(given, salt, "amal"), given, salt, "amal")["q1"]
        assert share == (None if isinstance(question, Text) else 1), f"{question.id}: {feedback}"


def test_what_the_key_says(small, salt):
    written = key.key(small, salt, "AMAL ")
    size = draw.values(small.items[0].question, salt, small.id, "amal")["size"]
    assert f"Values: size = {size}." in written
    assert f"Answer: **{2 * size}** tokens" in written
    assert f"- half gives {size / 2:g}: You halved it." in written
    assert "def scale(batch, factor):" in written
    assert "Two points for the reason" in written


def test_the_generic_key(small, salt):
    made = key.solved(small, salt, draw.GENERIC)
    assert all(share in (1, None) for share, _ in marks(made, small, salt, draw.GENERIC).values())
    assert made.cells[2].source == release.notebook(small, salt, draw.GENERIC, None).cells[2].source
