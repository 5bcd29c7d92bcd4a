"""The still pictures of the chapters, drawn from the theory.

Each function draws one figure and returns its axes. Colours are from Okabe and
Ito's palette for colour-blind readers; a second carrier (line style, marker,
label) always goes with them.
"""

import matplotlib.pyplot as plt
import numpy as np

from crossover.theory import (
    arithmetic_intensity,
    baseline_throughput,
    break_even_batch,
    maximum,
    minimum,
    speculative_throughput,
    speedup,
)

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#00785a", "#a8578a", "#555555"
PLAIN = {"color": BLUE, "linestyle": "-"}
SPECULATIVE = {"color": ORANGE, "linestyle": "--"}
MEASURED = {"color": GREEN, "linestyle": "-."}

STYLE = {
    "figure.figsize": (5.8, 3.8),  # small, so that its text can be read on a phone
    "figure.dpi": 110,
    "savefig.dpi": 110,
    "figure.constrained_layout.use": True,
    "font.size": 11,
    "font.family": "DejaVu Sans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "lines.linewidth": 2.2,
    "legend.frameon": False,
    "svg.hashsalt": "crossover",
}

in_style = plt.rc_context(STYLE)


@in_style
def axes(xlabel, ylabel, *, columns=1, rows=1, figsize=None, **settings):
    """Return new axes in the course's style; an array of them if there are several.

    Parameters
    ----------
    xlabel, ylabel : str
        With the unit.
    columns, rows : int
        Not both above 1. Rows share one label below.
    figsize : (float, float), optional
        Inches.
    **settings
        Passed to ``Axes.set`` (xscale, xlim, title and so on).
    """
    _, drawn = plt.subplots(rows, columns, figsize=figsize, squeeze=False)
    drawn = drawn.ravel()
    for one in drawn:
        below = xlabel if columns > 1 or one is drawn[-1] else ""
        one.set(xlabel=below, ylabel=ylabel, **settings)
        for axis in (one.xaxis, one.yaxis):
            if axis.get_scale() == "log":
                axis.set_major_formatter("{x:g}")
    return drawn if len(drawn) > 1 else drawn[0]


@in_style
def roofline(accelerator, widths=(1, 5), batches=(1, 8, 32, 128), bytes_per_param=2):
    """Draw a chip's roof and where passes of several widths and batches stand on it.

    Parameters
    ----------
    accelerator : Accelerator
    widths, batches : sequence of int
        At most two widths: the first is labelled below the roof, the next above.
    bytes_per_param : float

    Returns
    -------
    matplotlib.axes.Axes
        x: arithmetic intensity, FLOP/byte; y: attainable TFLOP/s.
    """
    ridge, peak = accelerator.ridge_point(), accelerator.peak_flops["fp16"]

    def attainable(intensity):
        return minimum(intensity * accelerator.bandwidth, peak) / 1e12

    ax = axes(
        "arithmetic intensity (FLOP per byte of weights)",
        "attainable rate (TFLOP/s)",
        xscale="log",
        yscale="log",
        ylim=(1, 2.5 * peak / 1e12),
    )
    intensity = np.geomspace(0.6, 2000, 300)
    ax.plot(intensity, attainable(intensity), color=GREY, label="roof", zorder=1)
    ax.axvline(ridge, color=GREY, linestyle=":", linewidth=1.4, label=f"R = {ridge:.0f}")
    looks = [(BLUE, "o", (3, -15)), (ORANGE, "s", (-4, 8))]
    for width, (color, marker, offset) in zip(widths, looks, strict=False):
        x = arithmetic_intensity(np.array(batches), width, bytes_per_param)
        ax.plot(x, attainable(x), marker, color=color, markersize=8, label=f"w = {width}")
        for batch, at in zip(batches, x, strict=True):
            ax.annotate(
                f"B={batch}",
                (at, attainable(at)),
                xytext=offset,
                textcoords="offset points",
                color=color,
                fontsize=9,
                ha="left" if offset[1] < 0 else "right",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8},
            )
    ax.legend(loc="lower right")
    return ax


@in_style
def throughput(target, draft, gamma, alpha, batches=None):
    """Draw tokens per second over batch, plain and speculative, with the three marks.

    The marks are the knee B*(gamma + 1) of the verification pass, the break-even
    batch, and the plateau of the speculative curve.

    Parameters
    ----------
    target, draft : Roofline
    gamma : int
    alpha : float
    batches : array, optional

    Returns
    -------
    matplotlib.axes.Axes
        x: batch, sequences; y: tokens/s.
    """
    batches = np.arange(1, 301) if batches is None else batches
    ax = axes("batch B (sequences in the pass)", "tokens per second, whole batch")
    speculative = speculative_throughput(target, draft, batches, gamma, alpha)
    ax.plot(batches, baseline_throughput(target, batches), label="plain", **PLAIN)
    ax.plot(batches, speculative, label=f"speculative, γ = {gamma}", **SPECULATIVE)
    knee = target.crossover_batch(gamma + 1)
    even = break_even_batch(target, draft, gamma, alpha)
    at_knee, at_even = (
        speculative_throughput(target, draft, maximum(batch, 1), gamma, alpha)
        for batch in (knee, even)
    )
    plateau = speculative_throughput(target, draft, 1e6, gamma, alpha)
    ax.hlines(plateau, min(even, batches[-1]), batches[-1], GREY, ":", linewidth=1.4)
    ax.annotate(f"plateau {plateau:.0f}", (batches[-1], plateau), xytext=(0, -14),
                textcoords="offset points", ha="right", color=GREY)  # fmt: skip
    for batch, y, name, marker, at, side in (
        (knee, at_knee, "knee", "o", (0, 22), "center"),
        (even, at_even, "break-even", "D", (8, -18), "left"),
    ):
        ax.plot([batch], [y], marker, color="black", markersize=7, zorder=3)
        ax.annotate(f"{name} {batch:.1f}", (batch, y), xytext=at, textcoords="offset points",
                    ha=side)  # fmt: skip
    ax.set_ylim(0)
    ax.legend(loc="lower right")
    return ax


@in_style
def speedup_curves(curves, gamma, alpha, batches):
    """Draw speedup over batch for several pairs, with the line where it is 1.

    Parameters
    ----------
    curves : mapping of str to (target, draft, look)
        Label to two latency models and a line style (`PLAIN`, `MEASURED`, ...).
    gamma : int
    alpha : float
    batches : array

    Returns
    -------
    matplotlib.axes.Axes
        x: batch, sequences; y: speedup over plain decoding.
    """
    ax = axes("batch B (sequences in the pass)", "speedup over plain decoding")
    for label, (target, draft, look) in curves.items():
        ax.plot(batches, speedup(target, draft, batches, gamma, alpha), label=label, **look)
    ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    ax.annotate("as fast as off", (batches[-1], 1), xytext=(0, 5), ha="right", color=GREY,
                textcoords="offset points")  # fmt: skip
    ax.set_ylim(0)
    ax.legend(loc="upper right")
    return ax
