"""No solution in a release or on the site; and the search for them finds what is put there."""

import html
import inspect
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from exercises import assignment, bank, draw, key, leaks, release

from . import conftest
from .conftest import KINDS, READY

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
TEXT = {".html", ".ipynb", ".md", ".txt", ".js", ".json", ".csv", ".py", ".yml", ""}


@pytest.fixture
def folder(small, salt, students, tmp_path):
    release.write(small, salt, students, tmp_path / "out")
    return tmp_path / "out"


def test_a_release_is_clean(folder, small, salt):
    assert leaks.folder_faults(folder, small, salt) == []


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_the_ready_assignments_release_clean(path, salt, students, tmp_path):
    ready = assignment.read(path)
    release.write(ready, salt, students, tmp_path)
    assert leaks.folder_faults(tmp_path, ready, salt) == []


def add(cell):
    return lambda notebook, small, salt: notebook.cells.append(cell)


def answer_in_text(notebook, small, salt):
    size = draw.values(small.items[0].question, salt, small.id, "amal")["size"]
    notebook.cells[2].source += f"\n\n(It is {2 * size}.00.)"


def hidden_input(notebook, small, salt):
    question = small.items[3].question
    notebook.cells.append(new_code_cell(json.dumps(
        draw.inputs(question, salt, small.id, "amal"))))


def the_key(notebook, small, salt):
    notebook.cells = key.solved(small, salt, "amal").cells


def output(notebook, small, salt):
    notebook.cells[1].outputs = [nbformat.v4.new_output("stream", text="8")]


def fact(notebook, small, salt):
    notebook.cells[2].source = notebook.cells[2].source.replace(
        '"column": "q1"', '"answer": 8, "column": "q1"')


def metadata(notebook, small, salt):
    notebook.metadata["salt"] = salt


@pytest.mark.parametrize("spoil, fault", [
    (answer_in_text, "holds the answer of q1 for amal"),
    (hidden_input, "holds a hidden input of q4 for amal"),
    (the_key, "holds the answer of q"),
    (output, "a cell has outputs"),
    (fact, "tells 'answer'"),
    (metadata, "holds 'a salt for the tests only'"),
    (add(new_markdown_cell("You halved\nit.")), "holds 'You halved it.'"),
    (add(new_markdown_cell("Look at the second again.")), "holds 'Look at the second"),
    (add(new_markdown_cell("Two points for the reason that tokens share a read.")), "Two points"),
    (add(new_code_cell(inspect.getsource(conftest.number))), "holds 'Wrong(\"half\", lambda size"),
    (add(new_code_cell("from exercises.bank import load")), "holds 'exercises.bank'"),
])
def test_a_leak_is_found(folder, small, salt, spoil, fault):
    path = folder / "small-amal.ipynb"
    notebook = nbformat.read(path, as_version=4)
    spoil(notebook, small, salt)
    nbformat.write(notebook, path)
    found = leaks.folder_faults(folder, small, salt)
    assert any(fault in line and "amal" in line for line in found), found


def test_other_files_are_faults(folder, small, salt):
    (folder / ".exercises_salt").write_text(salt)
    (folder / "check.py").write_text("answers = {}")
    assert leaks.folder_faults(folder, small, salt) == [
        ".exercises_salt is not part of a release", "check.py is not the course's"]


def test_an_empty_folder_is_no_release(small, salt, tmp_path):
    (tmp_path / "out").mkdir()
    assert "holds no notebook" in leaks.folder_faults(tmp_path / "out", small, salt)[0]


def published(path):
    """The words of a file of the site: without tags, and a notebook's without its JSON."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".html":
        text = html.unescape(re.sub(r"<[^>]*>", "", text))
    elif path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    return leaks.spaced(text)


def on_the_site(solutions, site):
    """What of `solutions` stands in which file of the built site."""
    files = [path for path in site.rglob("*") if path.is_file() and path.suffix in TEXT]
    assert files
    return [f"{path.relative_to(site)}: {secret}" for path in files
            for words in [published(path)] for known in solutions
            for secret in leaks.standing(known, words)]


def test_no_solution_is_on_the_site():
    """Of no question in the bank, in the pages as in their sources."""
    if not SITE.exists():
        pytest.fail("_build/html is not built: run `make site` first", pytrace=False)
    assert (SITE / "_sources").is_dir()
    assert on_the_site(map(leaks.solution, bank.load().values()), SITE) == []


def test_a_solution_on_the_site_would_be_found(tmp_path):
    question = KINDS["number"]()
    (tmp_path / "page.html").write_text("<p>You <b>halved</b>\n it.</p>")
    cells = [{"source": ["You\n", "squared it."]}]
    (tmp_path / "page.ipynb").write_text(json.dumps({"cells": cells}))
    (tmp_path / "other.md").write_text("Half of it.")
    (tmp_path / "call.md").write_text("return [batch * factor + term for term in range(2)]")
    assert sorted(on_the_site([leaks.solution(question)], tmp_path)) == [
        "page.html: You halved it.", "page.ipynb: You squared it."]


def test_one_line_of_a_solution_is_not_one_but_two_are():
    known = (), ("pair = target, draft", "return speedup(*pair)")
    assert leaks.standing(known, "x return speedup(*pair) y") == []
    assert leaks.standing(known, "pair = target, draft return speedup(*pair)") == list(known[1])
    assert leaks.standing(((), known[1][:1]), "pair = target, draft") == list(known[1][:1])


def test_every_question_has_a_solution_to_look_for():
    for question in bank.load().values():
        texts, code = leaks.solution(question)
        assert texts and code, question.id
    lambdas = leaks.code_lines("f = lambda size: size ** 2 + 7 * size - 1000\ng = lambda: 1\n")
    assert lambdas == ["lambda size: size ** 2 + 7 * size - 1000"]
