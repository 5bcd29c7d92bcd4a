"""The picture of chapter 09: speedup over batch for differently stored pairs."""

from crossover.show.figures import BLUE, GREEN, GREY, ORANGE, PURPLE, axes, in_style
from crossover.theory import roofline_break_even, speedup

LOOKS = [
    {"color": BLUE, "linestyle": "-"},
    {"color": ORANGE, "linestyle": "--"},
    {"color": GREEN, "linestyle": "-."},
    {"color": PURPLE, "linestyle": (0, (6, 1, 1, 1, 1, 1))},
    {"color": GREY, "linestyle": (0, (1, 1))},
]


@in_style
def speedups_with_break_even(pairs, gamma, alpha, batches):
    """Draw speedup over batch for several pairs, with each break-even marked and named.

    Parameters
    ----------
    pairs : mapping of str to (Roofline, Roofline)
        Label to target and draft; at most five.
    gamma : int
    alpha : float
    batches : array

    Returns
    -------
    matplotlib.axes.Axes
        x: batch, sequences; y: speedup over plain decoding of the same target.

    Raises
    ------
    ValueError
        More pairs than there are looks to tell them apart.
    """
    if len(pairs) > len(LOOKS):
        raise ValueError(f"pairs has {len(pairs)} entries: expected at most {len(LOOKS)}")
    ax = axes("batch B (sequences in the pass)", "speedup over plain decoding", figsize=(5.8, 4.0))
    ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    for (label, (target, draft)), look in zip(pairs.items(), LOOKS, strict=False):
        even = roofline_break_even(target, draft, gamma, alpha)
        name = f"{label}: {even:.1f}"
        ax.plot(batches, speedup(target, draft, batches, gamma, alpha), label=name, **look)
        ax.plot([even], [1], "D", color=look["color"], markersize=7, zorder=3)
    ax.set_ylim(0, 2.6)
    ax.legend(loc="upper right", title="break-even batch", fontsize=9.5, handlelength=3.2)
    return ax
