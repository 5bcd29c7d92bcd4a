"""What stale cache entries do to the tokens that come out."""

import numpy as np

from .figures import BLUE, GREY, ORANGE, PURPLE, axes, in_style

_LOOKS = (
    {"color": BLUE},
    {"color": "white", "edgecolor": PURPLE, "hatch": "....", "linewidth": 1.2},
    {"color": ORANGE, "edgecolor": "white", "hatch": "//"},
)


@in_style
def shares(names, exact, emitted, samples):
    """Draw how often continuations come out, against the target's own probabilities.

    Parameters
    ----------
    names : list of str
        The continuations, the last of them "anything else".
    exact : array, shape (continuations,)
        Their probabilities by the target.
    emitted : mapping of str to array
        Label to their shares among what an engine emitted; at most three.
    samples : int
        Completions behind each share. The grey band holds 95 % of the shares that so
        many draws from the target would give.

    Returns
    -------
    matplotlib.axes.Axes
        x: continuation; y: share of the completions.
    """
    at, exact = np.arange(len(names)), np.asarray(exact)
    ax = axes("continuation", "share of the completions", figsize=(5.8, 4.2))
    width = 0.84 / len(emitted)
    looks = _LOOKS[: len(emitted)]
    for i, ((label, share), look) in enumerate(zip(emitted.items(), looks, strict=True)):
        ax.bar(at + (i - (len(emitted) - 1) / 2) * width, share, width * 0.94, label=label, **look)
    spread = 1.96 * np.sqrt(exact * (1 - exact) / samples)
    for x, p, band in zip(at, exact, spread, strict=True):
        ax.fill_between([x - 0.46, x + 0.46], p - band, p + band, color=GREY, alpha=0.3, zorder=3,
                        linewidth=0)  # fmt: skip
    ax.hlines(exact, at - 0.46, at + 0.46, color="black", linewidth=1.8, label="target, exact",
              zorder=4)  # fmt: skip
    ax.set_xticks(at, names, rotation=35, ha="right")
    ax.legend(fontsize=10)
    return ax
