"""The pictures of chapter 11: what cached tokens do to the knee and to the speedup."""

import numpy as np

from crossover.show.figures import BLUE, GREEN, GREY, ORANGE, axes, in_style
from crossover.theory import break_even_batch, long_context_speedup, speedup

LEVELS = (0.5, 0.6, 0.75, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75)
TALLEST = 512  # sequences, the top of the maps


@in_style
def knee_over_context(roofline, widths=(1, 5), contexts=None):
    """Draw the batch from which a pass is compute-bound over the context.

    Parameters
    ----------
    roofline : Roofline
        With one roof per pass.
    widths : sequence of int
        At most three.
    contexts : array, optional
        L, tokens per sequence.

    Returns
    -------
    matplotlib.axes.Axes
        x: context, tokens; y: B*(w, L), sequences. A dotted line marks where each
        curve leaves for infinity.
    """
    contexts = np.geomspace(100, 30_000, 800) if contexts is None else contexts
    ax = axes(
        "context L (cached tokens per sequence)",
        "knee B*(w, L) (sequences)",
        xscale="log",
        yscale="log",
        ylim=(10, 10_000),
    )
    looks = [(BLUE, "-"), (ORANGE, "--"), (GREEN, "-.")]
    for width, (color, style) in zip(widths, looks, strict=False):
        knee = roofline.crossover_batch(width, contexts)
        finite = np.isfinite(knee)
        ax.plot(contexts[finite], knee[finite], color=color, linestyle=style, label=f"w = {width}")
        limit = roofline.context_limit(width)
        ax.axvline(limit, color=color, linestyle=":", linewidth=1.4)
        ax.annotate(f"{limit:.0f}", (limit, 12), xytext=(-4, 0), textcoords="offset points",
                    ha="right", color=color)  # fmt: skip
    ax.legend(loc="upper left")
    return ax


@in_style
def speedup_over_context(readings, gamma, alpha, budget, batches=(32, 128), contexts=None):
    """Draw speedup over context, with a full and a fixed draft cache, a panel for each batch.

    Parameters
    ----------
    readings : mapping of str to (Roofline, Roofline)
        "pass" and "operator" to target and draft read that way.
    gamma : int
    alpha : float
    budget : int
        Tokens the fixed draft cache keeps.
    batches : sequence of int
        At least two.
    contexts : array, optional

    Returns
    -------
    ndarray of matplotlib.axes.Axes
        x: context, tokens; y: speedup over plain decoding at that context.
    """
    contexts = np.geomspace(100, 100_000, 200) if contexts is None else contexts
    caches = {
        "fixed draft cache": (np.minimum(contexts, budget), 0, BLUE),
        "full draft cache": (contexts, 1, ORANGE),
    }
    panels = axes(
        "context L (tokens)",
        "speedup",
        columns=len(batches),
        figsize=(5.8, 4.4),
        xscale="log",
        ylim=(0, 3.3),
        xticks=[100, 1000, 10_000, 100_000],
    )
    for ax, batch in zip(panels, batches, strict=True):
        ax.set_xticklabels(["100", "1k", "10k", "100k"])
        ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
        for cache, (kept, share, color) in caches.items():
            for reading, style in (("pass", "-"), ("operator", "--")):
                pair = readings[reading]
                gain = speedup(*pair, batch, gamma, alpha, contexts, kept)
                label = f"{cache}, roof per {reading}"
                ax.plot(contexts, gain, color=color, linestyle=style, label=label)
            limit = long_context_speedup(*readings["pass"], gamma, alpha, share)
            ax.plot([contexts[-1]], [limit], "<", color=color, markersize=7, clip_on=False)
        ax.set_title(f"B = {batch}", fontsize=11)
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].figure.legend(handles, labels, loc="outside upper center", fontsize=9.5)
    return panels


@in_style
def long_context_map(target, draft, gamma, alpha, group, budget=None):
    """Draw the speedup over batch and context, with the line at 1 and the memory limit.

    Parameters
    ----------
    target, draft : Roofline
    gamma : int
    alpha : float
    group : Capacity
        The cards; what they cannot hold is hatched.
    budget : int, optional
        Tokens the draft's cache keeps. None: all of them.

    Returns
    -------
    matplotlib.axes.Axes
        x: context, tokens; y: batch, sequences; contours: speedup over plain decoding.
    """
    contexts, batches = np.geomspace(100, 100_000, 121), np.geomspace(1, TALLEST, 121)
    kept = contexts if budget is None else np.minimum(contexts, budget)
    gain = speedup(target, draft, batches[:, None], gamma, alpha, contexts, kept)
    edges = [
        break_even_batch(target, draft, gamma, alpha, context=L, draft_context=k)
        for L, k in zip(contexts, kept, strict=True)
    ]
    even = np.array(edges)
    even[~np.isfinite(even) | (even < 1)] = np.nan
    ax = axes(
        "context L (cached tokens per sequence)",
        "batch B (sequences in the pass)",
        figsize=(5.8, 4.4),
        xscale="log",
        yscale="log",
        ylim=(1, TALLEST),
    )
    ax.set_xticks([100, 1000, 10_000, 100_000], ["100", "1k", "10k", "100k"])
    # loss to orange, win to blue: told apart by every kind of colour vision
    ax.contourf(contexts, batches, gain, levels=[0, 1, np.inf], colors=["#f7d9c4", "#cfe3f1"])
    lines = ax.contour(contexts, batches, gain, levels=LEVELS, colors=GREY, linewidths=0.9)
    ax.clabel(lines, fmt="%g", fontsize=9.5, colors="black")
    ax.plot(contexts, even, color="black", linewidth=2.4, label="as fast as off: 1")
    for words, at in (("loss", (0.03, 0.96)), ("win", (0.03, 0.5))):
        ax.text(*at, words, transform=ax.transAxes, va="top", fontsize=12)
    holds = group.largest_batch(contexts, kept)
    ax.plot(contexts, np.where(holds < 1, np.nan, holds), color=GREEN, linestyle="--",
            label=f"what {group.tensor_parallel} cards hold")  # fmt: skip
    ax.fill_between(contexts, np.maximum(holds, 1), TALLEST, facecolor="none",
                    edgecolor=GREEN, hatch="//", alpha=0.35, linewidth=0)  # fmt: skip
    ax.legend(loc="lower left", frameon=True, framealpha=0.9, fontsize=9.5)
    ax.grid(False)
    return ax
