"""Release, hand in, grade: the assignments that come with the project."""

import csv

import nbformat
import pytest

from exercises import assignment, key
from exercises.__main__ import main
from exercises.questions import Text
from exercises.release import file_name

from .conftest import READY, SALT
from .sample import needs_bubblewrap


def round_trip(path, students, folder, filled):
    """Return the rows for released notebooks, as released or filled in with the key."""
    needs_bubblewrap()
    salt, listed = folder / "salt", folder / "roster.csv"
    salt.write_text(SALT)
    listed.write_text("student\n" + "\n".join(students) + "\n", encoding="utf-8")
    assert main(["release", str(path), "--roster", str(listed), "--out", str(folder / "out"),
                 "--salt", str(salt)]) == 0
    (folder / "out" / "check.py").unlink()
    if filled:
        given = assignment.read(path)
        for student in students:
            nbformat.write(key.solved(given, SALT, student),
                           folder / "out" / file_name(given, student))
    code = main(["grade", str(path), str(folder / "out"), "-o", str(folder / "marks.csv"),
                 "--roster", str(listed), "--salt", str(salt), "-j", "2",
                 "--cell-timeout", "60", "--timeout", "300"])
    with open(folder / "marks.csv", encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle))
    assert [row["student"] for row in rows] == students
    assert {row["status"] for row in rows} == {"ok"} and code == 0, rows
    return rows


def full_marks(path):
    """Return the points of each column, "" where words are marked by hand."""
    return {item.column: "" if isinstance(item.question, Text) else f"{item.question.points:g}"
            for item in assignment.read(path).items}


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
@pytest.mark.parametrize("filled", [False, True])
def test_released_notebooks_run_and_the_key_earns_full_marks(path, filled, tmp_path):
    full, students = full_marks(path), ["a.student@example.org", "李 雷", "CORP\\bo"]
    for row in round_trip(path, students, tmp_path, filled):
        earned = {column: row[column] for column in full}
        assert earned == (full if filled else {column: points and "0"
                                               for column, points in full.items()})


@pytest.mark.long
@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_the_key_earns_full_marks_for_a_roster_of_200(path, tmp_path):
    full = full_marks(path)
    students = [f"student-{number:03}" for number in range(200)]
    for row in round_trip(path, students, tmp_path, filled=True):
        assert {column: row[column] for column in full} == full, row
