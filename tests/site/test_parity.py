"""The numbers in the reader's browser equal the library's, read from the chart's own data."""

import numpy as np
import pytest

from crossover.theory import (
    baseline_throughput,
    roofline_break_even,
    speculative_throughput,
    speedup_floor,
)

pytestmark = pytest.mark.xdist_group("browser")

# Set the sliders, let Vega compute, and hand back rows and derived values.
EVALUATE = """async (figure, settings) => {
    const answers = [];
    for (const {gamma, alpha} of settings) {
        await figure.view.signal("gamma", gamma).signal("alpha", alpha).runAsync();
        const names = Object.keys(figure.view.getState({data: () => true}).data);
        const rows = names.map((name) => figure.view.data(name))
            .find((rows) => rows.length > 200 && "speculative" in rows[0]);
        const found = new Map(rows.map((r) => [r.batch, [r.plain, r.speculative]]));
        const values = ["knee", "break_even", "plateau"].map((n) => String(figure.view.signal(n)));
        answers.push({rows: [...found].map(([batch, rates]) => [batch, ...rates]), values});
    }
    return answers;
}"""


def settings(count):
    """Random settings within the sliders' ranges, the corners among them."""
    random = np.random.default_rng(11)
    drawn = [(int(random.integers(0, 13)), round(random.uniform(), 2)) for _ in range(count)]
    return [*drawn, (0, 0.75), (4, 0.75), (4, 0.0), (12, 1.0), (1, 1.0), (0, 1.0)]


def test_throughput_chart_computes_what_the_library_does(open_page, target, draft):
    page = open_page("chapters/06_throughput_across_batch.html")
    page.wait_for_function("document.querySelector('figure.explorable')?.view")
    figure = page.locator("figure.explorable").first
    chosen = settings(60)
    answers = figure.evaluate(EVALUATE, [{"gamma": g, "alpha": a} for g, a in chosen])
    for (gamma, alpha), answer in zip(chosen, answers, strict=True):
        batch, plain, speculative = np.array(answer["rows"]).T
        assert len(batch) == 256
        assert np.allclose(plain, baseline_throughput(target, batch), rtol=1e-9, atol=0)
        expected = speculative_throughput(target, draft, batch, gamma, alpha)
        assert np.allclose(speculative, expected, rtol=1e-9, atol=0)
        knee, even, plateau = (float(text.replace("Infinity", "inf")) for text in answer["values"])
        assert knee == pytest.approx(target.crossover_batch(gamma + 1), rel=1e-9)
        assert even == pytest.approx(roofline_break_even(target, draft, gamma, alpha), rel=1e-9)
        ceiling = baseline_throughput(target, 1e6)
        floor = speedup_floor(target, draft, gamma, alpha)
        assert plateau == pytest.approx(ceiling * floor, rel=1e-9)
