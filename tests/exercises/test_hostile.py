"""Submissions of every kind in one run of the grader, each with its row."""

import os
import socket
import zipfile
from io import BytesIO
from math import isclose

import psutil
import pytest

from exercises.leaks import NUMBER

from .cases import CASES, CELL_SECONDS
from .conftest import SALT
from .hostile import SLEEP, spy
from .sample import RIGHT, Course, answer, changed, needs_bubblewrap, notebook, points, right

# One run of the grader serves all.
pytestmark = [pytest.mark.xdist_group("hostile"), pytest.mark.long]
NOTHING = [None] * 5


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The marks of all the submissions, after one run."""
    needs_bubblewrap()
    with pytest.MonkeyPatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as server:
        patch.setenv("EXERCISES_SALT", "a salt that nobody may see")
        patch.setenv("A_SECRET", SALT)
        course = Course(tmp_path_factory.mktemp("course"), patch)
        port = server.getsockname()[1]
        socket.create_connection(("127.0.0.1", port)).close()  # there is something to reach
        students = []
        for student, (make, *_) in CASES.items():
            made = make(student)
            course.hand_in(f"{student}.ipynb", made if isinstance(made, str) else notebook(made))
            students.append(student)
        cells = right("spy")
        course.hand_in("spy.ipynb", notebook(
            [cells[0], spy(course, port), f"q1 = {answer(1, 'spy')} if not seen else str(seen)",
             "q5 = str(seen)", *cells[2:5]]))
        _hand_in_files(course)
        roster = course.folder / "roster.csv"
        roster.write_text("student\n" + "\n".join([*students, "spy", "renamed", "never", "twin"]))
        course.code = course.grade("--roster", roster, "--cell-timeout", CELL_SECONDS,
                                   "--feedback", course.folder / "feedback")
        yield course


def _hand_in_files(course):
    """Hand in what is no notebook, or not named like one."""
    course.hand_in("no json.ipynb", "q1 = 3\n")
    course.hand_in("empty.ipynb", "")
    course.hand_in("list.ipynb", "[1, 2]")
    course.hand_in("object.ipynb", '{"nbformat": 4, "cells": 7}')
    course.hand_in("deep.ipynb", "[" * 100_000)
    course.hand_in("bytes.ipynb", bytes(range(256)))
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("hw.ipynb", notebook(right("all-right")))
    course.hand_in("packed.zip", archive.getvalue())
    (course.handed_in / "link.ipynb").symlink_to(course.salt)
    os.mkfifo(course.handed_in / "pipe.ipynb")
    course.hand_in("folder/my homework (2).ipynb.txt", notebook(right("renamed")))
    course.hand_in("nobody.ipynb", notebook(right("nobody")[1:]))
    course.hand_in("stranger.ipynb", notebook(right("stranger")))
    course.hand_in("formula.ipynb", notebook(right("=1+1")))
    course.hand_in("half a letter.ipynb", notebook(["student = '\ud800'", *right("x")[1:]]))
    course.hand_in("long.ipynb", notebook([f"student = '{'x' * 200_000}'", *right("x")[1:]]))
    course.hand_in("twin a.ipynb", notebook(right("twin")))
    course.hand_in("twin b.ipynb", notebook(changed("TWIN", 1, "q1 = 0")))


@pytest.mark.parametrize("student", CASES)
def test_row(course, student):
    _, status, given, note = CASES[student]
    row = course.row(student)
    assert (row["status"], points(row)) == (status, given), row["notes"]
    assert note in row["notes"]
    assert bool(row["notes"]) == (status != "ok"), row["notes"]


def test_a_spy_sees_nothing(course):
    row = course.row("spy")
    assert (row["status"], points(row)) == ("ok", RIGHT), (course.folder / "marks.csv").read_text()


@pytest.mark.parametrize(("name", "note"), [
    ("no json.ipynb", "not a notebook"), ("empty.ipynb", "it is empty"),
    ("list.ipynb", "not a notebook"), ("object.ipynb", "not a notebook"),
    ("deep.ipynb", "not a notebook"), ("bytes.ipynb", "not UTF-8"), ("packed.zip", "not UTF-8"),
    ("link.ipynb", "not a plain file"), ("pipe.ipynb", "not a plain file"),
])
def test_unreadable(course, name, note):
    (row,) = [row for row in course.rows() if row["notes"].startswith(name)]
    assert (row["student"], row["status"], points(row)) == ("", "unreadable", NOTHING)
    assert note in row["notes"]


def test_renamed_file_is_graded(course):
    row = course.row("renamed")
    assert (row["status"], points(row)) == ("ok", RIGHT)


def test_nobodys_submission_is_listed(course):
    notes = [row["notes"] for row in course.rows() if row["status"] == "id-mismatch"]
    for name in ("nobody.ipynb", "half a letter.ipynb", "long.ipynb"):
        assert f"it does not say whose it is; not graded: {name}" in notes


def test_strangers_are_graded_and_named(course):
    for student, shown in (("stranger", "stranger"), ("=1+1", "'=1+1")):
        row = course.row(shown)
        assert (row["status"], points(row)) == ("id-mismatch", RIGHT)
        assert f"{student} is not on the roster" in row["notes"]


def test_two_submissions_of_one_student_are_both_graded(course):
    twins = [row for row in course.rows() if row["student"] == "twin"]
    assert [points(row)[0] for row in twins] == [1, 0]
    assert {row["status"] for row in twins} == {"id-mismatch"}
    assert "of the same student: twin b.ipynb" in twins[0]["notes"]


def test_missing_student(course):
    row = course.row("never")
    assert (row["status"], points(row), row["total"]) == ("missing", NOTHING, "")


def test_every_submission_has_a_row_and_the_roster_gives_the_order(course):
    files = [path for path in course.handed_in.rglob("*") if not path.is_dir()]
    rows = [row for row in course.rows() if row["status"] != "missing"]
    assert len(rows) == len(files) >= 30
    known = [row["student"] for row in course.rows() if row["student"] in CASES]
    assert known == list(CASES)
    assert course.code == 3


def test_nothing_a_submission_started_is_left(course):
    assert course.row("daemonised-child")["status"] == "ok"  # it did start
    left = [process.info["cmdline"] for process in psutil.process_iter(["cmdline"])
            if SLEEP in (process.info["cmdline"] or ())]
    assert not left


def test_feedback_names_the_mistake_and_never_the_answer(course):
    folder = course.folder / "feedback"
    text = (folder / "hw-upside-down.md").read_text()
    assert "Rate over bandwidth, not the other way round." in text
    assert "0 of 1." in text and "**7 of 11 points**, without what is marked by hand" in text
    for expected in (answer(1, "upside-down"), *answer(2, "upside-down").values()):
        assert not _stands_in(text, expected)
        assert _stands_in(f"{text}\nThe answer is {expected:.4g}.", expected)


def _stands_in(text, expected):
    """Whether a text has a number, rounded or not."""
    return any(isclose(float(number), expected, rel_tol=5e-3)
               for number in NUMBER.findall(text))
