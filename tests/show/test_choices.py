"""What a reader chooses in a page is what a notebook would build from the same names."""

from dataclasses import replace

import altair as alt
import pytest
from altair.expr.core import ConstExpression

from crossover.show.choices import CHIPS, CHOOSABLE, STORED, chosen_roofline, tables
from crossover.theory import ACCELERATORS, MODELS, Roofline

from ..vega import in_vega

ROWS = [
    {"chip": chip, "model": model, "form": form, "batch": 40, "context": context}
    for chip in (CHIPS[0], "RTX-4090")
    for model in ("70B of the text", "Llama-3-8B")
    for form in STORED
    for context in (0, 2000)
]


def plain_roofline(chip, model, stored):
    """The same roofline for plain names, as a notebook would build it."""
    bytes_per_param, arithmetic = STORED[stored]
    model = replace(CHOOSABLE[model], bytes_per_param=bytes_per_param)
    return Roofline(model, ACCELERATORS[chip], arithmetic)


def seconds_in_vega(rows):
    """Seconds of the traced roofline of each row, with its named values written out."""
    known = tables("70B of the text", "Llama-3-8B")
    names = (alt.param(name=name, value="") for name in ("chip", "model", "form"))
    traced, values = chosen_roofline("m", known, *names)
    text = repr(traced(alt.datum.batch, 5, alt.datum.context))
    for value in values:
        text = text.replace(value.name, f"({value.param.expr})")
    for name in ("chip", "model", "form"):
        text = text.replace(f"[{name}]", f"[datum.{name}]")
    expression = ConstExpression(text)
    return in_vega(expression, rows, **{each.name: each.param.value for each in known})


def test_the_choice_in_the_page_is_the_roofline_of_its_names():
    here = [
        plain_roofline(row["chip"], row["model"], row["form"])(40, 5, row["context"])
        for row in ROWS
    ]
    assert seconds_in_vega(ROWS) == pytest.approx(here, rel=1e-12)
    assert len(set(here)) > len(ROWS) / 2


def test_every_choice_has_its_rate():
    assert len(CHIPS) >= 12 and set(CHIPS) < set(ACCELERATORS)
    for chip in CHIPS:
        for form, (bytes_per_param, arithmetic) in STORED.items():
            roofline = plain_roofline(chip, "7B of the text", form)
            assert roofline.reached_flops == ACCELERATORS[chip].peak_flops[arithmetic]
            assert roofline.model.weight_bytes == 7e9 * bytes_per_param
    assert set(MODELS) < set(CHOOSABLE)
