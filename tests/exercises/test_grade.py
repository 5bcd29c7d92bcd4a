"""The command: whose a file is, order, resuming, feedback, exit codes, bad input."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exercises import marks, sandbox, workload
from exercises import run as runs
from exercises.__main__ import parser_for
from exercises.compare import Raised

from .conftest import SALT
from .sample import (
    RIGHT,
    Course,
    answer,
    changed,
    items,
    needs_bubblewrap,
    notebook,
    points,
    right,
)

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def course(tmp_path, monkeypatch):
    needs_bubblewrap()
    return Course(tmp_path, monkeypatch)


@pytest.fixture
def ran(monkeypatch):
    """The work of every run, in order, while the runs go on as always."""
    works, really = [], runs.run

    def run(work, *args, **more):
        works.append(work)
        return really(work, *args, **more)

    monkeypatch.setattr(runs, "run", run)
    return works


# --- the command

def test_all_ok_gives_0_and_the_same_bytes_at_any_number_of_jobs(course, capsys):
    for student in ("bo", "amal", "cy"):
        course.hand_in(f"{student}.ipynb", notebook(right(student)))
    assert course.grade("-j", 1) == 0
    once = course.marks.read_bytes()
    assert [row["student"] for row in course.rows()] == ["amal", "bo", "cy"]
    assert [points(row) for row in course.rows()] == [RIGHT] * 3
    assert "3 rows in " in capsys.readouterr().out
    assert course.grade("-j", 3) == 0
    assert course.marks.read_bytes() == once
    assert sorted(path.name for path in course.folder.iterdir()) == [
        "handed in", "hw.yml", "marks.csv", "salt.txt"]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux has it")
def test_it_runs_as_many_at_once_as_it_has_cores():
    """Of the cores of a shared machine it may have a few only."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(before)})
        options = parser_for("grade").parse_args(["grade", "hw.yml", "in", "-o", "marks.csv"])
    finally:
        os.sched_setaffinity(0, before)
    assert options.jobs == 1


@pytest.mark.long
def test_whole_notebook_has_its_time_too(course):
    cells, slow = right("amal"), ["import time; time.sleep(2)"] * 9
    course.hand_in("a.ipynb", notebook([*cells[:4], *slow, *cells[4:]]))
    assert course.grade("--timeout", 8, "--cell-timeout", 30) == 3
    row = course.row("amal")
    assert (row["status"], points(row)[:4]) == ("timeout", [1, 2, 1, 0])
    assert row["notes"].startswith("stopped after 8 s in all, at cell ")


def heed_interrupts():
    """A shell starts its background jobs deaf to SIGINT, and what they start stays so."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_interrupt_keeps_finished_rows_and_resume_runs_the_rest(course):
    """The grader as a process of its own, interrupted as from a keyboard."""
    for student in ("amal", "bo"):
        course.hand_in(f"{student}.ipynb", notebook(right(student)))
    course.hand_in("cy.ipynb", notebook([*right("cy"), "import time; time.sleep(1000)"]))
    script = ("import sys; from tests.exercises.sample import QUESTIONS; import exercises.bank; "
              "exercises.bank.load = lambda: {item.id: item for item in QUESTIONS}; "
              "from exercises.__main__ import main; sys.exit(main(sys.argv[1:]))")
    words = ["grade", course.assignment, course.handed_in, "-o", course.marks, "--salt",
             course.salt, "-j", "2", "--timeout", "2000", "--cell-timeout", "1500"]
    with subprocess.Popen([sys.executable, "-c", script, *map(str, words)], cwd=ROOT,
                          stderr=subprocess.PIPE, text=True, env=os.environ,
                          preexec_fn=heed_interrupts) as grader:
        journal = course.marks.with_name("marks.csv.journal")
        while grader.poll() is None and not (
                journal.exists() and journal.read_text().count("\n") == 2):
            time.sleep(0.1)
        grader.send_signal(signal.SIGINT)
        said = grader.communicate(timeout=60)[1]
    assert grader.returncode == 130, said
    assert "interrupted: 2 of 3 submissions are in " in said
    assert "Warning" not in said
    assert [row["student"] for row in course.rows()] == ["amal", "bo"]
    assert [points(row) for row in course.rows()] == [RIGHT] * 2
    with journal.open("a") as handle:
        handle.write('\n["torn", {"sta')
    course.hand_in("dee.ipynb", notebook(right("dee")))
    (course.handed_in / "cy.ipynb").unlink()
    assert course.grade("--timeout", 2000, "--cell-timeout", 1500, "--resume") == 0
    assert [row["student"] for row in course.rows()] == ["amal", "bo", "dee"]
    assert not journal.exists()


def test_resume_runs_nothing_twice_and_new_limits_run_again(course, ran):
    course.hand_in("a.ipynb", notebook(right("amal")))
    work = runs.Work(*_work("amal", right("amal")))
    journal = workload.Journal(course.marks, resume=False)
    limits = sandbox.Limits(seconds=50.0, cell_seconds=9.0)
    journal.keep(journal.key(work, limits, True),
                 runs.Outcome("crashed", ["from the journal"], {"q1": answer(1, "amal")}, {}))
    assert course.grade("--timeout", 50, "--cell-timeout", 9, "--resume") == 3
    assert course.row("amal")["notes"] == "from the journal"
    assert points(course.row("amal")) == [1, 0, 0, 0, None]
    assert len(ran) == 1  # the one that tries the sandbox
    journal.keep(journal.key(work, limits, True), runs.Outcome())
    assert course.grade("--timeout", 51, "--cell-timeout", 9, "--resume") == 0
    assert points(course.row("amal")) == RIGHT


def _work(student, cells):
    names, functions = marks.work_for(items(), SALT, student)
    return cells, names, functions


def test_submissions_know_inputs_and_no_answer(course, ran):
    course.hand_in("a.ipynb", notebook(right("amal")[:1]))
    course.grade()
    told = json.dumps([vars(work) for work in ran if "student" in work.names])
    assert '"cost"' in told and "inputs" in told
    assert repr(answer(1, "amal")) not in told and "a salt" not in told
    assert str(answer(2, "amal")["one"]) not in told


def test_generic_assignment_has_the_same_values_for_all(course):
    for student in ("amal", "bo"):
        course.hand_in(f"{student}.ipynb",
                       notebook([f"student = {student!r}", *right("generic")[1:]]))
    assert course.grade("--generic") == 0
    assert [(row["student"], points(row)) for row in course.rows()] == [
        ("amal", RIGHT), ("bo", RIGHT)]
    assert course.grade() == 0
    assert points(course.row("bo")) != RIGHT


def test_file_names_and_the_map_outweigh_the_notebook(course):
    course.hand_in("Amal A_amal_assign/hw.ipynb", notebook(right("amal")))
    course.hand_in("B_bo_assign/hw.ipynb", notebook(right("amal")))
    assert course.grade("--id-regex", r"_(\w+)_assign") == 3
    assert points(course.row("amal")) == RIGHT
    row = course.row("bo")
    assert row["status"] == "id-mismatch" and points(row) != RIGHT
    assert row["notes"] == "graded as bo; it also says it is amal"
    files = course.folder / "map.csv"
    files.write_text("file,student\nAmal A_amal_assign,amal\nB_bo_assign/hw.ipynb,BO\n")
    roster = course.folder / "roster.csv"
    roster.write_text("student\nBo\namal\n")
    assert course.grade("--map", files, "--roster", roster) == 3
    assert [row["student"] for row in course.rows()] == ["Bo", "amal"]


def test_one_file_can_be_graded(course):
    path = course.hand_in("a.ipynb", notebook(right("amal")))
    course.handed_in = path
    assert course.grade() == 0


# --- refusals

@pytest.mark.parametrize(("words", "message"), [
    (["-j", 0], "--jobs 0: expected at least 1"),
    (["--timeout", 0], "seconds = 0.0: expected a number above 0"),
    (["--cell-timeout", -1], "cell_seconds = -1.0: expected a number above 0"),
    (["--id-regex", "("], "--id-regex '(': missing )"),
    (["--map", "none.csv"], "map none.csv: No such file"),
    (["--roster", "none.csv"], "roster none.csv: No such file"),
    pytest.param(["--dask", "127.0.0.1:9"], "--dask 127.0.0.1:9: ", marks=pytest.mark.long),
])
def test_wrong_use_says_what_and_gives_2(course, capsys, words, message):
    course.hand_in("a.ipynb", notebook(right("amal")))
    assert course.grade(*words) == 2
    assert message in capsys.readouterr().err
    assert not course.marks.exists()


@pytest.mark.parametrize(("words", "message"), [
    (["-o", "out"], "--output out: a folder; expected a file for the marks"),
    (["-o", "file/marks.csv"], "--output file/marks.csv: file is no folder"),
    (["--feedback", "file/deeper"], "--feedback file/deeper: file is no folder"),
    (["-o", "handed in/marks.csv"], "--output handed in/marks.csv: inside "),
    (["--feedback", "out/../handed in"], "--feedback out/../handed in: inside "),
])
def test_where_results_cannot_go_nothing_is_run(course, ran, capsys, monkeypatch, words, message):
    course.hand_in("a.ipynb", notebook(right("amal")))
    monkeypatch.chdir(course.folder)
    Path("out").mkdir()
    Path("file").touch()
    assert course.grade(*words) == 2
    assert message in capsys.readouterr().err
    assert ran == []


def test_no_such_folder(course, capsys):
    course.handed_in = course.folder / "nowhere"
    assert course.grade() == 2
    assert "nowhere: no such folder" in capsys.readouterr().err


def test_nothing_handed_in(course, capsys):
    course.hand_in(".ipynb_checkpoints/a.ipynb", notebook(right("amal")))
    assert course.grade() == 2
    assert "handed in: no file in it" in capsys.readouterr().err
    assert not course.marks.exists()


def test_without_bubblewrap_it_refuses_and_says_what_is_lost(course, capsys, monkeypatch):
    course.hand_in("a.ipynb", notebook(right("amal")))
    monkeypatch.setenv("PATH", str(course.folder))
    assert course.grade() == 2
    said = capsys.readouterr().err
    assert "bubblewrap is not installed" in said and "--allow-unsandboxed" in said
    assert not course.marks.exists()
    assert course.grade("--allow-unsandboxed") == 0
    assert points(course.row("amal")) == RIGHT
    said = capsys.readouterr().err
    for lost in ("question bank", "salt", "other submissions", "your files", "network",
                 "leave processes behind"):
        assert lost in " ".join(said.split())


def test_allowing_it_still_takes_the_sandbox_where_it_works(course):
    course.hand_in("a.ipynb", notebook(["student = 'amal'", "import os", "q3 = 'b'",
                                        f"assert not os.path.exists({str(course.salt)!r})"]))
    assert course.grade("--allow-unsandboxed") == 0


def test_a_bank_that_fails_on_an_answer_costs_that_question_only(course, monkeypatch):
    course.hand_in("a.ipynb", notebook(right("amal")))

    def compare(question, *args):
        return 1 / 0 if question.id == "ridge" else (1.0, "Right.")

    monkeypatch.setattr(marks, "compare", compare)
    assert course.grade() == 3
    row = course.row("amal")
    assert (row["status"], points(row)[:4]) == ("crashed", [0, 2, 1, 4])
    assert row["notes"] == "q1: comparing raised ZeroDivisionError"


# --- marks

def test_a_spreadsheet_takes_no_cell_for_a_formula():
    rows = [marks.Row("=cmd()", "missing", ["+1"]), marks.Row("a\nb", "missing", ["-"])]
    lines = marks.table(items(), rows).splitlines()
    assert lines == ["student,status,q1,q2,q3,q4,q5,total,notes",
                     "'=cmd(),missing,,,,,,,'+1", "a b,missing,,,,,,,'-"]


def test_a_function_stopped_halfway_has_results_for_all_cases():
    told = [{"value": 1}, {"raised": "Key Error!"}, 7, {"value": {"not plain": "Odd"}}]
    one, key, forged, odd, rest = marks._results(told, 5)
    assert (one, key, type(odd).__name__) == (1, Raised("KeyError"), "Odd")
    assert (forged, rest) == (Raised("7"), Raised("stopped before it was reached"))


def test_feedback_of_twins_does_not_overwrite(course):
    course.hand_in("a.ipynb", notebook(right("amal")))
    course.hand_in("b.ipynb", notebook(changed("AMAL", 1, "q1 = float('nan')")))
    assert course.grade("--feedback", course.folder / "out") == 3
    texts = sorted(path.read_text() for path in (course.folder / "out").iterdir())
    assert len(texts) == 2
    assert sum("Expected a number in FLOP/B, not NaN or infinity." in text for text in texts) == 1
