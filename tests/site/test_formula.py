"""Another formula in the theory is another curve in the page: there is no second one."""

import numpy as np
import pytest

from crossover.show.window_chart import window_chart
from crossover.theory import expected_tokens, speculation, speedup

from .parity import EVALUATE

pytestmark = pytest.mark.xdist_group("browser, charts")
PAGE = """<!doctype html><html lang="en" data-theme="light"><head><title>bare</title>
<link rel="stylesheet" href="{site}/_static/course.css">
<script type="module" src="{site}/_static/vega-embed.js"></script>
<script src="{site}/_static/course.js"></script></head><body><main>{figure}</main></body></html>"""
SETTINGS = [{"gamma": 4, "batch": batch, "alpha": alpha}
            for batch in (1, 40, 200) for alpha in (0.3, 0.75, 1)]  # fmt: skip


@pytest.fixture
def speedups(browser, site, target, draft):
    """Rebuild one live chart on a bare page; the speedup over gamma that it then draws."""

    def rebuilt():
        page = browser.new_page()
        body = PAGE.format(site=site, figure=window_chart(target, draft).html)
        page.route("**/bare.html", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(f"{site}/bare.html")
        page.wait_for_function("document.querySelector('figure.explorable')?.view")
        answers = page.evaluate(
            f"async (wanted) => JSON.parse(await ({EVALUATE})"
            "(document.querySelector('figure.explorable'), wanted))",
            [SETTINGS, ["window", "ratio"], []],
        )
        page.close()
        return np.array([answer["columns"][1] for answer in answers])

    return rebuilt


def test_the_page_follows_the_formula(speedups, target, draft, monkeypatch):
    gammas = np.arange(17)
    settings = [(each["batch"], gammas, each["alpha"]) for each in SETTINGS]
    before = speedups()
    assert np.allclose(before, [speedup(target, draft, *each) for each in settings], rtol=1e-9)

    def half_as_many(alpha, gamma):
        return 1 + (expected_tokens(alpha, gamma) - 1) / 2

    monkeypatch.setattr(speculation, "expected_tokens", half_as_many)
    after = speedups()
    assert np.allclose(after, [speedup(target, draft, *each) for each in settings], rtol=1e-9)
    assert (after[:, 1:] < before[:, 1:] * 0.95).all()
