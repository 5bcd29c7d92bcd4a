"""Measured passes in the page are those in Python."""

import altair as alt
import numpy as np
import pytest

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.evidence.traced_gemm import ChosenProfile, page_table
from crossover.theory import MODELS, speedup

from ..vega import in_vega

NAMES = "Llama-2-70B", "Llama-2-7B"
ALL = [MeasuredProfile(*key) for key in profiles()]
TABLE = page_table(ALL)


@pytest.mark.parametrize("profile", ALL, ids=repr)
def test_the_page_interpolates_as_python_does(profile):
    """At the measured points, between them, at both ends, and at whole positions."""
    x = profile.positions
    random = np.random.default_rng(5)
    anywhere = [*random.integers(1, 4097, 80), *random.uniform(1, 4096, 40)]
    wanted = [*x, *(x[1:] + x[:-1]) / 2, *anywhere]
    rows = [{"positions": float(position)} for position in wanted]
    traced = ChosenProfile(profile.accelerator, MODELS[profile.model], profile.tensor_parallel)
    shown = in_vega(traced(alt.datum.positions), rows, measured=TABLE)
    assert shown == pytest.approx(profile(np.array(wanted)), rel=1e-9)
    assert len(set(shown)) > len(x)


def test_the_speedup_is_traced_through_them():
    rows = [{"batch": b, "gamma": g} for b in (1, 13, 32, 64, 128, 256) for g in range(0, 13, 3)]
    chosen = [ChosenProfile("H100-SXM", MODELS[name], 4) for name in NAMES]
    traced = speedup(*chosen, alt.datum.batch, alt.datum.gamma, 0.75)
    pair = [MeasuredProfile("H100-SXM", name, 4) for name in NAMES]
    here = [speedup(*pair, row["batch"], row["gamma"], 0.75) for row in rows]
    assert in_vega(traced, rows, measured=TABLE) == pytest.approx(here, rel=1e-9)


def test_the_reader_may_choose_the_chip():
    rows = [{"chip": chip, "chips": n, "batch": 40} for chip, model, n in profiles()
            if model == NAMES[0]]  # fmt: skip
    chosen = [ChosenProfile(alt.datum.chip, MODELS[name], alt.datum.chips) for name in NAMES]
    traced = speedup(*chosen, alt.datum.batch, 3, 0.75)
    here = [speedup(*(MeasuredProfile(row["chip"], name, row["chips"]) for name in NAMES),
                    40, 3, 0.75) for row in rows]  # fmt: skip
    assert in_vega(traced, rows, measured=TABLE) == pytest.approx(here, rel=1e-9)
    assert len({round(ratio, 3) for ratio in here}) == 5


def test_bad_input_is_refused():
    for context in (100, alt.datum.context):
        with pytest.raises(NotImplementedError, match="context > 0"):
            ChosenProfile(alt.datum.chip, MODELS[NAMES[0]])(alt.datum.batch, 1, context)
    other = MeasuredProfile("A40", NAMES[1])
    other.positions = other.positions + 1
    with pytest.raises(ValueError, match="profiles: .*other positions"):
        page_table([MeasuredProfile("A40", NAMES[0]), other])
