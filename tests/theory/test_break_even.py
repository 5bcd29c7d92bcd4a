"""The break-even without a search: the search's own, and its trace."""

from math import inf

import altair as alt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Link,
    Roofline,
    break_even_batch,
    first_loss,
    roofline_break_even,
    saving_knots,
    speedup,
    time_saved,
)

from ..vega import in_vega

CHIPS = sorted(ACCELERATORS)
NAMES = sorted(MODELS)


def without_a_search(target, draft, gamma, alpha, context=0, draft_context=None):
    knots = saving_knots(target, draft, gamma, context, draft_context)
    saved = [time_saved(target, draft, b, gamma, alpha, context, draft_context) for b in knots]
    return first_loss(knots, saved)


@st.composite
def rounds(draw):
    chip = ACCELERATORS[draw(st.sampled_from(CHIPS))]
    reading = draw(st.sampled_from(["pass", "operator"]))
    target, draft = (
        Roofline(MODELS[draw(st.sampled_from(NAMES))], chip, roof_per=reading) for _ in "td"
    )
    context = draw(st.integers(0, 64_000))
    kept = draw(st.sampled_from([None, 512]))
    return target, draft, draw(st.integers(1, 12)), draw(st.floats(0, 1)), context, kept


@given(rounds())
def test_it_is_the_batch_that_the_search_finds(setting):
    target, draft, gamma, alpha, context, kept = setting
    found = without_a_search(*setting)
    searched = break_even_batch(
        target, draft, gamma, alpha, context=context, draft_context=kept
    )
    if searched in (0, inf) or found in (0, inf):
        # where the two curves touch, one rounding decides between 1 and just past it
        edge = 1 if 0 in (found, searched) else 4096
        ratio = speedup(target, draft, edge, gamma, alpha, context, kept)
        assert found == searched or ratio == pytest.approx(1, abs=1e-9)
    else:
        # Where the two curves lie on each other (the target drafts for itself and accepts
        # all), rounding decides at which end they part; it is one break-even all along.
        reached = (found, searched) if found != pytest.approx(searched, rel=1e-6) else (found,) * 2
        ratio = speedup(target, draft, np.linspace(*reached, 9), gamma, alpha, context, kept)
        assert ratio == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize("gamma", [1, 4, 12])
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.75, 1.0])
def test_without_context_it_is_the_closed_form(target, draft, gamma, alpha):
    closed = roofline_break_even(target, draft, gamma, alpha)
    assert without_a_search(target, draft, gamma, alpha) == pytest.approx(closed, rel=1e-9)


def test_the_figures_of_the_chapters(target, draft):
    assert round(without_a_search(target, draft, 4, 0.75), 1) == 81.1
    assert [round(float(knot), 1) for knot in saving_knots(target, draft, 4)] == [
        1, 30.6, 153.0, 153.0, 4096,
    ]  # fmt: skip


def test_it_is_traced_with_its_context():
    a100 = ACCELERATORS["A100-80GB-SXM"]
    pair = [Roofline(MODELS[name], a100) for name in ("Llama-2-70B", "Llama-2-7B")]
    random = np.random.default_rng(3)
    rows = [
        {"g": int(random.integers(1, 13)), "a": float(random.uniform()), "L": int(context)}
        for context in [*random.integers(0, 32_000, 60), 0, 0]
    ]
    here = [without_a_search(*pair, row["g"], row["a"], row["L"]) for row in rows]
    traced = without_a_search(*pair, alt.datum.g, alt.datum.a, alt.datum.L)
    assert in_vega(traced, rows) == pytest.approx(here, rel=1e-9)
    assert 0 in here and len(set(here)) > 20


def test_first_loss_reads_the_first_of_several_roots():
    batches = [1, 2, 4, 8]
    assert first_loss(batches, [1, -1, 1, -1]) == 1.5
    assert first_loss(batches, [3, 2, 1, 0]) == inf  # 0 is as fast as off
    assert first_loss(batches, [-1e-300, 1, 1, 1]) == 0
    assert list(first_loss([1, 3], [np.array([1.0, 2.0, -1.0]), np.array([-1.0, 1.0, 1.0])])) == [
        2, inf, 0,
    ]  # fmt: skip


def test_bad_input_is_refused(target, draft):
    with pytest.raises(ValueError, match="saved has 1 entries for 2 batches"):
        first_loss([1, 2], [1])
    linked = Roofline(target.model, target.accelerator, tensor_parallel=4, link=Link(1e9, 1e-6))
    with pytest.raises(ValueError, match="link = .*break_even_batch"):
        saving_knots(linked, draft, 4)
    with pytest.raises(ValueError, match="max_batch = 0"):
        saving_knots(target, draft, 4, max_batch=0)
