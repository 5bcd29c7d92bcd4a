"""The live chart of chapter 09: what moves and what stays when weights shrink."""

import altair as alt

from crossover.show.choices import CHIPS, DRAFT, STORED, TARGET, chosen_roofline, tables
from crossover.show.controls import derived, list_expression, select, slider
from crossover.show.explorables import Explorable
from crossover.theory import (
    baseline_throughput,
    maximum,
    minimum,
    ridge_point,
    roofline_break_even,
    speculative_throughput,
    speedup,
    vega_expression,
    where,
)

# Beyond a factor of 8 a dot stays at the edge; right of it stand the numbers.
LEAST, MOST, END = 0.1, 10, 150
GB, MS = 1e9, 1e-3


def ripple_chart():
    """Return what each quantity becomes, as a factor on its value with fp16 throughout.

    Returns
    -------
    Explorable
        Each row is one quantity of `quantities`, traced from ``theory`` for the stored
        forms that the reader chose, and for fp16.
    """
    chip = select("chip", "Chip", CHIPS, "A100-80GB-SXM")
    forms = (
        select("target_stored", "Target's weights", STORED, "W8A16"),
        select("draft_stored", "Draft's weights", STORED, "fp16"),
    )
    batch = slider("batch", "B, sequences in the pass", 1, 256, 1, 32)
    gamma = slider("gamma", "γ, drafted tokens per round", 1, 12, 1, 4)
    alpha = slider("alpha", "α, acceptance rate", 0, 1, 0.01, 0.75)
    known = tables(TARGET, DRAFT)
    values, pairs = list(known), []
    for when, stored in (("now", forms), ("was", ("fp16", "fp16"))):
        pair = []
        for name, model, form in zip(("target", "draft"), (TARGET, DRAFT), stored, strict=True):
            roofline, figures = chosen_roofline(f"{name}_{when}", known, chip, model, form)
            pair.append(roofline)
            values += figures
        pairs.append(pair)
    now, was = (
        {name: derived(f"{key}_{when}", traced)
         for name, (key, traced) in quantities(*pair, batch, gamma, alpha).items()}
        for when, pair in zip(("now", "was"), pairs, strict=True)
    )  # fmt: skip
    return Explorable(
        "quantisation_ripple",
        alt.layer(*_rows(now, was)),
        controls=(chip, *forms, batch, gamma, alpha),
        values=[*values, *now.values(), *was.values()],
        words=_in_words(now, was),
        caption=(
            "Each quantity as a factor on its value with both models in fp16, with the two "
            "values beside it. A dot on the line at 1 has not moved."
        ),
        alternative=(
            "Dots for ten quantities, with W8A16 on the target alone and B = 32. R, the draft "
            "step and the speculative throughput stay. R·d, the knee, the plain step and the "
            "speedup halve, the plain throughput doubles, and the break-even falls from 81.1 "
            "to 34.4 sequences."
        ),
    )


def quantities(target, draft, batch, gamma, alpha):
    """Return what the chart shows: label to a short name and the value.

    Parameters
    ----------
    target, draft : Roofline
    batch, gamma, alpha : number or traced

    Returns
    -------
    dict of str to (str, number or traced)
    """
    ridge = ridge_point(target.reached_flops, target.reached_bandwidth)
    weights = target.model.weight_bytes + draft.model.weight_bytes
    return {
        "weights, both (GB)": ("weights", weights / GB),
        "R (FLOP/B)": ("ridge", ridge),
        "R·d (FLOP)": ("product", ridge * target.model.bytes_per_param),
        "knee (sequences)": ("knee", target.crossover_batch(gamma + 1)),
        "plain step (ms)": ("plain_step", target(batch, 1) / MS),
        "draft step (ms)": ("draft_step", draft(batch, 1) / MS),
        "plain (tok/s)": ("plain", baseline_throughput(target, batch)),
        "speculative (tok/s)": (
            "speculative", speculative_throughput(target, draft, batch, gamma, alpha)
        ),
        "speedup": ("speedup", speedup(target, draft, batch, gamma, alpha)),
        "break-even (sequences)": ("break_even", roofline_break_even(target, draft, gamma, alpha)),
    }  # fmt: skip


def _rows(now, was):
    """Return the line at 1, a dot on a stem for each quantity, and its two values."""
    names = list(now)
    rows = alt.Chart(alt.Data(values=[{"name": name, "at": at} for at, name in enumerate(names)]))
    rows = (
        rows.transform_calculate(
            now=list_expression(now.values()) + "[datum.at]",
            was=list_expression(was.values()) + "[datum.at]",
        )
        .transform_calculate(
            factor=vega_expression(_factor(alt.datum.now, alt.datum.was)),
            one="1",
            end=str(END),
            written=vega_expression(_number(alt.datum.was) + " → " + _number(alt.datum.now)),
        )
        .encode(alt.Y("name:N", title=None, sort=names).axis(labelLimit=0))
    )
    scale = alt.Scale(type="log", domain=[LEAST, END], nice=False)
    ticks = alt.Axis(values=[0.125, 0.5, 1, 2, 8], format="~g", labelOverlap=False)
    factor = alt.X("factor:Q", title="factor against fp16", scale=scale, axis=ticks)
    line = alt.Chart(alt.Data(values=[{"one": 1}])).mark_rule(strokeDash=[2, 3])
    return (
        line.encode(alt.X("one:Q", scale=scale, axis=ticks)),
        rows.mark_rule(strokeWidth=3).encode(factor, alt.X2("one:Q")),
        rows.mark_point(filled=True, size=120, opacity=1).encode(factor),
        rows.mark_text(align="right", dx=-2).encode(
            alt.X("end:Q", scale=scale, axis=ticks), alt.Text("written:N")
        ),
    )


def _factor(now, was):
    """Return now over was within the chart; 1 where both are 0, an edge where one is."""
    ratio = where(was > 0, now / where(was > 0, was, 1), where(now > 0, MOST, 1))
    return minimum(maximum(ratio, LEAST), MOST)


def _number(value):
    """Return a value to three digits; a break-even of 0 has no batch."""
    return where(value > 0, alt.expr.format(value, ",.3~r"), "none")


def _in_words(now, was):
    """Return the state of the chart as a sentence, for the live region."""
    def moved(label, said):
        stays = abs(now[label] - was[label]) < 1e-9 * was[label]
        kept = " stays at " + _number(now[label])
        return said + where(
            stays, kept, " goes from " + _number(was[label]) + " to " + _number(now[label])
        )

    ratio = now["speedup"]
    gain = ". Speedup " + alt.expr.format(ratio, ".2f")
    return (
        moved("R (FLOP/B)", "R") + ", " + moved("knee (sequences)", "the knee") + ", "
        + moved("break-even (sequences)", "the break-even") + gain
        + where(ratio < 1, ": slower than off.", ": not slower than off.")
    )  # fmt: skip
