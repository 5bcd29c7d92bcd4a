"""What the calculator computes: the theory, called with numbers or with the page's inputs.

With numbers it gives the worked table. With traced inputs it gives a Vega view without
marks: inputs are signals, results are the fields of one row. The two searches, over
gamma and over batch, are sequences of rows in that view.
"""

from dataclasses import dataclass, replace

import altair as alt

from crossover.show.calculator_inputs import CUSTOM, INPUTS, MAX_BATCH, MAX_GAMMA, PRECISIONS, rates
from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Accelerator,
    Capacity,
    Model,
    Roofline,
    baseline_throughput,
    best_gamma,
    break_even_batch,
    expected_tokens,
    ridge_point,
    round_time,
    speculative_throughput,
    speedup,
    vega_expression,
)

SHAPE = ("layers", "heads", "kv_heads", "head_dim")
INFINITY = "1/0"  # Vega has no name for it


@dataclass(frozen=True)
class Setting:
    """Two latency models and the load they are under, as numbers or traced."""

    target: object
    draft: object
    gamma: object
    alpha: object
    batch: object
    context: object

    @classmethod
    def of(cls, target, draft, values):
        """Take the load out of a mapping of all inputs."""
        return cls(target, draft, *(values[name] for name in ("gamma", "alpha", "batch", "context")))

    def speedup(self, gamma):
        """Speedup with another gamma."""
        return speedup(self.target, self.draft, self.batch, gamma, self.alpha, self.context)

    def saved(self, batch):
        """Seconds that a round saves over plain decoding of as many tokens: E[T]·T - T_round."""
        tokens = expected_tokens(self.alpha, self.gamma)
        plain = tokens * self.target(batch, 1, self.context)
        return plain - round_time(self.target, self.draft, batch, self.gamma, self.context)

    def throughputs(self):
        """The results that any two latency models have."""
        load = self.batch, self.gamma, self.alpha, self.context
        return {
            "speedup": self.speedup(self.gamma),
            "plain": baseline_throughput(self.target, self.batch, self.context),
            "speculative": speculative_throughput(self.target, self.draft, *load),
        }


def envelope(at):
    """The results that two rooflines have, but for the searches.

    Parameters
    ----------
    at : Setting
    """
    chips = at.target.accelerator, at.draft.model, at.target.tensor_parallel
    room = Capacity(at.target.model, *chips)
    return {
        "ridge_point": ridge_point(at.target.reached_flops, at.target.reached_bandwidth),
        "knee_plain": at.target.crossover_batch(1, at.context),
        "knee_verify": at.target.crossover_batch(at.gamma + 1, at.context),
        **at.throughputs(),
        "memory_needed": room.weight_bytes + room.cache_bytes(at.batch, at.context),
        "memory_usable": room.usable_bytes,
        "largest_batch": room.largest_batch(at.context),
    }


def searched(at):
    """The results of the searches, with numbers.

    Parameters
    ----------
    at : Setting
    """
    best = best_gamma(at.target, at.draft, at.batch, at.alpha, MAX_GAMMA, at.context)
    even = break_even_batch(at.target, at.draft, at.gamma, at.alpha, MAX_BATCH, at.context)
    return {"best_gamma": best, "speedup_at_best": at.speedup(best), "break_even": even}


def setting(values):
    """Return the rooflines and the load that complete inputs stand for.

    Parameters
    ----------
    values : mapping
        As `calculator_inputs.complete` returns.
    """
    named = values["chip"] != CUSTOM
    own = {precision: values[f"chip_{precision}"] * 1e12 for precision in ("fp16", "int8", "fp8")}
    bandwidth, memory = values["chip_bandwidth"] * 1e9, values["chip_memory"] * 1e9
    chip = ACCELERATORS[values["chip"]] if named else Accelerator(CUSTOM, own, bandwidth, memory)
    return Setting.of(*(_roofline(values, role, chip) for role in ("target", "draft")), values)


def _roofline(values, role, chip):
    _, stored, arithmetic = PRECISIONS[values[f"{role}_precision"]]
    if values[role] == CUSTOM:
        shape = [values[f"{role}_{field}"] for field in SHAPE]
        model = Model(CUSTOM, values[f"{role}_params"] * 1e9, stored, *shape)
    else:
        model = replace(MODELS[values[role]], bytes_per_param=stored)
    reached = {f"{what}_efficiency": values[f"{what}_efficiency"] for what in ("compute", "bandwidth")}
    return Roofline(model, chip, arithmetic, tensor_parallel=values["count"], **reached)


# -- the same, in the page ------------------------------------------------------------


def traced_setting():
    """Return the rooflines and the load as signals of the page's view."""
    signal = {name: alt.param(name=name, value=0) for name in INPUTS}
    chip_row = alt.param(name="chip_row", value=0)
    reached = {f"{what}_efficiency": signal[f"{what}_efficiency"] for what in ("compute", "bandwidth")}
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
        name: {"rates": rates()[name], "bandwidth": chip.bandwidth, "memory": chip.memory}
        for name, chip in ACCELERATORS.items()
    }
    models = {
        name: {field: getattr(model, field) for field in ("params", *SHAPE)}
        for name, model in MODELS.items()
    }
    stored = {key: {"bytes": d, "arithmetic": a} for key, (_, d, a) in PRECISIONS.items()}
    tables = {"chips": chips, "models": models, "precisions": stored}
    own_rates = ", ".join(f"{name}: chip_{name} * 1e12" for name in ("fp16", "int8", "fp8"))
    own_chip = f"{{rates: {{{own_rates}}}, bandwidth: chip_bandwidth * 1e9, memory: chip_memory * 1e9}}"
    derived = {"chip_row": f"chip == '{CUSTOM}' ? {own_chip} : chips[chip]"}
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
    knots = [
        at.target.crossover_batch(1, at.context),
        at.target.crossover_batch(at.gamma + 1, at.context),
        at.draft.crossover_batch(1, at.context),
    ]
    batches = ", ".join(["1", *map(vega_expression, knots), str(MAX_BATCH)])
    return crossing_rows("crossings", at, str(len(knots) + 2), f"[{batches}][datum.i]", MAX_BATCH)


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
