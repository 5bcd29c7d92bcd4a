"""Measured passes: the time of a model's weight GEMMs on real chips.

The table holds, by token positions in the pass, the summed median times of the
four weight GEMMs of one layer (qkv, o, gate and up, down), from the profiles
published with Vidur (Agrawal et al. 2024, arXiv 2405.05465, MIT licence). No
attention, LM head, all-reduce or launch gaps are in it. That the arithmetic is
16-bit and the A100 the 80 GB one is inferred, not stated there.
"""

import csv
from functools import cache
from importlib.resources import files

import numpy as np

from crossover.theory import MODELS, UnknownName
from crossover.theory.validation import check_number


@cache
def _table():
    """Return {(accelerator, model, tensor_parallel): (positions, seconds a layer)}."""
    series = {}
    text = (files("crossover") / "data" / "gemm_pass_times.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(text.splitlines()):
        key = row["accelerator"], row["model"], int(row["tensor_parallel"])
        series.setdefault(key, []).append((float(row["positions"]), float(row["layer_ms"]) / 1e3))
    return {key: tuple(np.array(points).T) for key, points in series.items()}


def profiles():
    """Return the measured (accelerator, model, tensor_parallel) triples."""
    return list(_table())


class MeasuredProfile:
    """Latency model that interpolates measured pass times.

    Linear between measured positions; nothing outside them.

    Parameters
    ----------
    accelerator, model : str
        As in `profiles`.
    tensor_parallel : int
        Chips the layer was split over.

    Attributes
    ----------
    positions : ndarray, shape (points,)
        Token positions in the pass, batch x width.
    seconds : ndarray, shape (points,)
        Time of a whole pass: one layer's time x the model's layers.
    max_positions : float
        Largest pass measured.

    Raises
    ------
    ValueError
        No such series; the message lists those there are.
    """

    def __init__(self, accelerator, model, tensor_parallel=1):
        key = accelerator, model, tensor_parallel
        if key not in _table():
            known = "; ".join(f"{a}, {m}, {t}" for a, m, t in _table())
            raise UnknownName(
                f"accelerator, model, tensor_parallel = {accelerator}, {model}, "
                f"{tensor_parallel}: expected one of {known}"
            )
        self.accelerator, self.model, self.tensor_parallel = key
        self.positions, layer_seconds = _table()[key]
        self.seconds = layer_seconds * MODELS[model].layers
        self.max_positions = float(self.positions[-1])

    def __call__(self, batch, width=1, context=0):
        """Return the seconds of a pass over batch x width token positions.

        Parameters
        ----------
        batch, width : number or array
            They broadcast.
        context : number
            Only 0: the profile holds no attention.

        Raises
        ------
        ValueError
            Below one sequence or position, or more positions than measured.
        NotImplementedError
            `context` is not 0.
        """
        batch = check_number("batch", batch, 1)
        width = check_number("width", width, 1)
        if np.any(check_number("context", context, 0)):
            raise NotImplementedError("context > 0: the measured passes hold no attention")
        positions = batch * width
        check_number("batch * width", positions, self.positions[0], self.max_positions)
        seconds = np.interp(positions, self.positions, self.seconds)
        return seconds if seconds.ndim else float(seconds)

    def knots(self, width):
        """Return the batches at which a pass of this width was measured."""
        return self.positions / width

    def __repr__(self):
        return f"MeasuredProfile({self.accelerator!r}, {self.model!r}, {self.tensor_parallel})"
