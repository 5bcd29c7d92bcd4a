"""From what a run handed back to a row of marks, and to feedback for the student."""

import csv
import io
import os
from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from . import draw
from .compare import Raised, compare
from .questions import Function
from .release import file_name
from .run import word

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute


@dataclass
class Row:
    """One line of the marks.

    Parameters
    ----------
    student : str
    status : str
        "ok", "timeout", "crashed", "unreadable", "id-mismatch" or "missing".
    notes : list of str
    points : list
        One an item: a number, or None for what is not graded or marked by hand.
    feedback : list of str
        One an item.
    file : str
        The submission's name, or "".
    """

    student: str
    status: str
    notes: list = field(default_factory=list)
    points: list = field(default_factory=list)
    feedback: list = field(default_factory=list)
    file: str = ""

    @property
    def total(self):
        """The sum of the points, or None if nothing was graded."""
        given = [points for points in self.points if points is not None]
        return sum(given) if given else None


def work_for(assignment, salt, identity):
    """Return the names to collect and the functions to call for a student's submission."""
    names, functions = ["student"], []
    for item in assignment.items:
        if isinstance(item.question, Function):
            cases = draw.inputs(item.question, salt, assignment.id, identity)
            functions.append({"name": item.variable, "inputs": [list(args) for args in cases]})
        else:
            names.append(item.variable)
    return names, functions


def mark(assignment, salt, identity, outcome, row):
    """Put points and feedback for an `Outcome` into a row."""
    for item in assignment.items:
        values = draw.values(item.question, salt, assignment.id, identity)
        if isinstance(item.question, Function):
            cases = draw.inputs(item.question, salt, assignment.id, identity)
            handed_in = _results(outcome.results.get(item.variable), len(cases))
        else:
            cases, handed_in = None, _opened(outcome.values.get(item.variable))
        try:
            share, words = compare(item.question, values, handed_in, cases)
        except Exception as error:  # one answer never stops the others
            share, words = 0.0, "It could not be compared with the answer."
            row.notes.append(f"{item.column}: comparing raised {type(error).__name__}")
            row.status = "crashed" if row.status == "ok" else row.status
        row.points.append(None if share is None else share * item.question.points)
        row.feedback.append(words)


def _opened(value):
    """Return a value as the run told it; a thing of the type that was no plain value, for one."""
    if isinstance(value, dict):
        if list(value) == ["not plain"]:
            return type(word(value["not plain"]), (), {})()
        return {name: _opened(item) for name, item in value.items()}
    return [_opened(item) for item in value] if isinstance(value, list) else value


def _results(told, count):
    if told is None:
        return None
    results = [_opened(item["value"]) if isinstance(item, dict) and "value" in item
               else Raised(word(item.get("raised") if isinstance(item, dict) else item))
               for item in told[:count]]
    return results + [Raised("stopped before it was reached")] * (count - len(results))


def table(assignment, rows):
    """Return the marks as CSV text."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns = [item.column for item in assignment.items]
    writer.writerow(["student", "status", *columns, "total", "notes"])
    for row in rows:
        points = row.points or [None] * len(columns)
        writer.writerow([_safe(row.student), row.status, *map(_shown, points),
                         _shown(row.total), _safe("; ".join(row.notes))])
    return text.getvalue()


def _shown(points):
    return "" if points is None else f"{round(points, 4):g}"


def _safe(text):
    """Return a cell's text so that no spreadsheet takes it for a formula."""
    text = " ".join(text.split())
    return f"'{text}" if text.startswith(FORMULA) else text


def write(path, text):
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8", errors="backslashreplace")
    os.replace(part, path)


def write_feedback(folder, assignment, rows):
    """Write a Markdown file for each submission that was graded; no answer stands in it."""
    graded = [row for row in rows if row.points]
    names = [Path(file_name(assignment, row.student)).stem for row in graded]
    count = Counter(names)  # not of ids: one may be written in several forms
    for row, name in zip(graded, names, strict=True):
        if count[name] > 1:
            name += f"-{sha256(row.file.encode()).hexdigest()[:8]}"
        lines = [f"# {assignment.title}", f"`{row.student}` · {row.file}",
                 f"**{_shown(row.total)} of {assignment.points:g} points**"
                 + (", without what is marked by hand" if None in row.points else "")]
        lines += [f"- {note}" for note in row.notes]
        for item, points, words in zip(assignment.items, row.points, row.feedback, strict=True):
            given = "by hand" if points is None else _shown(points)
            lines += [f"## {item.column} · {item.question.topic}",
                      f"{given} of {item.question.points:g}. {words}"]
        write(folder / f"{name}.md", "\n\n".join(lines) + "\n")
