"""Recorded timings: what is read is what was measured, and what is missing says so."""

import json

import numpy as np
import pytest
from record_timings import MEASURES

from crossover.evidence import machine
from crossover.evidence.recorded import TIMINGS, record, recorded


def never():
    raise AssertionError("measured, though a recording was to be read")


def test_what_is_read_is_what_was_measured(tmp_path):
    figures = {"rows": (1, 8), "seconds": [0.25, 0.5], "note": "two"}
    stored = record("some", lambda: figures, tmp_path)
    assert stored == tmp_path / "some.json"
    read = recorded("some", never, folder=tmp_path)
    assert read.pop("machine") == machine.describe(machine.this_machine())
    assert read == {"rows": [1, 8], "seconds": [0.25, 0.5], "note": "two"}


def test_live_measures_and_stores_nothing(tmp_path):
    calls = []
    live = recorded("some", lambda: calls.append(1) or {"rows": (1, 8)}, True, tmp_path)
    assert calls == [1] and live["rows"] == [1, 8]
    assert live["machine"] == machine.describe(machine.this_machine())
    assert list(tmp_path.iterdir()) == []


def test_a_missing_recording_names_the_tool(tmp_path):
    with pytest.raises(ValueError, match=r"'absent'.*tools/record_timings.py absent.*live=True"):
        recorded("absent", never, folder=tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"figures": {}}', '{"machine": 1, "figures": {}}',
                                  '{"machine": {"cpu": "x"}, "figures": {}}'])
def test_a_damaged_recording_names_the_tool(tmp_path, text):
    (tmp_path / "some.json").write_text(text)
    with pytest.raises(ValueError, match=r"'some': damaged .*tools/record_timings.py some"):
        recorded("some", never, folder=tmp_path)


@pytest.mark.parametrize("figures, complaint", [
    ({"seconds": np.float32(1)}, "JSON cannot hold"),
    ({"seconds": float("nan")}, "JSON cannot hold"),
    ([1, 2], "must return a dict"),
    ({"machine": "mine"}, "without the key 'machine'"),
])
def test_a_measure_that_cannot_be_stored(tmp_path, figures, complaint):
    for call in (record, lambda name, measure, folder: recorded(name, measure, True, folder)):
        with pytest.raises(ValueError, match=f"'some'.*{complaint}"):
            call("some", lambda: figures, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_every_recording_is_there_and_known_to_the_tool():
    assert sorted(path.stem for path in TIMINGS.glob("*.json")) == sorted(MEASURES)


@pytest.mark.parametrize("name", MEASURES)
def test_a_recording_says_where_it_was_made(name):
    described = json.loads((TIMINGS / f"{name}.json").read_text())["machine"]
    assert set(described) == set(machine.this_machine())
    assert recorded(name, never)["machine"].startswith(described["cpu"])


def test_the_machine_in_words():
    here = machine.this_machine()
    assert here["cpu"] and here["blas"] and here["cores"] >= 1
    line = machine.describe(here | {"last_level_cache": 3 * 2**20, "threads": 2, "cores": 4})
    assert "cores: 4, last-level cache: 3 MiB;" in line and "threads: 2;" in line
    line = machine.describe(here | {"last_level_cache": None, "threads": None})
    assert "cache: unknown;" in line and "threads: unknown;" in line


def test_the_largest_cache_counts(tmp_path):
    assert machine.last_level_cache(tmp_path) is None
    for index, size in enumerate(["32K", "2M", "512K"]):
        (tmp_path / f"index{index}").mkdir()
        (tmp_path / f"index{index}" / "size").write_text(f"{size}\n")
    assert machine.last_level_cache(tmp_path) == 2 * 2**20
