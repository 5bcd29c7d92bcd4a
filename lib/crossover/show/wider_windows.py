"""The pictures of chapter 08: yield against cost of a window, and the best gamma per batch."""

import numpy as np

from crossover.show.figures import BLUE, GREY, ORANGE, axes, in_style
from crossover.show.window_chart import LARGEST, TALLEST
from crossover.theory import best_gamma, expected_tokens, round_time


@in_style
def tokens_and_cost(target, draft, alpha, batches=(3, 128)):
    """Draw what a round yields and what it costs over gamma, a panel for each batch.

    The cost, round_time / T(B, 1), counts the tokens that plain decoding emits for
    each sequence in the same time. So both lines have one axis, and speculation pays
    where the first is above the second.

    Parameters
    ----------
    target, draft : callable
        Latency models.
    alpha : float
        Below 1, or E[T] has no ceiling to draw.
    batches : sequence of int
        At least two.

    Returns
    -------
    ndarray of matplotlib.axes.Axes
        x: gamma; y: tokens per sequence.
    """
    gammas = np.arange(LARGEST + 1)
    panels = axes(
        "γ (drafted tokens per round)",
        "tokens per sequence",
        columns=len(batches),
        figsize=(5.8, 3.7),
        ylim=(0, TALLEST),
        xticks=range(0, LARGEST + 1, 4),
    )
    for ax, batch in zip(panels, batches, strict=True):
        cost = [round_time(target, draft, batch, g) / target(batch, 1) for g in gammas]
        ax.axhline(1 / (1 - alpha), color=GREY, linestyle=":", linewidth=1.4)
        ax.plot(gammas, expected_tokens(alpha, gammas), "o-", color=BLUE, markersize=4,
                label="emitted tokens, E[T]")  # fmt: skip
        ax.plot(gammas, cost, "s--", color=ORANGE, markersize=4, label="price in plain steps")
        ax.set_title(f"B = {batch}", fontsize=11)
    ceiling = f"ceiling 1/(1 − α) = {1 / (1 - alpha):g}"
    panels[0].annotate(ceiling, (LARGEST, 1 / (1 - alpha)), xytext=(0, 5), ha="right",
                       textcoords="offset points", color=GREY)  # fmt: skip
    panels[0].legend(loc="upper left", fontsize=9.5)
    return panels


@in_style
def best_gamma_steps(pairs, alpha, batches):
    """Draw the gamma that pays most at each batch, 0 being off.

    Parameters
    ----------
    pairs : mapping of str to (target, draft, look)
        Label to two latency models and a line style, as `figures.speedup_curves` takes.
    alpha : float
    batches : array

    Returns
    -------
    matplotlib.axes.Axes
        x: batch, sequences; y: best gamma.
    """
    ax = axes("batch B (sequences in the pass)", "best γ (drafted tokens)", figsize=(5.4, 3.3))
    highest = 1
    for label, (target, draft, look) in pairs.items():
        best = best_gamma(target, draft, batches, alpha, LARGEST)
        ax.step(batches, best, where="post", label=label, **look)
        highest = max(highest, best.max())
    ticks = range(highest + 1)
    ax.set_yticks(ticks, ["off", *(str(gamma) for gamma in ticks[1:])])
    ax.set_ylim(-0.3, highest + 0.6)
    ax.legend(loc="upper right")
    return ax
