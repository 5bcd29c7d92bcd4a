"""Pictures of a ragged batch: what each sequence keeps of a round, what lockstep costs."""

import numpy as np
from matplotlib.patches import Patch, Rectangle

from crossover.theory import expected_tokens

from .figures import BLUE, GREY, ORANGE, PLAIN, PURPLE, SPECULATIVE, axes, in_style

# A cell's state to how its box looks. Every state also differs by fill, hatch or border.
_BOXES = {
    "committed token": {"facecolor": "#e4e4e4", "edgecolor": GREY},
    "newest token": {"facecolor": "white", "edgecolor": "black", "linewidth": 2.4},
    "entry kept": {"facecolor": BLUE, "edgecolor": BLUE},
    "entry dropped": {"facecolor": "white", "edgecolor": ORANGE, "hatch": "////"},
    "entry owed": {"facecolor": "white", "edgecolor": PURPLE, "linestyle": "--", "linewidth": 2},
    "no entry": {"facecolor": "none", "edgecolor": "#cccccc", "linewidth": 0.8},
}
_INK = {"entry kept": "white", "entry owed": PURPLE}
_MEANING = {
    "committed token": "committed token",
    "newest token": "newest token: c correction, b bonus",
    "entry kept": "K/V entry kept",
    "entry dropped": "K/V entry dropped",
    "entry owed": "owed: the draft takes it in first",
    "no entry": "no entry",
}


def cell_states(entries):
    """Return what the panel shows of one round.

    Parameters
    ----------
    entries : RoundEntries

    Returns
    -------
    dict of str to dict of int to str
        For "text", "target" and "draft": position to state, from the position of
        the last token committed before the round to the furthest a round can reach.
    """
    first, newest = entries.target.written.start, entries.emitted[-1]
    columns = range(first, entries.target.written.stop + 1)

    def text(position):
        return "newest token" if position == newest else "committed token"

    def cached(cache, owed):
        return {
            p: "entry kept" if p in cache.kept
            else "entry dropped" if p in cache.dropped
            else "entry owed" if p in owed
            else "no entry"
            for p in columns
        }  # fmt: skip

    return {
        "text": {p: text(p) for p in range(first, newest + 1)},
        "target": cached(entries.target, ()),
        "draft": cached(entries.draft, entries.owed),
    }


@in_style
def panel(rounds):
    """Draw sequences that leave one round at different positions, both caches apart.

    Parameters
    ----------
    rounds : mapping of str to RoundEntries
        Sequence name to its round; the same gamma and first position for all.

    Returns
    -------
    matplotlib.axes.Axes
        x: position in the sequence. Each cell is a `Rectangle` whose gid is
        "name row position state".

    Raises
    ------
    ValueError
        No round, or rounds that differ in gamma or first position.
    """
    windows = {entries.target.written for entries in rounds.values()}
    if len(windows) != 1:
        raise ValueError(
            f"rounds = {dict(rounds)!r}: expected at least one round, and the same gamma "
            "and first position for all"
        )
    (window,) = windows
    first, gamma = window.start, len(window) - 1
    ax = axes("position in the sequence", "", figsize=(4.8, 2.0 + 1.5 * len(rounds)))
    ticks, labels, top = [], [], 0.0
    for name, entries in rounds.items():
        count = len(entries.emitted)
        tokens = f"{count} new token{'s' * (count > 1)}"
        title = f"{name}: K = {count - 1}, {tokens}, ends at {entries.emitted[-1]}"
        ax.text(first - 0.45, top - 0.35, title, weight="bold")
        for index, (row, cells) in enumerate(cell_states(entries).items()):
            ticks.append(top - 1.1 - index)
            labels.append(row if row == "text" else f"{row} K/V")
            for position, state in cells.items():
                letter = str(position - first) if position > first else "x"
                if state == "newest token":
                    letter = "b" if count > gamma else "c"
                _cell(ax, position, ticks[-1], state, letter, f"{name} {row} {position} {state}")
        top -= 4.2
    ax.set(xlim=(first - 0.55, first + gamma + 1.55), ylim=(top + 0.4, 0.2), yticks=ticks)
    ax.set_yticklabels(labels)
    ax.grid(False)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    keys = [Patch(**_BOXES[state], label=meaning) for state, meaning in _MEANING.items()]
    ax.figure.legend(handles=keys, loc="outside lower center", ncols=1, fontsize=10,
                     handlelength=1.6, labelspacing=0.35)  # fmt: skip
    return ax


def _cell(ax, position, y, state, letter, gid):
    box = Rectangle((position - 0.45, y - 0.45), 0.9, 0.9, gid=gid, **_BOXES[state])
    ax.add_patch(box)
    if state != "no entry":
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}
        ax.text(position, y, letter, ha="center", va="center_baseline",
                color=_INK.get(state, "black"),
                bbox=paper if state == "entry dropped" else None)  # fmt: skip


@in_style
def lockstep(alpha, gamma, batches):
    """Draw tokens a round per sequence, each at its own pace and at the shortest K's.

    Parameters
    ----------
    alpha : float
    gamma : int
    batches : sequence of int

    Returns
    -------
    matplotlib.axes.Axes
        x: batch, sequences; y: expected tokens per round and sequence.
    """
    ax = axes("batch B (sequences in the round)", "tokens per round and sequence",
              figsize=(5.2, 3.6), xscale="log")  # fmt: skip
    batches = np.asarray(batches)
    own = expected_tokens(alpha, gamma)
    shortest = expected_tokens(alpha**batches, gamma)
    ax.plot(batches, np.full(len(batches), own), label="each its own K", **PLAIN)
    ax.plot(batches, shortest, marker="s", label="all at the shortest K", **SPECULATIVE)
    ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    ax.annotate("plain decoding", (batches[0], 1), xytext=(0, -15), color=GREY,
                textcoords="offset points")  # fmt: skip
    ax.set(ylim=(0, gamma + 1), xticks=batches)
    ax.minorticks_off()
    ax.legend(loc="upper right")
    return ax
