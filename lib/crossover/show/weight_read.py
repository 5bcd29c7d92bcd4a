"""The picture of chapter 01: one read of the weights, shared by more and more rows."""

import numpy as np

from .figures import GREY, MEASURED, axes, in_style


@in_style
def shared_read(timed):
    """Draw the time of one product over its rows, with what rows in proportion would take.

    Parameters
    ----------
    timed : dict
        ``rows`` and ``seconds``, as `evidence.weight_read.measure` gives them.

    Returns
    -------
    matplotlib.axes.Axes
        x: rows; y: milliseconds; both logarithmic.
    """
    rows, ms = np.array(timed["rows"]), np.array(timed["seconds"]) * 1e3
    ax = axes("rows that share the read", "time of the product (ms)", xscale="log", yscale="log")
    ax.plot(rows, rows * ms[0] / rows[0], color=GREY, linestyle=":", label="a read for every row")
    ax.plot(rows, ms, marker="o", label="measured", **MEASURED)
    ax.set_xticks(rows, [f"{count}" for count in rows])
    ax.minorticks_off()
    ax.set_ylim(ms[0] / 3)
    ax.legend(loc="upper left")
    return ax
