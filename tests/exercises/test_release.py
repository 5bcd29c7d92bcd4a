"""Released notebooks: whole, pleasant, the same bytes each time, and without a secret."""

import re
import stat
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from exercises import __main__, assignment, check, draw, release

from .conftest import READY

ROOT = Path(__file__).resolve().parents[2]
SECRET = "--salt", ROOT / "LICENSE"


def released(small, salt, student="amal", name=""):
    return release.notebook(small, salt, student, student, name)


def test_a_notebook_says_what_a_student_needs(small, salt):
    notebook = released(small, salt, name="Amal Rao")
    title, *_, ending = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    assert title.startswith("# A small one\n\nFor `amal`, Amal Rao · small · 5 questions · "
                            "15 minutes · 10 points")
    assert "**To hand in:**" in title
    assert "python check.py small-amal.ipynb" in ending
    texts = {cell.id: cell.source for cell in notebook.cells}
    assert texts["student"] == 'student = "amal"'
    assert re.match(r"## q1 · batching\n\n\*apply · 3 minutes · 2 points · chapter 06\*\n\n"
                    r"Twice \d{3}\?\n\nGive `q1` in tokens.\n", texts["q1"])
    assert "Give `q2` with `sum` (tokens), `product` (no unit)." in texts["q2"]
    assert re.search(r"- \*\*a\*\*: the first, [19]0\n- \*\*b\*\*: the second", texts["q3"])
    assert "`scaled(1)`, `scaled(7)`" in texts["q4"]
    assert "It returns a list of numbers." in texts["q4"]
    assert not re.search(r"\{\{|\}\}", " ".join(texts.values()))


def test_stub_cells(small, salt):
    texts = {cell.id: cell.source for cell in released(small, salt).cells}
    assert texts["q1-answer"] == "q1 = None  # tokens"
    assert texts["q2-answer"].splitlines()[1] == '    "sum": None,  # tokens'
    assert texts["q3-answer"] == 'q3 = None  # one of "a", "b", "c"'
    assert texts["q4-answer"].startswith("def scaled(batch):\n    raise NotImplementedError(")
    assert texts["q5-answer"] == 'q5 = """\n"""'


def test_the_values_are_the_students(small, salt):
    for student in ("amal", "bo"):
        values = draw.values(small.items[0].question, salt, small.id, student)
        assert f"Twice {values['size']}?" in released(small, salt, student).cells[2].source


def test_same_input_same_bytes(small, salt, students, tmp_path):
    written = [release.write(small, salt, students, tmp_path / name) for name in ("one", "two")]
    for one, two in zip(*written, strict=True):
        assert one.read_bytes() == two.read_bytes()
    assert len({path.read_bytes() for path in written[0]}) == 3
    assert (tmp_path / "one" / "check.py").read_bytes() == Path(check.__file__).read_bytes()
    release.write(small, salt, students, tmp_path / "one")  # again, over the same


def test_a_file_that_differs_is_not_overwritten(small, salt, students, tmp_path):
    first, *others = release.write(small, salt, students, tmp_path / "out")
    first.write_text("a student's work")
    others[0].unlink()
    with pytest.raises(ValueError, match="small-amal.ipynb exists and differs"):
        release.write(small, salt, students, tmp_path / "out")
    assert first.read_text() == "a student's work"
    assert not others[0].exists()  # nothing is written when something stands in the way


@pytest.mark.parametrize("student, name", [
    ("amal", "small-amal.ipynb"), ("Amal@example.org", "small-amal@example.org.ipynb"),
    ("李", "small-李.ipynb"), ("Bo/1", r"small-bo_1-[0-9a-f]{8}.ipynb"),
    ("../x", r"small-\.\._x-[0-9a-f]{8}.ipynb"), ("a b", r"small-a_b-[0-9a-f]{8}.ipynb"),
    ("x" * 200, r"small-x{60}-[0-9a-f]{8}.ipynb"), (None, "small.ipynb"),
])
def test_file_names_are_safe_and_apart(small, student, name):
    assert re.fullmatch(name, release.file_name(small, student))
    assert release.file_name(small, "Bo/1") != release.file_name(small, "Bo:1")


def test_a_fact_cannot_end_its_comment():
    facts = {"unit": "--> <b>", "column": "q1"}
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_markdown_cell(check.hidden(facts))])
    assert check.facts_of(notebook)[1] == [facts]
    assert check.hidden(facts).count(">") == 1


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_runs_top_to_bottom_unfilled(path, salt, tmp_path):
    """In a real kernel, as a student does first: no cell raises."""
    ready = assignment.read(path)
    notebook = release.notebook(ready, salt, "amal", "amal")
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=60, kernel_name="python3",
                   resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"] == list(
        range(1, len(ready.items) + 2))


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_code_cells_fit_the_screen(path, salt):
    notebook = release.notebook(assignment.read(path), salt, "amal", "amal")
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert max(map(len, cell.source.splitlines())) <= 88, cell.source


def test_a_generic_notebook_asks_for_the_id(small, salt, tmp_path):
    [path] = release.write(small, salt, None, tmp_path)
    cells = {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
    assert cells["student"].startswith('student = ""')
    assert "Put your id into the next cell" in cells["title"]
    values = draw.values(small.items[0].question, salt, small.id, draw.GENERIC)
    assert f"Twice {values['size']}?" in cells["q1"]


def test_the_command(tmp_path):
    (tmp_path / "hw1.yml").write_bytes(READY[0].read_bytes())
    (tmp_path / "roster.csv").write_text("student\namal\nbo\n")
    done = subprocess.run([sys.executable, "-m", "exercises", "release", tmp_path / "hw1.yml",
                           "--roster", tmp_path / "roster.csv", "--out", tmp_path / "out"],
                          cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"2 notebooks and check.py in {tmp_path / 'out'}\n"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "check.py", "hw1-amal.ipynb", "hw1-bo.ipynb"]


def test_the_first_release_makes_a_salt_and_the_next_keeps_it(tmp_path, monkeypatch, capsys):
    """Only its owner reads it, and no notebook holds it."""
    monkeypatch.delenv("EXERCISES_SALT", raising=False)
    (tmp_path / "hw1.yml").write_bytes(READY[0].read_bytes())
    (tmp_path / "roster.csv").write_text("student\namal\n")

    def made(out):
        assert __main__.main(["release", str(tmp_path / "hw1.yml"), "--roster",
                              str(tmp_path / "roster.csv"), "--out", str(tmp_path / out)]) == 0
        return (tmp_path / out / "hw1-amal.ipynb").read_bytes()

    first = made("one")
    salt_file = tmp_path / assignment.SALT_FILE
    secret = salt_file.read_text().strip()
    assert (len(secret), stat.S_IMODE(salt_file.stat().st_mode)) == (64, 0o600)
    assert made("two") == first
    assert salt_file.read_text().strip() == secret
    assert secret.encode() not in first
    monkeypatch.setenv("EXERCISES_SALT", "another salt, as long")
    assert made("three") != first


@pytest.mark.parametrize("words, message", [
    (["release", "lost.yml", "--generic", "--out", "x"], "error: assignment lost.yml: No such"),
    (["release", READY[0], "--roster", "lost.csv", "--out", "x"], "error: roster lost.csv"),
    (["release", READY[0], "--out", "x"], "--roster --generic is required"),
    (["list", "--topic", "astrology"], "error: no question has this topic"),
    (["key", READY[0], "--student", "", *SECRET], "error: student = ''"),
    (["release", READY[0], "--generic", "--out", "file", *SECRET], "error: [Errno 17] File exists"),
    (["key", READY[0], "--generic", "--notebook", "no/such", *SECRET], "error: [Errno 2] No such"),
    (["nonsense"], "invalid choice: 'nonsense'"),
    ([], "COMMAND"),
])
def test_bad_usage_exits_with_2(words, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    try:
        code = __main__.main(list(map(str, words)))
    except SystemExit as stopped:  # argparse's way
        code = stopped.code
    assert code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("held, message", [
    (None, "no file .*.exercises_salt and no EXERCISES_SALT"),
    ("short", "at least 16 characters"),
])
def test_without_a_good_salt_nothing_is_graded(small, monkeypatch, held, message):
    monkeypatch.delenv("EXERCISES_SALT", raising=False)
    if held:
        (small.path.parent / assignment.SALT_FILE).write_text(held)
    with pytest.raises(ValueError, match=message):
        assignment.salt(small)


@pytest.mark.parametrize("command", __main__.COMMANDS)
def test_help_has_examples(command, capsys):
    with pytest.raises(SystemExit, match="0"):
        __main__.main([command, "--help"])
    assert f"python -m exercises {command}" in capsys.readouterr().out.partition("examples:")[2]
