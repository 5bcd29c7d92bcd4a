"""The student's own check: form only, from the notebook alone."""

import os
import shutil
import subprocess
import sys

import nbformat
import pytest

from exercises import check, draw, key, release


@pytest.fixture
def look(small, salt, tmp_path, capsys):
    """Write a student's notebook with these cells instead of the stubs, and check it."""
    def look_(edit=None, solved=False, limit=300, **answers):
        made = (key.solved(small, salt, "amal") if solved
                else release.notebook(small, salt, "amal", "amal"))
        for cell in made.cells:
            if cell.id.partition("-answer")[0] in answers and cell.cell_type == "code":
                cell.source = answers[cell.id.partition("-answer")[0]]
        if edit:
            edit(made)
        path = tmp_path / "small-amal.ipynb"
        nbformat.write(made, path)
        parser = check.argparse.ArgumentParser()
        check.arguments(parser)
        code = check.run(parser.parse_args([str(path), "--cell-timeout", str(limit)]))
        return code, capsys.readouterr().out
    return look_


def line_of(said, column):
    [line] = [line for line in said.splitlines() if line.strip().startswith(column)]
    return line


def test_unfilled(look):
    code, said = look()
    assert code == 3
    assert said.count("not answered yet") == 5
    assert "0 of 5 questions" in said
    assert "note:" not in said


def test_complete(look):
    code, said = look(solved=True)
    assert code == 0
    assert said.count("has the right form") == 5
    assert "2 points" in line_of(said, "q1")


@pytest.mark.parametrize("column, source, message", [
    ("q1", "q1 = 5", "has the right form"),
    ("q1", "q1 = 0.5", "0.5 is outside 1 to 1e+06: is it in tokens?"),
    ("q1", "q1 = '5'", "expected a number in tokens, but it is a str"),
    ("q1", "q1 = True", "but it is a bool"),
    ("q1", "q1 = float('nan')", "not finite"),
    ("q1", "q1 = 10**400", "not finite"),
    ("q1", "q1 = 5j", "but it is a complex"),
    ("q1", "import numpy as np\nq1 = np.float64(5)", "has the right form"),
    ("q1", "import numpy as np\nq1 = np.array([5])", "but it is a list of numbers"),
    ("q2", "q2 = 5", "expected a dict, but it is a number"),
    ("q2", "q2 = {'sum': 1}", "product (in 1): not answered yet"),
    ("q2", "q2 = {'sum': 1, 'product': '2'}", "product (in 1): a str"),
    ("q2", "q2 = {'sum': 1, 'product': 2, 'total': 3}", "'total': no such name is asked for"),
    ("q3", "q3 = 'z'", "expected one of the letters a, b, c"),
    ("q3", "q3 = ' B'", "has the right form"),
    ("q4", "scaled = 3", "expected a function, but it is a number"),
    ("q4", "def scaled():\n    return 1", "scaled(1) raises TypeError"),
    ("q4", "def scaled(batch):\n    return batch", "scaled(1) gives a number, expected a list of"),
    ("q4", "def scaled(batch):\n    return [batch, 'x']", "gives a list of numbers and strs"),
    ("q4", "def scaled(batch):\n    return (batch, batch)", "has the right form"),
    ("q4", "def scaled(batch):\n    return scaled(batch)", "raises RecursionError"),
    ("q5", "q5 = 5", "expected words"),
    ("q5", "q5 = 'Because.'", "has the right form"),
])
def test_each_answer_is_looked_at(look, column, source, message):
    assert message in line_of(look(**{column: source})[1], column)


def test_right_and_wrong_look_the_same(look, small, salt):
    """Whoever reads what check says learns nothing about the answer."""
    values = draw.values(small.items[0].question, salt, small.id, "amal")
    right = small.items[0].question.answer(**values)
    assert look(q1=f"q1 = {right}") == look(q1=f"q1 = {right + 77}")


def test_the_notebook_alone_is_enough(look, small, tmp_path):
    """check.py, copied away, with no package `exercises` to import."""
    look(solved=True)
    shutil.copy(check.__file__, tmp_path / "check.py")
    done = subprocess.run([sys.executable, "-I", "check.py", "small-amal.ipynb"], cwd=tmp_path,
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 of 5 questions" in done.stdout


def remove(name):
    return lambda notebook: notebook.cells.remove(
        next(cell for cell in notebook.cells if cell.id == name))


def test_a_notebook_that_was_changed_about(look):
    assert "the text of q2 is gone" in look(remove("q2"), solved=True)[1]
    assert "q3" not in [line[:4].strip() for line in look(remove("q3"))[1].splitlines()]
    code, said = look(lambda notebook: notebook.cells.reverse(), solved=True)
    assert (code, said.count("has the right form")) == (0, 5)

    def strip(notebook):
        notebook.metadata.clear()
        for cell in notebook.cells:
            cell.metadata.clear()
    assert look(strip, solved=True)[0] == 0


@pytest.mark.parametrize("source, message", [
    ("student = ''", "your id is missing"),
    ("student = 'bo'", "these are the numbers of 'amal', but student = 'bo'"),
    ("student = 'amal'\n1 / 0", "code cell 1 raises ZeroDivisionError"),
    ("student = 'amal'\nimport sys; sys.exit()", "code cell 1 raises SystemExit"),
    ("student = 'amal'\n1 +", "code cell 1 raises SyntaxError"),
    ("student = 'amal'\nimport time; time.sleep(1.2)", "code cell 1 takes 1 s"),
])
@pytest.mark.filterwarnings("ignore:To exit")
def test_what_grading_would_trip_over_is_noted(look, source, message):
    code, said = look(solved=True, student=source, limit=1)
    assert code == 3
    assert message in said


def test_what_students_do_in_notebooks_works(look, tmp_path):
    """Magics, plots, files beside the notebook; no window opens, no output is mixed in."""
    (tmp_path / "data.txt").write_text("5")
    code, said = look(solved=True, q1="""%matplotlib inline
import matplotlib.pyplot as plt
plt.plot([1, 2]); plt.show()
print('noise')
q1 = int(open('data.txt').read())""")
    assert (code, "noise" in said) == (0, False)
    assert os.getcwd() != str(tmp_path)


@pytest.mark.parametrize("holds, message", [
    ("not JSON", "not a notebook"),
    ("{}", "not a notebook"),
    (None, "No such file"),
    (nbformat.writes(nbformat.v4.new_notebook()), "this notebook has no questions"),
    (nbformat.writes(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(
        "<!-- check {\"column\" 3} -->")])), "is damaged"),
], ids=["not JSON", "not a notebook", "no file", "no questions", "damaged"])
def test_no_notebook(tmp_path, holds, message):
    path = tmp_path / "x.ipynb"
    if holds:
        path.write_text(holds)
    with pytest.raises(ValueError, match=message):
        check.facts_of(check.load(path))


def test_old_formats_are_read(look, small, salt, tmp_path):
    notebook = key.solved(small, salt, "amal")
    notebook.nbformat_minor = 2
    for cell in notebook.cells:
        del cell["id"]
    path = tmp_path / "old.ipynb"
    path.write_text(nbformat.writes(nbformat.convert(notebook, 3)))
    assert len(check.facts_of(check.load(path))[1]) == 5
