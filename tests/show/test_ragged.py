"""The panel shows what the bookkeeping says; the lockstep curve is the enumerated one."""

from itertools import product

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from crossover.show import ragged
from crossover.theory import round_entries

KEPT, DROPPED, OWED, NONE = "entry kept", "entry dropped", "entry owed", "no entry"


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.fixture
def rounds():
    return {name: round_entries(100, 4, k) for name, k in zip("ABCD", (4, 2, 1, 0), strict=True)}


def test_sequence_d_by_hand(rounds):
    states = ragged.cell_states(rounds["D"])
    assert states["text"] == {100: "committed token", 101: "newest token"}
    assert list(states["target"].values()) == [KEPT, DROPPED, DROPPED, DROPPED, DROPPED, NONE]
    assert list(states["draft"].values()) == [KEPT, DROPPED, DROPPED, DROPPED, NONE, NONE]


def test_sequence_a_by_hand(rounds):
    states = ragged.cell_states(rounds["A"])
    assert states["text"] == dict.fromkeys(range(100, 105), "committed token") | {
        105: "newest token"
    }
    assert list(states["target"].values()) == [KEPT] * 5 + [NONE]
    assert list(states["draft"].values()) == [KEPT] * 4 + [OWED, NONE]


@given(st.integers(1, 12), st.data())
def test_every_entry_has_one_state(gamma, data):
    accepted = data.draw(st.integers(0, gamma))
    entries = round_entries(7, gamma, accepted)
    states = ragged.cell_states(entries)
    for row, cache in (("target", entries.target), ("draft", entries.draft)):
        assert list(states[row]) == list(range(7, 7 + gamma + 2))
        shown = {s: [p for p, t in states[row].items() if t == s] for s in (KEPT, DROPPED)}
        assert shown == {KEPT: list(cache.kept), DROPPED: list(cache.dropped)}
        assert states[row][entries.emitted[-1]] in (DROPPED, NONE)


def test_panel_draws_each_cell_at_its_position_in_its_states_look(rounds):
    ax = ragged.panel(rounds)
    drawn = {b.get_gid(): b for b in ax.patches if isinstance(b, Rectangle)}
    told = {
        f"{name} {row} {position} {state}": position
        for name, entries in rounds.items()
        for row, cells in ragged.cell_states(entries).items()
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


def test_panel_letters_and_titles(rounds):
    written = [t.get_text() for t in ragged.panel(rounds).texts]
    assert written.count("b") == 1 and written.count("c") == 3
    assert "A: K = 4, 5 new tokens, ends at 105" in written
    assert "D: K = 0, 1 new token, ends at 101" in written
    wide = ragged.panel({"A": round_entries(0, 11, 11)})
    assert [t.get_text() for t in wide.texts].count("10") == 3


def test_panel_legend_explains_every_state(rounds):
    ax = ragged.panel(rounds)
    shown = {state for r in rounds.values() for c in ragged.cell_states(r).values()
             for state in c.values()}  # fmt: skip
    assert len(ax.figure.legends[0].get_texts()) == len(shown) == 6


@pytest.mark.parametrize(
    "wrong", [{}, {"A": round_entries(100, 4, 4), "B": round_entries(100, 3, 1)}]
)
def test_panel_refuses_rounds_that_do_not_belong_together(wrong):
    with pytest.raises(ValueError, match="rounds = "):
        ragged.panel(wrong)


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
