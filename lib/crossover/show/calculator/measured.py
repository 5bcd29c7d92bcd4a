"""The calculator's second column: the same results from measured passes, where there are any."""

from dataclasses import replace

import altair as alt

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.evidence.traced_gemm import TABLE, ChosenProfile, page_table
from crossover.show.calculator.formulas import SHAPE, Setting, searched
from crossover.show.calculator.view import crossing_rows, gamma_rows, traced_searches
from crossover.theory import Model, vega_expression

POSITIONS = 4096  # every series ends here
LAST = f"({POSITIONS} / (gamma + 1))"  # the largest batch of a verification
NOT_16_BIT = "the measured passes are fp16"
WITH_CONTEXT = "the measured passes hold no attention, so none with cached tokens"
NO_SERIES = "no passes of these two models on this many of these chips"
TOO_MANY = f"B·(γ + 1) is beyond the {POSITIONS} positions measured"


def why_not(values):
    """Return why no measured passes cover complete inputs, or "" where they do."""
    if any(values[f"{role}_precision"] != "fp16" for role in ("target", "draft")):
        return NOT_16_BIT
    if values["context"] > 0:
        return WITH_CONTEXT
    wanted = [(values["chip"], values[role], values["count"]) for role in ("target", "draft")]
    if not set(wanted) <= set(profiles()):
        return NO_SERIES
    return TOO_MANY if values["batch"] * (values["gamma"] + 1) > POSITIONS else ""


def measured(values):
    """Return the results of the measured passes, or {} where none cover the inputs.

    R and the knees are those of the series (`MeasuredProfile.knee`), taken as R·d/2.
    """
    if why_not(values):
        return {}
    pair = [MeasuredProfile(values["chip"], values[role], values["count"])
            for role in ("target", "draft")]  # fmt: skip
    at = Setting.of(*pair, values)
    return _knees(pair[0].knee(), at.gamma) | at.throughputs() | searched(at)


def _knees(knee, gamma):
    bytes_per_param = 2
    return {
        "ridge_point": 2 * knee / bytes_per_param,
        "knee_plain": knee,
        "knee_verify": knee / (gamma + 1),
    }


# -- the same, in the page ------------------------------------------------------------


def measured_signals():
    """Return the tables of the series, whether they cover the inputs, and why not.

    Where they do not, the formulas read the first series instead, and nobody reads them.
    """
    series = [MeasuredProfile(*key) for key in profiles()]
    knees = {}
    for each in series:
        chip = knees.setdefault(each.accelerator, {}).setdefault(str(each.tensor_parallel), {})
        chip[each.model] = each.knee()
    first = dict(zip(("chip", "target", "count"), profiles()[0], strict=True))
    first["draft"] = first["target"]
    group = f"{TABLE}[chip][count]"
    held = " && ".join(f"isValid({key})" for key in (
        f"{TABLE}[chip]", group, f"{group}[target]", f"{group}[draft]"))  # fmt: skip
    reasons = [
        ("target_precision != 'fp16' || draft_precision != 'fp16'", NOT_16_BIT),
        ("context > 0", WITH_CONTEXT),
        (f"!({held})", NO_SERIES),
        (f"batch * (gamma + 1) > {POSITIONS}", TOO_MANY),
    ]
    why = " : ".join(f"{fails} ? '{words}'" for fails, words in reasons) + " : ''"
    return [
        {"name": TABLE, "value": page_table(series)},
        {"name": "knees", "value": knees},
        {"name": "why_not", "update": why},
        {"name": "covered", "update": "why_not === ''"},
        *({"name": f"measured_{name}", "update": f"covered ? {name} : {value!r}"}
          for name, value in first.items()),
        *({"name": f"measured_{role}_row", "update": f"models[measured_{role}]"}
          for role in ("target", "draft")),
        {"name": "knee", "update": "knees[measured_chip][measured_count][measured_target]"},
    ]  # fmt: skip


def measured_setting(load):
    """Return the measured passes under a traced load.

    Parameters
    ----------
    load : Setting
        Traced; its latency models are replaced, and its context is 0.
    """
    chip, count = (alt.param(name=f"measured_{what}", value=0) for what in ("chip", "count"))

    def passes(role):
        row = alt.param(name=f"measured_{role}_row", value=0)
        shape = (getattr(row, field) for field in SHAPE)
        model = Model(alt.param(name=f"measured_{role}", value=0), row.params, 2, *shape)
        return ChosenProfile(chip, model, count)

    # covered only where no tokens are cached
    return replace(load, target=passes("target"), draft=passes("draft"), context=0)


def measured_crossings(at):
    """Return `crossing_rows` of measured passes: their knots are the points measured."""
    points = f"{TABLE}[measured_chip][measured_count].positions"
    number = f"length({points})"
    batch = (
        f"(datum.i < {number} ? {points}[datum.i]"
        f" : datum.i < 2 * {number} ? {points}[datum.i - {number}] / (gamma + 1) : {LAST})"
    )
    return crossing_rows("measured_crossings", at, f"covered ? 2 * {number} + 1 : 0", batch, LAST)


def measured_gammas(at):
    """Return `gamma_rows` of measured passes, as far as there are positions."""
    inside = f"covered && batch * (datum.gamma + 1) <= {POSITIONS}"
    return gamma_rows("measured_gammas", at, inside)


def measured_fields(at):
    """Return the results as Vega expressions; null where no passes cover the inputs."""
    knee = alt.param(name="knee", value=0)
    closed = _knees(knee, at.gamma) | at.throughputs()
    texts = {name: vega_expression(value) for name, value in closed.items()}
    texts |= traced_searches(at, "measured_gammas", "measured_crossings")
    return {name: f"covered ? ({text}) : null" for name, text in texts.items()}
