"""`grade`: run every submission in a sandbox of its own, compare here, write the marks.

The submissions' processes get cells and inputs, and hand back plain values. Answers,
salt and bank stay in this one.
"""

import re
import sys
from collections import Counter
from pathlib import Path

import joblib
from tqdm import tqdm

from . import assignment as assignments
from . import draw, marks, roster, sandbox, submissions, workload
from . import run as runs

EXAMPLES = """examples:
  python -m exercises grade exercises/assignments/hw1.yml submissions -o grades.csv -j 4
  python -m exercises grade hw1.yml submissions -o grades.csv --roster roster.csv --feedback out
  python -m exercises grade hw1.yml moodle -o grades.csv --id-regex '([a-z0-9]+)_assign'
  python -m exercises grade hw1.yml submissions -o grades.csv --resume

A row for each submission: ok, timeout, crashed, unreadable or id-mismatch; with --roster also
for each student without one: missing. What ran before a timeout or a crash counts.
Exit code: 0 all ok, 3 some are not, 2 wrong use, 130 interrupted (go on with --resume).
"""


def arguments(parser):
    limits = sandbox.Limits()
    parser.add_argument("assignment", type=Path, help="the assignment's YAML file")
    parser.add_argument("submissions", type=Path, help="folder of notebooks, at any depth")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="CSV",
                        help="where the marks go")
    parser.add_argument("-j", "--jobs", type=int, default=joblib.cpu_count(), metavar="N",
                        help="submissions at once (the number of cores that it may use)")
    parser.add_argument("--timeout", type=float, default=limits.seconds, metavar="SECONDS",
                        help=f"for a whole notebook ({limits.seconds:g})")
    parser.add_argument("--cell-timeout", type=float, default=limits.cell_seconds,
                        metavar="SECONDS", help="for one cell, and for one function on all its "
                        f"hidden inputs ({limits.cell_seconds:g})")
    parser.add_argument("--roster", type=Path, help="CSV file with a column `student`: order of "
                        "the rows, and who is missing")
    parser.add_argument("--id-regex", metavar="REGEX",
                        help="finds the id in a file's path: the group `id`, or the first one")
    parser.add_argument("--map", type=Path, metavar="CSV", help="whose each file is: columns "
                        "file,student")
    parser.add_argument("--feedback", type=Path, metavar="DIR",
                        help="write a Markdown file for each student, without answers")
    parser.add_argument("--generic", action="store_true",
                        help="the assignment was released with --generic")
    parser.add_argument("--salt", type=Path, metavar="FILE", help="the secret of the course")
    parser.add_argument("--resume", action="store_true",
                        help="keep what an interrupted run has finished")
    parser.add_argument("--dask", metavar="ADDRESS", help="grade on the Dask cluster whose "
                        "scheduler is there; its workers start in this folder")
    parser.add_argument("--allow-unsandboxed", action="store_true",
                        help="grade even where bubblewrap does not work. " + sandbox.LOST)


def run(options):
    """Grade; return the exit code."""
    if options.jobs < 1:
        raise ValueError(f"--jobs {options.jobs}: expected at least 1")
    _check_places(options)
    limits = sandbox.Limits(seconds=options.timeout, cell_seconds=options.cell_timeout)
    assignment = assignments.read(options.assignment)
    salt = assignments.salt(assignment, options.salt)
    students = roster.read(options.roster) if options.roster else []
    ids = submissions.Ids(assignment, students, _pattern(options.id_regex),
                          submissions.read_map(options.map) if options.map else {})
    found = submissions.collect(options.submissions)
    rows, works = _read(found, ids, salt, options.generic)
    journal = workload.Journal(options.output, options.resume)
    with workload.cluster(options.dask) as client:
        try:
            sandboxed = _sandboxed(options, client)
        except sandbox.NoSandbox as error:
            print(f"error: {error}\nOr give --allow-unsandboxed. {sandbox.LOST}", file=sys.stderr)
            return 2
        done = set(range(len(rows))) - set(works)
        bar = tqdm(total=len(rows), initial=len(done), unit="notebook", disable=None)
        try:
            for number, outcome in workload.outcomes(works, limits, sandboxed, options.jobs,
                                                     journal, client):
                _finish(rows[number], outcome, assignment, salt, options.generic)
                done.add(number)
                bar.update()
        except KeyboardInterrupt:
            rows = _in_order([rows[number] for number in done], students)
            _write(options, assignment, rows)
            print(f"interrupted: {len(rows)} of {len(found)} submissions are in {options.output}; "
                  "go on with --resume", file=sys.stderr)
            return 130
        finally:
            bar.close()
    _note_twins(rows)
    handed_in = {submissions.key_of(row.student) for row in rows}
    rows += [marks.Row(student.id, "missing", ["nothing handed in"]) for student in students
             if student.key not in handed_in]
    rows = _in_order(rows, students)
    _write(options, assignment, rows)
    journal.remove()
    counts = Counter(row.status for row in rows)
    print(f"{len(rows)} rows in {options.output}: "
          + ", ".join(f"{count} {status}" for status, count in sorted(counts.items())))
    return 0 if set(counts) <= {"ok"} else 3


def _check_places(options):
    """Raise ValueError where the results cannot go: after hours of grading it is too late."""
    if options.output.is_dir():
        raise ValueError(f"--output {options.output}: a folder; expected a file for the marks")
    handed_in = options.submissions.resolve()
    for name, folder in (("output", options.output.parent), ("feedback", options.feedback)):
        for place in (folder, *folder.parents) if folder else ():
            if place.exists() and not place.is_dir():
                raise ValueError(f"--{name} {getattr(options, name)}: {place} is no folder")
        if folder and handed_in.is_dir() and folder.resolve().is_relative_to(handed_in):
            raise ValueError(f"--{name} {getattr(options, name)}: inside {options.submissions}, "
                             "so it would be graded with the submissions next time")


def _pattern(text):
    try:
        return re.compile(text) if text else None
    except re.error as error:
        raise ValueError(f"--id-regex {text!r}: {error}") from None


def _sandboxed(options, client):
    """Return whether submissions run in the sandbox; raise NoSandbox if they must not run."""
    secret = [path.resolve() for path in (options.assignment, options.submissions, options.salt)
              if path]
    try:
        if client:
            client.run(workload.require_sandbox, *secret)
        else:
            workload.require_sandbox(*secret)
    except sandbox.NoSandbox as error:
        if not options.allow_unsandboxed:
            raise
        print(f"warning: {error}\n{sandbox.LOST}", file=sys.stderr)
        return False
    return True


def _read(found, ids, salt, generic):
    """Return the row of every submission, and by the row's number the work of those to run."""
    rows, works = [], {}
    for name, path in found:
        submission = submissions.read(name, path)
        owner, wrong = ids.owner(submission)
        row = marks.Row(owner, "id-mismatch" if wrong else "ok", wrong, file=name)
        if submission.fault:
            row.status, row.notes = "unreadable", [f"{name}: {submission.fault}"]
        elif owner:
            names, functions = marks.work_for(ids.assignment, salt, _identity(owner, generic))
            works[len(rows)] = runs.Work(submission.cells, names, functions)
        else:
            row.notes.append(f"not graded: {name}")
        rows.append(row)
    return rows, works


def _identity(owner, generic):
    return draw.GENERIC if generic else owner


def _finish(row, outcome, assignment, salt, generic):
    """Mark what came back."""
    if row.status == "ok":
        row.status = outcome.status
    row.notes += outcome.notes
    said = outcome.values.get("student")
    if isinstance(said, str) and submissions.key_of(said) not in (
            "", submissions.key_of(row.student)) and row.status != "id-mismatch":
        row.status = "id-mismatch"
        row.notes.insert(0, f"graded as {row.student}; when run it says it is {said[:60]}")
    marks.mark(assignment, salt, _identity(row.student, generic), outcome, row)


def _note_twins(rows):
    """Two submissions of one student: both are graded, and somebody must choose."""
    by_student = {}
    for row in rows:
        if row.student and row.status != "unreadable":
            by_student.setdefault(submissions.key_of(row.student), []).append(row)
    for twins in by_student.values():
        for row in twins if len(twins) > 1 else ():
            others = sorted(other.file for other in twins if other is not row)
            row.status = "id-mismatch"
            row.notes.append(f"this is {row.file}; of the same student: {', '.join(others)}")


def _in_order(rows, students):
    place = {student.key: number for number, student in enumerate(students)}
    return sorted(rows, key=lambda row: (
        not row.student, place.get(submissions.key_of(row.student), len(place)),
        submissions.key_of(row.student), row.file))


def _write(options, assignment, rows):
    marks.write(options.output, marks.table(assignment, rows))
    if options.feedback:
        marks.write_feedback(options.feedback, assignment, rows)
