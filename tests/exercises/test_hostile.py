"""Submissions of every kind in one run of the grader, each with its row."""

import json
import os
import re
import socket
import zipfile
from io import BytesIO
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from .sample import (
    RIGHT,
    SALT,
    Course,
    answer,
    changed,
    facts,
    needs_bubblewrap,
    notebook,
    points,
    right,
)

pytestmark = pytest.mark.xdist_group("hostile")  # one run of the grader serves all
ROOT = Path(__file__).resolve().parents[2]
CELL_SECONDS = 4
SLEEP = "86399.125"  # how long the daemon sleeps: its mark
Q1_WRONG, Q2_HALF = [0, 2, 1, 4, None], [1, 1, 1, 4, None]
NOTHING = [None] * 5
CASES = {}


def case(status, given, note=""):
    """Register a submission: ``make(student)`` gives its file, or its cells."""
    def keep(make):
        student = make.__name__.replace("_", "-").strip("-")
        CASES[student] = (make, status, given, note)
        return make
    return keep


def before_q2(student, source):
    """Return the right cells with one of the student's own before that of q2."""
    cells = right(student)
    return [*cells[:2], dedent(source).strip(), *cells[2:]]


# --- right and wrong

@case("ok", RIGHT)
def all_right(student):
    return right(student)


@case("ok", Q1_WRONG)
def upside_down(student):
    return changed(student, 1, f"q1 = {1 / answer(1, student)!r}")


@case("ok", Q2_HALF)
def half_of_q2(student):
    return changed(student, 2, f"q2 = {answer(2, student) | {'two': 1.0}!r}")


@case("ok", [0, 0, 0, 0, None])
def unfilled(student):
    return [f"student = {student!r}", "q1 = None", "q2 = {'one': None, 'two': None}", "q3 = None",
            "def cost(batch, alpha):\n    raise NotImplementedError('not yet')", "q5 = ''"]


@case("ok", [1, 2, 1, 0, None])
def neighbours_function(student):
    return changed(student, 4, right("all-right")[4].replace("* alpha", "* alpha + 1"))


@case("ok", RIGHT)
def numpy_values(student):
    q2 = ", ".join(f"{name!r}: np.array({value!r})" for name, value in answer(2, student).items())
    cells = changed(student, 1, f"import numpy as np\nq1 = np.float64({answer(1, student)})")
    cells[2] = f"q2 = {{{q2}}}"
    return cells


# --- odd

@case("ok", RIGHT)
def metadata_stripped(student):
    cells = [{"cell_type": "code", "source": source.splitlines(True)} for source in right(student)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 2, "cells": cells})


@case("ok", [1, 0, 0, 0, None])
def cells_deleted(student):
    return right(student)[:2]


@case("ok", RIGHT)
def cells_reordered(student):
    cells = right(student)
    return [cells[1], *cells[:1:-1], cells[0]]


@case("ok", RIGHT)
def cells_added(student):
    return before_q2(student, """
        !ls > /dev/null
        %time sum(range(9))
        from IPython.display import Markdown, display
        display(Markdown("**done**"))
        await __import__("asyncio").sleep(0)
        from crossover.theory import ACCELERATORS
        ACCELERATORS["A100-80GB-SXM"]""")


@case("ok", RIGHT)
def old_format(student):
    cells = [{"cell_type": "code", "language": "python", "input": source, "outputs": [],
              "prompt_number": 1, "collapsed": False, "metadata": {}} for source in right(student)]
    return json.dumps({"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": "x"},
                       "worksheets": [{"cells": cells, "metadata": {}}]})


@case("id-mismatch", RIGHT, "it also says it is somebody-else")
def two_ids(student):
    return [*right(student), "student = 'somebody-else'"]


@case("id-mismatch", RIGHT, "when run it says it is other-when-runXY")
def other_when_run(student):
    return changed(student, 0, f"student = {student!r} + 'XY'")


@case("id-mismatch", RIGHT, "it also says it is all-right")
def released_to_another(student):
    made = json.loads(notebook(right(student)))
    made["cells"].append(facts(assignment="hw", student="all-right"))
    return json.dumps(made)


@case("id-mismatch", RIGHT, "it says it is of hw9, not of hw")
def other_assignment(student):
    made = json.loads(notebook(right(student)))
    made["cells"].insert(0, facts(assignment="hw9", student=student))
    return json.dumps(made)


# --- broken

@case("crashed", [1, 0, 1, 4, None], "cell 3: SyntaxError")
def syntax_error(student):
    return changed(student, 2, "q2 = {'one': ")


@case("crashed", RIGHT, "cell 3: ZeroDivisionError")
def raises(student):
    return before_q2(student, "1 / 0")


@case("crashed", RIGHT, "cell 3: SystemExit")
def sys_exit(student):
    return before_q2(student, "import sys\nsys.exit()")


@case("crashed", [1, 0, 0, 0, None], "cell 3 ended the process (code 7)")
def os_exit(student):
    return before_q2(student, "import os\nos._exit(7)")


@case("crashed", [1, 0, 0, 0, None], "cell 3 ended the process (signal SIGSEGV)")
def segmentation_fault(student):
    return before_q2(student, "import ctypes\nctypes.string_at(0)")


@case("crashed", RIGHT, "cell 3: RecursionError")
def deep_recursion(student):
    return before_q2(student, "def f(x):\n    return f(x + 1)\nf(0)")


@case("ok", [1, 2, 1, 0, None])
def function_raises(student):
    return changed(student, 4, "def cost(batch, alpha):\n    raise KeyError(batch)")


@case("ok", RIGHT)
def prints_60_megabytes(student):
    return before_q2(student, "for _ in range(60):\n    print('x' * 1_000_000)")


@case("ok", RIGHT)
def stored_60_megabytes(student):
    output = [{"output_type": "stream", "name": "stdout", "text": "x" * 60_000_000}]
    return notebook(right(student)[:1], outputs=output)[:-2] + ", " + notebook(
        right(student)[1:])[len(notebook([])) - 2:]


# --- hostile: time

@case("timeout", RIGHT, f"cell 3: stopped after {CELL_SECONDS} s")
def endless_loop(student):
    return before_q2(student, "while True:\n    pass")


@case("timeout", [1, 2, 1, 0, None], f"cost: stopped after {CELL_SECONDS} s")
def endless_function(student):
    return changed(student, 4, "def cost(batch, alpha):\n    while True:\n        pass")


@case("timeout", [1, 0, 0, 0, None], "it would not stop, so nothing after that has run")
def swallowed_interrupt(student):
    return before_q2(student, """
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass""")


@case("timeout", [1, 0, 0, 0, None], "it would not stop, so nothing after that has run")
def signals_blocked(student):
    return before_q2(student, """
        import signal, time
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)""")


# --- hostile: resources

@case("ok", RIGHT)
def daemonised_child(student):
    return before_q2(student, f"""
        import os
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execvp("sleep", ["sleep", "{SLEEP}"])
            os._exit(0)
        os.wait()""")


@case("timeout", [1, 0, 0, 0, None], "it would not stop, so nothing after that has run")
def fork_bomb(student):
    return before_q2(student, """
        import os
        while True:
            try:
                while True:
                    os.fork()
            except BaseException:
                pass""")


@case("crashed", RIGHT, "cell 3: MemoryError")
def six_gigabytes(student):
    return before_q2(student, "block = bytearray(6 << 30)")


@case("crashed", RIGHT, "cell 3: OSError")
def file_of_100_megabytes(student):
    return before_q2(student, "open('/tmp/big', 'wb').write(bytes(100 << 20))")


@case("crashed", RIGHT, "cell 3: OSError")
def many_files(student):
    return before_q2(student, """
        for number in range(20):
            open(f"/tmp/{number}", "wb").write(bytes(10 << 20))""")


# --- hostile: answers

@case("ok", Q1_WRONG)
def shadowed_builtins(student):
    return changed(student, 1, dedent("""
        import builtins, math
        abs = float = isinstance = lambda *args: 0
        builtins.abs = builtins.round = lambda *args: 0
        math.isclose = math.isfinite = lambda *args, **more: True
        q1 = -1.0""").strip())


@case("ok", [0, 0, 0, 0, None])
def equal_to_everything(student):
    return [f"student = {student!r}", dedent("""
        class Same:
            def __eq__(self, other): return True
            def __sub__(self, other): return 0.0
            __rsub__ = __abs__ = __sub__
            def __lt__(self, other): return True
            __le__ = __gt__ = __ge__ = __lt__
            def __float__(self): return 1.0
            def __hash__(self): return 0
            def strip(self): return "b"
            casefold = strip
            def __call__(self, *args): return self
        q1 = q3 = cost = Same()
        q2 = {"one": q1, "two": q1}""").strip()]


ODD_ANSWERS = {
    "nan": "float('nan')",
    "inf": "float('inf')",
    "bool": "True",
    "complex": "complex({right}, 0)",
    "str": "'{right}'",
    "list": "[{right}]",
    "subclass": "type('F', (float,), {{}})({right})",
    "huge": "10 ** 400",
    "huger": "10 ** 5000",
    "nothing": "NotImplemented",
}
for kind, source in ODD_ANSWERS.items():
    def answers_as(student, source=source):
        return changed(student, 1, "q1 = " + source.format(right=answer(1, student)))
    CASES[f"answers-{kind}"] = (answers_as, "ok", Q1_WRONG, "")


# --- hostile: the grader itself

@case("ok", RIGHT)
def patched_imports(student):
    return before_q2(student, """
        import sys
        class Finder:
            def find_spec(self, *args):
                raise SystemExit
        sys.meta_path.insert(0, Finder())
        sys.modules["json"] = sys.modules["numpy"] = None""")


@case("crashed", [1, 0, 0, 0, None], "cell 4: SystemExit")
def no_imports_any_more(student):
    return before_q2(student, """
        import builtins
        def no(*args, **more):
            raise SystemExit
        builtins.__import__ = no""")


FORGE = """
import json, os
def claim(**message):
    for number in range(3, 64):
        try:
            os.write(number, (json.dumps(message) + "\\n").encode())
        except OSError:
            pass
"""


@case("ok", [0, 0, 0, 0, None])
def forged_points(student):
    claims = {"total": 8, "status": "ok", "points": [1, 2, 1, 4], "salt": "x"}
    return [f"student = {student!r}",
            FORGE + f"claim(values={claims!r}, raised=None, late=False)\nclaim(done=True)\n"]


@case("ok", [1, 0, 0, 0, None])
def forged_numbers(student):
    """Whoever forges a right number has computed it, as with `q1 = ...`."""
    claims = {"q1": answer(1, student)}
    return [f"student = {student!r}", FORGE + f"claim(values={claims!r}, raised=None, late=False)"]


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def forged_nonsense(student):
    return before_q2(student, FORGE + "claim(values=[[1]], raised={}, late=3)")


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def forged_depth(student):
    return before_q2(student, FORGE + "for n in range(3, 64):\n    try:\n"
                     "        os.write(n, b'[' * 60_000 + b'\\n')\n    except OSError: pass")


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def forged_deep_number(student):
    """Not too deep for JSON, but for whatever works on it afterwards."""
    return before_q2(student, FORGE + """
for n in range(3, 64):
    try:
        os.write(n, b'{"values": {"q2": ' + b"[" * 700 + b"]" * 700 + b'}, "late": false}\\n')
    except OSError:
        pass""")


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def flooded_channel(student):
    return before_q2(student, """
        import os
        for number in range(3, 64):
            try:
                for _ in range(200):
                    os.write(number, b"x" * 60_000)
            except OSError:
                pass""")


@case("ok", RIGHT)
def changes_the_library(student):
    cells = before_q2(student, """
        import crossover.theory as theory
        try:
            open(theory.__file__, "a")
        except OSError:
            kept = True""")
    return [*cells, "kept"]


@case("ok", RIGHT)
def kills_all_it_can(student):
    return before_q2(student, """
        import os, signal
        for target in (-1, 1, os.getppid()):
            try:
                os.kill(target, signal.SIGKILL)
            except OSError:
                pass""")


def spy(course, port):
    """Return code that leaves in `seen` whatever of the grader's it can reach."""
    secrets = [course.salt, course.assignment, course.handed_in, ROOT / "exercises" / "bank",
               ROOT / "exercises", ROOT / ".git", ROOT / "tests", Path.home() / ".bashrc",
               Path.home() / ".ssh", "/etc/passwd", "/etc/shadow", "/home", "/var", "/sys"]
    return dedent(f"""
        import glob, os, socket
        seen = [path for path in {list(map(str, secrets))!r} if os.path.exists(path)]
        seen += [name for name in os.environ if "SALT" in name or "SECRET" in name]
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                seen += [path] if b"SALT" in open(path, "rb").read() else []
            except OSError:
                pass
        try:
            import exercises.bank
            seen.append("bank")
        except ImportError:
            pass
        for address in (("127.0.0.1", {port}), ("192.0.2.1", 80)):
            try:
                socket.create_connection(address, timeout=0.5)
                seen.append(address)
            except OSError:
                pass
        here = [path for path in os.listdir("/proc") if path.isdigit()]
        seen += here if len(here) > 3 else []""").strip()


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
    for name in ("nobody.ipynb", "half a letter.ipynb"):
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
    given = {number for number in re.findall(r"\d+\.\d+", text) if float(number) > 1}
    assert not given & {f"{answer(1, 'upside-down')}", f"{answer(2, 'upside-down')['one']}"}
