"""The pictures of chapter 02 show what was timed and what the pool holds."""

import pytest

from crossover.show.kv_cache import pools, time_per_token


def test_time_over_length():
    ax = time_per_token({"prompt": 5, "without": [0.01, 0.02], "with": [0.003, 0.003]})
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert lines["whole text again"].get_xdata().tolist() == [5, 6]
    assert lines["whole text again"].get_ydata() == pytest.approx([10, 20])
    assert lines["with the cache"].get_ydata() == pytest.approx([3, 3])
    assert len({line.get_linestyle() for line in lines.values()}) == 2


def bars(ax):
    """gid -> (line, start, width) of every bar."""
    found = {}
    for bar in ax.collections:
        if bar.get_gid():
            box = bar.get_paths()[0].get_extents()
            found[bar.get_gid()] = (round((box.y0 + box.y1) / 2), box.x0, box.width)
    return found


def test_every_entry_of_the_pool_is_drawn_once():
    drawn = pools({"large": ({0: 3, 1: 8}, 8), "small": ({0: 4, 2: 1}, 4)}, entries=16, rows=2)
    assert bars(drawn[0]) == {
        "0 used": (0, 0, 3), "0 unused": (0, 3, 5), "1 used": (1, 0, 8)
    }  # fmt: skip
    assert bars(drawn[1]) == {
        "0 used": (0, 0, 4), "1 free": (0, 4, 4), "2 used": (1, 0, 1), "2 unused": (1, 1, 3),
        "3 free": (1, 4, 4),
    }  # fmt: skip
    assert [ax.get_title(loc="left") for ax in drawn] == ["large", "small"]
    assert len(drawn[0].figure.legends[0].get_texts()) == 3


def test_a_block_is_not_cut():
    with pytest.raises(ValueError, match="rows = 3: expected lines of whole blocks of 4"):
        pools({"cut": ({}, 4)}, entries=16, rows=3)
