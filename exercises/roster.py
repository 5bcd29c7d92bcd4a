"""The roster: a CSV file with a student a line."""

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from .draw import normalise

ID_HEADINGS = ("student", "id", "student id", "student_id")
NAME_HEADINGS = ("name", "full name", "full_name")


@dataclass(frozen=True)
class Student:
    """One line of a roster: the id as written there, a name or "", the line's number."""

    id: str
    name: str
    line: int

    @property
    def key(self):
        """The normalised id, by which students are told apart."""
        return normalise(self.id)


def read(path):
    """Return the students of a roster, in its order.

    The first line holds the headings; one of them is ``student`` (or ``id``), one may
    be ``name``; others are passed over. Commas, semicolons or tabs; UTF-8, with or
    without a byte order mark. Blank lines do not count.

    Raises
    ------
    ValueError
        The file cannot be read, has no heading for the id, a line without an id or
        with too many fields, or two forms of one id; the message names file and line.
    """
    (first, heading), *rest = rows(path, "roster")
    headings = [word.strip().casefold() for word in heading]
    at = next((headings.index(word) for word in ID_HEADINGS if word in headings), None)
    if at is None:
        raise ValueError(f"roster {path}, line {first}: no heading `student` among "
                         f"{', '.join(map(repr, heading))}; the first line names the columns, "
                         "as in: student,name")
    named = next((headings.index(word) for word in NAME_HEADINGS if word in headings), None)
    return _students(path, rest, at, named, headings)


def rows(path, what):
    """Return (line number, fields) of every line of a CSV file that is not blank.

    Commas, semicolons or tabs; UTF-8, with or without a byte order mark.

    Parameters
    ----------
    path : str or Path
    what : str
        What the errors call the file.

    Raises
    ------
    ValueError
        The file cannot be read or holds nothing; the message names file and line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ValueError(f"{what} {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[:error.start].count(b"\n") + 1
        raise ValueError(f"{what} {path}, line {line}: not UTF-8; save it as "
                         "\"CSV UTF-8\"") from None
    first = text.lstrip().partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count),
                        strict=True)
    try:
        found = [(reader.line_num, fields) for fields in reader
                 if any(word.strip() for word in fields)]
    except csv.Error as error:
        raise ValueError(f"{what} {path}, line {reader.line_num}: {error}") from None
    if not found:
        raise ValueError(f"{what} {path}: it is empty")
    return found


def check_width(where, fields, headings):
    """Raise ValueError if a line says something that stands under no heading."""
    if any(word.strip() for word in fields[len(headings):]):
        raise ValueError(f"{where}: {len(fields)} fields under {len(headings)} headings")


def _students(path, lines, at, named, headings):
    students, seen = [], {}
    for line, fields in lines:
        where = f"roster {path}, line {line}"
        check_width(where, fields, headings)
        written = fields[at].strip() if at < len(fields) else ""
        try:
            key = normalise(written)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        if key in seen:
            raise ValueError(f"{where}: {written!r} is the same id as {seen[key].id!r} "
                             f"in line {seen[key].line}")
        name = fields[named].strip() if named is not None and named < len(fields) else ""
        seen[key] = Student(written, name, line)
        students.append(seen[key])
    if not students:
        raise ValueError(f"roster {path}: no student below the heading")
    return students
