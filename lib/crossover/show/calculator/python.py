"""Copy as Python: the lines that give the calculator's numbers with the library.

Written once, for numbers and for the page: with traced inputs the text is an expression
that puts the reader's numbers into the same lines.
"""

from crossover.show.calculator.formulas import SHAPE
from crossover.show.calculator.inputs import CUSTOM, PRECISIONS
from crossover.show.calculator.words import filled
from crossover.theory import where

HEAD = """\
from dataclasses import replace

from crossover.evidence.gemm import MeasuredProfile
from crossover.theory import (
    ACCELERATORS, MODELS, Accelerator, Capacity, Model, Roofline, baseline_throughput,
    best_gamma, break_even_batch, ridge_point, speculative_throughput, speedup,
)

"""
RESULTS = """

def results(target, draft):
    best = best_gamma(target, draft, batch, alpha, context=context)
    return {
        "break_even": break_even_batch(target, draft, gamma, alpha, context=context),
        "best_gamma": best,
        "speedup_at_best": speedup(target, draft, batch, best, alpha, context),
        "speedup": speedup(target, draft, batch, gamma, alpha, context),
        "plain": baseline_throughput(target, batch, context),
        "speculative": speculative_throughput(target, draft, batch, gamma, alpha, context),
    }


room = Capacity(target.model, chip, draft.model, target.tensor_parallel)
envelope = {
    "ridge_point": ridge_point(target.reached_flops, target.reached_bandwidth),
    "knee_plain": target.crossover_batch(1, context),
    "knee_verify": target.crossover_batch(gamma + 1, context),
    **results(target, draft),
    "memory_needed": room.weight_bytes + room.cache_bytes(batch, context),  # bytes
    "memory_usable": room.usable_bytes,
    "largest_batch": room.largest_batch(context),
}
print(envelope)
"""
MEASURED = """\
passes = [MeasuredProfile(chip.name, role.model.name, role.tensor_parallel)
          for role in (target, draft)]
knee = passes[0].knee()
measured = {
    "ridge_point": 2 * knee / target.model.bytes_per_param,
    "knee_plain": knee,
    "knee_verify": knee / (gamma + 1),
    **results(*passes),
}
print(measured)
"""


GROUP = (
    '{"tensor_parallel": {count}, "compute_efficiency": {compute_efficiency},'
    ' "bandwidth_efficiency": {bandwidth_efficiency}}'
)
OWN_CHIP = (
    'Accelerator("custom", {"fp16": {chip_fp16}e12, "int8": {chip_int8}e12,'
    ' "fp8": {chip_fp8}e12},\n                   {chip_bandwidth}e9, {chip_memory}e9)'
)


def python_lines(values, measured):
    """Return the lines for these inputs.

    Parameters
    ----------
    values : mapping
        Complete inputs, as `inputs.complete` returns, or each of them traced.
    measured : bool or traced
        Whether measured passes cover the inputs.
    """
    named = filled('ACCELERATORS["{chip}"]', values)
    chip = where(values["chip"] == CUSTOM, filled(OWN_CHIP, values), named)
    load = "batch, gamma, alpha, context = {batch}, {gamma}, {alpha}, {context}\n"
    setting = "chip = " + chip + "\ngroup = " + filled(GROUP, values)
    for role in ("target", "draft"):
        setting = setting + f"\n{role} = " + _roofline(values, role)
    return HEAD + setting + "\n" + filled(load, values) + RESULTS + where(measured, MEASURED, "")


def _roofline(values, role):
    shape = "".join(f", {{{role}_{field}}}" for field in SHAPE)
    own = f'Model("custom", {{{role}_params}}e9, '
    named = f'replace(MODELS["{{{role}}}"], bytes_per_param='
    given = values[f"{role}_precision"]
    stored, arithmetic = "", ""
    for key, (_, d, rate) in PRECISIONS.items():
        stored = where(given == key, str(d), stored)
        arithmetic = where(given == key, rate, arithmetic)
    model = where(
        values[role] == CUSTOM,
        filled(own, values) + stored + filled(shape + ")", values),
        filled(named, values) + stored + ")",
    )
    return "Roofline(" + model + ', chip, "' + arithmetic + '", **group)'
