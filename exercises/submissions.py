"""What was handed in: the files of a folder, the cells of each, and whose it is."""

import ast
import json
import os
import re
import stat
import warnings
from dataclasses import dataclass, field
from pathlib import Path

from . import roster
from .check import FACTS
from .draw import normalise
from .release import file_name

LARGEST = 200 << 20  # bytes
SHOWN = 3  # other ids or assignments that a note names
SKIPPED = ("__MACOSX", "__pycache__")
STUDENT = re.compile(r"""^student\s*=\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", re.MULTILINE)


@dataclass
class Submission:
    """One file.

    Parameters
    ----------
    name : str
        Its path below the folder, with forward slashes.
    path : Path
    cells : list of str
        The source of its code cells.
    claims : list of str
        The ids that the notebook gives as its student's, as written, each once.
    assignments : list of str
        The ids of the assignments that it says it is of.
    fault : str
        Why it cannot be read, or "".
    """

    name: str
    path: Path
    cells: list = field(default_factory=list)
    claims: list = field(default_factory=list)
    assignments: list = field(default_factory=list)
    fault: str = ""


def collect(folder):
    """Return (name, path) of every file below `folder`, or of the one file it is, by name.

    Hidden files are passed over, and what archives of macOS add.

    Raises
    ------
    ValueError
        There is no such folder or file, or no file in the folder.
    """
    folder = Path(folder)
    if not folder.is_dir():
        if not folder.exists():
            raise ValueError(f"submissions {folder}: no such folder")
        return [(folder.name, folder)]
    found = []
    for here, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        found += [Path(here, name) for name in files if not name.startswith(".")]
    if not found:
        raise ValueError(f"submissions {folder}: no file in it; hidden ones do not count")
    return sorted((path.relative_to(folder).as_posix(), path) for path in found)


def read(name, path):
    """Return the `Submission` in a file; what is wrong with it goes into `fault`."""
    submission = Submission(name, path)
    try:
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("not a plain file")
        if about.st_size > LARGEST:
            raise ValueError(f"larger than {LARGEST >> 20} MB: clear its outputs")
        text = path.read_text(encoding="utf-8-sig")
        if not text.strip():
            raise ValueError("it is empty")
        _take(text, submission)
    except OSError as error:
        submission.fault = error.strerror
    except UnicodeDecodeError:
        submission.fault = "not a notebook: not UTF-8 text"
    except ValueError as error:
        submission.fault = str(error)
    return submission


def cells_of(text):
    """Return (kind, source) of each cell of a notebook of any format.

    Only what a cell says is looked at: `nbformat` would refuse a notebook whose
    metadata somebody has stripped.

    Raises
    ------
    ValueError
        It is no notebook.
    """
    try:
        notebook = json.loads(text)
        sheets = notebook.get("worksheets", [notebook])  # before format 4
        cells = [(cell["cell_type"], cell["source" if "source" in cell else "input"])
                 for sheet in sheets for cell in sheet["cells"]]
        return [(kind, "".join(source)) for kind, source in cells]
    except json.JSONDecodeError as error:
        raise ValueError(f"not a notebook: {error.msg} in line {error.lineno}") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ValueError(f"not a notebook ({type(error).__name__})") from None


def _take(text, submission):
    texts = {"code": [], "markdown": []}
    for kind, source in cells_of(text):
        texts.setdefault(kind, []).append(source)
    submission.cells = texts["code"]
    claims = [_literal(found) for text in texts["code"] for found in STUDENT.findall(text)]
    for found in (found for text in texts["markdown"] for found in FACTS.findall(text)):
        try:
            facts = json.loads(found)
        except (ValueError, RecursionError):
            continue
        if isinstance(facts.get("student"), str):
            claims.append(facts["student"])
        if isinstance(facts.get("assignment"), str):
            submission.assignments.append(facts["assignment"])
    submission.claims = list({key: claim for claim in reversed(claims)
                              if (key := key_of(claim))}.values())[::-1]


def _literal(source):
    """Return the string that a literal of Python says, or "" if it is none."""
    with warnings.catch_warnings(action="ignore"):  # of "\\d", which is meant as it stands
        try:
            return ast.literal_eval(source)
        except (ValueError, SyntaxError):
            return ""


def key_of(written):
    """Return the normalised form of an id that someone wrote, or "" if it is none."""
    try:
        key = normalise(written)
        key.encode()  # half a character, as JSON can hold it, is no part of an id
    except ValueError:
        return ""
    return key


def read_map(path):
    """Return the ids by file of a CSV file with the headings ``file`` and ``student``.

    A file is named by its path below the folder, by its name alone, or by the folder
    that it is in.

    Raises
    ------
    ValueError
        The file cannot be read, or a line lacks one of the two or has too many fields; the
        message names file and line.
    """
    (first, heading), *rest = roster.rows(path, "map")
    headings = [word.strip().casefold() for word in heading]
    if not {"file", "student"} <= set(headings):
        raise ValueError(f"map {path}, line {first}: expected the headings file,student")
    found = {}
    for line, fields in rest:
        roster.check_width(f"map {path}, line {line}", fields, headings)
        row = dict(zip(headings, map(str.strip, fields), strict=False))
        if not row.get("file") or not key_of(row.get("student", "")):
            raise ValueError(f"map {path}, line {line}: expected a file and an id")
        found[row["file"]] = row["student"]
    return found


@dataclass
class Ids:
    """Tells whose a submission is.

    Parameters
    ----------
    assignment : Assignment
    roster : list of roster.Student
        May be empty.
    pattern : re.Pattern, optional
        Finds the id in a file's name: its group ``id``, or its first group.
    files : dict
        File to id, see `read_map`.
    """

    assignment: object
    roster: list
    pattern: re.Pattern | None = None
    files: dict = field(default_factory=dict)

    def __post_init__(self):
        self.written = {student.key: student.id for student in self.roster}
        self.released = {file_name(self.assignment, student.id): student.id
                         for student in self.roster}

    def owner(self, submission):
        """Return the id, as the roster writes it, or "", and what is wrong about it.

        The map and the pattern outweigh what the notebook says of itself.
        """
        wrong = []
        owner = self._given(submission)
        if not owner:
            if self.pattern or self.files:
                wrong.append("neither its name nor the map tells whose it is")
            owner = next(iter(submission.claims), self.released.get(Path(submission.name).name, ""))
        others = [claim for claim in submission.claims if key_of(claim) != key_of(owner)]
        if not owner:
            wrong.append("it does not say whose it is")
        elif others:
            wrong.append(f"graded as {owner}; it also says it is {' and '.join(others[:SHOWN])}")
        if owner and self.roster and key_of(owner) not in self.written:
            wrong.append(f"{owner} is not on the roster")
        for other in sorted(set(submission.assignments) - {self.assignment.id})[:SHOWN]:
            wrong.append(f"it says it is of {other[:60]}, not of {self.assignment.id}")
        return self.written.get(key_of(owner), owner), wrong

    def _given(self, submission):
        name = submission.name
        for known in (name, Path(name).name, *(part.name for part in Path(name).parents)):
            if known in self.files:
                return self.files[known]
        found = self.pattern.search(name) if self.pattern else None
        if not found:
            return ""
        groups = found.groupdict()
        written = groups["id"] if "id" in groups else found[1 if self.pattern.groups else 0]
        return written if key_of(written or "") else ""
