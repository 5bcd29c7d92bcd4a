"""What chapter 08 shows of the window: yield against cost, and the best gamma per batch."""

from itertools import pairwise

import altair as alt
import numpy as np

from crossover.show.controls import slider, sweep
from crossover.show.explorables import Explorable
from crossover.show.figures import BLUE, GREY, ORANGE, axes, in_style
from crossover.theory import (
    best_gamma,
    expected_tokens,
    round_time,
    speedup,
    vega_expression,
    where,
)

LARGEST = 16  # gamma, as far as `best_gamma` looks
TALLEST = 8  # tokens; a round dearer than eight plain steps has left the argument


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


def window_chart(target, draft):
    """Return the chart of yield, cost and speedup over gamma, with sliders for B and alpha.

    Parameters
    ----------
    target, draft : Roofline

    Returns
    -------
    Explorable
        Its data are traced from `expected_tokens`, `round_time` and `speedup`. On an
        envelope E[T] is concave in gamma and the cost convex, so the speedup rises up
        to the best gamma and falls after it: counting its rises finds the best one.
    """
    batch = slider("batch", "B, sequences in the pass", 1, 256, 1, 128)
    alpha = slider("alpha", "α, acceptance rate", 0, 1, 0.01, 0.75)
    gamma = alt.datum.gamma
    # alphabetical: given an order of its own, Vega-Lite draws the legend twice
    names = {"emitted": "emitted tokens", "cost": "price", "ratio": "speedup"}
    curves = sweep(
        "gamma",
        0,
        LARGEST,
        emitted=expected_tokens(alpha, gamma),
        cost=round_time(target, draft, batch, gamma) / target(batch, 1),
        ratio=speedup(target, draft, batch, gamma, alpha),
    )
    best = alt.param(name="best", expr=vega_expression(_best(target, draft, batch, alpha)))
    at_best = alt.param(
        name="at_best", expr=vega_expression(speedup(target, draft, batch, best, alpha))
    )
    lines = (
        curves.transform_fold(list(names), as_=["field", "tokens"])
        .transform_calculate(curve=f"{names}[datum.field]")
        .mark_line(clip=True)
        .encode(
            alt.X("gamma:Q", title="γ (drafted tokens per round)"),
            alt.Y(
                "tokens:Q",
                title="tokens per sequence; their ratio",
                scale=alt.Scale(domain=[0, TALLEST]),
            ),
            alt.Color("curve:N"),
            alt.StrokeDash("curve:N"),
        )
    )
    # text takes its colour from the theme
    top = curves.transform_filter(gamma == best).encode(alt.X("gamma:Q"), alt.Y("ratio:Q"))
    marks = [
        top.mark_text(text="◆", fontSize=18),
        top.mark_text(text="best γ", dx=8, dy=18, align="left"),
    ]
    even = alt.Chart(alt.Data(values=[{"one": 1}])).mark_rule(strokeDash=[2, 3])
    chart = alt.layer(even.encode(alt.Y("one:Q")), lines, *marks).add_params(best, at_best)
    return Explorable(
        "yield_and_cost_of_a_window",
        chart,
        controls=(batch, alpha),
        words=_in_words(batch, alpha, best, at_best),
        caption=(
            "What a round emits, what it costs in plain steps, and the ratio of the two, over γ. "
            "The diamond marks the best γ; the thin line at 1 is as fast as off."
        ),
        alternative=(
            "Over γ from 0 to 16 at B = 128 and α = 0.75: the emitted tokens rise to just "
            "under 4, the price in plain steps rises in a straight line through 4 near γ = 3 "
            "and leaves the chart at 8, and the speedup falls from 1 at γ = 0 to a quarter."
        ),
    )


def _best(target, draft, batch, alpha):
    """Return the best gamma as one traced sum: how often one more token helps."""
    ratios = [speedup(target, draft, batch, gamma, alpha) for gamma in range(LARGEST + 1)]
    return sum(where(after > before, 1, 0) for before, after in pairwise(ratios))


def _in_words(batch, alpha, best, at_best):
    """Return the state of the chart as a sentence, for the live region."""
    one = alt.expr.format
    setting = "At B = " + one(batch, "d") + " and α = " + one(alpha, ".2f") + " "
    wins = "the best γ is " + one(best, "d") + ", with a speedup of " + one(at_best, ".2f") + "."
    return setting + where(best < 1, "no γ up to 16 is faster than off.", wins)
