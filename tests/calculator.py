"""Inputs for the calculator at random, and the numbers its lines of Python give."""

import contextlib
import io

import numpy as np

from crossover.show.calculator.inputs import INPUTS, complete
from crossover.theory import ACCELERATORS

MEASURED = {"target": "Llama-2-70B", "draft": "Llama-2-7B", "target_precision": "fp16",
            "draft_precision": "fp16", "context": 0}  # fmt: skip
# How far a number is drawn where its whole range would hold few cases of interest.
NARROW = {"batch": (1, 400), "context": (1, 30_000), "count": (1, 8), "chip_fp16": (50, 3000),
          "chip_int8": (50, 3000), "chip_fp8": (50, 3000), "chip_bandwidth": (300, 9000),
          "chip_memory": (16, 300), "target_params": (20, 500), "draft_params": (0.1, 20),
          "target_layers": (20, 130), "draft_layers": (4, 40)}  # fmt: skip


def settings(count, seed=7):
    """`count` sets of inputs: ends of ranges, then any, every other one with measured passes."""
    random = np.random.default_rng(seed)
    ends = [{name: end} for name, each in INPUTS.items() for end in _ends(each)]
    drawn = [complete(_fitting(each | _shapes(each))) for each in ends]
    while len(drawn) < count:
        values = {name: _any(each, random) for name, each in INPUTS.items()}
        if random.random() < 0.4:
            values["context"] = 0
        if len(drawn) % 2:
            chip, chips = [("A100-80GB-SXM", 1), ("H100-SXM", 4), ("A40", 1), ("A100-80GB-SXM", 4),
                           ("H100-SXM", 1)][random.integers(5)]  # fmt: skip
            values |= MEASURED | {"chip": chip, "count": chips}
        drawn.append(complete(_fitting(values)))
    return drawn


def _ends(each):
    return list(each.choices) if each.choices else [each.low, each.high]


def _shapes(setting):
    """What makes an input of something custom count."""
    (name,) = setting
    return {INPUTS[name].custom: "custom"} if INPUTS[name].custom else {}


def _any(each, random):
    if each.choices:
        return list(each.choices)[random.integers(len(each.choices))]
    low, high = NARROW.get(each.name, (each.low, each.high))
    if each.whole:
        return int(random.integers(low, high + 1))
    return round(float(random.uniform(low, high)), 3)


def _fitting(values):
    """fp16 where the chip has no rate for what was drawn."""
    chip = values.get("chip", "A100-80GB-SXM")
    for role in ("target_precision", "draft_precision"):
        precision = values.get(role, "fp16")
        rates = {} if chip == "custom" else ACCELERATORS[chip].peak_flops
        if rates and precision in ("int8", "fp8") and precision not in rates:
            values = values | {role: "fp16"}
    return values


def run(lines):
    """Execute lines of Python as a reader would; the two tables of numbers they print."""
    scope = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(lines, scope)
    assert str(scope["envelope"]) in printed.getvalue()
    return scope["envelope"], scope.get("measured", {})
