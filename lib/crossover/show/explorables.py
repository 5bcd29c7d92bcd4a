"""Live charts: one object with controls in a notebook and on the site, and nowhere else.

Declare a chart from a formula of ``theory`` called with Altair's own parameters:

>>> from crossover.show.controls import slider, sweep
>>> gamma = slider("gamma", "Drafted tokens a round, \u03b3", 0, 12, 1, 4)   # doctest: +SKIP
>>> chart = sweep("batch", 1, 512, rate=throughput(alt.datum.batch, gamma))  # doctest: +SKIP
>>> Explorable("rate", chart.mark_line().encode("batch:Q", "rate:Q"),        # doctest: +SKIP
...            caption="...", alternative="One sentence: what there is to see.")

As the last expression of a cell the object shows itself: a widget in JupyterLab
(``.params`` gives the controls' values), a live chart on the built site, and a picture
with its sentence everywhere else. The formula is never written a second time.

Colour by a field or a datum (``alt.Color("curve:N")``), never by a literal: the site
sets the colours of ``PALETTE`` for its light or its dark theme, and swaps them live.
"""

from __future__ import annotations

import re
from base64 import b64encode
from functools import cache, cached_property
from html import escape

import altair as alt
import vl_convert

from crossover.show.views import KEEP_KEYS, Views, inert, small_png
from crossover.theory import vega_expression

# The stylesheet holds the same colours as --chart-1 ...; tests/site compares them.
# Dark and light, apart in lightness too, so that print and colour-blind eyes tell them apart.
PALETTE = ["#0b5394", "#b45309", "#00796b", "#8e2a8b"]
INK, GRID = "#333d47", "#d9dee3"
WIDTH, HEIGHT = 640, 320
LARGEST_SVG = 100_000  # bytes; a map of thousands of cells is lighter as PNG
VEGALITE = ".".join(alt.SCHEMA_VERSION.split(".")[:2])  # the one Altair writes
# Vega's menu in JupyterLab saves the picture; its editor is a page on the internet.
MENU = {"actions": {"export": True, "source": False, "compiled": False, "editor": False}}


class Explorable(Views):
    """A chart, its caption and its sentence, shown as well as each viewer can.

    Parameters
    ----------
    name : str
        A short unique name: the chart's name in Vega and its anchor on the page.
    chart : altair.Chart or altair.LayerChart
        What is drawn, without width, height or colours.
    caption : str
        What to see, below the chart.
    alternative : str
        The picture in one sentence, for those who do not see it.
    controls : sequence of altair.Parameter
        In the order the reader meets them; added to the chart.
    values : sequence of altair.Parameter
        What `table` and `derived` returned, each after those it uses.
    words : altair expression, optional
        A string that says in words what the controls now give; read out as they move.
    prediction : Prediction, optional
        What the site asks before it shows the chart.

    Raises
    ------
    ValueError
        If ``name`` is no identifier, or the caption or the sentence is empty.
    """

    def __init__(
        self, name, chart, *, caption, alternative,
        controls=(), values=(), words=None, prediction=None,
    ):  # fmt: skip
        if not name.isidentifier():
            raise ValueError(f"name={name!r} is not a plain identifier such as 'rate_by_batch'")
        for what, text in (("caption", caption), ("alternative", alternative)):
            if not text.strip():
                raise ValueError(f"{what}={text!r} is empty; say what there is to see")
        self.name, self.caption, self.alternative = name, caption, alternative
        self.prediction = prediction
        params = [*controls, *values]
        if words is not None:
            params.append(alt.param(name="words", expr=vega_expression(words)))
        self.chart = (
            chart.add_params(*params)
            .properties(name=name, width=WIDTH, height=HEIGHT)
            .configure(**configuration())
        )

    @cached_property
    def spec(self) -> dict:
        """The Vega-Lite specification: the same bytes at every run."""
        return _named(self.chart.to_dict(), self.name)

    @cached_property
    def png(self) -> bytes:
        """The picture at the controls' first values, twice as fine as it is shown."""
        return small_png(vl_convert.vegalite_to_png(self.spec, vl_version=VEGALITE, scale=2))

    @cached_property
    def widget(self):
        """The chart as a Jupyter widget; its ``params`` follow the controls."""
        return _widget_class()(self.chart, embed_options=MENU)

    @property
    def params(self):
        """The controls' values in JupyterLab, as attributes that can be observed."""
        return self.widget.params

    @cached_property
    def html(self) -> str:
        """A figure with the picture, the sentence and the specification as inert JSON."""
        svg = vl_convert.vegalite_to_svg(self.spec, vl_version=VEGALITE).encode()
        kind, drawn = ("svg+xml", svg) if len(svg) < LARGEST_SVG else ("png", self.png)
        picture = f"data:image/{kind};base64," + b64encode(drawn).decode()
        sentence = escape(self.alternative)
        form = self.prediction.html(self.name) if self.prediction else ""
        spec = inert(self.spec, sort_keys=True)
        return (
            f'<figure class="explorable" id="{self.name}">\n{form}'
            f'<img src="{picture}" alt="{sentence}" width="{WIDTH}">\n'
            f'<p class="explorable-words" aria-hidden="true">{sentence}</p>\n'
            f"<figcaption>{escape(self.caption)}</figcaption>\n"
            f'<script type="application/json">{spec}</script>\n</figure>'
        )


@cache
def _widget_class():
    """Altair's widget, without its CDN and with keys of its own."""

    class Chart(alt.JupyterChart):
        pass

    Chart.enable_offline()  # Vega from vl-convert
    head = r"async function render\(\{ ?model, ?el ?\}\) ?\{"
    Chart._esm = re.sub(head, r"\g<0>" + KEEP_KEYS, Chart._esm)
    return Chart


def configuration() -> dict:
    """Vega's settings for the picture; the site replaces the colours by its theme's."""
    axis = {
        "labelColor": INK,
        "titleColor": INK,
        "gridColor": GRID,
        "domainColor": INK,
        "tickColor": INK,
        "tickCount": 6,
        "labelFontSize": 12,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
    }
    legend = {
        "labelColor": INK,
        "titleColor": INK,
        "labelFontSize": 12,
        "orient": "top",
        "title": None,
        "symbolSize": 400,
        "symbolStrokeWidth": 2.5,
        "labelLimit": 0,
    }
    return {
        "background": "#ffffff",
        # The sentence says it; a label for each point takes longer than to draw them.
        "mark": {"color": PALETTE[0], "aria": False},
        "line": {"strokeWidth": 2.5},
        "axis": axis,
        "legend": legend,
        "rule": {"color": INK},
        "point": {"color": INK},
        "text": {"color": INK, "fontSize": 12},
        "range": {"category": PALETTE},
        "view": {"stroke": None},
    }


def _named(spec: dict, name: str) -> dict:
    """Give every layer that has none a name, so that no counter of Altair's gets in."""
    for number, layer in enumerate(spec.get("layer", ())):
        layer["name"] = f"{name}_{number}"
    if "layer" in spec:
        spec["name"] = name
    return spec
