"""Stored pictures against fresh ones, pixel by pixel; nbval does not look at pictures."""
import base64
import io
from dataclasses import replace

import matplotlib.pyplot as plt
import numpy as np
import pytest
from stored_form import SHARE, picture_difference, pixels, with_palette

from .fresh import run
from .pages import lines


def changed_pictures(figures):
    """A line for every figure whose stored picture is not what a fresh run draws."""
    found = []
    for figure in figures.values():
        if not figure.stored or not figure.fresh:
            found.append(f"{figure.name}: " + ("not stored" if figure.fresh else "no longer drawn"))
            continue
        share = picture_difference(figure.fresh, figure.stored)
        if share > SHARE:
            found.append(f"{figure.name}: {share:.2%} of the pixels differ; if that is meant, "
                         "look at the picture and run `make notebooks`")
    return found


def test_pictures_are_what_the_cells_draw(any_path):
    faults = changed_pictures(run(any_path).figures)
    assert not faults, lines(faults)


# -- the tolerance itself, on a curve like those of the chapters --------------------

def draw(moved=0.0, where=slice(None), size=(6.4, 4.8)):
    """A base64 PNG of one curve over 200 batches, `moved` by that share at `where`."""
    batch = np.geomspace(1, 256, 200)
    speedup = 2.18 / np.maximum(1, batch / 30.6) ** 0.8
    speedup[where] *= 1 + moved
    figure, axes = plt.subplots(figsize=size)
    axes.plot(batch, speedup, label="speedup")
    axes.set(xscale="log", ylim=(0, 2.5), xlabel="batch (sequences)", ylabel="speedup")
    axes.legend()
    png = io.BytesIO()
    figure.savefig(png, dpi=100, format="png")
    plt.close(figure)
    return base64.b64encode(png.getvalue()).decode()


@pytest.mark.parametrize("moved", [1e-12, 1e-4, -1e-4])
def test_rounding_is_within_the_tolerance(moved):
    assert picture_difference(draw(moved), draw()) <= SHARE


@pytest.mark.parametrize("moved, where", [
    (0.003, slice(None)), (-0.003, slice(None)), (0.02, slice(100, 110)), (0.1, slice(20, 24))])
def test_a_changed_curve_is_beyond_the_tolerance(moved, where):
    assert picture_difference(draw(moved, where), draw()) > 2 * SHARE


def test_a_palette_halves_the_bytes_and_looks_the_same():
    png = draw()
    small = with_palette(png)
    assert len(small) < len(png) / 2 and picture_difference(png, small) == 0
    assert with_palette(png) == small  # no chance in it


def test_no_palette_for_a_picture_of_many_colours():
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    png = io.BytesIO()
    plt.imsave(png, noise, format="png")
    photo = base64.b64encode(png.getvalue()).decode()
    assert len(np.unique(pixels(photo).reshape(-1, 3), axis=0)) > 256
    assert with_palette(photo) == photo


def test_another_size_is_another_picture():
    assert picture_difference(draw(size=(6.4, 4.9)), draw()) == 1.0


def test_a_chapter_with_an_old_picture_is_caught(good):
    """The stored picture is of another curve, then missing, then of a figure no more drawn."""
    figure = run(good.path).figures["fig-intensity"]
    for stored, fresh, said in [(draw(), figure.fresh, "differ"), ("", figure.fresh, "not stored"),
                                (figure.stored, "", "no longer drawn")]:
        spoilt = {figure.name: replace(figure, stored=stored, fresh=fresh)}
        assert said in "".join(changed_pictures(spoilt))
