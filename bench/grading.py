"""A class's notebooks released, and thirty graded in the sandbox, beside nbgrader's autograde.

nbgrader grades the same cells, with one test cell behind each notebook, in the students'
own kernels. It is not part of this project's environment: `pip install nbgrader`.
"""

import contextlib
import io
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import nbformat
from nbformat.v4 import new_code_cell

from exercises import assignment as assignments
from exercises import key, release, roster
from exercises.__main__ import main as exercises

NOTEBOOKS, LIMIT, CLASS = 30, 25, 300
HOMEWORK = Path(__file__).parents[1] / "exercises" / "assignments" / "hw1.yml"
SALT = "a salt for the bench only"
NBGRADER = {"schema_version": 3, "grade": True, "grade_id": "test", "locked": True, "points": 1,
            "solution": False, "task": False}


def hand_in(folder):
    """Write the filled notebooks of the class and return them by student."""
    homework = assignments.read(HOMEWORK)
    made = {f"student{number:02}": key.solved(homework, SALT, f"student{number:02}")
            for number in range(NOTEBOOKS)}
    folder.mkdir()
    for student, notebook in made.items():
        nbformat.write(notebook, folder / f"{student}.ipynb")
    return made


def grade(folder):
    """Return the seconds our grader takes, and how many rows are ok."""
    (folder / "salt").write_text(SALT)
    marks = folder / "grades.csv"
    start = perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        exercises(["grade", str(HOMEWORK), str(folder / "submissions"), "-o", str(marks),
                   "--salt", str(folder / "salt")])
    return perf_counter() - start, marks.read_text().count(",ok,")


def hand_out(folder):
    """Return the seconds it takes to write a large class's notebooks."""
    students = [roster.Student(f"student{number}", "", number) for number in range(CLASS)]
    homework = assignments.read(HOMEWORK)
    start = perf_counter()
    release.write(homework, SALT, students, folder)
    return perf_counter() - start


def nbgrader(folder, made):
    """Return the seconds that nbgrader's autograde takes for the same notebooks."""
    cells = {"hw1": folder / "source" / "hw1"}
    cells |= {student: folder / "submitted" / student / "hw1" for student in made}
    for student, place in cells.items():
        notebook = nbformat.from_dict(made.get(student) or next(iter(made.values())))
        notebook.cells.append(new_code_cell("assert q1 > 0", metadata={"nbgrader": NBGRADER}))
        place.mkdir(parents=True)
        nbformat.write(notebook, place / "hw1.ipynb")
    here = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for words in (["generate_assignment", "hw1", "--create"], ["autograde", "hw1", "--create"]):
        start = perf_counter()
        done = subprocess.run([sys.executable, "-m", "nbgrader", *words, f"--course-dir={folder}"],
                              cwd=folder, env=here, capture_output=True, text=True, check=False)
        seconds = perf_counter() - start
        if done.returncode:
            sys.exit(f"nbgrader {words[0]} failed: {done.stderr[-500:]}")
    return seconds


def main():
    with TemporaryDirectory() as name:
        folder = Path(name)
        print(f"{CLASS} notebooks released in {hand_out(folder / 'released'):.1f} s")
        made = hand_in(folder / "submissions")
        seconds, ok = grade(folder)
        print(f"{ok} of {NOTEBOOKS} notebooks ok in {seconds:.1f} s on {os.cpu_count()} cores, "
              f"each in a sandbox; at most {LIMIT} s is wanted on 2")
        if find_spec("nbgrader") is None:
            print("nbgrader is not installed: no comparison")
            return
        theirs = nbgrader(folder / "nbgrader", made)
        print(f"nbgrader's autograde takes {theirs:.1f} s, {theirs / seconds:.1f} x as long")
