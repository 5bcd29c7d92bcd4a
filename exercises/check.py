"""Look over your own notebook before you hand it in.

Usage: python check.py mynotebook.ipynb

Runs the notebook here, as it stands, and looks at what it leaves behind: names, types,
ranges, units, the cells' errors and times. It knows what the notebook says of each
question and nothing more, so it cannot tell whether an answer is right.

This file needs nothing else of the course: it is handed out with the notebooks.
"""

import argparse
import json
import math
import os
import re
import sys
import time
from pathlib import Path

import nbformat

EXAMPLES = """examples:
  python -m exercises check hw1-amal.ipynb
"""
FACTS = re.compile(r"<!-- check (\{.*?\}) -->")
NOT_ANSWERED = "not answered yet"


def arguments(parser):
    parser.add_argument("notebook", type=Path, help="the notebook to look over")
    parser.add_argument("--cell-timeout", type=float, default=10, metavar="SECONDS",
                        help="name cells that take longer; the grader stops them (10)")


def run(options):
    notebook = load(options.notebook)
    head, questions = facts_of(notebook)
    values, remarks = execute(notebook, options.notebook.resolve().parent, options.cell_timeout)
    remarks = student_remarks(head, values) + remarks
    answered = 0
    for question in questions:
        words = look_at(question, values)
        answered += not words
        points = f"{question['points']:g} point{'s' * (question['points'] != 1)}"
        print(f"{question['column']:>4}  {points:<10} {words or 'has the right form'}")
    for column in expected_columns(head, questions):
        remarks.append(f"the text of {column} is gone; its answer still counts, but check "
                       "cannot look at it")
    for remark in remarks:
        print(f"note: {remark}")
    print(f"{answered} of {head.get('count', len(questions))} questions have an answer of the "
          "right form. Whether it is right, only grading tells.")
    return 0 if answered == head.get("count") and not remarks else 3


def load(path):
    """Return the notebook at `path`, of any format; ValueError if it is none."""
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except Exception as error:  # nbformat has no common base for what it finds wrong
        raise ValueError(f"{path}: not a notebook: {error}") from None


def hidden(facts):
    """Return `facts` as a comment of Markdown, which notebooks do not show."""
    return f"<!-- check {json.dumps(facts, sort_keys=True).replace('>', chr(92) + 'u003e')} -->"


def facts_of(notebook):
    """Return the facts of the assignment and of each question that its texts hold."""
    texts = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    try:
        found = [json.loads(match) for text in texts for match in FACTS.findall(text)]
    except json.JSONDecodeError as error:
        raise ValueError(f"a line `<!-- check ... -->` of this notebook is damaged: {error}; "
                         "copy it from the notebook that was handed out") from None
    questions = {facts["column"]: facts for facts in found if "column" in facts}
    if not questions:
        raise ValueError("this notebook has no questions; is it one that was handed out?")
    head = [facts for facts in found if "assignment" in facts]
    return (head or [{}])[0], list(questions.values())


def expected_columns(head, questions):
    here = {question["column"] for question in questions}
    columns = [f"q{number + 1}" for number in range(head.get("count", 0))]
    return [column for column in columns if column not in here]


def execute(notebook, folder, limit):
    """Run the code cells in `folder`; the names they leave, and remarks.

    A cell that raises is remarked on, and the next ones run all the same.
    """
    os.environ["MPLBACKEND"] = "agg"  # no windows
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    class Shell(InteractiveShell):
        def enable_gui(self, gui=None):
            """`%matplotlib inline` asks for one; there is no window here."""

    InteractiveShell.clear_instance()
    shell = Shell.instance(config=Config(HistoryManager={"enabled": False}))
    before, remarks = Path.cwd(), []
    os.chdir(folder)
    try:
        cells = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
        for number, source in enumerate(cells, start=1):
            start = time.perf_counter()
            with capture_output():
                result = shell.run_cell(source, store_history=False)
            seconds = time.perf_counter() - start
            error = result.error_before_exec or result.error_in_exec
            if error is not None:
                remarks.append(f"code cell {number} raises {type(error).__name__}: {error}")
            if seconds > limit:
                remarks.append(f"code cell {number} takes {seconds:.0f} s; the grader stops a "
                               f"cell after {limit:g} s")
    finally:
        os.chdir(before)
    return shell.user_ns, remarks


def student_remarks(head, values):
    student = values.get("student")
    if not isinstance(student, str) or not student.strip():
        return ['your id is missing: the first code cell says student = "..."']
    if head.get("student") and student != head["student"]:
        return [f'these are the numbers of {head["student"]!r}, but student = {student!r}']
    return []


def look_at(question, values):
    """Return what is wrong with the form of an answer, or ""."""
    value = values.get(question["variable"])
    if value is None:
        return NOT_ANSWERED
    return LOOK[question["kind"]](question, value)


def _number(question, value):
    wrong = number_fault(value)
    if wrong:
        return f"expected a number in {question['unit']}, but it is {wrong}"
    if not question["low"] <= value <= question["high"]:
        return (f"{value:.6g} is outside {question['low']:g} to {question['high']:g}: "
                f"is it in {question['unit']}?")
    return ""


def _numbers(question, value):
    if not isinstance(value, dict):
        return f"expected a dict, but it is {kind(value)}"
    if all(value.get(name) is None for name in question["units"]):
        return NOT_ANSWERED
    faults = []
    for name, unit in question["units"].items():
        wrong = NOT_ANSWERED if value.get(name) is None else number_fault(value[name])
        if wrong:
            faults.append(f"{name} (in {unit}): {wrong}")
    faults += [f"{name!r}: no such name is asked for" for name in value
               if name not in question["units"]]
    return "; ".join(faults)


def _choice(question, value):
    if isinstance(value, str) and value.strip().casefold() in question["options"]:
        return ""
    return f"expected one of the letters {', '.join(question['options'])}, as a string"


def _text(_question, value):
    if not isinstance(value, str):
        return f"expected words, but it is {kind(value)}"
    return "" if value.strip() else NOT_ANSWERED


def _function(question, value):
    if not callable(value):
        return f"expected a function, but it is {kind(value)}"
    for args in question["examples"]:
        call = f"{question['variable']}({', '.join(map(repr, args))})"
        try:
            result = value(*args)
        except NotImplementedError:
            return NOT_ANSWERED
        except Exception as error:
            return f"{call} raises {type(error).__name__}: {error}"
        if kind(result) != question["returns"]:
            return f"{call} gives {kind(result)}, expected {question['returns']}"
    return ""


def plain(value):
    """Return NumPy's scalars and arrays as numbers and lists, anything else as it is."""
    is_numpy = type(value).__module__ == "numpy" and hasattr(value, "tolist")
    return value.tolist() if is_numpy else value


def number_fault(value):
    """Return why `value` is not a finite real number, or ""."""
    value = plain(value)
    if type(value) not in (int, float):
        return kind(value)
    return "" if is_finite(value) else "not finite"


def is_finite(number):
    """Return whether an int or float is finite as a float."""
    try:
        return math.isfinite(number)
    except OverflowError:  # an int beyond the largest float
        return False


def kind(value):
    """Return in words what a result is: "a number", "a list of numbers", "a str"."""
    value = plain(value)
    if isinstance(value, (list, tuple)):
        kinds = sorted({re.sub(r"^a (\w+)", r"\1s", kind(member)) for member in value})
        return f"a list of {' and '.join(kinds)}" if kinds else "an empty list"
    if isinstance(value, bool):
        return "a bool"
    if isinstance(value, (int, float)):
        return "a number" if is_finite(value) else "a number that is not finite"
    return "None" if value is None else f"a {type(value).__name__}"


LOOK = {"number": _number, "numbers": _numbers, "choice": _choice, "text": _text,
        "function": _function}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[2],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments(parser)
    try:
        sys.exit(run(parser.parse_args()))
    except ValueError as error:
        sys.exit(f"error: {error}")
