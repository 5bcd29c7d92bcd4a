"""A live chart's one bundle: every view from one specification, the same at every run."""

import hashlib
import json
import os
import re
import subprocess
import sys
from io import BytesIO

import altair as alt
import pytest
from PIL import Image

from crossover.show.controls import select, slider, sweep, table
from crossover.show.explorables import Explorable
from crossover.show.views import WIDGET
from crossover.theory import vega_expression

PAGE, PICTURE, WORDS = "text/html", "image/png", "text/plain"


def make(**changes):
    """A small chart: a line whose slope is a slider."""
    slope = slider("slope", "Slope, s per sequence", 0, 4, 0.5, 2)
    chart = sweep("batch", 1, 8, time=slope * alt.datum.batch).mark_line()
    settings = {
        "caption": "Time rises with batch.",
        "alternative": "A line that rises from left to right.",
        "controls": [slope],
        "words": "The slope is " + alt.expr.format(slope, ".1f"),
    }
    chart = changes.pop("chart", chart.encode(x="batch:Q", y="time:Q"))
    return Explorable("slope_chart", chart, **settings | changes)


def spec_in(html):
    """The specification that a page's figure holds."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', html, re.S)[1])


def test_one_bundle_for_every_viewer():
    bundle = make()._repr_mimebundle_()
    assert set(bundle) == {PAGE, PICTURE, WORDS, WIDGET}
    assert bundle[WORDS] == "A line that rises from left to right."
    assert bundle[WIDGET]["model_id"]


def test_widget_keeps_its_keys_and_needs_no_cdn():
    """JupyterLab would take a slider's arrow keys as its own shortcuts."""
    widget = make().widget
    assert 'el.addEventListener("keydown"' in widget._esm and "stopPropagation" in widget._esm
    assert "esm.sh" not in widget._esm
    assert widget.embed_options["actions"]["editor"] is False


def test_page_holds_the_chart_as_inert_data_and_a_picture():
    chart = make()
    assert spec_in(chart.html) == chart.spec
    assert re.findall(r"<script[^>]*>", chart.html) == ['<script type="application/json">']
    assert 'alt="A line that rises from left to right."' in chart.html
    assert "data:image/svg+xml;base64," in chart.html


def test_picture_shows_a_line():
    picture = Image.open(BytesIO(make().png))
    assert picture.width > 1000
    colours = {colour for _, colour in picture.convert("RGB").getcolors(100_000)}
    assert min(sum(map(abs, (r - 0x0B, g - 0x53, b - 0x94))) for r, g, b in colours) < 24


def test_picture_follows_the_formula():
    """The stored picture is drawn from the traced formula, so another one differs."""
    slope = slider("slope", "Slope, s per sequence", 0, 4, 0.5, 2)
    other = (
        sweep("batch", 1, 8, time=slope + alt.datum.batch)
        .mark_line()
        .encode(x="batch:Q", y="time:Q")
    )
    changed = Explorable("slope_chart", other, caption="c.", alternative="a.", controls=[slope])
    assert changed.png != make().png and changed.html != make().html


def test_the_same_bytes_in_another_process():
    """No counter, no random name, no hash order: stored outputs do not change by themselves."""
    program = (
        "import hashlib, runpy, sys; make = runpy.run_path(sys.argv[1])['make'];"
        "a, b = make(), make();"
        "print(hashlib.sha256(b.html.encode() + b.png).hexdigest())"
    )
    mine = make()
    here = hashlib.sha256(mine.html.encode() + mine.png).hexdigest()
    for seed in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-c", program, __file__],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
        )
        assert there.stdout.strip() == here


def test_every_view_and_parameter_has_a_given_name():
    line = make().chart
    layered = Explorable(
        "pair",
        alt.layer(alt.Chart(alt.sequence(2)).mark_rule(), alt.Chart(alt.sequence(3)).mark_point()),
        caption="c.",
        alternative="a.",
    )
    assert [layer["name"] for layer in layered.spec["layer"]] == ["pair_0", "pair_1"]
    assert make().spec["name"] == "slope_chart"
    assert [param["name"] for param in make().spec["params"]] == ["slope", "words"]
    assert not re.search(r"(view|param)_\d", json.dumps(layered.spec) + line.to_json())


def test_python_sees_the_controls():
    assert make().params.slope == 2


def test_a_choice_looks_up_its_row():
    """A select's value is a key into a table that the page holds once."""
    chips = table("chips", {"A": {"rate": 1}, "B": {"rate": 3}})
    chip = select("chip", "Chip", ["A", "B"], "B")
    line = sweep("batch", 1, 8, time=alt.datum.batch / chips[chip]["rate"]).mark_line()
    chart = make(chart=line.encode(x="batch:Q", y="time:Q"), controls=[chip], values=[chips],
                 words="Chip " + chip)  # fmt: skip
    names = {param["name"]: param for param in chart.spec["params"]}
    assert names["chips"]["value"] == {"A": {"rate": 1}, "B": {"rate": 3}}
    assert names["chip"]["bind"] == {"input": "select", "options": ["A", "B"], "name": "Chip"}
    assert "(datum.batch / chips[chip]['rate'])" in json.dumps(chart.spec)
    assert chart.params.chip == "B"
    assert chart.png != make().png


def test_a_specification_cannot_end_its_script_early():
    chart = make(words=alt.expr.toString("</script><b>"))
    assert chart.html.count("</script>") == 1
    assert spec_in(chart.html) == chart.spec


def test_texts_are_escaped():
    assert "5 &lt; 6 &amp; 7" in make(caption="5 < 6 & 7").html


@pytest.mark.parametrize(
    "traced, text",
    [
        (alt.param(name="g", value=1), "g"),
        (alt.param(name="g", value=1) + 1, "(g + 1)"),
        (alt.expr.max(alt.datum.batch, 2), "max(datum.batch,2)"),
    ],
)
def test_traced_values_become_vega_text(traced, text):
    assert vega_expression(traced) == text


@pytest.mark.parametrize(
    "build, message",
    [
        (lambda: make(caption=" "), "caption=' ' is empty"),
        (lambda: make(alternative=""), "alternative='' is empty"),
        (lambda: Explorable("a b", alt.Chart(), caption="c", alternative="a"), "name='a b'"),
        (lambda: slider("g", "G", 0, 4, 1, 5), r"slider g: value=5 is outside \[0, 4\]"),
        (lambda: slider("width", "w", 0, 4, 1, 1), "name='width': .* other than autosize"),
        (lambda: slider("g", "G", 0, 4, 0, 1), r"slider g: step=0 is outside \(0, 4\]"),
        (lambda: sweep("batch", 4, 4), "sweep batch"),
        (lambda: select("c", "C", ["a", "b"], "d"), "select c: value='d' is not one of"),
        (lambda: select("c", "C", ["a"], "a"), r"select c: options=\['a'\]"),
        (lambda: select("c", "C", ["a", "a"], "a"), "each once"),
    ],
)
def test_bad_declarations_are_refused(build, message):
    with pytest.raises(ValueError, match=message):
        build()
