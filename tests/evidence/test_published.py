"""The table of Leviathan et al. is read whole, and the theory gives its expected column."""

from collections import Counter

import numpy as np
import pytest

from crossover.evidence.published import leviathan_2023, read_leviathan
from crossover.theory import speedup

HEAD = "# source\ntask,draft,temperature,gamma,alpha,cost_ratio,expected_speedup,measured_speedup\n"


def expected(gamma, alpha, cost_ratio):
    """Speedup of a pair whose passes cost 1 and `cost_ratio` at any width."""
    return speedup(lambda *_: 1.0, lambda *_: cost_ratio, 1, gamma, alpha)


def test_twelve_rows_each_setting_once():
    rows = leviathan_2023()
    assert len({(r.task, r.draft, r.temperature) for r in rows}) == len(rows) == 12
    assert Counter(r.draft for r in rows) == {
        "T5-small-77M": 4, "T5-base-250M": 4, "T5-large-800M": 4}  # fmt: skip
    assert rows[0] == ("EnDe", "T5-small-77M", 0, 7, 0.75, 0.02, 3.2, 3.4)


def test_the_expected_column_within_the_rounding_of_its_inputs():
    differ = []
    for row in leviathan_2023():
        low, high = (expected(row.gamma, *inputs) for inputs in row.rounded_from())
        printed = row.expected_speedup
        assert low - 0.05 <= printed <= high + 0.05, row
        as_printed = expected(row.gamma, row.alpha, row.cost_ratio)
        assert low < as_printed < high
        if round(as_printed, 1) != printed:
            differ.append(round(as_printed, 3))
    assert differ == [2.347, 1.934, 1.541]


def test_the_interval_is_the_widest_over_the_rounding():
    rng = np.random.default_rng(0)
    for row in leviathan_2023():
        low, high = (expected(row.gamma, *inputs) for inputs in row.rounded_from())
        alpha, cost = row.alpha + rng.uniform(-5e-3, 5e-3, 99), row.cost_ratio + rng.uniform(
            -5e-3, 5e-3, 99)  # fmt: skip
        inside = [expected(row.gamma, a, c) for a, c in zip(alpha, cost, strict=True)]
        assert low < min(inside) and max(inside) < high
        for alpha, cost in row.rounded_from():
            assert (abs(alpha - row.alpha), abs(cost - row.cost_ratio)) == pytest.approx(
                (0.005, 0.005))  # fmt: skip


@pytest.mark.parametrize("line, said", [
    ("EnDe,T5,0,7,.75,.02,3.2", "line 3"),
    ("EnDe,T5,0,seven,.75,.02,3.2,3.4", "line 3: ValueError.*seven"),
    ("EnDe,T5,0,7,1.75,.02,3.2,3.4", "alpha and cost_ratio must be in .0, 1."),
])  # fmt: skip
def test_a_damaged_table_is_an_error_that_names_the_line(line, said):
    with pytest.raises(ValueError, match=said):
        read_leviathan(HEAD + line + "\n")
