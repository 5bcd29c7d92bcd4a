"""The live chart of chapter 05: where a pass stands on its chip's roof."""

import altair as alt

from crossover.show.choices import CHIPS, STORED, TARGET, chosen_roofline, tables
from crossover.show.controls import derived, select, slider
from crossover.show.explorables import Explorable
from crossover.theory import ridge_point, vega_expression, where

# FLOP per byte and TFLOP/s; every chip's roof and every setting lie within.
INTENSITIES, RATES = (0.5, 100_000), (0.2, 4_000)
DECADES = [1, 10, 100, 1000, 10_000]


def roof_chart():
    """Return the roof of a chip with the pass of a batch, a width and a context on it.

    Returns
    -------
    Explorable
        Traced from `Roofline.intensity`, `Roofline.attainable_flops`, `ridge_point` and
        the roofline's own seconds, for the text's target.
    """
    chip = select("chip", "Chip", CHIPS, "A100-80GB-SXM")
    stored = select("weights", "Weights stored and multiplied as", STORED, "fp16")
    batch = slider("batch", "B, sequences in the pass", 1, 256, 1, 32)
    width = slider("window", "w, token positions per sequence", 1, 17, 1, 5)
    context = slider("context", "L, cached tokens per sequence", 0, 32_000, 250, 0)
    known = tables(TARGET)
    target, figures = chosen_roofline("target", known, chip, TARGET, stored)
    ridge = derived("ridge", ridge_point(target.reached_flops, target.reached_bandwidth))
    intensity = derived("intensity", target.intensity(batch, width, context))
    reached = derived("reached", target.attainable_flops(intensity))
    seconds = derived("seconds", target(batch, width, context))
    return Explorable(
        "pass_on_the_roof",
        alt.layer(*_ridge(ridge), _roof(target, ridge), *_pass(intensity, reached)),
        controls=(chip, stored, batch, width, context),
        values=[*known, *figures, ridge, intensity, reached, seconds],
        words=_in_words(ridge, intensity, reached, seconds, target),
        caption=(
            "The roof of a chip and one pass of a 70-billion-parameter model on it. Batch and "
            "width move the diamond to the right; past the ridge it does not climb any more."
        ),
        alternative=(
            "Log-log roofline of an A100: the roof rises to 312 TFLOP/s at the ridge point of "
            "153 FLOP per byte and is flat beyond. The pass of batch 32 and width 5 stands "
            "just right of the ridge, at 160 FLOP per byte."
        ),
    )


def _roof(target, ridge):
    """Return the roof through its ends and its ridge."""
    at = alt.datum.at
    first, last = INTENSITIES
    intensity = where(at < 1, first, where(at < 2, ridge, last))
    rows = alt.Chart(alt.Data(values=[{"at": at} for at in range(3)]))
    return (
        rows.transform_calculate(intensity=vega_expression(intensity))
        .transform_calculate(
            rate=vega_expression(target.attainable_flops(alt.datum.intensity) / 1e12)
        )
        .mark_line(clip=True)
        .encode(
            alt.X("intensity:Q", title="arithmetic intensity (FLOP per byte)")
            .scale(type="log", domain=list(INTENSITIES), nice=False)
            .axis(values=DECADES),
            alt.Y("rate:Q", title="attainable rate (TFLOP/s)")
            .scale(type="log", domain=list(RATES), nice=False)
            .axis(values=DECADES),
        )
    )


def _ridge(ridge):
    """Return the line at the ridge point, and its number at the line's foot."""
    row = alt.Chart(alt.Data(values=[{}])).transform_calculate(
        intensity=vega_expression(ridge),
        rate=str(RATES[0]),
        written=vega_expression("R " + alt.expr.format(ridge, ",.1f")),
    )
    row = row.encode(alt.X("intensity:Q"))
    return (
        row.mark_rule(strokeDash=[2, 3]),
        row.mark_text(align="left", dx=6, dy=-10).encode(alt.Y("rate:Q"), alt.Text("written:N")),
    )


def _pass(intensity, reached):
    """Return the diamond of the reader's pass, and its intensity beside it."""
    row = (
        alt.Chart(alt.Data(values=[{}]))
        .transform_calculate(
            intensity=vega_expression(intensity),
            rate=vega_expression(reached / 1e12),
            written=vega_expression("AI " + alt.expr.format(intensity, ",.1f")),
        )
        .encode(alt.X("intensity:Q"), alt.Y("rate:Q"))
    )
    return (
        row.mark_point(filled=True, size=160, shape="diamond", opacity=1),
        row.mark_text(align="left", dx=9, dy=14).encode(alt.Text("written:N")),
    )


def _in_words(ridge, intensity, reached, seconds, target):
    """Return the state of the chart as a sentence, for the live region."""
    one = alt.expr.format
    bound = where(intensity < ridge, "memory-bound", "compute-bound")
    return (
        "AI " + one(intensity, ",.1f") + " FLOP per byte, R " + one(ridge, ",.1f") + ": " + bound
        + ". The pass takes " + one(seconds * 1e3, ".1f") + " ms, at " + one(reached / 1e12, ".1f")
        + " of " + one(target.reached_flops / 1e12, ".0f") + " TFLOP/s."
    )  # fmt: skip
