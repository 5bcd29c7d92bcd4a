"""The pictures of chapter 12: the staircase of measured passes, and what a window choice gains."""

import numpy as np

from crossover.show.figures import BLUE, GREEN, GREY, MEASURED, ORANGE, PURPLE, axes, in_style
from crossover.theory import speedup

LOOKS = [
    {"color": GREEN, "linestyle": "-", "linewidth": 6, "alpha": 0.4},  # others lie on it
    {"color": BLUE, "linestyle": "-."},
    {"color": ORANGE, "linestyle": "--"},
    {"color": PURPLE, "linestyle": ":"},
]


@in_style
def staircase(profile, last=640):
    """Draw measured pass times over token positions, with the envelope and the tile steps.

    Parameters
    ----------
    profile : MeasuredProfile
    last : float
        Largest number of positions shown.

    Returns
    -------
    matplotlib.axes.Axes
        x: token positions in the pass; y: milliseconds. A triangle stands on the last
        measured position before each step.
    """
    shown = profile.positions <= last
    positions, measured = profile.positions[shown], profile.seconds[shown] * 1e3
    ax = axes("token positions in the pass, B·w", "time of the pass (ms)")
    ax.plot(positions, profile.envelope()(positions) * 1e3, color=GREY, linestyle=":",
            label="envelope")  # fmt: skip
    ax.plot(positions, measured, label="measured", **MEASURED)
    steps = np.array([at for at, _ in profile.tile_steps() if at < last])
    ax.plot(steps, profile(steps) * 1e3, "v", color=ORANGE, markersize=9,
            label="last before a step")  # fmt: skip
    for at in steps:
        ax.annotate(f"{at:.0f}", (at, profile(at) * 1e3), xytext=(-4, 8), ha="right",
                    textcoords="offset points", color=ORANGE)  # fmt: skip
    ax.set_ylim(0)
    ax.legend(loc="upper left")
    return ax


@in_style
def window_choices(target, draft, alpha, batches, choices):
    """Draw the speedup over batch for several ways to choose gamma.

    Parameters
    ----------
    target, draft : callable
        Latency models.
    alpha : float
    batches : array
    choices : mapping of str to array of int
        Label to the gamma chosen at each batch; at most four.

    Returns
    -------
    matplotlib.axes.Axes
        x: batch, sequences; y: speedup over plain decoding.

    Raises
    ------
    ValueError
        More choices than there are looks to tell them apart.
    """
    if len(choices) > len(LOOKS):
        raise ValueError(f"choices has {len(choices)} entries: expected at most {len(LOOKS)}")
    ax = axes("batch B (sequences in the pass)", "speedup over plain decoding")
    for (label, gammas), look in zip(choices.items(), LOOKS, strict=False):
        ax.plot(batches, speedup(target, draft, batches, gammas, alpha), label=label, **look)
    ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    ax.set_ylim(0, 2.4)
    ax.legend(loc="lower left")
    return ax
