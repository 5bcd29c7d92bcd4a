"""The calculator: every input in one place, a worked table in a notebook, live on the site.

The page's numbers are those of the same formulas, traced (`view`), and
computed by Vega's expression runtime in a view without marks. Where no script runs, the
table at the given inputs stays, with its sentence and the lines of Python behind it.
"""

from __future__ import annotations

from functools import cached_property
from html import escape

import altair as alt

from crossover.show.calculator import measured as second_column
from crossover.show.calculator.formulas import envelope, searched, setting
from crossover.show.calculator.inputs import INPUTS, complete, declaration
from crossover.show.calculator.python import python_lines
from crossover.show.calculator.view import (
    envelope_crossings,
    gamma_rows,
    results,
    signals,
    traced_searches,
    traced_setting,
)
from crossover.show.calculator.words import NOT_MEASURED, ROWS, basis, caption, sentence
from crossover.show.views import inert
from crossover.theory import vega_expression, where

STILL = (
    "The table stands for the inputs it names. The form that changes them is on the course's "
    "site, where scripts run; in a notebook, give them as arguments."
)
SCHEMA = "https://vega.github.io/schema/vega/v6.json"


class Calculator:
    """The worked table for some inputs; on the site, where the form starts.

    Parameters
    ----------
    **given : str or number
        Any of `inputs.INPUTS` by name; the defaults for the others.

    Attributes
    ----------
    inputs : dict
        All inputs.
    envelope, measured : dict of str to number
        Results by the names of `words.ROWS`, SI units; `measured` is empty
        where no measured passes cover the inputs.

    Raises
    ------
    ValueError
        An input that is not asked for, or a value outside its range.

    Examples
    --------
    >>> round(Calculator(chip="custom", target="custom", draft="custom").envelope["speedup"], 3)
    0.666
    """

    def __init__(self, **given):
        self.inputs = complete(given)
        at = setting(self.inputs)
        self.envelope = envelope(at) | searched(at)
        self.measured = second_column.measured(self.inputs)

    @property
    def sentence(self):
        """The outcome in words."""
        names = ("speedup", "best_gamma", "memory_needed", "memory_usable")
        return sentence(*(self.envelope[name] for name in names))

    @property
    def python(self):
        """The lines that give the same numbers with the library."""
        return python_lines(self.inputs, bool(self.measured))

    def rows(self):
        """Return (row, envelope text, measured text) for each row of the table."""
        return [
            (row, row.text(self.envelope[row.name]),
             row.text(self.measured[row.name]) if row.name in self.measured else NOT_MEASURED)
            for row in ROWS
        ]  # fmt: skip

    @cached_property
    def html(self):
        """The table, its sentence and its lines; the page's form and formulas as inert JSON."""
        page = inert(  # in their own order, which is that of the lists
            {"inputs": declaration(), "start": self.inputs, "view": specification()},
            ensure_ascii=False,
        )
        body = "\n".join(
            f'<tr><th scope="row">{escape(row.label)}, <span>{row.unit}</span></th>'
            f'<td data-result="{row.name}">{escape(first)}</td>'
            f'<td data-measured="{row.name}">{escape(second)}</td></tr>'
            for row, first, second in self.rows()
        )
        why = basis(second_column.why_not(self.inputs))
        return (
            f'<div class="calculator">\n<p class="calculator-still">{STILL}</p>\n'
            f'<p class="calculator-words">{escape(self.sentence)}</p>\n'
            f"<table>\n<caption>{escape(caption(self.inputs))}</caption>\n"
            '<thead><tr><th scope="col">Result</th><th scope="col">Envelope</th>'
            f'<th scope="col">Measured passes</th></tr></thead>\n<tbody>\n{body}\n</tbody>\n'
            f'</table>\n<p class="calculator-basis">{escape(why)}</p>\n'
            "<details><summary>The same numbers in Python</summary>\n"
            f"<pre>{escape(self.python)}</pre></details>\n"
            f'<script type="application/json">{page}</script>\n'
            "</div>"
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        """The page's HTML, and the table as text for what shows no HTML."""
        lines = [f"{row.label}, {row.unit}: {first}; measured passes: {second}"
                 for row, first, second in self.rows()]  # fmt: skip
        text = "\n".join([caption(self.inputs), self.sentence, *lines])
        return {"text/html": self.html, "text/plain": text}


def specification():
    """Return the Vega view without marks whose last row holds all results and texts."""
    load = traced_setting()
    passes = second_column.measured_setting(load)
    closed = {name: vega_expression(value) for name, value in envelope(load).items()}
    first = closed | traced_searches(load, "gammas", "crossings")
    second = second_column.measured_fields(passes)
    fields = first | {f"measured_{name}": text for name, text in second.items()} | _texts(second)
    return {
        "$schema": SCHEMA,
        "signals": [*signals(), *second_column.measured_signals()],
        "data": [
            gamma_rows("gammas", load),
            envelope_crossings(load),
            second_column.measured_gammas(passes),
            second_column.measured_crossings(passes),
            results(fields),
        ],
    }


def _texts(measured):
    """What the page shows, as Vega expressions over the fields of results before them."""
    found, covered = alt.datum, alt.param(name="covered", value=0)
    inputs = {name: alt.param(name=name, value=0) for name in INPUTS}
    texts = {}
    for row in ROWS:
        texts[f"text_{row.name}"] = row.text(found[row.name])
        if row.name in measured:
            shown = row.text(found[f"measured_{row.name}"])
            texts[f"measured_text_{row.name}"] = where(covered, shown, NOT_MEASURED)
    texts["words"] = sentence(
        *(found[name] for name in ("speedup", "best_gamma", "memory_needed", "memory_usable"))
    )
    texts["caption"] = caption(inputs)
    texts["basis"] = basis(alt.param(name="why_not", value=""))
    texts["python"] = python_lines(inputs, covered)
    return {name: vega_expression(text) for name, text in texts.items()}
