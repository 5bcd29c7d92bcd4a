"""Measure speed, as ratios, in one run.

Usage: python -m bench [sweep ...]; without a name, all of them.
"""

import sys
from importlib import import_module

BENCHES = ["sweep", "sweep_context", "engine", "grading", "explorables"]


def main(names):
    unknown = [name for name in names if name not in BENCHES]
    if unknown:
        sys.exit(f"unknown bench: {', '.join(unknown)}; there are {', '.join(BENCHES)}")
    for name in names or BENCHES:
        print(f"== {name}")
        import_module(f"bench.{name}").main()


main(sys.argv[1:])
