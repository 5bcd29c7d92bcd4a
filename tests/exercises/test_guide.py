"""The instructor guide says what is so: the assignments' questions, the commands' options."""

import re
import shlex
from pathlib import Path

import pytest

from exercises import __main__, assignment

from .conftest import READY

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "appendices" / "instructor_guide.md").read_text(encoding="utf-8")


def rows(given):
    """The lines of the guide's table for an assignment."""
    for item in given.items:
        q = item.question
        cells = [item.column, type(q).__name__.lower(), q.topic, q.chapter, q.level,
                 f"{q.minutes:g}", f"{q.points:g}"]
        yield f"| {' | '.join(cells)} |"
    yield f"| total | | | | | {given.minutes:g} | {given.points:g} |"


@pytest.mark.parametrize("path", READY, ids=lambda path: path.stem)
def test_the_tables_are_the_assignments(path):
    given = assignment.read(path)
    table = GUIDE.partition(f"**{given.id}, {given.title}**")[2].partition("|\n\n")[0]
    assert (table + "|").splitlines()[4:] == list(rows(given))


def commands():
    """Every command line in the guide, as words."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", GUIDE, re.M | re.S)
    lines = [line for block in blocks for line in block.replace("\\\n", "").splitlines()]
    return [shlex.split(line)[3:] for line in lines if line.startswith("python -m exercises ")]


def test_the_commands_are_read():
    found = commands()
    assert {words[0] for words in found} == {"audit", "release", "grade", "key"}
    for words in found:
        __main__.parser_for(words[0]).parse_args(words)  # exits where a word is wrong
        for word in words:
            if word.startswith("exercises/"):
                assert (ROOT / word).exists()


def test_options_in_the_prose_exist():
    options = set(re.findall(r"`(--[a-z-]+)`", GUIDE)) - {"--help"}
    assert "--generic" in options
    helps = " ".join(__main__.parser_for(command).format_help() + subhelp(command)
                     for command in __main__.COMMANDS)
    assert {option for option in options if option not in helps} == set()


def subhelp(command):
    parser = __main__.parser_for(command)
    [commands_] = [action for action in parser._actions if action.choices]
    return commands_.choices[command].format_help()
