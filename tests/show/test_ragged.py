"""The panel shows what the trace says; the lockstep curve is the enumerated one."""

from itertools import product

import numpy as np
import pytest
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from crossover.show import ragged

from ..steps import step

KEPT, DROPPED, NONE = "entry kept", "entry dropped", "no entry"


@pytest.fixture
def steps():
    return {name: step(100, 4, k) for name, k in zip("ABCD", (4, 2, 1, 0), strict=True)}


def test_sequence_d_by_hand(steps):
    states = ragged.cell_states(steps["D"])
    assert states["text"] == {100: "committed token", 101: "newest token"}
    assert list(states["target"].values()) == [KEPT, DROPPED, DROPPED, DROPPED, DROPPED, NONE]
    assert list(states["draft"].values()) == [KEPT, DROPPED, DROPPED, DROPPED, NONE, NONE]


def test_panel_draws_each_cell_at_its_position_in_its_states_look(steps):
    ax = ragged.panel(steps, 8)
    drawn = {b.get_gid(): b for b in ax.patches if isinstance(b, Rectangle)}
    told = {
        f"{name} {row} {position} {state}": position
        for name, one in steps.items()
        for row, cells in ragged.cell_states(one).items()
        for position, state in cells.items()
    }
    assert {gid: b.get_x() + b.get_width() / 2 for gid, b in drawn.items()} == pytest.approx(told)
    blue = {gid for gid, b in drawn.items() if b.get_facecolor() == to_rgba(ragged.BLUE)}
    assert blue == {gid for gid in told if gid.endswith(KEPT)}
    hatched = {gid for gid, b in drawn.items() if b.get_hatch()}
    assert hatched == {gid for gid in told if gid.endswith(DROPPED)}
    height = {gid: b.get_y() for gid, b in drawn.items()}
    rows = [[gid for gid in told if gid.startswith(n + " " + r)] for n in "ABCD"
            for r in ("text", "target", "draft")]  # fmt: skip
    levels = [{height[gid] for gid in row} for row in rows]
    assert all(len(level) == 1 for level in levels)
    assert sorted(levels, key=min, reverse=True) == levels


def test_panel_letters_titles_and_blocks(steps):
    ax = ragged.panel(steps, 8)
    written = [t.get_text() for t in ax.texts]
    assert written.count("b") == 1 and written.count("c") == 3
    assert "A: K = 4, 5 new tokens, ends at 105" in written
    assert "D: K = 0, 1 new token, ends at 101" in written
    # positions 96..103 are in the 13th block of each; only A's target still holds a 14th
    assert written.count("block 62") == 8 and written.count("block 63") == 1
    bars = [tuple(ends[:, 0]) for lines in ax.collections for ends in lines.get_segments()]
    assert sorted(bars) == [(99.55, 103.45)] * 8 + [(103.55, 105.45)]


def test_panel_legend_explains_every_state(steps):
    ax = ragged.panel(steps, 8)
    shown = {state for one in steps.values() for c in ragged.cell_states(one).values()
             for state in c.values()}  # fmt: skip
    assert len(ax.figure.legends[0].get_texts()) == len(shown) == 6


@pytest.mark.parametrize("wrong", [{}, {"A": step(100, 4, 4), "B": step(100, 3, 1)}])
def test_panel_refuses_steps_that_do_not_belong_together(wrong):
    with pytest.raises(ValueError, match="steps = "):
        ragged.panel(wrong, 8)


def test_lockstep_curve_by_enumeration():
    alpha, gamma, batches = 0.75, 2, (1, 2, 4)
    own, shortest = ragged.lockstep(alpha, gamma, batches).lines[:2]
    chance = [alpha**k * (1 - alpha) for k in range(gamma)] + [alpha**gamma]
    expected = [
        sum(np.prod([chance[k] for k in ks]) * (min(ks) + 1)
            for ks in product(range(gamma + 1), repeat=batch))
        for batch in batches
    ]  # fmt: skip
    assert shortest.get_ydata() == pytest.approx(expected, rel=1e-12)
    assert own.get_ydata() == pytest.approx([expected[0]] * 3, rel=1e-12)
