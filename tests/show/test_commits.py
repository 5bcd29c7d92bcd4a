"""The explorable of recorded rounds: one object, every view, all of the trace in it."""

import json
import re
from html import escape
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from crossover.show import round_states as states
from crossover.show.commits import HERE, RaggedCommits, _packed
from crossover.show.still_round import LOOKS, mark
from crossover.show.views import WIDGET


@pytest.fixture(scope="module")
def commits():
    return RaggedCommits()


def test_statuses_of_a_preempted_sequence(commits):
    """It loses its place, waits, and is admitted anew with all its tokens."""
    rounds = commits.shown["scarce", "rollback"]
    gone = [[shown.cards[i].status for shown in rounds] for i in range(4)]
    lost = next(each for each in gone if "preempted" in each)
    place = lost.index("preempted")
    assert lost[place - 1] in ("running", "admitted") and "running" in lost[place + 1 :]
    assert set(lost[place + 1 : lost.index("admitted", place)]) <= {"waiting"}
    assert {each[-1] for each in gone} <= {"running", "finished"}


def test_every_state_has_a_look_and_words():
    without_rollback = {"left", "stale"}  # no still picture
    assert {name for name, _ in states.STATES.values()} - without_rollback == set(LOOKS)
    style = (HERE / "commits.css").read_text(encoding="utf-8")
    for name, _ in states.STATES.values():
        assert f'[data-state="{name}"]' in style


def test_marks():
    assert [mark(c, p, 100) for c, p in [("h", 99), ("k", 100), ("d", 103), (".", 103), ("c", 101)]
            ] == ["", "×", "3", "", "c"]  # fmt: skip


def test_one_bundle_for_every_viewer(commits):
    bundle = commits._repr_mimebundle_()
    assert set(bundle) == {"text/html", "image/png", "text/plain", WIDGET}
    assert re.findall(r"<script[^>]*>", commits.html) == ['<script type="application/json">']
    assert commits.html.count("</script>") == 1
    assert f'alt="{escape(commits.alternative)}"' in commits.html
    assert f">{escape(commits.caption)}</figcaption>" in commits.html
    stored = json.loads(re.search(r'json">(.*?)</script>', commits.html, re.S)[1])
    assert stored == json.loads(json.dumps(commits.data))


def test_the_page_holds_every_round(commits):
    for trace, recording in zip(commits.data["traces"], commits.recordings, strict=True):
        for run, told in trace["runs"].items():
            shown = commits.shown[recording.name, run]
            assert len(told["rounds"]) == len(recording.runs[run].rounds)
            assert told["rounds"] == [_packed(each) for each in shown]


def test_picture_and_sentence_tell_the_round_of_the_start(commits):
    steps = commits.recordings[0].runs["rollback"].rounds[commits.start].steps
    assert len({each.accepted for each in steps}) >= 2
    words = ("none", "one", "two", "three", "four")
    for name, each in zip("ABCD", steps, strict=True):
        assert f"{name} accepts {words[each.accepted]} of four drafts" in commits.alternative
        assert f">{name}: K = {each.accepted} of 4" in commits.svg
    kept = sum(c.rows[2].count("k") + c.rows[3].count("k") for c in commits.first.cards)
    blue = LOOKS["kept"][0]
    assert commits.svg.count(f'fill="{blue}" stroke="{blue}"') == kept + 1  # and the key's
    picture = np.asarray(Image.open(BytesIO(commits.png)).convert("RGB"))
    assert picture.shape[1] > 800
    assert (abs(picture.astype(int) - (0, 0x72, 0xB2)).sum(2) < 12).sum() > 5_000


def test_widget_carries_the_sites_own_script_and_keeps_its_keys(commits):
    widget = commits.widget
    script = (HERE / "commits.js").read_text(encoding="utf-8")
    assert widget._esm.startswith(script) and "export default" in widget._esm
    assert "stopPropagation" in widget._esm
    assert widget.html == commits.html
    assert not re.search(r"https?://", widget._esm + widget._css)


def test_no_recording_is_refused():
    with pytest.raises(ValueError, match=r"recordings = \[\]"):
        RaggedCommits([])
