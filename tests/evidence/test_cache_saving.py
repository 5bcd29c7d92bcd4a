"""With and without a cache: the same text, one time a token, and what the chapter says of it."""

import numpy as np

from crossover.evidence import cache_saving
from crossover.evidence.recorded import recorded


def test_live_gives_the_same_text_and_a_time_for_each_token():
    found = recorded("cache_saving", lambda: cache_saving.measure(5, 7, turns=2), live=True)
    assert found["same"] is True and found["prompt"] == 5
    for way in ("without", "with"):
        assert len(found[way]) == 7 and min(found[way]) > 0


def test_another_text_is_seen(monkeypatch):
    wrong = lambda model, prompt, new: ([0] * new, [1] * new)  # noqa: E731
    monkeypatch.setattr(cache_saving, "with_cache", wrong)
    assert cache_saving.measure(5, 7, turns=1)["same"] is False


def test_the_recording_bears_out_the_chapter():
    stored = recorded("cache_saving", cache_saving.measure)
    assert stored["same"] is True
    without, cached = np.array(stored["without"]), np.array(stored["with"])
    early, late = slice(1, 33), slice(-32, None)
    assert np.median(without[late]) > 2.5 * np.median(without[early])
    assert np.median(cached[late]) < 2 * np.median(cached[early])
    assert without.sum() > 3 * cached.sum()
