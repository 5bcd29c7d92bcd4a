"""The picture of chapter 01 shows the recording, and what proportion would be."""

import pytest

from crossover.show.weight_read import shared_read


def test_measured_beside_proportion():
    ax = shared_read({"rows": [1, 4, 16], "seconds": [0.1, 0.3, 0.35]})
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert lines["measured"].get_xdata().tolist() == [1, 4, 16]
    assert lines["measured"].get_ydata() == pytest.approx([100, 300, 350])
    assert lines["a read for every row"].get_ydata() == pytest.approx([100, 400, 1600])
    assert lines["measured"].get_linestyle() != lines["a read for every row"].get_linestyle()
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["1", "4", "16"]
