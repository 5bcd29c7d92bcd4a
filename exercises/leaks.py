"""What only the instructor should know, looked for in files that students get."""

import ast
import inspect
import json
import re
import sys
from pathlib import Path

from . import check, draw
from .compare import agrees
from .questions import Choice, Function, Number, Numbers, Text

SHORTEST_LINE = 30  # shorter lines of code stand in many places
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w|\.\d)", re.IGNORECASE)
PUBLIC = {"assignment", "count", "student", "column", "variable", "points", "kind", "unit",
          "low", "high", "units", "options", "examples", "returns"}


def folder_faults(folder, assignment, salt):
    """Return what is wrong with the released files in `folder`, a line each.

    Each notebook is searched for the solutions of every question of `assignment` and
    for the answers and hidden inputs of the student it says it is for.
    """
    solutions = [solution(item.question) for item in assignment.items]
    solutions.append(((salt, "exercises.bank", "from ..questions"), ()))
    found, notebooks = [], 0
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.name == "check.py":
            if path.read_bytes() != Path(check.__file__).read_bytes():
                found.append(f"{path.name} is not the course's")
        elif path.suffix != ".ipynb":
            found.append(f"{path.relative_to(folder)} is not part of a release")
        else:
            notebooks += 1
            notebook = check.load(path)
            student = check.facts_of(notebook)[0].get("student") or draw.GENERIC
            drawn = list(_drawn(assignment, salt, student))
            found += [f"{path.name}: {fault}"
                      for fault in notebook_faults(notebook, solutions, drawn)]
    return found if notebooks else [*found, f"{folder} holds no notebook"]


def notebook_faults(notebook, solutions, drawn):
    """Return what stands in a notebook that must not.

    Parameters
    ----------
    solutions : list of (texts, code)
        As `solution` gives them.
    drawn : list of (name, value, numbers that may stand there)
        Answers, as numbers, and hidden inputs, as text.
    """
    text = "\n".join(cell.source for cell in notebook.cells)
    everything = spaced(text + "\n" + json.dumps(notebook, ensure_ascii=False))
    found = [f"holds {secret[:60]!r}" for known in solutions
             for secret in standing(known, everything)]
    found += ["a cell has outputs" for cell in notebook.cells if cell.get("outputs")]
    for facts in check.FACTS.findall(text):
        found += [f"tells {key!r}" for key in sorted(set(json.loads(facts)) - PUBLIC)]
    numbers = {float(word) for word in NUMBER.findall(everything) if _digits(word) >= 3}
    for name, expected, public in drawn:
        if isinstance(expected, str):
            if re.search(rf"(?<![\d.]){re.escape(expected)}(?![\d.])", everything):
                found.append(f"holds {name}")
        elif any(agrees(number, expected, 5e-4) for number in numbers - public):
            found.append(f"holds {name}")
    return list(dict.fromkeys(found))


def _drawn(assignment, salt, student):
    """Yield (what it is, an answer or a hidden input, numbers that may stand there)."""
    drawn = [(item, draw.values(item.question, salt, assignment.id, student))
             for item in assignment.items]
    public = set()
    for item, values in drawn:
        parts = [item.question.fill(part, values) for part in item.question.parts()]
        public |= {float(word) for part in parts for word in NUMBER.findall(part)}
        if isinstance(item.question, Number):
            public |= {float(item.question.low), float(item.question.high)}
    for item, values in drawn:
        question = item.question
        name = f"the answer of {item.column} for {student}"
        if isinstance(question, Number):
            yield name, float(question.answer(**values)), public
        elif isinstance(question, Numbers):
            for value in question.answer(**values).values():
                yield name, float(value), public
        elif isinstance(question, Function):
            shown = {json.dumps(args) for args in question.examples}
            for args in draw.inputs(question, salt, assignment.id, student):
                called = json.dumps(args)
                if called not in shown and sum(map(str.isdigit, called)) >= 4:
                    hidden = f"a hidden input of {item.column} for {student}"
                    yield hidden, called[1:-1], public


def _digits(word):
    """Return how many digits of a number are significant: 3 in 0.240, 2 in 240."""
    digits = re.sub(r"e.*|[^\d.]", "", word.lower())
    return len((digits if "." in digits else digits.rstrip("0")).replace(".", "").lstrip("0"))


def solution(question):
    """Return the texts and the lines of code that only the instructor may see, spaces even.

    Texts are feedback and the rubric's paragraphs; code is that of every function in the
    question's file.
    """
    if isinstance(question, Text):
        texts = re.split(r"\n\s*\n", question.rubric.strip())
    elif isinstance(question, Choice):
        texts = list(question.wrong.values())
    else:
        texts = [mistake.feedback for mistake in question.wrong]
    callables = [getattr(question, name, None) for name in ("answer", "worked", "inputs")]
    if not isinstance(question, (Choice, Text)):
        callables += [mistake.formula for mistake in question.wrong]
    modules = {getattr(function, "__module__", None) for function in callables if function}
    code = [line for module in sorted(filter(None, modules))
            if module.partition(".")[0] != "crossover"
            for line in code_lines(inspect.getsource(sys.modules[module]))]
    return tuple(tuple(spaced(word).strip() for word in dict.fromkeys(words))
                 for words in (texts, code))


def standing(known, text):
    """Return what of a solution stands in `text`, which has its spaces even.

    One line of code alone may be a call of the library that any page makes, so it takes
    two, or all there are.
    """
    texts, code = known
    lines = [line for line in code if line in text]
    told = [words for words in texts if words in text]
    return told + (lines if lines and len(lines) >= min(2, len(code)) else [])


def code_lines(source):
    """Return the longer lines of the functions and lambdas in `source`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            body = node.body if isinstance(node.body, list) else [node]
            for part in body:
                lines = ast.get_source_segment(source, part).splitlines()
                found += [line.strip() for line in lines if len(line.strip()) >= SHORTEST_LINE]
    return found


def spaced(text):
    """Return `text` with every run of white space as one space."""
    return re.sub(r"\s+", " ", text)
