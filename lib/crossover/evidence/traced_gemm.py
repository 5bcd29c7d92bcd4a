"""Measured passes in the reader's page: the same interpolation, traced.

A page cannot search a table for the two points around a number of positions, so
its table also says, for every whole number of positions, which measured point is
the last at or below it.
"""

from dataclasses import dataclass

import numpy as np

from crossover.theory import MODELS, Model, is_traced, page_value

TABLE = "measured"  # what the page calls it
_MS = 1e3


def page_table(profiles):
    """Return the measured points of some profiles as the page holds them.

    Parameters
    ----------
    profiles : iterable of MeasuredProfile

    Returns
    -------
    dict
        ``table[chip][tensor_parallel]`` with the lists ``positions``, ``index`` (by
        whole positions from 0) and, by the model's name, milliseconds a layer.

    Raises
    ------
    ValueError
        Two profiles of one group of chips differ in their positions.
    """
    table = {}
    for profile in profiles:
        chip = table.setdefault(profile.accelerator, {})
        positions = profile.positions.astype(int).tolist()
        rows = chip.setdefault(str(profile.tensor_parallel), {"positions": positions})
        if rows["positions"] != positions:
            raise ValueError(
                f"profiles: {profile} has other positions than the model before it; "
                f"expected the same for all models of a chip"
            )
        whole = np.arange(profile.max_positions + 1)
        # the last point has no segment of its own: it ends the one before
        below = np.searchsorted(positions, whole, side="right") - 1
        rows["index"] = below.clip(0, len(positions) - 2).tolist()
        layer_ms = profile.seconds / MODELS[profile.model].layers * _MS
        rows[profile.model] = [float(f"{ms:.12g}") for ms in layer_ms]
    return table


@dataclass(frozen=True)
class ChosenProfile:
    """Latency model of measured passes in the reader's page; see `gemm.MeasuredProfile`.

    Parameters
    ----------
    accelerator : str or traced
        A chip that the page's table holds.
    model : Model
        One whose name and layers are those measured; the name may be traced.
    tensor_parallel : int or traced
    """

    accelerator: object
    model: Model
    tensor_parallel: object = 1

    def __call__(self, batch, width=1, context=0):
        """Return the traced seconds of a pass, linear between the measured points.

        Outside of what was measured the page has no number, so charts keep their
        sliders inside.

        Raises
        ------
        NotImplementedError
            `context` is not 0: the profiles hold no attention.
        """
        if is_traced(context) or np.any(context):
            raise NotImplementedError("context > 0: the measured passes hold no attention")
        positions = batch * width
        rows = page_value(TABLE)[self.accelerator][self.tensor_parallel]
        first = rows["index"][positions - positions % 1]
        at, ms = rows["positions"], rows[self.model.name]
        slope = (ms[first + 1] - ms[first]) / (at[first + 1] - at[first])
        return (ms[first] + slope * (positions - at[first])) * (self.model.layers / _MS)
