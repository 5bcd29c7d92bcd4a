"""`key`: what one student drew and should answer, for the instructor's eyes."""

import inspect
import json
import textwrap
from pathlib import Path

import nbformat

from . import assignment as assignments
from . import check, draw, release
from .questions import Choice, Function, Number, Numbers, Text, shown

EXAMPLES = """examples:
  python -m exercises key exercises/assignments/hw1.yml --student amal
  python -m exercises key exercises/assignments/hw1.yml --student amal --notebook key.ipynb

With --notebook: also the student's notebook, filled in with the answers; handed in, it
earns full marks. Students must see neither.
"""


def arguments(parser):
    parser.add_argument("assignment", type=Path, help="the assignment's YAML file")
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("--student", metavar="ID", help="the student's id, in any form")
    who.add_argument("--generic", action="store_true", help="after release --generic")
    parser.add_argument("--salt", type=Path, metavar="FILE", help="the secret of the course")
    parser.add_argument("--notebook", type=Path, metavar="FILE", help="write the filled notebook")


def run(options):
    assignment = assignments.read(options.assignment)
    salt = assignments.salt(assignment, options.salt)
    student = draw.GENERIC if options.generic else options.student
    print(key(assignment, salt, student))
    if options.notebook:
        made = solved(assignment, salt, student)
        options.notebook.write_text(nbformat.writes(made) + "\n", encoding="utf-8")
    return 0


def key(assignment, salt, student):
    """Return the worked answers of one student, in Markdown."""
    parts = [f"# Key to {assignment.id} for {student}"]
    for item in assignment.items:
        question = item.question
        values = draw.values(question, salt, assignment.id, student)
        drawn = ", ".join(f"{name} = {shown(value)}" for name, value in values.items())
        parts += [f"## {item.column} · {question.id}",
                  f"Values: {drawn or 'none'}.", _answer(question, values)]
        if question.worked:
            parts.append(question.worked(**values).strip())
        mistakes = _mistakes(question, values)
        if mistakes:
            parts.append("Named mistakes:\n\n" + "\n".join(mistakes))
    return "\n\n".join(parts)


def _answer(question, values):
    if isinstance(question, Number):
        return f"Answer: **{question.answer(**values):.6g}** {question.unit}"
    if isinstance(question, Numbers):
        answer = question.answer(**values)
        return "Answer: " + ", ".join(f"{name} = **{answer[name]:.6g}** {unit}"
                                      for name, unit in question.units.items())
    if isinstance(question, Choice):
        letter = question.answer(**values)
        return f"Answer: **{letter}**, {question.fill(question.options[letter], values)}"
    if isinstance(question, Text):
        return f"Marked by hand:\n\n{question.rubric.strip()}"
    source = textwrap.dedent(inspect.getsource(question.answer)).strip()
    calls = [f"- `{question.name}({', '.join(map(repr, args))})` gives "
             f"`{question.answer(*args, **values)}`" for args in question.examples]
    return f"Reference:\n\n```python\n{source}\n```\n\n" + "\n".join(calls)


def _mistakes(question, values):
    if isinstance(question, Choice):
        return [f"- {letter}: {feedback}" for letter, feedback in question.wrong.items()
                if letter != question.answer(**values)]
    lines = []
    for mistake in getattr(question, "wrong", ()):
        gives = ""
        if isinstance(question, Number):
            gives = f" gives {mistake.formula(**values):.6g}"
        elif isinstance(question, Numbers):
            gives = " gives " + ", ".join(f"{name} = {value:.6g}" for name, value
                                          in mistake.formula(**values).items())
        lines.append(f"- {mistake.name}{gives}: {mistake.feedback}")
    return lines


def solved(assignment, salt, student):
    """Return the student's notebook with the answers filled in.

    A function is a table of the hidden cases: the reference itself lives in the bank.
    """
    generic = student == draw.GENERIC
    notebook = release.notebook(assignment, salt, student, None if generic else student)
    cells = {cell.id: cell for cell in notebook.cells}
    if generic:
        cells["student"].source = f'student = "{draw.GENERIC}"'
    for item in assignment.items:
        question = item.question
        values = draw.values(question, salt, assignment.id, student)
        if isinstance(question, Function):
            cases = draw.inputs(question, salt, assignment.id, student)
            source = _table(question, values, [*cases, *question.examples])
        elif isinstance(question, Text):
            source = f"{item.column} = {json.dumps('See the rubric.')}"
        else:
            source = f"{item.column} = {written(question.answer(**values))}"
        cells[f"{item.column}-answer"].source = source
    return notebook


def written(result):
    """Return a result as Python writes it, NumPy's scalars as plain numbers."""
    if isinstance(result, dict):
        pairs = (f"{name!r}: {written(value)}" for name, value in result.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(result, (list, tuple)):
        return "[" + ", ".join(map(written, result)) + "]"
    return repr(check.plain(result))


def _table(question, values, cases):
    # arguments may be lists, so the table goes by how they are written
    rows = []
    for args in cases:
        called = repr(json.loads(json.dumps(args)))
        rows.append(f"    {called!r}: {written(question.answer(*args, **values))},")
    return "\n".join(["results = {", *rows, "}", "", "",
                      f"def {question.name}(*args):", "    return results[repr(list(args))]"])
