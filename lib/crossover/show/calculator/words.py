"""What the calculator says: the table's rows, the sentence, the inputs in a line.

Like the formulas, each function takes numbers and gives text, or takes traced values
and gives the expression of the same text.
"""

import re
from dataclasses import dataclass

import altair as alt

from crossover.show.calculator.inputs import MAX_BATCH
from crossover.theory import is_traced, where

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Row:
    """One result as the table shows it.

    Parameters
    ----------
    name : str
        Its name among the results.
    label, unit : str
    digits : str
        How the number is written, in the format language that Python and Vega share.
    scale : float
        The unit in SI units.
    zero, infinite : str
        What 0 and infinity mean here, where they are more than numbers.
    """

    name: str
    label: str
    unit: str
    digits: str
    scale: float = 1
    zero: str = ""
    infinite: str = ""

    def text(self, value):
        """Return a number, or the traced value, as the table writes it."""
        written = formatted(value / self.scale, self.digits)
        if self.zero:
            written = where(value == 0, self.zero, written)
        if self.infinite:
            written = where(value > 1e300, self.infinite, written)
        return written


NO_END = f"none up to {MAX_BATCH}"
ROWS = [
    Row("ridge_point", "R, ridge point of the target's pass", "FLOP/B", ",.2f"),
    Row("knee_plain", "B*(1), knee of plain decoding", "sequences", ",.2f",
        infinite="none: memory-bound at every batch"),
    Row("knee_verify", "B*(γ + 1), knee of verification", "sequences", ",.2f",
        infinite="none: memory-bound at every batch"),
    Row("break_even", "Break-even batch", "sequences", ",.2f",
        zero="0: slower from batch 1 on", infinite=NO_END),
    Row("best_gamma", "Best γ at this batch", "tokens", ",.0f", zero="0: off"),
    Row("speedup_at_best", "Speedup at the best γ", "×", ",.3f"),
    Row("speedup", "Speedup at your γ", "×", ",.3f"),
    Row("plain", "Throughput, plain", "tokens/s", ",.1f"),
    Row("speculative", "Throughput, speculative", "tokens/s", ",.1f"),
    Row("memory_needed", "Memory needed, both models and caches", "GB", ",.1f", 1e9),
    Row("memory_usable", "Memory usable, 90 % of all", "GB", ",.1f", 1e9),
    Row("largest_batch", "Largest batch that fits", "sequences", ",.0f",
        zero="0: does not fit", infinite="no limit without context"),
]  # fmt: skip


def formatted(value, digits):
    """Return a number written as `digits` says; ``format`` in Python and in Vega."""
    return alt.expr.format(value, digits) if is_traced(value) else format(value, digits)


def sentence(speedup, best, needed, usable):
    """Return the outcome in words, for the live region.

    Parameters
    ----------
    speedup, best, needed, usable : number or traced
        Results of those names.
    """
    unlike = where(speedup > 1, "faster than off", "slower than off")
    outcome = where(abs(speedup - 1) < 0.005, "as fast as off", unlike)
    advice = where(best < 1, "off", formatted(best, ".0f"))
    short = needed - usable
    missing = "; memory " + formatted(short / 1e9, ",.1f") + " GB short."
    return (
        "speedup " + formatted(speedup, ".2f") + ": " + outcome
        + "; best γ at this batch: " + advice + where(short > 0, missing, "; it fits the memory.")
    )  # fmt: skip


def caption(values):
    """Return the inputs in one line.

    Parameters
    ----------
    values : mapping
        Complete inputs, as `inputs.complete` returns, or each of them traced.
    """
    return filled(
        "{count} × {chip}; target {target}, {target_precision}; draft {draft}, {draft_precision}; "
        "γ = {gamma}, α = {alpha}, B = {batch}, L = {context}",
        values,
    )


def basis(why_not):
    """Return what the measured column stands on, or why it is empty.

    Parameters
    ----------
    why_not : str or traced
        As `measured.why_not` returns.
    """
    measured = "Measured: the weights' GEMMs of published profiles, no attention, no efficiency."
    return where(why_not == "", measured, "Not measured: " + why_not + ".")


def filled(pattern, values):
    """Put inputs into the names in braces, as both languages write a number or a name."""
    text = ""
    for part, name in re.findall(r"(.*?)(?:\{(\w+)\}|\Z)", pattern, re.DOTALL):
        text = text + part
        if name:
            text = text + (values[name] if is_traced(values[name]) else str(values[name]))
    return text
