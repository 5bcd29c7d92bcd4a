"""The live chart of chapter 06: throughput across batch, traced from the theory."""

import altair as alt

from crossover.show.controls import derived, slider, sweep
from crossover.show.explorables import Explorable
from crossover.theory import (
    baseline_throughput,
    maximum,
    roofline_break_even,
    speculative_throughput,
    vega_expression,
    where,
)

LARGEST = 256


def throughput_chart(target, draft):
    """Return the chart of plain and speculative tokens/s, with sliders for gamma and alpha.

    Parameters
    ----------
    target, draft : Roofline

    Returns
    -------
    Explorable
        Its data are traced from `baseline_throughput` and `speculative_throughput`;
        knee and break-even from `Roofline.crossover_batch` and `roofline_break_even`.
    """
    gamma = slider("gamma", "γ, drafted tokens per round", 0, 12, 1, 4)
    alpha = slider("alpha", "α, acceptance rate", 0, 1, 0.01, 0.75)
    batch = alt.datum.batch
    curves = sweep(
        "batch",
        1,
        LARGEST,
        plain=baseline_throughput(target, batch),
        speculative=speculative_throughput(target, draft, batch, gamma, alpha),
    ).transform_fold(["plain", "speculative"], as_=["decoding", "rate"])
    lines = curves.mark_line().encode(
        alt.X("batch:Q", title="batch B (sequences)"),
        alt.Y("rate:Q", title="tokens per second, whole batch"),
        alt.Color("decoding:N"),
        alt.StrokeDash("decoding:N"),
    )
    knee = derived("knee", target.crossover_batch(gamma + 1))
    even = derived("break_even", roofline_break_even(target, draft, gamma, alpha))
    plateau = derived("plateau", speculative_throughput(target, draft, 1e6, gamma, alpha))
    marks = [
        _mark(name, at, speculative_throughput(target, draft, maximum(at, 1), gamma, alpha))
        for name, at in (("knee", knee), ("break-even", even))
    ]
    return Explorable(
        "throughput_across_batch",
        alt.layer(_plateau(plateau), lines, *marks),
        controls=(gamma, alpha),
        values=(knee, even, plateau),
        words=_in_words(knee, even, plateau, gamma),
        caption=(
            "Plain and speculative throughput over batch. γ moves the knee; "
            "α moves the break-even and the plateau, never the knee."
        ),
        alternative=(
            "Tokens per second over batch, plain and speculative, at γ = 4 and α = 0.75: "
            "the speculative line has its knee at batch 31, falls below the plain line "
            "at batch 81 and stays flat, while the plain line rises to batch 153."
        ),
    )


def _mark(name, batch, rate):
    """Return a labelled point on the speculative curve, invisible while off the chart.

    Off the chart it waits at batch 1: a layer without rows would have no extent.
    """
    inside = (batch >= 1) & (batch <= LARGEST)
    row = (
        alt.Chart(alt.Data(values=[{"name": name}]))
        .transform_calculate(
            batch=vega_expression(where(inside, batch, 1)),
            rate=vega_expression(where(inside, rate, 0)),
            written=vega_expression(where(inside, name + " " + alt.expr.format(batch, ".1f"), "")),
            shown=vega_expression(where(inside, 1, 0)),
        )
        .encode(alt.X("batch:Q"), alt.Y("rate:Q"), alt.Opacity("shown:Q", scale=None))
    )
    return alt.layer(
        row.mark_point(filled=True, size=90, shape="diamond"),
        row.mark_text(align="left", dx=9, dy=12).encode(alt.Text("written:N")),
    )


def _plateau(rate):
    row = alt.Chart(alt.Data(values=[{}])).transform_calculate(rate=vega_expression(rate))
    return row.mark_rule(strokeDash=[2, 3]).encode(alt.Y("rate:Q"))


def _in_words(knee, even, plateau, gamma):
    """Return the state of the chart as a sentence, for the live region."""
    one = alt.expr.format
    loses = where(
        even < 1,
        "slower than off at every batch",
        "faster than off up to " + one(even, ".1f") + " sequences, slower beyond",
    )
    sentence = (
        "Knee at " + one(knee, ".1f") + " sequences; " + loses
        + "; plateau " + one(plateau, ".0f") + " tokens per second."
    )
    return where(gamma < 1, "γ is 0: speculation is off.", sentence)
