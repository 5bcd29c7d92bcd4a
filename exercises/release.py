"""`release`: one notebook a student, with the values that the student draws.

Whatever a notebook holds comes from a question's public side: its text, units, range,
options, signature and examples. The same roster, salt and bank give the same bytes.
"""

import json
import re
import shutil
from hashlib import sha256
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from tqdm import tqdm

from . import assignment as assignments
from . import check, draw, roster
from .questions import Choice, Function, Number, Numbers, Text

EXAMPLES = """examples:
  python -m exercises release exercises/assignments/hw1.yml --roster roster.csv --out released
  python -m exercises release exercises/assignments/hw1.yml --generic --out released

The first release makes the secret .exercises_salt beside the assignment. Keep a copy of
it: values and marks follow from it. DIR holds nothing secret.
"""
HAND_IN = "Save this notebook under its own name and hand it in as it is."


def arguments(parser):
    parser.add_argument("assignment", type=Path, help="the assignment's YAML file")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--roster", type=Path, help="CSV file with a column `student`")
    who.add_argument("--generic", action="store_true",
                     help="one notebook with the same values for everybody")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where to write")
    parser.add_argument("--salt", type=Path, metavar="FILE", help="the secret of the course")


def run(options):
    assignment = assignments.read(options.assignment)
    students = None if options.generic else roster.read(options.roster)
    salt = assignments.salt(assignment, options.salt, make=True)
    written = write(assignment, salt, students, options.out)
    print(f"{len(written)} notebooks and check.py in {options.out}")
    return 0


def write(assignment, salt, students, out):
    """Write the notebooks and check.py into the folder `out`; the notebooks' paths.

    Parameters
    ----------
    students : list of roster.Student or None
        None: one notebook for everybody, with an empty id to fill in.

    Raises
    ------
    ValueError
        A file of that name is there already and differs: it may be someone's work.
    """
    files = {}
    for student in tqdm(students or [None], unit="notebook", disable=None):
        name, identity = ("", draw.GENERIC) if student is None else (student.name, student.id)
        shown = None if student is None else identity
        made = notebook(assignment, salt, identity, shown, name)
        files[out / file_name(assignment, shown)] = nbformat.writes(made) + "\n"
    for path, text in files.items():
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise ValueError(f"{path} exists and differs; move it away or choose another --out")
    out.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        path.write_text(text, encoding="utf-8")
    shutil.copyfile(check.__file__, out / "check.py")
    return list(files)


def file_name(assignment, student):
    """Return a student's file name: of the id what every system allows, and then a mark."""
    if student is None:
        return f"{assignment.id}.ipynb"
    key = draw.normalise(student)
    safe = re.sub(r"[^\w.@+-]+", "_", key)[:60]
    mark = "" if safe == key else "-" + sha256(key.encode()).hexdigest()[:8]
    return f"{assignment.id}-{safe}{mark}.ipynb"


def notebook(assignment, salt, identity, shown, name=""):
    """Return a student's notebook.

    Parameters
    ----------
    identity : str
        The id whose values it holds.
    shown : str or None
        The id it is for; None: the student fills it in.
    """
    cells = [
        new_markdown_cell(_title(assignment, shown, name), id="title"),
        new_code_cell(f"student = {json.dumps(shown, ensure_ascii=False)}" if shown else
                      'student = ""  # your id, as in the list of the course', id="student"),
    ]
    for item in assignment.items:
        values = draw.values(item.question, salt, assignment.id, identity)
        cells += question_cells(item, values)
    cells.append(new_markdown_cell(_ending(file_name(assignment, shown)), id="before-you-hand-in"))
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel,
                                               "language_info": {"name": "python"}})


def question_cells(item, values):
    """Return a question's text and the cell for its answer."""
    facts = {"column": item.column, "variable": item.variable, "points": item.question.points}
    ask, stub, more = _ASK[type(item.question)](item, values)
    question = item.question
    text = "\n\n".join([
        f"## {item.column} · {question.topic}",
        f"*{question.level} · {_count(question.minutes, 'minute')} · "
        f"{_count(question.points, 'point')} · chapter {question.chapter}*",
        question.fill(question.text.strip(), values), ask,
        check.hidden(facts | more | {"kind": type(question).__name__.lower()})])
    return [new_markdown_cell(text, id=item.column),
            new_code_cell(stub, id=f"{item.column}-answer")]


def _title(assignment, shown, name):
    count = len(assignment.items)
    for_whom = f"For `{shown}`{f', {name}' if name else ''}" if shown else "For everybody"
    facts = {"assignment": assignment.id, "count": count, "student": shown}
    numbers = ("The numbers are yours alone: your neighbours have others."
               if shown else "Put your id into the next cell first.")
    return "\n\n".join(part for part in [
        f"# {assignment.title}",
        f"{for_whom} · {assignment.id} · {_count(count, 'question')} · "
        f"{_count(assignment.minutes, 'minute')} · {_count(assignment.points, 'point')}",
        assignment.intro,
        f"{numbers} Each question is followed by a cell for its answer; keep the name that "
        "stands there. An answer may be a number or the code that computes it; the library "
        "`crossover` is at hand, in grading too. Add cells wherever you like.",
        f"**To hand in:** {assignment.hand_in or HAND_IN}",
        check.hidden(facts)] if part)


def _ending(name):
    return (
        "## Before you hand in\n\nRestart the kernel and run all cells, save, then look the "
        "notebook over in a terminal:\n\n"
        f"```sh\npython check.py {name}\n```\n\n"
        "`check.py` comes with this notebook; in the course's repository "
        "`python -m exercises check` does the same. It runs the notebook on your machine and "
        "looks at names, types, units and ranges. It does not know the answers.")


def _count(number, what):
    return f"{number:g} {what}{'' if number == 1 else 's'}"


def _unit(unit):
    return "without a unit" if unit == "1" else f"in {unit}"


def _bare(unit):
    return "no unit" if unit == "1" else unit


def _number(item, _values):
    question = item.question
    facts = {"unit": question.unit, "low": question.low, "high": question.high}
    return (f"Give `{item.column}` {_unit(question.unit)}.",
            f"{item.column} = None  # {_bare(question.unit)}", facts)


def _numbers(item, _values):
    units = item.question.units
    asked = ", ".join(f"`{name}` ({_bare(unit)})" for name, unit in units.items())
    lines = [f'    "{name}": None,  # {_bare(unit)}' for name, unit in units.items()]
    return (f"Give `{item.column}` with {asked}.",
            "\n".join([f"{item.column} = {{", *lines, "}"]), {"units": dict(units)})


def _choice(item, values):
    options = item.question.options
    listed = "\n".join(f"- **{letter}**: {item.question.fill(text, values)}"
                       for letter, text in options.items())
    letters = ", ".join(f'"{letter}"' for letter in options)
    return (f"{listed}\n\nGive `{item.column}` as a letter.",
            f"{item.column} = None  # one of {letters}", {"options": list(options)})


def _function(item, values):
    question = item.question
    examples = [list(args) for args in question.examples]
    returns = check.kind(question.answer(*question.examples[0], **values))
    calls = ", ".join(f"`{question.name}({', '.join(map(repr, args))})`" for args in examples)
    stub = (f"def {question.name}({question.signature}):\n"
            f'    raise NotImplementedError("{item.column} is not answered yet")')
    return (f"Define `{question.name}({question.signature})`. It returns {returns}. "
            f"`check` tries {calls}; grading tries other arguments.",
            stub, {"examples": examples, "returns": returns})


def _text(item, _values):
    return f"Answer in words, as `{item.column}`.", f'{item.column} = """\n"""', {}


_ASK = {Number: _number, Numbers: _numbers, Choice: _choice, Function: _function, Text: _text}
