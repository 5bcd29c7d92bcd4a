"""Every live chart computes what the library does, read from the chart's own data."""

import re

import numpy as np
import pytest

from crossover.theory import (
    baseline_throughput,
    best_gamma,
    expected_tokens,
    roofline_break_even,
    round_time,
    speculative_throughput,
)

from .conftest import SITE
from .parity import COUNT, controls, disagreements, draw

pytestmark = pytest.mark.xdist_group("browser")
BATCHES, GAMMAS = np.arange(1, 257), np.arange(17)


@pytest.fixture
def throughput(target, draft):
    def recompute(gamma, alpha):
        values = {
            "knee": target.crossover_batch(gamma + 1),
            "break_even": roofline_break_even(target, draft, gamma, alpha),
        }
        return values, {
            "batch": BATCHES,
            "plain": baseline_throughput(target, BATCHES),
            "speculative": speculative_throughput(target, draft, BATCHES, gamma, alpha),
        }

    return recompute


@pytest.fixture
def window(target, draft):
    def recompute(batch, alpha):
        cost = [round_time(target, draft, batch, g) / target(batch, 1) for g in GAMMAS]
        columns = {"gamma": GAMMAS, "emitted": expected_tokens(alpha, GAMMAS), "cost": cost}
        return {"best": best_gamma(target, draft, batch, alpha)}, columns

    return recompute


CHARTS = {
    "throughput_across_batch": ("06_throughput_across_batch", "throughput"),
    "yield_and_cost_of_a_window": ("08_wider_windows", "window"),
}


def live(open_page, name):
    page = open_page(f"chapters/{CHARTS[name][0]}.html")
    page.wait_for_function(f"document.getElementById('{name}')?.view")
    return page.locator(f"#{name}")


@pytest.mark.parametrize("name", CHARTS)
def test_the_chart_computes_what_the_library_does(open_page, request, name):
    figure, recompute = live(open_page, name), request.getfixturevalue(CHARTS[name][1])
    settings = draw(controls(figure), COUNT)
    assert len(settings) == COUNT
    wrong = disagreements(figure, recompute, settings)
    assert not wrong, f"{len(wrong)} of {COUNT} settings, the first: {wrong[0]}"


def test_every_live_chart_is_compared(chart_path):
    html = (SITE / chart_path).read_text(encoding="utf-8")
    shown = set(re.findall(r'<figure class="explorable" id="(\w+)"', html))
    assert shown and shown <= set(CHARTS), f"no row in CHARTS for {shown - set(CHARTS)}"


def test_a_difference_is_found(open_page, target, draft):
    """One part in 10^8, in one column, is told with its setting."""
    figure = live(open_page, "throughput_across_batch")

    def wrong(gamma, alpha):
        rate = speculative_throughput(target, draft, BATCHES, gamma, alpha)
        return {}, {"batch": BATCHES, "speculative": rate * np.where(BATCHES == 7, 1 + 1e-8, 1)}

    found = disagreements(figure, wrong, [{"gamma": 4, "alpha": 0.75}])
    assert len(found) == 1 and "speculative[6]" in found[0] and "'gamma': 4" in found[0]
