"""`list`: the questions of the bank, a line each."""

from . import bank
from .questions import LEVELS

EXAMPLES = """examples:
  python -m exercises list
  python -m exercises list --topic cache --level analyse
"""


def arguments(parser):
    parser.add_argument("--topic", metavar="WORD", help="only topics that contain WORD")
    parser.add_argument("--level", choices=LEVELS, help="only this level")


def run(options):
    found = [question for question in bank.load().values()
             if (options.topic or "").casefold() in question.topic.casefold()
             and options.level in (None, question.level)]
    if not found:
        raise ValueError("no question has this topic and level; `list` alone shows all")
    rows = [("id", "kind", "chapter", "level", "min", "points", "topic")]
    rows += [(q.id, type(q).__name__.lower(), q.chapter, q.level, f"{q.minutes:g}",
              f"{q.points:g}", q.topic) for q in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        padded = [word.ljust(width) for word, width in zip(row, widths, strict=True)]
        print("  ".join(padded).rstrip())
    print(f"{len(found)} questions, {sum(q.minutes for q in found):g} minutes")
    return 0
