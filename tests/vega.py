"""Vega itself, inside the ``vl-convert`` wheel: what it makes of a traced formula."""

import html
import re

import vl_convert

from crossover.theory import vega_expression


def in_vega(expression, rows, **page_values):
    """Evaluate an Altair expression for each row of data, beside what the page holds."""
    spec = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "params": [{"name": name, "value": value} for name, value in page_values.items()],
        "data": {"values": [{**row, "order": i} for i, row in enumerate(rows)]},
        "transform": [
            {"calculate": vega_expression(expression), "as": "value"},
            {"calculate": "'@' + datum.order + '=' + datum.value + '@'", "as": "written"},
        ],
        "mark": "text",
        "encoding": {"text": {"field": "written"}, "y": {"field": "order", "type": "ordinal"}},
    }
    svg = html.unescape(vl_convert.vegalite_to_svg(spec))
    found = dict(re.findall(r"@(\d+)=([^@<]+)@", svg))
    assert len(found) == len(rows)
    return [float(found[str(i)].replace("Infinity", "inf")) for i in range(len(rows))]
