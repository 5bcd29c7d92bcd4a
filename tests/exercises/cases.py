"""Submissions that are right, wrong, odd or broken, each with its expected row."""

import json
from textwrap import dedent

from .sample import RIGHT, answer, changed, facts, notebook, right

CELL_SECONDS = 4
Q1_WRONG, Q2_HALF = [0, 2, 1, 4, None], [1, 1, 1, 4, None]
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
