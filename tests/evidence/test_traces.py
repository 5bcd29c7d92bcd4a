"""The recorded traces are what the engine does today, and show what they are there to show."""

import math

import pytest
from record_traces import TRACES_MADE, record

from crossover.evidence.traces import RUNS, TRACES, dump, load
from crossover.show.round_words import acceptance

RECORDED = {each.name: each for each in load()}


@pytest.mark.parametrize(
    "settings",
    [TRACES_MADE[0], *(pytest.param(each, marks=pytest.mark.long) for each in TRACES_MADE[1:])],
    ids=lambda settings: settings["name"],
)
def test_the_file_holds_a_fresh_recording(settings):
    """Seconds differ from run to run and are not stored."""
    fresh, stored = record(**settings), RECORDED[settings["name"]]
    for name in RUNS:
        mine, theirs = fresh.runs[name], stored.runs[name]
        told = "run tools/record_traces.py, then `make notebooks`"
        assert mine.tokens == theirs.tokens and mine.reasons == theirs.reasons, told
        assert [vars(each) | {"seconds": 0} for each in mine.rounds] == [
            vars(each) | {"seconds": 0} for each in theirs.rounds
        ], told
        for a, b in zip(mine.errors, theirs.errors, strict=True):
            assert a == pytest.approx(b, abs=2e-3)
    assert vars(fresh) | {"runs": 0} == vars(stored) | {"runs": 0}


def test_every_trace_made_is_stored_and_no_other():
    assert list(RECORDED) == [settings["name"] for settings in TRACES_MADE]


def test_what_is_dumped_is_what_is_loaded():
    assert dump(load()) == TRACES.read_text(encoding="utf-8")


@pytest.mark.parametrize("recording", RECORDED.values(), ids=RECORDED)
def test_only_stale_target_entries_falsify_a_distribution(recording):
    worst = {
        name: max(error for errors in run.errors for error in errors)
        for name, run in recording.runs.items()
    }
    assert worst["rollback"] == worst["draft"] == 0
    assert worst["target"] > 0.01


def test_stale_draft_entries_change_no_greedy_text_and_stale_target_entries_do():
    runs = RECORDED["greedy"].runs
    assert runs["draft"].tokens == runs["rollback"].tokens
    assert runs["target"].tokens != runs["rollback"].tokens


def test_stale_draft_entries_lower_acceptance():
    rates = {
        name: sum(acceptance(each.runs[name]) for each in RECORDED.values()) / len(RECORDED)
        for name in RUNS
    }
    assert rates["draft"] < rates["rollback"] - 0.02


def test_traces_differ_in_gamma_and_temperature_and_four_sequences_run():
    assert {each.gamma for each in RECORDED.values()} == {2, 4, 8}
    assert {each.temperature for each in RECORDED.values()} == {0.0, 1.0}
    for recording in RECORDED.values():
        assert max(len(each.steps) for each in recording.runs["rollback"].rounds) == 4


def test_one_trace_preempts_and_one_ends():
    scarce, endings = RECORDED["scarce"].runs["rollback"], RECORDED["endings"].runs["rollback"]
    assert sum(len(each.preempted) for each in scarce.rounds) >= 2
    assert sum(each.kind == "prefill" for each in scarce.rounds) >= 2
    assert "stop" in endings.reasons


@pytest.mark.parametrize("run", RUNS)
def test_tokens_follow_from_the_rounds(run):
    """The text is the prompt and what the steps emitted; nothing is lost in storage."""
    for recording in RECORDED.values():
        stored = recording.runs[run]
        for request, prompt in enumerate(recording.prompts):
            emitted = [
                token
                for each in stored.rounds
                for step in each.steps
                if step.request == request
                for token in step.emitted
            ]
            assert tuple(emitted) == stored.tokens[request][prompt:]
            assert all(map(math.isfinite, sum(stored.errors, ())))


@pytest.mark.parametrize(
    "content, said", [(None, "run tools/record_traces.py"), ("{}", "not a recording"),
                      ('{"traces": [{"name": "x"}]}', "not a recording"), ("[", "not a recording")]
)  # fmt: skip
def test_a_missing_or_damaged_file_is_named(tmp_path, content, said):
    path = tmp_path / "traces.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ValueError, match=f"path = .*traces.json.*{said}"):
        load(path)
