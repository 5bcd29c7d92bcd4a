"""The question bank: one file a question, with its answer. Not for students.

Files whose name begins with an underscore are helpers, not questions.
"""

from importlib import import_module
from pathlib import Path

from ..questions import Question

FOLDER = Path(__file__).parent


def load():
    """Return every question of the bank, by id, in order of chapter and id.

    Raises
    ------
    ValueError
        A file without a `question`, or one whose id is not the file's name; the
        message names the file.
    """
    found = []
    for path in sorted(FOLDER.glob("[!_]*.py")):
        question = getattr(import_module(f"{__name__}.{path.stem}"), "question", None)
        if not isinstance(question, Question):
            raise ValueError(f"{path.name}: expected `question = Number(...)` or another kind")
        if question.id.replace("-", "_") != path.stem:
            raise ValueError(f"{path.name}: the question's id is {question.id}; "
                             f"expected {path.stem.replace('_', '-')}")
        found.append(question)
    found.sort(key=lambda question: (question.chapter, question.id))
    return {question.id: question for question in found}
