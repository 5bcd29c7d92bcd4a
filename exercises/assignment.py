"""An assignment: a YAML file that picks questions of the bank, and its salt.

.. code-block:: yaml

    id: hw1
    title: Where the free tokens end
    intro: One paragraph of Markdown, shown on top.
    hand_in: Upload this file to the course page.
    questions:
      - ridge-point
      - speedup-with-launch
"""

import os
import re
import secrets
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import yaml

from . import bank
from .questions import Function, Question

SALT_FILE = ".exercises_salt"
SALT_VARIABLE = "EXERCISES_SALT"
SHORTEST_SALT = 16


@dataclass(frozen=True)
class Item:
    """One question of an assignment.

    Parameters
    ----------
    column : str
        "q1", "q2", ... in order: heading in the notebook, column of the marks.
    variable : str
        What the student assigns or defines: the column, or a function's own name.
    question : Question
    """

    column: str
    variable: str
    question: Question


@dataclass(frozen=True)
class Assignment:
    """What an assignment's file says. `path` is the file."""

    id: str
    title: str
    intro: str
    hand_in: str
    items: tuple
    path: Path

    @property
    def points(self):
        """The sum of its questions' points."""
        return sum(item.question.points for item in self.items)

    @property
    def minutes(self):
        """The sum of its questions' minutes."""
        return sum(item.question.minutes for item in self.items)


def read(path, questions=None):
    """Return the `Assignment` in the YAML file at `path`.

    Parameters
    ----------
    path : str or Path
    questions : mapping of str to Question, optional
        The bank; by default the one in ``exercises/bank``.

    Raises
    ------
    ValueError
        No such file, not YAML, a key that is missing, unknown or of the wrong kind, a
        question that the bank lacks or that stands twice; the message names the file.
    """
    path = Path(path)
    questions = bank.load() if questions is None else questions
    try:
        fields = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"assignment {path}: {error.strerror}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"assignment {path}: not YAML: {error}") from None
    fields = fields if isinstance(fields, dict) else {}
    unknown = set(fields) - {"id", "title", "intro", "hand_in", "questions"}
    if unknown:
        raise ValueError(f"assignment {path}: unknown key {', '.join(sorted(map(str, unknown)))}")
    for key in ("id", "title"):
        if not isinstance(fields.get(key), str) or not fields[key].strip():
            raise ValueError(f"assignment {path}: {key} = {fields.get(key)!r}: expected words")
    if not re.fullmatch(r"[a-z0-9][a-z0-9_-]*", fields["id"]):
        raise ValueError(f"assignment {path}: id = {fields['id']!r}: expected lower-case "
                         "letters, digits, - and _: it becomes part of file names")
    items = _items(path, fields.get("questions"), questions)
    return Assignment(fields["id"], fields["title"].strip(), str(fields.get("intro") or "").strip(),
                      str(fields.get("hand_in") or "").strip(), items, path)


def _items(path, ids, questions):
    if not isinstance(ids, list) or not ids:
        raise ValueError(f"assignment {path}: questions = {ids!r}: expected a list of ids")
    items = []
    for number, name in enumerate(ids, start=1):
        if not isinstance(name, str) or name not in questions:
            near = get_close_matches(str(name), questions, n=3)
            hint = f"; nearest: {', '.join(near)}" if near else ""
            raise ValueError(f"assignment {path}: the bank has no question {name!r}{hint}")
        question, column = questions[name], f"q{number}"
        variable = question.name if isinstance(question, Function) else column
        if variable in [item.variable for item in items] or question in [
                item.question for item in items]:
            raise ValueError(f"assignment {path}: {name} (as {variable}) stands there twice")
        items.append(Item(column, variable, question))
    return tuple(items)


def salt(assignment, file=None, make=False):
    """Return the course's secret, from which students' values and hidden inputs follow.

    The first of: `file`; the environment's EXERCISES_SALT; the file .exercises_salt
    beside the assignment's.

    Parameters
    ----------
    assignment : Assignment
    file : str or Path, optional
    make : bool
        Make the file if there is none yet. Keep it: who loses it cannot grade.

    Raises
    ------
    ValueError
        No salt, or one of fewer than 16 characters; the message says where it looked.
    """
    path = Path(file) if file else assignment.path.parent / SALT_FILE
    if not file and SALT_VARIABLE in os.environ:
        where, found = SALT_VARIABLE, os.environ[SALT_VARIABLE]
    elif path.is_file():
        where, found = path, path.read_text(encoding="utf-8-sig")
    elif make:
        where, found = path, secrets.token_hex(32)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as handle:
            handle.write(found + "\n")
    else:
        raise ValueError(f"salt: no file {path} and no {SALT_VARIABLE} in the environment; "
                         "give --salt FILE, the one the assignment was released with")
    found = found.strip()
    if len(found) < SHORTEST_SALT:
        raise ValueError(f"salt in {where}: expected at least {SHORTEST_SALT} characters")
    return found
