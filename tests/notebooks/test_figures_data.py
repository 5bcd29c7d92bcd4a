"""The curves of every figure against the theory, recomputed here at their own x.

The rows are in `curves.py`. Every labelled curve of every chapter has one there.
"""
from dataclasses import replace

import numpy as np
import pytest

from .curves import CURVES, NOT_THEORY, Curve
from .fresh import run
from .pages import CHAPTERS, GOOD, lines


def shown_on(axes):
    """label -> (x, y) of every curve, set of points and set of bars on `axes`."""
    return {item["label"]: (np.array(item["x"]), np.array(item["y"]))
            for kind in ("lines", "points", "bars") for item in axes[kind]}


def labelled(axes):
    """The labels that somebody gave, rather than Matplotlib, on `axes`."""
    return [label for label in shown_on(axes) if label and not label.startswith("_")]


def disagreement(figures, curve):
    """How the figure differs from what `curve` says; '' when it does not."""
    if curve.figure not in figures:
        return f"no figure {curve.figure!r}; there are {sorted(figures)}"
    axes = figures[curve.figure].axes
    if curve.axes >= len(axes):
        return f"{curve.figure}: no axes {curve.axes}; there are {len(axes)}"
    shown = shown_on(axes[curve.axes])
    if curve.label not in shown:
        return f"{curve.figure}: no curve {curve.label!r}; there are {sorted(shown)}"
    x, y = shown[curve.label]
    if len(x) == 0:
        return f"{curve.figure}, {curve.label!r}: nothing is drawn"
    drawn, expected = (y, curve.y(x)) if curve.x is None else (x, curve.x)
    expected = np.broadcast_to(expected, drawn.shape)
    wrong = ~np.isclose(drawn, expected, rtol=1e-9, atol=0, equal_nan=True)
    if wrong.any():
        i = int(wrong.argmax())
        return (f"{curve.figure}, {curve.label!r}: {wrong.sum()} of {len(x)} values; the first, "
                f"at x = {x[i]:g}, is {drawn[i]:.12g} where the theory gives {expected[i]:.12g}")
    return ""


def curves_without_a_row(chapter, figures, curves, not_theory):
    """Labelled curves that nobody checks, and figures that have none."""
    rows = {(c.figure, c.axes, c.label) for c in curves if c.chapter == chapter}
    found = []
    for name, figure in figures.items():
        if (chapter, name) in not_theory or not figure.axes:  # no axes: drawn by Vega
            continue
        names = [(name, i, label) for i, axes in enumerate(figure.axes)
                 for label in labelled(axes)]
        if not names:
            found.append(f"{name}: no curve has a label")
        found += [f"{name}, axes {i}: {label!r} has no row" for _, i, label in names
                  if (name, i, label) not in rows and (chapter, name, label) not in not_theory]
    return found


def bare_axes(figures):
    """Axes that show data but do not say what is along x or y."""
    return [f"{figure.name}, axes {i}: no label along {way}"
            for figure in figures.values() for i, axes in enumerate(figure.axes)
            if axes["shown"] and shown_on(axes)
            for way in "xy" if not axes[f"{way}label"].strip()]


@pytest.mark.parametrize("curve", [
    pytest.param(c, id=f"{c.chapter}-{c.figure}-{c.label}",
                 marks=pytest.mark.xdist_group(c.chapter)) for c in CURVES])
def test_curve_is_the_theorys(curve):
    paths = {path.stem: path for path in [GOOD, *CHAPTERS]}
    assert curve.chapter in paths, f"no chapter {curve.chapter}"
    assert disagreement(run(paths[curve.chapter]).figures, curve) == ""


def test_every_curve_is_checked(any_path):
    figures = run(any_path).figures
    faults = curves_without_a_row(any_path.stem, figures, CURVES, NOT_THEORY)
    assert not faults, lines(faults)


def test_axes_are_labelled(any_path):
    assert bare_axes(run(any_path).figures) == []


def test_exceptions_name_something_and_say_why():
    paths = {path.stem: path for path in CHAPTERS}
    for key, reason in NOT_THEORY.items():
        assert len(reason.split()) > 2, f"{key}: say why"
        assert key[0] in paths, f"{key}: no such chapter"


@pytest.mark.parametrize("curve, said", [
    (Curve("good", "fig-intensity", "width 5", lambda b: 5 * b * (1 + 1e-8)), "64 of 64 values"),
    (Curve("good", "fig-intensity", "width 5", lambda b: 5 * b + (b == 9)), "at x = 9, is 45"),
    (Curve("good", "fig-intensity", "width 1", x=30.6), "where the theory gives 30.6"),
    (Curve("good", "fig-intensity", "width 6", lambda b: b), "no curve 'width 6'"),
    (Curve("good", "fig-intensity", "width 5", lambda b: 5 * b, axes=1), "no axes 1"),
    (Curve("good", "fig-throughput", "width 5", lambda b: 5 * b), "no figure 'fig-throughput'"),
])
def test_a_wrong_curve_is_caught(curve, said):
    assert said in disagreement(run(GOOD).figures, curve)


def test_a_curve_without_a_row_is_caught():
    figures = run(GOOD).figures
    assert "'width 5' has no row" in curves_without_a_row("good", figures, CURVES[:1], {})[0]
    assert curves_without_a_row("good", figures, [], {("good", "fig-intensity"): "a sketch"}) == []


def test_bare_axes_are_caught():
    figure = run(GOOD).figures["fig-intensity"]
    spoilt = replace(figure, axes=[figure.axes[0] | {"ylabel": " "}])
    assert bare_axes({"fig": spoilt}) == ["fig-intensity, axes 0: no label along y"]
