"""The live chart of chapter 12: the best gamma over batch and acceptance rate, as a map."""

import altair as alt

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.evidence.traced_gemm import TABLE, ChosenProfile, page_table
from crossover.show.choices import chosen_roofline, tables
from crossover.show.controls import (
    best_index,
    derived,
    list_expression,
    listed,
    select,
    slider,
    table,
)
from crossover.show.explorables import Explorable
from crossover.theory import MODELS, speedup, vega_expression, where

NAMES = "Llama-2-70B", "Llama-2-7B"
LARGEST = 12  # gamma; with it, 256 sequences stay within the measured positions
BATCHES, ALPHAS = (2, 256, 2), (0.2, 1.0, 0.04)  # first, last and step of the cells
OFF = "#8a8f94"
# Viridis, finer where gamma is small: told apart in grey and by every eye.
RAMP = ["#46085c", "#355e8d", "#25858e", "#1fa188", "#31b57b", "#52c569", "#73d056", "#95d840",
        "#b2dd2d", "#d0e11c", "#eae51a", "#fde725"]  # fmt: skip
BY_BATCH = alt.SortField("batch")
LIGHT_FROM = 3  # from this gamma on, dark digits


def gamma_map():
    """Return the map of the best gamma, 0 being off, with the reader's point on it.

    Returns
    -------
    Explorable
        The speedup of every gamma is traced from `speedup`, on the envelope or on the
        measured passes, of the Llama-2 pair in fp16; the best is the first largest.
    """
    chips = sorted({chip for chip, _, parallel in profiles() if parallel == 1})
    chip = select("chip", "Chip", chips, "A100-80GB-SXM")
    passes = select("passes", "Passes", ["envelope", "measured"], "measured")
    batch = slider("batch", "B, sequences in the pass", 1, 256, 1, 64)
    alpha = slider("alpha", "α, acceptance rate", 0.2, 1, 0.01, 0.75)
    known = tables(*NAMES)
    points = [MeasuredProfile(name, model) for name in chips for model in NAMES]
    values, roofs = [*known, table(TABLE, page_table(points))], []
    for role, name in zip(("target", "draft"), NAMES, strict=True):
        roofline, figures = chosen_roofline(role, known, chip, name, "fp16")
        roofs.append(roofline)
        values += figures
    clocks = [ChosenProfile(chip, MODELS[name]) for name in NAMES]
    at_point = {}
    for label, pair in (("envelope", roofs), ("measured", clocks)):
        gains = [speedup(*pair, batch, gamma, alpha) for gamma in range(LARGEST + 1)]
        at_point[label] = listed(f"gains_{label}", gains)
    best = {label: derived(f"best_{label}", best_index(gains)) for label, gains in at_point.items()}
    return Explorable(
        "best_gamma_map",
        alt.layer(*_cells(passes, roofs, clocks), *_point(batch, alpha)),
        controls=(chip, passes, batch, alpha),
        values=[*values, *at_point.values(), *best.values()],
        words=_in_words(batch, alpha, at_point, best),
        caption=(
            "The best γ over batch and acceptance rate; 0 is off. The diamond is your point. "
            "On measured passes the borders bend where a pass fills a row of tiles."
        ),
        alternative=(
            "A map of the best γ on measured A100 passes, batch from 1 to 256 across, acceptance "
            "rate upwards. Off fills the lower right, γ = 1 a band above it, and "
            "wider windows crowd into the upper left. The borders are jagged."
        ),
    )


class _OfRow:
    """Latency model whose seconds a row of the map holds already: they do not depend on alpha."""

    def __init__(self, field):
        self.field = field

    def __call__(self, batch, width=1, context=0):
        return alt.datum[self.field][int(width) - 1]


def _cells(passes, roofs, clocks):
    """Return the cells in the colour of their gamma, and the number on some of them."""
    batch = alt.datum.batch
    seconds = {}
    for field, number, widths in (("target", 0, LARGEST + 1), ("draft", 1, 1)):
        seconds[field] = [
            where(passes == "measured", clocks[number](batch, width), roofs[number](batch, width))
            for width in range(1, widths + 1)
        ]
    pair = _OfRow("target_seconds"), _OfRow("draft_seconds")
    gains = [speedup(*pair, batch, gamma, alt.datum.alpha) for gamma in range(LARGEST + 1)]
    first, last, step = BATCHES
    low, high, rise = ALPHAS
    cells = (
        alt.Chart(alt.sequence(first, last + 1, step, as_="batch"))
        .transform_calculate(
            target_seconds=list_expression(seconds["target"]),
            draft_seconds=list_expression(seconds["draft"]),
            alpha=f"sequence({low}, {high + rise / 2}, {rise})",
        )
        .transform_flatten(["alpha"])
        .transform_calculate(gains=list_expression(gains))
        .transform_calculate(best=vega_expression(best_index(alt.datum.gains)))
    )
    # one rectangle for neighbours with the same gamma: a page is slow with thousands
    runs = (
        cells.transform_window(before="lag(best)", groupby=["alpha"], sort=[BY_BATCH])
        .transform_filter("datum.best !== datum.before")
        .transform_window(following="lead(batch)", groupby=["alpha"], sort=[BY_BATCH])
        .transform_calculate(
            left=f"datum.batch - {step / 2}",
            right=f"(datum.following || {last + step}) - {step / 2}",
            below=f"datum.alpha - {rise / 2}", above=f"datum.alpha + {rise / 2}",
        )
    )  # fmt: skip
    across = alt.X("left:Q", title="batch B (sequences)").scale(domain=[0, 257], nice=False)
    up = alt.Y("below:Q", title="α (acceptance rate)").scale(
        domain=[low - rise / 2, high + rise / 2], nice=False
    )
    colour = alt.Color("best:O", legend=None).scale(
        domain=list(range(LARGEST + 1)), range=[OFF, *RAMP]
    )
    some = (batch % 32 == 16) & (alt.expr.round(alt.datum.alpha / rise) % 3 == 0)
    return (
        runs.mark_rect(clip=True).encode(across, up, colour, alt.X2("right:Q"), alt.Y2("above:Q")),
        cells.transform_filter(some)
        .mark_text(fontSize=12)
        .encode(
            alt.X("batch:Q"),
            alt.Y("alpha:Q"),
            alt.Text("best:Q"),
            alt.condition(f"datum.best >= {LIGHT_FROM} || datum.best < 1",
                          alt.ColorValue("#000000"), alt.ColorValue("#ffffff")),
        ),
    )  # fmt: skip


def _point(batch, alpha):
    """Return the reader's point, seen on every colour."""
    row = (
        alt.Chart(alt.Data(values=[{}]))
        .transform_calculate(batch=vega_expression(batch), alpha=vega_expression(alpha))
        .encode(alt.X("batch:Q"), alt.Y("alpha:Q"))
    )
    return (
        row.mark_point(shape="diamond", size=220, strokeWidth=5, opacity=1, color="#000000"),
        row.mark_point(shape="diamond", size=220, strokeWidth=2, opacity=1, color="#ffffff"),
    )


def _in_words(batch, alpha, at_point, best):
    """Return what is best at the point, for the live region."""
    one = alt.expr.format

    def said(label):
        chosen = best[label]
        gain = at_point[label][chosen]
        return where(chosen < 1, "off", "γ = " + one(chosen, "d") + " at " + one(gain, ".2f"))

    real = at_point["measured"][best["envelope"]]
    outcome = one(real, ".2f") + where(real < 1, ": slower than off.", ".")
    return (
        "At B = " + one(batch, "d") + ", α = " + one(alpha, ".2f") + " the envelope's best is "
        + said("envelope") + ", the measured passes' " + said("measured")
        + ". The envelope's choice gives " + outcome
    )  # fmt: skip
