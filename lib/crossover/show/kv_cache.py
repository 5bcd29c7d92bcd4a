"""The pictures of chapter 02: what a cache saves, and where its entries lie."""

import numpy as np
from matplotlib.patches import Patch

from .figures import BLUE, GREY, ORANGE, PLAIN, SPECULATIVE, axes, in_style

_USED = {"facecolor": BLUE, "edgecolor": BLUE, "linewidth": 0}
_UNUSED = {"facecolor": "white", "edgecolor": ORANGE, "hatch": "////", "linewidth": 0}
_FREE = {"facecolor": "#eeeeee", "edgecolor": GREY, "linewidth": 0}
_MEANING = {"holds a token": _USED, "held for a sequence, empty": _UNUSED, "free": _FREE}


@in_style
def time_per_token(timed):
    """Draw the time of each new token over the length of its text, without and with a cache.

    Parameters
    ----------
    timed : dict
        ``prompt``, ``without`` and ``with``, as `evidence.cache_saving.measure` gives them.

    Returns
    -------
    matplotlib.axes.Axes
        x: tokens before the new one; y: milliseconds, logarithmic.
    """
    ax = axes("tokens in the text so far", "time of the next token (ms)", yscale="log")
    length = timed["prompt"] + np.arange(len(timed["with"]))
    for name, way, look in (
        ("whole text again", "without", SPECULATIVE),
        ("with the cache", "with", PLAIN),
    ):
        ax.plot(length, np.array(timed[way]) * 1e3, label=name, **look)
    ax.legend(loc="upper left")
    return ax


@in_style
def pools(panels, entries, rows):
    """Draw the same pool under several block sizes: which entries hold tokens.

    Parameters
    ----------
    panels : mapping of str to (filled, block_size)
        Title to entries filled in each held block, and the block's size.
    entries : int
        Size of the pool.
    rows : int
        Into how many lines of equal length a panel is cut; a block must not be cut.

    Returns
    -------
    array of matplotlib.axes.Axes
        x: entries within a line; every bar has the gid "block state".

    Raises
    ------
    ValueError
        A line that does not hold whole blocks.
    """
    line = entries // rows
    below, inches = f"entries of the pool, {line} a line", (5.8, 2.5 * len(panels) + 0.4)
    look = {"xlim": (0, line), "ylim": (rows - 0.5, -0.5), "yticks": []}
    drawn = np.atleast_1d(axes(below, "", rows=len(panels), figsize=inches, **look))
    for ax, (title, (filled, size)) in zip(drawn, panels.items(), strict=True):
        if entries % rows or line % size:
            raise ValueError(f"rows = {rows}: expected lines of whole blocks of {size} entries")
        for block in range(entries // size):
            row, start = divmod(block * size, line)
            used = filled.get(block)
            if used is None:
                _bar(ax, row, start, size, f"{block} free", _FREE)
                continue
            _bar(ax, row, start, used, f"{block} used", _USED)
            _bar(ax, row, start + used, size - used, f"{block} unused", _UNUSED)
            if size == line:
                continue
            ax.vlines(start, row - 0.4, row + 0.4, "white", linewidth=0.6)
        ax.set_title(title, loc="left", fontsize=11)
        ax.grid(False)
        ax.spines[:].set_visible(False)
    keys = [Patch(**look, label=meaning) for meaning, look in _MEANING.items()]
    drawn[0].figure.legend(handles=keys, loc="outside lower center", ncols=3, fontsize=9,
                  handlelength=1.4, columnspacing=1.2)  # fmt: skip
    return drawn


def _bar(ax, row, start, width, gid, look):
    if width:
        ax.broken_barh([(start, width)], (row - 0.4, 0.8), gid=gid, **look)
