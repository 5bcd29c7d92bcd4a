"""What a reader may choose in a live chart: a chip, models, how their weights are stored.

The tables behind the choices are those of ``theory``; `chosen_roofline` makes the latency
model of a choice, which the formulas of ``theory`` take like any other.
"""

from dataclasses import replace

from crossover.show.controls import derived, table
from crossover.theory import ACCELERATORS, MODELS, Accelerator, Model, Roofline
from crossover.theory.models import SHAPE

TARGET, DRAFT = "70B of the text", "7B of the text"
TEXT = {  # the round sizes of the chapters, with the shapes of the models they stand for
    TARGET: replace(MODELS["Llama-2-70B"], params=70e9),
    DRAFT: replace(MODELS["Llama-2-7B"], params=7e9),
}
CHOOSABLE = TEXT | dict(MODELS)
# Bytes a parameter, and the precision that it is multiplied in.
STORED = {"fp16": (2, "fp16"), "W8A8": (1, "int8"), "W8A16": (1, "fp16"), "W4A16": (0.5, "fp16")}
# Every way to store needs a rate; chips without one for int8 are left out.
CHIPS = [name for name, chip in ACCELERATORS.items() if "int8" in chip.peak_flops]


def tables(*names):
    """Return the tables of chips, models and stored forms, for Explorable's `values`.

    Parameters
    ----------
    *names : str
        The models that can be chosen, of CHOOSABLE.
    """
    chips = {
        name: {**ACCELERATORS[name].peak_flops, "bandwidth": ACCELERATORS[name].bandwidth}
        for name in CHIPS
    }
    models = {
        name: {field: getattr(CHOOSABLE[name], field) for field in ("params", *SHAPE)}
        for name in names
    }
    stored = {name: {"bytes": d, "arithmetic": rate} for name, (d, rate) in STORED.items()}
    return table("chips", chips), table("models", models), table("stored", stored)


def chosen_roofline(name, tables, chip, model, stored):
    """Return the traced roofline of what the reader chose, and the values it is made of.

    Parameters
    ----------
    name : str
        Begins the names of the values: "target" gives ``target_params`` and so on.
    tables : tuple of altair.Parameter
        What the function `tables` returned.
    chip, model, stored : altair.Parameter or str
        The reader's choices; one that is fixed, as its name.

    Returns
    -------
    (Roofline, list of altair.Parameter)
        The second is for Explorable's `values`, after the tables.
    """
    chips, models, forms = tables
    row, form = models[model], forms[stored]
    figures = {
        "params": row["params"],
        "bytes": form["bytes"],
        "flops": chips[chip][form["arithmetic"]],
        "bandwidth": chips[chip]["bandwidth"],
    } | {field: row[field] for field in SHAPE}
    values = {each: derived(f"{name}_{each}", figure) for each, figure in figures.items()}
    shape = [values[field] for field in SHAPE]
    traced = Roofline(
        Model(name, values["params"], values["bytes"], *shape),
        Accelerator("chosen", values["flops"], values["bandwidth"]),
    )
    return traced, list(values.values())
