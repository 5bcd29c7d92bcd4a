"""The live chart of chapter 08: what a window yields and costs, after a prediction."""

import altair as alt

from crossover.show.controls import best_index, derived, listed, slider, sweep
from crossover.show.explorables import Explorable
from crossover.show.prediction import Prediction
from crossover.theory import expected_tokens, round_time, speedup, vega_expression, where

LARGEST = 16  # gamma, as far as `best_gamma` looks
TALLEST = 8  # tokens; a round dearer than eight plain steps has left the argument
BATCH, ALPHA, BEFORE, AFTER = 128, 0.75, 4, 8  # the evening peak; gamma now and as proposed
# alphabetical: given an order of its own, Vega-Lite draws the legend twice
CURVES = {"emitted": "emitted tokens", "cost": "price", "ratio": "speedup"}


def window_chart(target, draft):
    """Return the chart of yield, price and speedup over gamma, at any gamma, B and alpha.

    On the site it asks first where the speedup goes from gamma = 4 to 8.

    Parameters
    ----------
    target, draft : Roofline

    Returns
    -------
    Explorable
        Its data are traced from `expected_tokens`, `round_time` and `speedup`.
    """
    gamma = slider("gamma", "γ, drafted tokens per round", 0, LARGEST, 1, AFTER)
    batch = slider("batch", "B, sequences in the pass", 1, 256, 1, BATCH)
    alpha = slider("alpha", "α, acceptance rate", 0, 1, 0.01, ALPHA)

    def price(window):
        return round_time(target, draft, batch, window) / target(batch, 1)

    window = alt.datum.window
    curves = sweep(
        "window",
        0,
        LARGEST,
        emitted=expected_tokens(alpha, window),
        cost=price(window),
        ratio=speedup(target, draft, batch, window, alpha),
    )
    every = range(LARGEST + 1)
    gains = listed("gains", [speedup(target, draft, batch, each, alpha) for each in every])
    at = {
        "tokens": derived("tokens", expected_tokens(alpha, gamma)),
        "price": derived("price", price(gamma)),
        "gain": derived("gain", speedup(target, draft, batch, gamma, alpha)),
        "best": derived("best", best_index(gains)),
    }
    before = speedup(target, draft, BATCH, BEFORE, ALPHA)
    return Explorable(
        "yield_and_cost_of_a_window",
        alt.layer(*_marks(curves, gamma, at["best"]), _lines(curves)),
        controls=(gamma, batch, alpha),
        values=[gains, *at.values()],
        words=_in_words(gamma, batch, alpha, **at),
        prediction=Prediction(
            f"At B = {BATCH} the speedup with γ = {BEFORE} is {before:.3f}. "
            f"Where does it go with γ = {AFTER}?",
            "Its new value, as a factor on plain decoding",
            signal="gain",
            before=before,
        ),
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


def _lines(curves):
    return (
        curves.transform_fold(list(CURVES), as_=["field", "height"])
        .transform_calculate(curve=f"{CURVES}[datum.field]")
        .mark_line(clip=True)
        .encode(
            alt.X("window:Q", title="γ (drafted tokens per round)"),
            alt.Y("height:Q", title="tokens per sequence; their ratio").scale(domain=[0, TALLEST]),
            alt.Color("curve:N"),
            alt.StrokeDash("curve:N"),
        )
    )


def _marks(curves, gamma, best):
    """Return the line at 1, the reader's gamma, and the best one on the speedup."""
    even = alt.Chart(alt.Data(values=[{"one": 1}])).mark_rule(strokeDash=[2, 3])
    chosen = alt.Chart(alt.Data(values=[{}])).transform_calculate(
        window=vega_expression(gamma), top=str(TALLEST)
    )
    chosen = chosen.encode(alt.X("window:Q"))
    # text takes its colour from the theme
    best = curves.transform_filter(alt.datum.window == best)
    best = best.encode(alt.X("window:Q"), alt.Y("ratio:Q"))
    return (
        even.encode(alt.Y("one:Q")),
        chosen.mark_rule(),
        chosen.mark_text(text="your γ", dx=6, dy=10, align="left").encode(alt.Y("top:Q")),
        best.mark_text(text="◆", fontSize=18),
        best.mark_text(text="best γ", dx=8, dy=18, align="left"),
    )


def _in_words(gamma, batch, alpha, tokens, price, gain, best):
    """Return the state of the chart as a sentence, for the live region."""
    one = alt.expr.format
    outcome = where(gain < 1, "slower than off", where(gamma < 1, "off", "not slower than off"))
    wins = "Best is γ = " + one(best, "d") + "."
    wins = where(best < 1, "No γ up to 16 is faster than off.", wins)
    return (
        "γ = " + one(gamma, "d") + " at B = " + one(batch, "d") + ", α = " + one(alpha, ".2f")
        + ": " + one(tokens, ".2f") + " tokens for " + one(price, ".2f") + " plain steps, speedup "
        + one(gain, ".2f") + ": " + outcome + ". " + wins
    )  # fmt: skip
