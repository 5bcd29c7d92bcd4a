"""The pictures and the chart of chapter 08 show what the theory says."""

import copy
import html
import json
import re

import numpy as np
import pytest
import vl_convert

from crossover.show import figures
from crossover.show.experiments import Experiment
from crossover.show.prediction import Prediction
from crossover.show.views import WIDGET
from crossover.show.wider_windows import best_gamma_steps, tokens_and_cost
from crossover.show.window_chart import window_chart
from crossover.show.window_experiment import SENTENCE, window_experiment
from crossover.theory import (
    ACCELERATORS,
    Model,
    Roofline,
    best_gamma,
    expected_tokens,
    round_time,
    speedup,
)

A100 = ACCELERATORS["A100-80GB-SXM"]
TARGET, DRAFT = Roofline(Model("target", 70e9), A100), Roofline(Model("draft", 7e9), A100)


def test_tokens_and_cost_draws_both_over_gamma():
    panels = tokens_and_cost(TARGET, DRAFT, 0.75, batches=(3, 128))
    gammas = np.arange(17)
    for ax, batch in zip(panels, (3, 128), strict=True):
        lines = {line.get_label(): line for line in ax.get_lines()}
        cost = [round_time(TARGET, DRAFT, batch, g) / TARGET(batch) for g in gammas]
        assert lines["emitted tokens, E[T]"].get_ydata() == pytest.approx(
            expected_tokens(0.75, gammas)
        )
        assert lines["price in plain steps"].get_ydata() == pytest.approx(cost)


def test_best_gamma_steps_draws_the_best_and_names_zero_off():
    batches = np.arange(1, 150)
    ax = best_gamma_steps({"envelope": (TARGET, DRAFT, figures.SPECULATIVE)}, 0.75, batches)
    drawn = ax.get_lines()[0]
    assert list(drawn.get_ydata()) == list(best_gamma(TARGET, DRAFT, batches, 0.75))
    assert ax.get_yticklabels()[0].get_text() == "off"


def words_in_vega(chart, **setting):
    """Set the chart's controls and return the sentence that Vega makes of them."""
    spec = copy.deepcopy(chart.spec)
    for param in spec["params"]:
        if "bind" in param:
            param["value"] = setting[param["name"]]
    shown = {"type": "text", "text": {"expr": "'@' + words + '@'"}}
    spec["layer"].append({"data": {"values": [{}]}, "mark": shown})
    svg = html.unescape(vl_convert.vegalite_to_svg(json.dumps(spec)))
    return re.search(r"@([^@<]*)@", svg)[1]


@pytest.mark.parametrize("batch", [1, 25, 42, 63, 126, 200])
@pytest.mark.parametrize("alpha", [0.0, 0.42, 0.75, 0.96, 1.0])
def test_the_chart_finds_the_best_gamma_that_the_search_finds(batch, alpha):
    said = words_in_vega(CHART, gamma=8, batch=batch, alpha=alpha)
    best = best_gamma(TARGET, DRAFT, batch, alpha)
    assert (f"Best is γ = {best}." if best else "No γ up to 16 is faster") in said
    gain = speedup(TARGET, DRAFT, batch, 8, alpha)
    outcome = "slower than off" if gain < 1 else "not slower than off"
    assert f"γ = 8 at B = {batch}, α = {alpha:.2f}: " in said
    assert f"speedup {gain:.2f}: {outcome}." in said


def test_the_form_asks_and_does_not_tell():
    """What the site asks first holds the speedup as it is, not as it becomes."""
    form = CHART.html[: CHART.html.index("<img")]
    assert "the speedup with γ = 4 is 0.666" in form and "γ = 8" in form
    assert f'data-before="{speedup(TARGET, DRAFT, 128, 4, 0.75)!r}"' in form
    assert "<form" in form and " hidden " in form and "0.44" not in form
    starts = {param["name"]: param.get("value") for param in CHART.spec["params"]}
    assert (starts["gamma"], starts["batch"], starts["alpha"]) == (8, 128, 0.75)


def test_a_prediction_needs_its_question():
    with pytest.raises(ValueError, match="question = ' '"):
        Prediction(" ", "value", "gain", 1.0)
    assert "5 &lt; 6" in Prediction("5 < 6?", "value", "gain", 1.0).html("chart")


CHART = window_chart(TARGET, DRAFT)


def test_the_experiment_answers_to_its_controls():
    chip, batch, alpha, words, picture = window_experiment().widget.children
    batch.value, alpha.value = 128, 0.75
    first = bytes(picture.value)
    assert words.value.startswith("Best at B = 128, α = 0.75. envelope: off; measured: γ = 1")
    chip.value = "H100-SXM"
    assert "envelope: γ = 1 at 1.59; measured: γ = 1 at 1.35" in words.value
    assert bytes(picture.value) != first and first.startswith(b"\x89PNG")


def test_without_a_kernel_the_experiment_is_its_sentence():
    bundle = window_experiment()._repr_mimebundle_()
    assert set(bundle) == {WIDGET, "text/plain"}
    assert bundle["text/plain"] == SENTENCE


def test_an_experiment_needs_a_sentence():
    with pytest.raises(ValueError, match="sentence = ' '"):
        Experiment(None, " ")
