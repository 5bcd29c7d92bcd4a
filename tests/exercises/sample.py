"""A small assignment of every kind of question, and notebooks handed in for it."""

import csv
import json
import math
import os
import shutil
from textwrap import dedent

import pytest

from exercises import check, draw
from exercises.__main__ import main
from exercises.assignment import Assignment, Item
from exercises.questions import Choice, Function, Number, Numbers, Text, Wrong
from exercises.run import Work, run
from exercises.sandbox import Limits

from .conftest import SALT

SETTINGS = {"topic": "a topic", "chapter": "05", "level": "apply", "minutes": 2}
WRONG = "Rate over bandwidth, not the other way round."


def mistakes(*formulas):
    return [Wrong(f"mistake {number}", formula, WRONG) for number, formula in enumerate(formulas)]


def draw_inputs(rng, launch):
    return [(rng.randint(1, 99), rng.random()) for _ in range(6)]


QUESTIONS = [
    Number(id="ridge", points=1, text="{{rate}} {{bandwidth}}", unit="FLOP/B", low=0, high=1e6,
           parameters={"rate": list(range(101, 400, 2)), "bandwidth": [2, 3, 4]},
           answer=lambda rate, bandwidth: rate / bandwidth,
           wrong=mistakes(lambda rate, bandwidth: bandwidth / rate,
                          lambda rate, bandwidth: rate * bandwidth), **SETTINGS),
    Numbers(id="knees", points=2, text="{{gamma}}", units={"one": "1", "two": "1"},
            parameters={"gamma": list(range(2, 90))},
            answer=lambda gamma: {"one": 100 / gamma, "two": 300 / gamma},
            wrong=mistakes(lambda gamma: {"one": gamma}, lambda gamma: {"two": gamma}),
            **SETTINGS),
    Choice(id="which", points=1, text="{{n}}", parameters={"n": [1, 2, 3]},
           options={"a": "yes", "b": "no", "c": "both"}, answer=lambda n: "b",
           wrong={"a": "Not a.", "c": "Not c."}, **SETTINGS),
    Function(id="cost", points=4, text="{{launch}}", parameters={"launch": list(range(5, 99))},
             name="cost", signature="batch, alpha", inputs=draw_inputs, examples=[(1, 0.5)],
             answer=lambda batch, alpha, launch: batch * alpha + launch,
             wrong=mistakes(lambda batch, alpha, launch: batch,
                            lambda batch, alpha, launch: batch * alpha), **SETTINGS),
    Text(id="words", points=3, text="Say why.", rubric="Three reasons.", **SETTINGS),
]
PLENTY = Limits(seconds=120, cell_seconds=60)  # a busy machine is no reason to fail
COLUMNS = [f"q{number + 1}" for number in range(len(QUESTIONS))]
RIGHT = [1, 2, 1, 4, None]
YAML = "id: hw\ntitle: A test\nquestions: [ridge, knees, which, cost, words]\n"


def values(number, student):
    """Return what `student` draws for the question of that number, from 1."""
    return draw.values(QUESTIONS[number - 1], SALT, "hw", student)


def answer(number, student):
    return QUESTIONS[number - 1].answer(**values(number, student))


def right(student):
    """Return the code cells of a student who knows everything."""
    launch = values(4, student)["launch"]
    return [
        f"student = {student!r}",
        f"q1 = {answer(1, student)!r}",
        f"q2 = {answer(2, student)!r}",
        "q3 = 'b'",
        f"def cost(batch, alpha):\n    return batch * alpha + {launch}",
        "q5 = 'Three reasons.'",
    ]


def changed(student, number, source):
    """Return the right cells, with another source in that of question `number`."""
    cells = right(student)
    cells[number] = source
    return cells


def notebook(cells, **more):
    """Return a notebook of those code cells as JSON text."""
    return json.dumps({
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [{"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "outputs": [],
                   "execution_count": None, "source": source} | more
                  for number, source in enumerate(cells)]})


def facts(**told):
    """Return a Markdown cell as a released notebook has it on top."""
    return {"cell_type": "markdown", "id": "title", "metadata": {},
            "source": f"# A test\n\n{check.hidden(told)}"}


def left_in(name, source, limits=PLENTY, **more):
    """Return what a cell of that source leaves in the variable `name`."""
    outcome = run(Work([dedent(source)], [name]), limits, **more)
    assert outcome.status == "ok", outcome.notes
    return outcome.values[name]


def needs_bubblewrap():
    """Skip the test where there is no sandbox, or fail it where CI is set."""
    if shutil.which("bwrap"):
        return
    reason = "no bubblewrap: apt-get install bubblewrap"
    if os.environ.get("CI") == "true":
        pytest.fail(reason, pytrace=False)
    pytest.skip("GRADER NOT TESTED: " + reason)


class Course:
    """A folder with the assignment, its salt and what was handed in."""

    def __init__(self, folder, patch):
        self.folder, self.handed_in = folder, folder / "handed in"
        self.handed_in.mkdir()
        self.assignment, self.salt = folder / "hw.yml", folder / "salt.txt"
        self.assignment.write_text(YAML)
        self.salt.write_text(SALT)
        self.marks = folder / "marks.csv"
        patch.setattr("exercises.bank.load", lambda: {item.id: item for item in QUESTIONS})

    def hand_in(self, name, content):
        path = self.handed_in / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def grade(self, *words):
        """Grade what is there; return the exit code."""
        return main(["grade", str(self.assignment), str(self.handed_in), "-o", str(self.marks),
                     "--salt", str(self.salt), "-j", "2", *map(str, words)])

    def rows(self):
        with open(self.marks, encoding="utf-8", newline="") as handle:
            return list(csv.DictReader(handle))

    def row(self, student):
        found = [row for row in self.rows() if row["student"] == student]
        assert len(found) == 1, f"{len(found)} rows for {student}"
        return found[0]


def items():
    """Return the assignment as `exercises.assignment.read` gives it."""
    named = [Item(column, getattr(question, "name", column), question)
             for column, question in zip(COLUMNS, QUESTIONS, strict=True)]
    return Assignment("hw", "A test", "", "", tuple(named), None)


def points(row):
    """Return the points of a row, None for an empty column."""
    given = [float(row[column]) if row[column] else None for column in COLUMNS]
    total = sum(value for value in given if value is not None)
    assert row["total"] == "" or math.isclose(float(row["total"]), total)
    return given
