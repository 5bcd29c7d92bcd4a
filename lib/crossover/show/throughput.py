"""The live chart of chapter 06: throughput across batch, traced from the theory."""

import altair as alt

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.evidence.traced_gemm import TABLE, ChosenProfile, page_table
from crossover.show.choices import CHIPS, DRAFT, STORED, TARGET, chosen_roofline, tables
from crossover.show.controls import derived, select, slider, sweep, table
from crossover.show.explorables import Explorable
from crossover.theory import (
    MODELS,
    baseline_throughput,
    first_loss,
    maximum,
    saving_knots,
    speculative_throughput,
    time_saved,
    vega_expression,
    where,
)

LARGEST, LONGEST = 256, 32_000  # sequences, cached tokens
STEP = 2  # sequences between points: half the work of a slider's step, and tiles end at even ones
TARGETS = [TARGET, "Llama-3-70B", "Llama-3.1-405B"]
DRAFTS = [DRAFT, "Llama-3-8B", "Llama-3-70B"]
MEASURED = "Llama-2-70B", "Llama-2-7B"  # what the text's pair stands for
CURVES = {
    "plain": "plain",
    "speculative": "speculative",
    "measured_plain": "plain, measured",
    "measured_speculative": "speculative, measured",
}


def throughput_chart():
    """Return the chart of plain and speculative tokens/s over batch.

    Returns
    -------
    Explorable
        Its curves are traced from `baseline_throughput` and `speculative_throughput`
        on the envelope and, for the text's pair in fp16 without context, on measured
        passes where the chip has some; its marks from `Roofline.crossover_batch`,
        `first_loss` and the throughput at a batch without bound.
    """
    controls, (target, draft), values = _choices()
    gamma, alpha, context = controls[-3:]
    batch, load = alt.datum.batch, (gamma, alpha, context)
    measured = [ChosenProfile(controls[0], MODELS[name]) for name in MEASURED]
    there = derived("measured_here", _measured_here(controls))
    curves = sweep(
        "batch",
        STEP,
        LARGEST,
        STEP,
        plain=baseline_throughput(target, batch, context),
        speculative=speculative_throughput(target, draft, batch, *load),
        measured_plain=where(there, baseline_throughput(measured[0], batch), None),
        measured_speculative=where(
            there, speculative_throughput(*measured, batch, gamma, alpha), None
        ),
    ).transform_fold(list(CURVES), as_=["field", "rate"])
    lines = (
        curves.transform_calculate(decoding=f"{CURVES}[datum.field]")
        .mark_line()
        .encode(
            alt.X("batch:Q", title="batch B (sequences)").scale(domain=[0, LARGEST]),
            alt.Y("rate:Q", title="tokens per second, whole batch"),
            alt.Color("decoding:N").legend(columns=2),
            alt.StrokeDash("decoding:N"),
        )
    )
    knee = derived("knee", target.crossover_batch(gamma + 1, context))
    even, on_the_way = _break_even(target, draft, *load)
    plateau = derived("plateau", speculative_throughput(target, draft, 1e12, *load))
    marks = [
        _mark(name, at, speculative_throughput(target, draft, maximum(at, 1), *load))
        for name, at in (("knee", knee), ("break-even", even))
    ]
    return Explorable(
        "throughput_across_batch",
        alt.layer(*_plateau(plateau), lines, *marks),
        controls=controls,
        values=[*values, there, knee, *on_the_way, even, plateau],
        words=_in_words(knee, even, plateau, gamma, there),
        caption=(
            "Plain and speculative throughput over batch, on the envelope and, where there "
            "are some, on measured passes. The marks are the envelope's. γ moves the knee; "
            "α moves the break-even and the plateau, never the knee."
        ),
        alternative=(
            "Tokens per second over batch, plain and speculative, at γ = 4 and α = 0.75 on an "
            "A100: the speculative line has its knee at batch 31, falls below the plain line "
            "at batch 81 and stays flat at 1259, while the plain line rises to batch 153. Each "
            "measured line lies below its envelope and climbs in steps."
        ),
    )


def _choices():
    """Return the controls, the two rooflines that they set, and the values in between."""
    chip = select("chip", "Chip", CHIPS, "A100-80GB-SXM")
    models = select("target", "Target", TARGETS, TARGET), select("draft", "Draft", DRAFTS, DRAFT)
    stored = [select(f"{name}_stored", f"{name.capitalize()}'s weights", STORED, "fp16")
              for name in ("target", "draft")]  # fmt: skip
    load = (
        slider("gamma", "γ, drafted tokens per round", 0, 12, 1, 4),
        slider("alpha", "α, acceptance rate", 0, 1, 0.01, 0.75),
        slider("context", "L, cached tokens per sequence", 0, LONGEST, 250, 0),
    )
    known = tables(*TARGETS, *DRAFTS)
    points = [MeasuredProfile(*key) for key in profiles() if key[2] == 1]
    values, pair = [*known, table(TABLE, page_table(points))], []
    for name, model, form in zip(("target", "draft"), models, stored, strict=True):
        roofline, figures = chosen_roofline(name, known, chip, model, form)
        pair.append(roofline)
        values += figures
    return [chip, models[0], stored[0], models[1], stored[1], *load], pair, values


def _measured_here(controls):
    """Whether passes of this choice were measured: the text's pair, fp16, no attention."""
    chip, target, target_stored, draft, draft_stored, _, _, context = controls
    chips = sorted({key[0] for key in profiles() if key[2] == 1})
    there = chip == chips[0]
    for name in chips[1:]:
        there = there | (chip == name)
    for choice, wanted in (
        (target, TARGET), (draft, DRAFT), (target_stored, "fp16"), (draft_stored, "fp16"),
        (context, 0),
    ):  # fmt: skip
        there = there & (choice == wanted)
    return there


def _break_even(target, draft, gamma, alpha, context):
    """Return the break-even batch and the values on the way to it, each named once."""
    knots = [1]
    for number, knot in enumerate(saving_knots(target, draft, gamma, context)[1:], start=1):
        knots.append(derived(f"knot_{number}", knot) if number < 4 else knot)
    saved = [derived(f"saved_{number}", time_saved(target, draft, knot, gamma, alpha, context))
             for number, knot in enumerate(knots)]  # fmt: skip
    even = derived("break_even", first_loss(knots, saved))
    return even, [*knots[1:4], *saved]


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
    """Return a rule at a throughput, and its number at the rule's right end."""
    row = alt.Chart(alt.Data(values=[{}])).transform_calculate(
        rate=vega_expression(rate),
        batch=str(LARGEST),
        written=vega_expression("plateau " + alt.expr.format(rate, ".0f")),
    )
    return (
        row.mark_rule(strokeDash=[2, 3]).encode(alt.Y("rate:Q")),
        row.mark_text(align="right", dy=-8).encode(
            alt.X("batch:Q"), alt.Y("rate:Q"), alt.Text("written:N")
        ),
    )


def _in_words(knee, even, plateau, gamma, there):
    """Return the state of the chart as a sentence, for the live region."""
    one = alt.expr.format
    bends = where(knee < 1e9, "Knee at " + one(knee, ".1f") + " sequences", "No knee at any batch")
    loses = where(
        even < 1,
        "slower than off at one sequence already",
        where(even > 4096, "faster than off at every batch up to 4096",
              "faster than off up to " + one(even, ".1f") + " sequences, slower beyond"),
    )  # fmt: skip
    sentence = bends + "; " + loses + "; plateau " + one(plateau, ".0f") + " tokens per second."
    passes = where(there, " Measured passes are drawn too.", " This choice was not measured.")
    return where(gamma < 1, "γ is 0: speculation is off.", sentence) + passes
