"""The calculator's formulas in the reader's page: a Vega view without marks.

Inputs are signals, results are the fields of one row. The two searches, over gamma and
over batch, are sequences of rows.
"""

import altair as alt

from crossover.show.calculator.formulas import EFFICIENCIES, SHAPE, Setting
from crossover.show.calculator.inputs import CUSTOM, INPUTS, MAX_BATCH, MAX_GAMMA, PRECISIONS
from crossover.show.controls import list_expression
from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Accelerator,
    Model,
    Roofline,
    pass_knees,
    vega_expression,
)

INFINITY = "1/0"  # Vega has no name for it


def traced_setting():
    """Return the rooflines and the load as signals of the page's view."""
    signal = {name: alt.param(name=name, value=0) for name in INPUTS}
    chip_row = alt.param(name="chip_row", value=0)
    reached = {name: signal[name] for name in EFFICIENCIES}
    pair = []
    for role in ("target", "draft"):
        row, stored = (alt.param(name=f"{role}_{what}", value=0) for what in ("row", "stored"))
        rate = alt.param(name=f"{role}_rate", value=0)
        model = Model(role, row.params, stored.bytes, *(getattr(row, field) for field in SHAPE))
        chip = Accelerator("chip", rate, chip_row.bandwidth, chip_row.memory)
        pair.append(Roofline(model, chip, tensor_parallel=signal["count"], **reached))
    return Setting.of(*pair, signal)


def signals():
    """Return the view's inputs, its tables, and the rows of the tables that the inputs name."""
    chips = {
        name: {"rates": dict(chip.peak_flops), "bandwidth": chip.bandwidth, "memory": chip.memory}
        for name, chip in ACCELERATORS.items()
    }
    models = {
        name: {field: getattr(model, field) for field in ("params", *SHAPE)}
        for name, model in MODELS.items()
    }
    stored = {key: {"bytes": d, "arithmetic": a} for key, (_, d, a) in PRECISIONS.items()}
    tables = {"chips": chips, "models": models, "precisions": stored}
    own_rates = ", ".join(f"{name}: chip_{name} * 1e12" for name in ("fp16", "int8", "fp8"))
    own = f"rates: {{{own_rates}}}, bandwidth: chip_bandwidth * 1e9, memory: chip_memory * 1e9"
    derived = {"chip_row": f"chip == '{CUSTOM}' ? {{{own}}} : chips[chip]"}
    for role in ("target", "draft"):
        shape = ", ".join(f"{field}: {role}_{field}" for field in SHAPE)
        own = f"{{params: {role}_params * 1e9, {shape}}}"
        derived[f"{role}_row"] = f"{role} == '{CUSTOM}' ? {own} : models[{role}]"
        derived[f"{role}_stored"] = f"precisions[{role}_precision]"
        derived[f"{role}_rate"] = f"chip_row.rates[{role}_stored.arithmetic]"
    return [
        *({"name": name, "value": table} for name, table in tables.items()),
        *({"name": name, "value": each.default} for name, each in INPUTS.items()),
        *({"name": name, "update": text} for name, text in derived.items()),
    ]


def gamma_rows(name, at, inside="true"):
    """Return the rows gamma = 0 .. MAX_GAMMA, the highest speedup first, ties as `best_gamma`.

    Parameters
    ----------
    name : str
    at : Setting
        Traced.
    inside : str
        Which gammas the latency models cover.
    """
    return {
        "name": name,
        "transform": [
            {"type": "sequence", "start": 0, "stop": MAX_GAMMA + 1, "as": "gamma"},
            {"type": "filter", "expr": inside},
            {"type": "formula", "as": "gain", "expr": vega_expression(at.speedup(alt.datum.gamma))},
            {"type": "collect", "sort": {"field": ["gain", "gamma"],
                                         "order": ["descending", "ascending"]}},
        ],
    }  # fmt: skip


def crossing_rows(name, at, count, batch, last):
    """Return a row for each batch at which speculation turns from winning to losing.

    What a round saves is linear between the batches where a pass time has a knot, so
    its sign at the knots and a straight line between them give each root exactly.

    Parameters
    ----------
    name : str
    at : Setting
        Traced.
    count, batch : str
        How many knots there are, and the batch of knot ``datum.i``.
    last : str
        The largest batch looked at.
    """
    before = {"ops": ["lag", "lag"], "fields": ["batch", "saved"], "as": ["from", "had"]}
    return {
        "name": name,
        "transform": [
            {"type": "sequence", "start": 0, "stop": {"signal": count}, "as": "i"},
            {"type": "formula", "as": "batch", "expr": f"clamp({batch}, 1, {last})"},
            {"type": "formula", "as": "saved", "expr": vega_expression(at.saved(alt.datum.batch))},
            {"type": "window", "sort": {"field": "batch"}, **before},
            {"type": "filter", "expr": "datum.from !== null && datum.had >= 0 && datum.saved < 0"},
            {"type": "formula", "as": "root", "expr": "datum.from + (datum.batch - datum.from)"
                                                      " * datum.had / (datum.had - datum.saved)"},
            {"type": "collect", "sort": {"field": "root"}},
        ],
    }  # fmt: skip


def envelope_crossings(at):
    """Return `crossing_rows` of the envelope: its knots are where each pass meets the ridge."""
    batches = [1, *pass_knees(at.target, at.draft, at.gamma, at.context), MAX_BATCH]
    batch = list_expression(batches) + "[datum.i]"
    return crossing_rows("crossings", at, str(len(batches)), batch, MAX_BATCH)


def traced_searches(at, gammas, crossings):
    """Return the results of the searches as Vega expressions over those rows."""
    loses_at_once = f"{vega_expression(at.saved(1))} < 0"
    root = f"length(data('{crossings}')) ? data('{crossings}')[0].root : {INFINITY}"
    return {
        "best_gamma": f"data('{gammas}')[0].gamma",
        "speedup_at_best": f"data('{gammas}')[0].gain",
        "break_even": f"{loses_at_once} ? 0 : ({root})",
    }


def results(fields):
    """Return the view's last rows: a single one, with a field for each expression in order."""
    formulas = [{"type": "formula", "as": name, "expr": text} for name, text in fields.items()]
    return {"name": "results", "values": [{}], "transform": formulas}
