"""Pictures of a ragged batch: what each sequence keeps of a round, what lockstep costs."""

import numpy as np
from matplotlib.patches import Patch, Rectangle

from crossover.theory import expected_tokens

from .figures import BLUE, GREY, ORANGE, PLAIN, PURPLE, SPECULATIVE, axes, in_style
from .round_states import cache_states

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


# The codes of `cache_states` in words
_ENTRIES = {"k": "entry kept", "d": "entry dropped", "o": "entry owed", ".": "no entry"}


def cell_states(step):
    """Return what the panel shows of one sequence in one round.

    Parameters
    ----------
    step : Step
        From an engine's trace, with a draft model.

    Returns
    -------
    dict of str to dict of int to str
        For "text", "target" and "draft": position to state, from the position of
        the last token committed before the round to the furthest a round can reach.
    """
    first, newest = step.position, step.position + len(step.emitted)
    columns = range(first, first + len(step.proposed) + 2)

    text = dict.fromkeys(range(first, newest), "committed token") | {newest: "newest token"}
    caches = {
        name: {
            p: _ENTRIES[code]
            for p, code in zip(columns, cache_states(entries, columns, newest), strict=True)
        }
        for name, entries in (("target", step.target), ("draft", step.draft))
    }
    return {"text": text, **caches}


@in_style
def panel(steps, block_size):
    """Draw sequences that leave one round at different positions, both caches apart.

    Parameters
    ----------
    steps : mapping of str to Step
        Sequence name to its step; the same gamma and first position for all.
    block_size : int
        Positions in a block of the caches. A bar over each row of entries spans a
        block that the sequence still holds, with its number.

    Returns
    -------
    matplotlib.axes.Axes
        x: position in the sequence. Each cell is a `Rectangle` whose gid is
        "name row position state".

    Raises
    ------
    ValueError
        No step, or steps that differ in gamma or first position.
    """
    windows = {(step.position, len(step.proposed)) for step in steps.values()}
    if len(windows) != 1:
        raise ValueError(
            f"steps = {dict(steps)!r}: expected at least one step, and the same gamma "
            "and first position for all"
        )
    ((first, gamma),) = windows
    ax = axes("position in the sequence", "", figsize=(4.8, 2.0 + 2.0 * len(steps)))
    ticks, labels, top = [], [], 0.0
    for name, step in steps.items():
        count, newest = len(step.emitted), step.position + len(step.emitted)
        tokens = f"{count} new token{'s' * (count > 1)}"
        title = f"{name}: K = {step.accepted}, {tokens}, ends at {newest}"
        ax.text(first - 0.45, top - 0.35, title, weight="bold")
        for index, (row, cells) in enumerate(cell_states(step).items()):
            ticks.append(top - 1.1 - 1.6 * index)
            labels.append(row if row == "text" else f"{row} K/V")
            for position, state in cells.items():
                letter = str(position - first) if position > first else "x"
                if state == "newest token":
                    letter = "b" if step.accepted == gamma else "c"
                _cell(ax, position, ticks[-1], state, letter, f"{name} {row} {position} {state}")
            if row != "text":
                _blocks(ax, getattr(step, row).blocks, block_size, cells, ticks[-1] + 0.62)
        top -= 5.7
    ax.set(xlim=(first - 0.55, first + gamma + 1.55), ylim=(top + 0.5, 0.2), yticks=ticks)
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


def _blocks(ax, table, size, columns, y):
    """A bar with its number over the columns of each block in `table`."""
    for index, block in enumerate(table):
        inside = [p for p in columns if p // size == index]
        if inside:
            ax.hlines(y, inside[0] - 0.45, inside[-1] + 0.45, GREY, linewidth=2)
            ax.text(inside[0] - 0.45, y + 0.05, f"block {block}", fontsize=8.5, color=GREY,
                    va="bottom")  # fmt: skip


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
