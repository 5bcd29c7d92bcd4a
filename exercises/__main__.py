"""`python -m exercises COMMAND`: hands over to the module of the command.

A module of a command has EXAMPLES (text), arguments(parser) and run(options), which
returns the exit code. Only the module asked for is imported: `check` must work for
students, who have no bank.
"""

import argparse
import sys
from importlib import import_module

COMMANDS = {  # command -> its module, and its line in the help
    "list": ("listing", "list the questions of the bank"),
    "release": ("release", "write one notebook a student, with other numbers for each"),
    "check": ("check", "look over your own notebook before handing it in"),
    "grade": ("grade", "grade a folder of notebooks in a sandbox"),
    "key": ("key", "print one student's values and the worked answers"),
    "audit": ("audit", "look for faults of an assignment before it is released"),
}
EXAMPLES = """examples:
  python -m exercises list --topic cache
  python -m exercises audit exercises/assignments/hw1.yml
  python -m exercises release exercises/assignments/hw1.yml --roster roster.csv --out released
  python -m exercises check hw1-amal.ipynb
  python -m exercises grade exercises/assignments/hw1.yml submissions -o grades.csv -j 4
  python -m exercises key exercises/assignments/hw1.yml --student amal
"""


def parser_for(command):
    """Return the parser; only `command`, if it is one, gets its arguments."""
    parser = argparse.ArgumentParser(
        prog="python -m exercises", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Pick questions, give every student other numbers, check, grade.")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, line) in COMMANDS.items():
        sub = commands.add_parser(name, help=line, description=line[0].upper() + line[1:] + ".",
                                  formatter_class=argparse.RawDescriptionHelpFormatter)
        if name == command:
            handler = import_module(f".{module}", __package__)
            sub.epilog = handler.EXAMPLES
            handler.arguments(sub)
            sub.set_defaults(run=handler.run)
    return parser


def main(words):
    """Run the command in `words`; its exit code, or 2 when the input is no good."""
    options = parser_for(words[0] if words else None).parse_args(words)
    try:
        return options.run(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
