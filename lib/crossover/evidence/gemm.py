"""Measured passes: the time of a model's weight GEMMs on real chips.

The table holds, by token positions in the pass, the summed median times of the
four weight GEMMs of one layer (qkv, o, gate and up, down), from the profiles
published with Vidur (Agrawal et al. 2024, arXiv 2405.05465, MIT licence). No
attention, LM head, all-reduce or launch gaps are in it. That the arithmetic is
16-bit and the A100 the 80 GB one is inferred, not stated there.

At tensor_parallel 4 the times are those of one chip's quarter of each matrix;
the all-reduces between the chips come in through `link`.
"""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Roofline,
    UnknownName,
    best_gamma,
    speedup,
)
from crossover.theory.parallel import communication_seconds
from crossover.theory.validation import check_number

# Half of the 128 positions that one row of tiles holds on these chips: the noise
# between neighbours is worth some 10 positions, a full row some 100.
_STEP = 64


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
    link : Link, optional
        The connection between the chips, to add the all-reduces that were not
        measured. None: talking costs nothing.

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

    def __init__(self, accelerator, model, tensor_parallel=1, link=None):
        key = accelerator, model, tensor_parallel
        if key not in _table():
            known = "; ".join(f"{a}, {m}, {t}" for a, m, t in _table())
            raise UnknownName(
                f"accelerator, model, tensor_parallel = {accelerator}, {model}, "
                f"{tensor_parallel}: expected one of {known}"
            )
        self.accelerator, self.model, self.tensor_parallel = key
        self.link = link
        self.positions, layer_seconds = _table()[key]
        self.seconds = layer_seconds * MODELS[model].layers
        self.max_positions = float(self.positions[-1])

    def __call__(self, batch, width=1, context=0):
        """Return the seconds of a pass over batch x width token positions.

        Parameters
        ----------
        batch, width : number or array
            They broadcast. In a reader's page: `traced_gemm.ChosenProfile`.
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
        seconds = seconds if seconds.ndim else float(seconds)
        if self.link is None:
            return seconds
        return seconds + communication_seconds(
            MODELS[self.model], batch, width, self.tensor_parallel, self.link
        )

    def knots(self, width, context=0):
        """Return the batches at which a pass of this width was measured.

        `context` has no effect; it is there so that latency models can be
        called alike.
        """
        return self.positions / width

    def knee(self):
        """Return the positions at which floor and slope of the series would meet.

        The floor is the pass of one position. The slope is that of the upper
        half of the range, where every series is compute-bound; between the last
        two points alone, tile steps can make it negative. To be read beside
        `envelope().crossover_batch(1)`, R·d/2.

        Returns
        -------
        float
            Token positions.
        """
        half = self.max_positions / 2
        slope = (self.seconds[-1] - np.interp(half, self.positions, self.seconds)) / half
        return float(self.seconds[0] / slope)

    def tile_steps(self, least=_STEP):
        """Return where the time jumps because the GEMMs need another row of tiles.

        A jump is measured in positions: those that would cost as much, at the
        slope of `knee`, on top of those really added.

        Parameters
        ----------
        least : float
            Smallest jump that counts, in positions, above 0.

        Returns
        -------
        list of (float, float)
            The last measured position before the jump, and its size in
            positions. The true edge lies between that position and the next
            measured one, across which the interpolation draws a ramp.

        Raises
        ------
        ValueError
            `least` is not above 0.
        """
        least = check_number("least", least, above=0)
        positions_worth = self.seconds * self.knee() / self.seconds[0]
        jump = np.diff(positions_worth) - np.diff(self.positions)
        return [(float(self.positions[i]), float(jump[i])) for i in np.flatnonzero(jump >= least)]

    def envelope(self):
        """Return the `Roofline` of the same model, chips and link, at the data-sheet peaks."""
        return Roofline(
            MODELS[self.model],
            ACCELERATORS[self.accelerator],
            tensor_parallel=self.tensor_parallel,
            link=self.link,
        )

    def __repr__(self):
        link = f", link={self.link}" if self.link else ""
        return (
            f"MeasuredProfile({self.accelerator!r}, {self.model!r}, {self.tensor_parallel}{link})"
        )


class GammaChoice(NamedTuple):
    """Two choices of gamma, and the speedup each gives on the measured passes."""

    envelope_gamma: int
    measured_gamma: int
    envelope_speedup: float
    measured_speedup: float


def compare_best_gamma(target, draft, batch, alpha, max_gamma=16):
    """Return the gamma the envelope would choose and the best on measured passes.

    The measured best puts batch x (gamma + 1) just under a tile step where the
    envelope, which knows no steps, may land just above one.

    Parameters
    ----------
    target, draft : MeasuredProfile
    batch, alpha : number or array
        They broadcast.
    max_gamma : int
        Largest gamma tried.

    Returns
    -------
    GammaChoice
        Ints and floats, or arrays. Both speedups are those of measured passes,
        1 where a gamma is 0.

    Raises
    ------
    ValueError
        A parameter out of range, or a pass outside the measured positions: at
        this batch no speculation, or the envelope's choice, was measured.
    """
    chosen = best_gamma(target.envelope(), draft.envelope(), batch, alpha, max_gamma)
    best = best_gamma(target, draft, batch, alpha, max_gamma)
    gains = (speedup(target, draft, batch, gamma, alpha) for gamma in (chosen, best))
    return GammaChoice(chosen, best, *gains)
