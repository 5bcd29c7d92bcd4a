"""What was handed in, and whose it is."""

import json
import re
from pathlib import Path

import pytest

from exercises import submissions
from exercises.roster import Student
from exercises.submissions import Ids, Submission

from .sample import facts, items, notebook


@pytest.mark.parametrize(("claims", "name", "pattern", "files", "owner", "wrong"), [
    (["amal"], "x.ipynb", None, {}, "Amal", []),
    (["ＡＭＡＬ "], "x.ipynb", None, {}, "Amal", []),
    ([], "hw-bo.ipynb", None, {}, "bo", []),
    ([], "x.ipynb", None, {}, "", ["it does not say whose it is"]),
    (["cy"], "x.ipynb", None, {}, "cy", ["cy is not on the roster"]),
    (["amal", "bo"], "x.ipynb", None, {}, "Amal", ["graded as amal; it also says it is bo"]),
    (["bo"], "amal-1.ipynb", r"^\w+", {}, "Amal", ["graded as amal; it also says it is bo"]),
    (["bo"], "1-amal.ipynb", r"(\d)-(?P<id>\w+)", {"1-amal.ipynb": "bo"}, "bo", []),
    (["bo"], "1-amal.ipynb", r"(\d)-(?P<id>\w+)", {}, "Amal",
     ["graded as amal; it also says it is bo"]),
    (["bo"], "x.ipynb", "[0-9]+", {}, "bo", ["neither its name nor the map tells whose it is"]),
    (["bo"], "moodle/bo_7/x.ipynb", None, {"bo_7": "Bo"}, "bo", []),
    pytest.param([], "a/" * 200, "^.*", {}, "", [
        "neither its name nor the map tells whose it is", "it does not say whose it is"],
        id="a long path"),
])
def test_owner(claims, name, pattern, files, owner, wrong):
    roster = [Student("Amal", "", 2), Student("bo", "", 3)]
    ids = Ids(items(), roster, re.compile(pattern) if pattern else None, files)
    assert ids.owner(Submission(name, Path(name), claims=claims)) == (owner, wrong)


def test_one_notebook_cannot_fill_the_notes():
    """Whoever reads a CSV file need not take fields of any length."""
    claims, long = [f"{number:0200}" for number in range(1000)], "a" * 10**6
    said = Submission("x.ipynb", Path("x.ipynb"), claims=claims, assignments=[long, *claims])
    owner, wrong = Ids(items(), []).owner(said)
    assert owner == claims[0]
    assert f"it also says it is {' and '.join(claims[1:4])}" in wrong[0]
    assert len("; ".join(wrong)) < 2000


def test_what_a_notebook_says_of_itself(tmp_path):
    made = json.loads(notebook(["# student = 'no'", 'student = "Amal"  # me', "student='amal'",
                                "if 1:\n    student = 'no'", "student = amal"]))
    made["cells"] += [facts(assignment="hw2", student="bo"), facts(column="q1"),
                      {"cell_type": "markdown", "source": '<!-- check {"student": -->'},
                      {"cell_type": "markdown", "source": "<!-- check {\"student\": 7} -->"}]
    path = tmp_path / "x.ipynb"
    path.write_text("\ufeff" + json.dumps(made), encoding="utf-8")
    submission = submissions.read("x.ipynb", path)
    assert (submission.fault, submission.assignments) == ("", ["hw2"])
    assert [claim.casefold() for claim in submission.claims] == ["amal", "bo"]


@pytest.mark.parametrize(("line", "claims"), [
    (r'student = "CORP\\bo"', [r"CORP\bo"]),
    (r"student = 'o\'hara'", ["o'hara"]),
    ("""student = "o'hara"  # 'me'""", ["o'hara"]),
    (r'student = "\u674e"', ["李"]),
    (r'student = "\x"', []),
    (r'student = "CORP\do"', [r"CORP\do"]),
    ('student = "amal', []),
    ('student = """amal"""', []),
    pytest.param(f"student = '{'x' * 201}'", [], id="a long id"),
])
def test_an_id_is_read_as_python_reads_it(tmp_path, line, claims):
    path = tmp_path / "x.ipynb"
    path.write_text(notebook([line]))
    assert submissions.read("x.ipynb", path).claims == claims


def test_hidden_files_are_passed_over(tmp_path):
    for name in ("b.ipynb", "a/c.ipynb", ".x.ipynb", ".ipynb_checkpoints/b.ipynb",
                 "__MACOSX/b.ipynb"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert [name for name, _ in submissions.collect(tmp_path)] == ["a/c.ipynb", "b.ipynb"]


@pytest.mark.parametrize(("text", "message"), [
    ("name,student\n", "line 1: expected the headings file,student"),
    ("file,student\na.ipynb,amal\nb.ipynb, \n", "line 3: expected a file and an id"),
    ("file,student\nb.ipynb\n", "line 2: expected a file and an id"),
    pytest.param("file,student\nb.ipynb," + "x" * 201, "line 2: expected a file and an id",
                 id="a long id"),
    ("file,student\nb,1.ipynb,bo\n", "line 2: 3 fields under 2 headings"),
    ('file,student\n"b.ipynb,bo\n', "line 2: unexpected end of data"),
    ("", "it is empty"),
])
def test_bad_map(tmp_path, text, message):
    path = tmp_path / "map.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"map .*map.csv.*{message}"):
        submissions.read_map(path)


@pytest.mark.parametrize("text", [
    "file,student\na.ipynb, Amal \nmoodle/b.ipynb,bo\n",
    "\ufeffStudent;File\r\nAmal;a.ipynb\r\n;\r\nbo;moodle/b.ipynb;\r\n",
    "file\tgroup\tstudent\na.ipynb\t1\tAmal\nmoodle/b.ipynb\t\tbo\n",
])
def test_a_map_as_a_spreadsheet_saves_it(tmp_path, text):
    path = tmp_path / "map.csv"
    path.write_text(text, encoding="utf-8", newline="")
    assert submissions.read_map(path) == {"a.ipynb": "Amal", "moodle/b.ipynb": "bo"}


def test_a_map_in_another_encoding_names_the_line(tmp_path):
    path = tmp_path / "map.csv"
    path.write_bytes("file,student\na.ipynb,José\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"map .*map.csv, line 2: not UTF-8; save it as"):
        submissions.read_map(path)
