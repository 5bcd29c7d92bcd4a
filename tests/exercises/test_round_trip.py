"""Release, hand in, grade: the assignments that come with the project."""

import csv
from pathlib import Path

import nbformat
import pytest

from exercises import assignment, key
from exercises.__main__ import main
from exercises.release import file_name

from .conftest import SALT
from .sample import needs_bubblewrap

ASSIGNMENTS = Path(__file__).resolve().parents[2] / "exercises" / "assignments"


def round_trip(homework, students, folder, filled):
    """Return the rows for released notebooks, as released or filled in with the key."""
    needs_bubblewrap()
    path, salt, listed = ASSIGNMENTS / f"{homework}.yml", folder / "salt", folder / "roster.csv"
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


def full_marks(homework):
    """Return the points of each column, "" where words are marked by hand."""
    return {item.column: "" if type(item.question).__name__ == "Text"
            else f"{item.question.points:g}"
            for item in assignment.read(ASSIGNMENTS / f"{homework}.yml").items}


@pytest.mark.parametrize("homework", ["hw1", "hw2"])
@pytest.mark.parametrize("filled", [False, True])
def test_released_notebooks_run_and_the_key_earns_full_marks(homework, filled, tmp_path):
    full, students = full_marks(homework), ["a.student@example.org", "李 雷", "CORP\\bo"]
    for row in round_trip(homework, students, tmp_path, filled):
        earned = {column: row[column] for column in full}
        assert earned == (full if filled else {column: points and "0"
                                               for column, points in full.items()})


@pytest.mark.long
@pytest.mark.parametrize("homework", ["hw1", "hw2"])
def test_the_key_earns_full_marks_for_a_roster_of_200(homework, tmp_path):
    full = full_marks(homework)
    students = [f"student-{number:03}" for number in range(200)]
    for row in round_trip(homework, students, tmp_path, filled=True):
        assert {column: row[column] for column in full} == full, row
