"""Figures that others published, as they printed them."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Leviathan(NamedTuple):
    """One row of Leviathan et al. (2023): a draft for T5-XXL at batch 1 on a TPU v4.

    `cost_ratio` is the time of a draft step over that of a target step, c there. `alpha`
    and `cost_ratio` are rounded to two decimals and the speedups, as computed and as
    measured by the authors, to one.
    """

    task: str
    draft: str
    temperature: float
    gamma: int
    alpha: float
    cost_ratio: float
    expected_speedup: float
    measured_speedup: float

    def rounded_from(self):
        """The (alpha, cost_ratio) that give the least and the greatest speedup.

        Both lie within what rounds to this row's figures: a speedup rises with alpha and
        falls with the cost.
        """
        half = 0.005
        return ((self.alpha - half, self.cost_ratio + half),
                (self.alpha + half, self.cost_ratio - half))  # fmt: skip


@cache
def leviathan_2023():
    """The twelve rows of Tables 2 and 4 of arXiv 2211.17192, as a tuple of `Leviathan`.

    Raises ValueError, naming the line, where the table is damaged.
    """
    return read_leviathan((files("crossover") / "data" / "leviathan_2023.csv").read_text("utf-8"))


def read_leviathan(text):
    """Rows of a table with the columns of `Leviathan`; lines that start with # say its source."""
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if not line.startswith("#")]
    found = []
    for (at, _), row in zip(lines[1:], csv.DictReader(line for _, line in lines), strict=True):
        try:
            read = Leviathan(**{name: kind(row[name]) for name, kind in
                                Leviathan.__annotations__.items()})  # fmt: skip
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"leviathan_2023.csv, line {at}: {error!r}") from None
        if not (0 < read.alpha < 1 and 0 < read.cost_ratio < 1 and read.gamma >= 1):
            raise ValueError(
                f"leviathan_2023.csv, line {at}: alpha and cost_ratio must be in (0, 1) and "
                f"gamma at least 1, got {read.alpha}, {read.cost_ratio}, {read.gamma}"
            )
        found.append(read)
    return tuple(found)
