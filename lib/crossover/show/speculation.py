"""What chapter 04 shows: accept-and-replace, tokens a round, the best gamma, a published table."""

import numpy as np

from crossover.theory import best_gamma, speedup

from .figures import BLUE, GREEN, GREY, ORANGE, PURPLE, axes, in_style

# A draft to its marker and colour; then a task to how the marker is filled.
_DRAFTS = (("o", BLUE), ("s", ORANGE), ("^", GREEN))
_FILLS = ("full", "none")


@in_style
def accepted_and_replaced(names, p, q, most=8):
    """Draw how accepted and replacing tokens add up to the target's probabilities.

    Parameters
    ----------
    names : list of str
        What each token is called.
    p, q : array, shape (vocabulary,)
        The target's and the draft's probabilities.
    most : int
        Tokens shown: those on which the two differ most.

    Returns
    -------
    matplotlib.axes.Axes
        x: token; y: probability. Bars of min(p, q), on top of them max(p - q, 0).
    """
    shown = np.argsort(-np.abs(p - q), kind="stable")[:most]
    shown = shown[np.argsort(q[shown] - p[shown], kind="stable")]
    p, q, at = p[shown], q[shown], np.arange(len(shown))
    accepted = np.minimum(p, q)
    ax = axes("token", "probability", figsize=(5.4, 3.9))
    ax.bar(at, accepted, color=BLUE, label="accepted, min(p, q)")
    ax.bar(at, p - accepted, bottom=accepted, color=ORANGE, hatch="//", edgecolor="white",
           label="replacement, max(p − q, 0)")  # fmt: skip
    ax.hlines(p, at - 0.45, at + 0.45, color="black", label="target p")
    ax.plot(at, q, "D", color=PURPLE, markerfacecolor="white", markersize=7, label="draft q")
    ax.set_xticks(at, [names[i] for i in shown], rotation=30, ha="right")
    ax.legend(fontsize=10)
    return ax


@in_style
def rounds_measured(found):
    """Draw tokens a round over gamma, and the acceptance of each position of the widest.

    Parameters
    ----------
    found : list of RoundTokens
        One for each gamma, rising.

    Returns
    -------
    ndarray of matplotlib.axes.Axes
        Left, x: gamma, y: tokens per round; right, x: draft, y: acceptance rate.
    """
    left, right = axes("", "", columns=2, figsize=(5.8, 3.5))
    gammas = [f.gamma for f in found]
    left.plot(gammas, [f.expected for f in found], "s--", color=ORANGE, markersize=5,
              markerfacecolor="white", label="formula, pooled α")  # fmt: skip
    left.plot(gammas, [f.measured for f in found], "o-", color=BLUE, label="measured")
    left.set(xlabel="γ (drafts per round)", ylabel="tokens per round", ylim=(0, None))
    left.legend(loc="lower right", fontsize=10)
    widest = found[-1]
    places = np.arange(1, widest.gamma + 1)
    right.axhline(widest.alpha, color=ORANGE, linestyle="--", label="pooled α")
    right.plot(places, widest.by_position, "o-", color=BLUE, label="measured")
    right.set(xlabel=f"draft of the round, γ = {widest.gamma}", ylabel="acceptance rate",
              ylim=(0.5, 1), xticks=places)  # fmt: skip
    right.legend(loc="lower right", fontsize=10)
    return np.array([left, right])


@in_style
def speedup_by_gamma(pairs, alpha, gammas):
    """Draw speedup at batch 1 over gamma for several pairs, and mark the best of each.

    Parameters
    ----------
    pairs : mapping of str to (target, draft)
        Label to two latency models; at most three.
    alpha : float
    gammas : array

    Returns
    -------
    matplotlib.axes.Axes
        x: gamma; y: speedup over plain decoding.
    """
    looks = ((BLUE, "-"), (ORANGE, "--"), (GREEN, "-."))
    ax = axes("γ (drafts per round)", "speedup at batch 1")
    for (label, pair), (color, dashes) in zip(pairs.items(), looks[: len(pairs)], strict=True):
        gains = speedup(*pair, 1, gammas, alpha)
        ax.plot(gammas, gains, color=color, linestyle=dashes, label=label)
        best = best_gamma(*pair, 1, alpha, int(max(gammas)))
        ax.plot([best], [speedup(*pair, 1, best, alpha)], "D", color=color, zorder=3)
        ax.annotate(f"γ = {best}", (best, speedup(*pair, 1, best, alpha)), xytext=(0, 7),
                    textcoords="offset points", ha="center", color=color)  # fmt: skip
    ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    ax.set_ylim(0, 1.12 * ax.get_ylim()[1])
    ax.legend(loc="lower right", fontsize=10)
    return ax


@in_style
def expected_and_measured(rows):
    """Draw the measured over the computed speedup of published rows.

    A horizontal bar spans what alpha and the cost ratio leave open by their rounding.

    Parameters
    ----------
    rows : sequence of Leviathan

    Returns
    -------
    matplotlib.axes.Axes
        x: computed speedup; y: measured speedup. The diagonal is agreement.
    """
    ax = axes("speedup computed", "speedup measured", figsize=(4.8, 5.2))
    ax.plot([1.3, 3.7], [1.3, 3.7], color=GREY, linestyle=":", linewidth=1.4)
    ax.annotate("as computed", (3.35, 3.35), xytext=(6, -12), textcoords="offset points",
                color=GREY, rotation=45, rotation_mode="anchor", ha="center", va="top")  # fmt: skip
    drafts, tasks = (list(dict.fromkeys(getattr(r, name) for r in rows))
                     for name in ("draft", "task"))  # fmt: skip
    for draft, (marker, color) in zip(drafts, _DRAFTS, strict=True):
        for task, fill in zip(tasks, _FILLS, strict=True):
            some = [r for r in rows if (r.draft, r.task) == (draft, task)]
            x = np.array([_computed(r.gamma, r.alpha, r.cost_ratio) for r in some])
            ends = np.array([[_computed(r.gamma, *inputs) for inputs in r.rounded_from()]
                             for r in some])  # fmt: skip
            y = [r.measured_speedup for r in some]
            ax.hlines(y, *ends.T, color=color, linewidth=1.6)
            ax.plot(x, y, marker, color=color, fillstyle=fill, markersize=8, linestyle="",
                    label=f"{draft}, {task}")  # fmt: skip
    ax.set(xlim=(1.3, 3.7), ylim=(1.3, 3.7), aspect="equal")
    ax.figure.legend(loc="outside lower center", ncols=2, fontsize=9.5)
    return ax


def _computed(gamma, alpha, cost_ratio):
    """Return the speedup at batch 1 of passes that cost the same at any width."""
    return speedup(lambda *_: 1.0, lambda *_: cost_ratio, 1, gamma, alpha)
