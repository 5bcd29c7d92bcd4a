"""Every live chart computes what the library does, read from the chart's own data."""

import re
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from crossover.evidence.gemm import MeasuredProfile
from crossover.show.ripple import quantities
from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Model,
    Roofline,
    baseline_throughput,
    best_gamma,
    break_even_batch,
    expected_tokens,
    roofline_break_even,
    round_time,
    speculative_throughput,
    speedup,
)

from .conftest import SITE
from .parity import FEW, MANY, controls, disagreements, draw

pytestmark = pytest.mark.xdist_group("browser, charts")
A100 = ACCELERATORS["A100-80GB-SXM"]
LLAMA = MODELS["Llama-2-70B"], MODELS["Llama-2-7B"]
TEXT = {"70B of the text": replace(LLAMA[0], params=70e9),
        "7B of the text": replace(LLAMA[1], params=7e9)}  # fmt: skip
STORED = {"fp16": (2, "fp16"), "W8A8": (1, "int8"), "W8A16": (1, "fp16"), "W4A16": (0.5, "fp16")}


def roofline(chip, model, stored="fp16"):
    """The roofline of names that a reader chooses, made without the charts' own tables."""
    bytes_per_param, arithmetic = STORED[stored]
    model = replace((TEXT | dict(MODELS))[model], bytes_per_param=bytes_per_param)
    return Roofline(model, ACCELERATORS[chip], arithmetic)


def roof(chip, weights, batch, window, context):
    target = roofline(chip, "70B of the text", weights)
    rate = ACCELERATORS[chip].peak_flops[STORED[weights][1]]
    intensity, seconds = target.intensity(batch, window, context), target(batch, window, context)
    moved = target.model.weight_bytes + 327_680 * batch * context
    values = {
        "ridge": rate / ACCELERATORS[chip].bandwidth,
        "intensity": intensity,
        "reached": intensity * moved / seconds,  # FLOP over the seconds that the pass takes
        "seconds": seconds,
    }
    heights = [0.5 * ACCELERATORS[chip].bandwidth, rate, rate]
    columns = {"intensity": [0.5, values["ridge"], 1e5], "rate": np.array(heights) / 1e12}
    return values, columns


def throughput(chip, target, target_stored, draft, draft_stored, gamma, alpha, context):
    models = roofline(chip, target, target_stored), roofline(chip, draft, draft_stored)
    load, batch = (gamma, alpha, context), np.arange(2, 257, 2)
    even = inf if gamma == 0 else break_even_batch(*models, gamma, alpha, context=context)
    columns = {
        "batch": batch,
        "plain": baseline_throughput(models[0], batch, context),
        "speculative": speculative_throughput(*models, batch, *load),
        "measured_plain": np.full(128, nan),
        "measured_speculative": np.full(128, nan),
    }
    chosen = target, draft, target_stored, draft_stored, context
    if chip in ("A100-80GB-SXM", "H100-SXM", "A40") and chosen == (*TEXT, "fp16", "fp16", 0):
        clocks = [MeasuredProfile(chip, model.name) for model in LLAMA]
        columns["measured_plain"] = baseline_throughput(clocks[0], batch)
        columns["measured_speculative"] = speculative_throughput(*clocks, batch, gamma, alpha)
    values = {
        "knee": models[0].crossover_batch(gamma + 1, context),
        "break_even": even,
        "plateau": speculative_throughput(*models, 1e12, *load),
    }
    return values, columns


def window(gamma, batch, alpha):
    pair = [Roofline(Model(name, params), A100) for name, params in (("t", 70e9), ("d", 7e9))]
    gammas = np.arange(17)
    cost = [round_time(*pair, batch, g) / pair[0](batch, 1) for g in gammas]
    columns = {
        "window": gammas,
        "emitted": expected_tokens(alpha, gammas),
        "cost": cost,
        "ratio": speedup(*pair, batch, gammas, alpha),
    }
    values = {
        "tokens": expected_tokens(alpha, gamma),
        "price": cost[gamma],
        "gain": speedup(*pair, batch, gamma, alpha),
        "best": best_gamma(*pair, batch, alpha),
    }
    return values, columns


def ripple(chip, target_stored, draft_stored, batch, gamma, alpha):
    now, was = (
        quantities(roofline(chip, "70B of the text", forms[0]),
                   roofline(chip, "7B of the text", forms[1]), batch, gamma, alpha)
        for forms in ((target_stored, draft_stored), ("fp16", "fp16"))
    )  # fmt: skip
    now, was = ([value for _, value in each.values()] for each in (now, was))
    return {}, {"at": np.arange(len(now)), "now": now, "was": was}


def gamma_map(chip, passes, batch, alpha):
    clocks = [MeasuredProfile(chip, model.name) for model in LLAMA]
    pairs = {"envelope": [clock.envelope() for clock in clocks], "measured": clocks}
    values = {}
    for label, pair in pairs.items():
        values[f"best_{label}"] = best_gamma(*pair, batch, alpha, 12)
        values[f"gains_{label}"] = [speedup(*pair, batch, g, alpha) for g in range(13)]
    batches, alphas = np.arange(2, 257, 2)[:, None], (0.2 + 0.04 * np.arange(21)).clip(max=1)
    best = best_gamma(*pairs[passes], batches, alphas, 12)
    # drawn is a rectangle for each run of neighbours with the same gamma
    begins = np.vstack([np.ones((1, 21), bool), np.diff(best, axis=0) != 0])
    ends = np.full((128, 21), 257)
    for row in range(126, -1, -1):
        ends[row] = np.where(begins[row + 1], batches[row + 1] - 1, ends[row + 1])
    cells = np.broadcast_arrays(batches, alphas, best, batches - 1, ends)
    names = ("batch", "alpha", "best", "left", "right")
    return values, {name: cell[begins] for name, cell in zip(names, cells, strict=True)}


CHARTS = {
    "pass_on_the_roof": ("05_positions_per_pass", roof),
    "throughput_across_batch": ("06_throughput_across_batch", throughput),
    "yield_and_cost_of_a_window": ("08_wider_windows", window),
    "quantisation_ripple": ("09_quantization_ripple", ripple),
    "best_gamma_map": ("12_measured_passes", gamma_map),
}


def live(open_page, name):
    page = open_page(f"chapters/{CHARTS[name][0]}.html")
    page.wait_for_function(f"document.getElementById('{name}')?.view")
    return page.locator(f"#{name}")


@pytest.mark.parametrize("name", CHARTS)
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.long)])
def test_the_chart_computes_what_the_library_does(open_page, name, count):
    figure = live(open_page, name)
    settings = draw(controls(figure), count)
    assert len(settings) == count
    wrong = disagreements(figure, CHARTS[name][1], settings)
    assert not wrong, f"{len(wrong)} of {count} settings, the first: {wrong[0]}"


def test_every_live_chart_is_compared(chart_path):
    """A chart that nobody recomputes fails here."""
    html = (SITE / chart_path).read_text(encoding="utf-8")
    shown = set(re.findall(r'<figure class="explorable" id="(\w+)"', html))
    assert shown and shown <= set(CHARTS), f"no row in CHARTS for {shown - set(CHARTS)}"


def test_the_ripple_compares_what_it_says():
    """Its rows come from one function of the chart's; these are made without it."""
    chip, forms = "A100-80GB-SXM", ("W8A16", "fp16")
    pair = [roofline(chip, name, form) for name, form in zip(TEXT, forms, strict=True)]
    shown = dict(quantities(*pair, 32, 4, 0.75).values())
    assert shown == pytest.approx({
        "weights": 84, "ridge": 312e12 / 2039e9, "product": 312e12 / 2039e9,
        "knee": 15.3016, "plain_step": 70e9 / 2039e9 * 1e3, "draft_step": 14e9 / 2039e9 * 1e3,
        "plain": 932.114, "speculative": 983.48, "speedup": 1.0551, "break_even": 34.45,
    }, rel=1e-3)  # fmt: skip
    assert shown["break_even"] == roofline_break_even(*pair, 4, 0.75)


def test_a_difference_is_found(open_page):
    """One part in 10^8, in one column, is told with its setting."""
    figure = live(open_page, "yield_and_cost_of_a_window")

    def wrong(**setting):
        values, columns = window(**setting)
        spoilt = np.where(np.arange(17) == 7, 1 + 1e-8, 1) * columns["cost"]
        return values, columns | {"cost": spoilt}

    setting = {"gamma": 4, "batch": 32, "alpha": 0.75}
    assert disagreements(figure, window, [setting]) == []
    found = disagreements(figure, wrong, [setting])
    assert len(found) == 1 and "cost[7]" in found[0] and "'gamma': 4" in found[0]
