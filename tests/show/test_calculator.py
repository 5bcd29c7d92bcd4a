"""The calculator: the theory's numbers, said in words, refused in words, traced for the page."""

import html
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from itertools import product

import pytest
import vl_convert

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.show.calculator import Calculator
from crossover.show.calculator.page import specification
from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Capacity,
    Roofline,
    best_gamma,
    break_even_batch,
    speculative_throughput,
    speedup,
)

from ..calculator import run, settings

SOURCE = {"chip": "custom", "target": "custom", "draft": "custom"}


def in_vega(*names, **given):
    """Fields of the view's results, as Vega computes them for some inputs."""
    spec = specification()
    for signal in spec["signals"]:
        if signal["name"] in given:
            signal["value"] = given[signal["name"]]
    written = " + '@' + ".join(f"datum.{name}" for name in names)
    text = {"signal": f"'@' + {written} + '@'"}
    spec["marks"] = [
        {"type": "text", "from": {"data": "results"}, "encode": {"enter": {"text": text}}}
    ]
    svg = html.unescape(vl_convert.vega_to_svg(spec))
    return re.search("@(.*)@<", svg, re.S)[1].split("@")


def test_custom_starts_at_the_source_chapter():
    """The source's table at B = 128, and its break-even and knee."""
    found = Calculator(**SOURCE).envelope
    assert round(found["ridge_point"], 2) == 153.02
    assert round(found["knee_plain"], 2) == 153.02
    assert round(found["knee_verify"], 2) == 30.60
    assert round(found["break_even"], 1) == 81.1
    assert round(found["plain"], 1) == 1864.2
    assert round(found["speculative"], 1) == 1241.1
    assert round(found["speedup"], 3) == 0.666
    assert found["best_gamma"] == 0 and found["speedup_at_best"] == 1


def test_results_are_the_librarys():
    """Written out for one setting with every kind of input changed."""
    given = {"chip": "H100-SXM", "count": 4, "target": "Llama-3-70B", "draft": "Llama-3-8B",
             "target_precision": "w4a16", "draft_precision": "fp8", "gamma": 2, "alpha": 0.6,
             "batch": 24, "context": 1000, "compute_efficiency": 0.6,
             "bandwidth_efficiency": 0.8}  # fmt: skip
    chip = ACCELERATORS["H100-SXM"]
    reached = {"tensor_parallel": 4, "compute_efficiency": 0.6, "bandwidth_efficiency": 0.8}
    target_model = replace(MODELS["Llama-3-70B"], bytes_per_param=0.5)
    draft_model = replace(MODELS["Llama-3-8B"], bytes_per_param=1)
    target = Roofline(target_model, chip, "fp16", **reached)
    draft = Roofline(draft_model, chip, "fp8", **reached)
    found = Calculator(**given)
    room = Capacity(target_model, chip, draft_model, 4)
    assert found.envelope == pytest.approx({
        "ridge_point": 989 / 3.35 * 0.6 / 0.8,
        "knee_plain": target.crossover_batch(1, 1000),
        "knee_verify": target.crossover_batch(3, 1000),
        "break_even": break_even_batch(target, draft, 2, 0.6, context=1000),
        "best_gamma": best_gamma(target, draft, 24, 0.6, context=1000),
        "speedup_at_best": speedup(
            target, draft, 24, best_gamma(target, draft, 24, 0.6, context=1000), 0.6, 1000),
        "speedup": speedup(target, draft, 24, 2, 0.6, 1000),
        "plain": 24 / target(24, 1, 1000),
        "speculative": speculative_throughput(target, draft, 24, 2, 0.6, 1000),
        "memory_needed": 70_553_706_496 / 2 + 8_030_261_248 + 24_000 * (327_680 + 131_072),
        "memory_usable": 4 * 80e9 * 0.9,
        "largest_batch": room.largest_batch(1000),
    }, rel=1e-12)  # fmt: skip
    assert found.measured == {}


def test_measured_results_are_the_profiles():
    passes = [MeasuredProfile("A100-80GB-SXM", name) for name in ("Llama-2-70B", "Llama-2-7B")]
    found = Calculator(batch=64).measured
    assert found["speedup"] == speedup(*passes, 64, 4, 0.75)
    assert round(found["speedup"], 2) == 0.98
    assert found["break_even"] == break_even_batch(*passes, 4, 0.75)
    assert found["knee_plain"] == passes[0].knee() == 5 * found["knee_verify"]


def test_the_band_of_the_measured_break_even():
    """As the page says: from half of the envelope's to twice it."""
    groups = sorted({(chip, count) for chip, _, count in profiles()})
    ratios = []
    for chip, count in groups:
        pair = [MeasuredProfile(chip, name, count) for name in ("Llama-2-70B", "Llama-2-7B")]
        roofs = [each.envelope() for each in pair]
        for gamma, alpha in product((2, 4, 7, 8), (0.6, 0.75, 0.9)):
            even = break_even_batch(*roofs, gamma, alpha)
            ratios.append(break_even_batch(*pair, gamma, alpha) / even)
    assert 0.5 <= min(ratios) < 0.6 and 1.9 < max(ratios) <= 2


@pytest.mark.parametrize("given, reason", [
    ({"draft_precision": "int8"}, "the measured passes are fp16"),
    ({"context": 1}, "no attention"),
    ({"chip": "H200-SXM"}, "no passes of these two models"),
    ({"count": 2}, "no passes of these two models"),
    ({"target": "custom"}, "no passes of these two models"),
    ({"batch": 900}, "beyond the 4096 positions"),
])  # fmt: skip
def test_where_nothing_was_measured_it_says_so(given, reason):
    here = Calculator(**given)
    assert here.measured == {} and {text for _, _, text in here.rows()} == {"not measured"}
    said = re.search(r'class="calculator-basis">(.*?)</p>', here.html)[1]
    assert said.startswith("Not measured: ") and reason in said
    basis, text = in_vega("basis", "measured_text_speedup", **given)
    assert (basis, text) == (html.unescape(said), "not measured")


@pytest.mark.parametrize("given, words", [
    ({}, "speedup 0.67: slower than off; best γ at this batch: off; memory 79.4 GB short."),
    ({"batch": 8, "count": 4},
     "speedup 2.19: faster than off; best γ at this batch: 5; it fits the memory."),
    ({"gamma": 0, "batch": 8}, "speedup 1.00: as fast as off"),
])  # fmt: skip
def test_the_outcome_in_words(given, words):
    """In the cell and in the page."""
    assert Calculator(**given).sentence.startswith(words)
    assert in_vega("words", **given)[0].startswith(words)


@pytest.mark.parametrize("given, row, text", [
    ({"alpha": 0}, "break_even", "0: slower from batch 1 on"),
    ({"gamma": 0}, "break_even", "none up to 4096"),
    ({"context": 100_000}, "knee_plain", "none: memory-bound at every batch"),
    ({"count": 8}, "largest_batch", "no limit without context"),
    ({}, "largest_batch", "0: does not fit"),
    ({"batch": 2}, "best_gamma", "5"),
])  # fmt: skip
def test_what_is_more_than_a_number_is_said(given, row, text):
    shown = {each.name: first for each, first, _ in Calculator(**given).rows()}
    assert shown[row] == text
    assert in_vega(f"text_{row}", **given) == [text]


def test_equal_shares_leave_knees_and_speedup_alone():
    """As the page says; and a lower share of the peak moves the knee down."""
    full, half = Calculator(), Calculator(compute_efficiency=0.5, bandwidth_efficiency=0.5)
    for name in ("ridge_point", "knee_verify", "break_even", "speedup"):
        assert half.envelope[name] == pytest.approx(full.envelope[name], rel=1e-12)
    assert half.envelope["plain"] == pytest.approx(full.envelope["plain"] / 2)
    assert Calculator(compute_efficiency=0.5).envelope["knee_plain"] < full.envelope["knee_plain"]


@pytest.mark.parametrize("given, said", [
    ({"gamma": -3}, "gamma = -3: expected a whole number from 0 to 16"),
    ({"alpha": 2}, "alpha = 2: expected a finite number from 0 to 1"),
    ({"alpha": float("nan")}, "alpha = nan"),
    ({"batch": 1.5}, "batch = 1.5: expected a whole number from 1 to 4096"),
    ({"chip": "A100-80"}, "chip = 'A100-80'.*nearest: A100-80GB-SXM"),
    ({"chip": "B200", "draft_precision": "int8"}, "draft_precision = 'int8': B200 has no int8"),
    ({"colour": 1}, "input = 'colour'"),
])  # fmt: skip
def test_bad_inputs_are_refused(given, said):
    with pytest.raises(ValueError, match=said):
        Calculator(**given)


def test_copied_lines_give_the_same_numbers():
    """At many settings, a good part of them with measured passes."""
    with_passes = 0
    for values in settings(140)[::2]:
        here = Calculator(**values)
        envelope, measured = run(here.python)
        assert envelope == pytest.approx(here.envelope, rel=1e-12), values
        assert measured == pytest.approx(here.measured, rel=1e-12), values
        with_passes += bool(measured)
    assert with_passes > 8


def test_the_page_holds_its_formulas_as_inert_data():
    page = Calculator(batch=64).html
    assert re.findall("<script[^>]*>", page) == ['<script type="application/json">']
    held = json.loads(re.search(r"<script[^>]*>(.*)</script>", page, re.S)[1])
    assert held["view"] == specification() and held["start"]["batch"] == 64
    assert "<input" not in page and "<select" not in page and "<button" not in page


def test_every_viewer_has_the_numbers():
    bundle = Calculator()._repr_mimebundle_()
    assert "speedup 0.67: slower than off" in bundle["text/plain"]
    assert "Break-even batch, sequences: 81.41; measured passes: 61.23" in bundle["text/plain"]
    for text in ("81.41", "61.23", "speedup 0.67: slower than off", "break_even_batch("):
        assert text in re.sub("<script.*</script>", "", bundle["text/html"], flags=re.S)


def test_another_formula_gives_another_page(monkeypatch):
    """The page has no formula of its own: a pass with an overhead is one there too."""
    before = in_vega("speedup", "break_even")
    chip_seconds = Roofline._chip_seconds
    monkeypatch.setattr(Roofline, "_chip_seconds",
                        lambda self, *load: chip_seconds(self, *load) + 5e-3)  # fmt: skip
    after = in_vega("speedup", "break_even")
    here = Calculator().envelope
    assert [float(text) for text in after] == pytest.approx(
        [here["speedup"], here["break_even"]], rel=1e-9
    )
    assert after != before


def test_the_same_bytes_in_another_process():
    program = "from crossover.show.calculator import Calculator as C; print(C().html)"
    there = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                           check=True, env=os.environ | {"PYTHONHASHSEED": "1"})  # fmt: skip
    assert there.stdout == Calculator().html + "\n"
