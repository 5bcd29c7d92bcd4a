"""What is shown of a recorded round follows from the trace, the caches and the theory."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stale_cache import StaleCache

from crossover.engine import Engine, load_pair
from crossover.engine.kvcache import PagedCache
from crossover.engine.rounds import Decoder
from crossover.engine.trace import Entries, Round, Step
from crossover.evidence.traces import Recording, Run, load
from crossover.show import round_states as states
from crossover.show.round_words import verdict
from crossover.theory import round_entries

from ..steps import step


def test_sequence_d_by_hand():
    d = step(100, 4, 0)
    columns = range(97, 106)
    assert states.token_states(d, columns) == ("....rrrr.", "ttttc....")
    assert states.cache_states(d.target, columns, 101) == "hhhkdddd."
    assert states.cache_states(d.draft, columns, 101) == "hhhkddd.."


def test_sequence_a_by_hand():
    a = step(100, 4, 4)
    columns = range(97, 106)
    assert states.token_states(a, columns) == ("....aaaa.", "ttttaaaab")
    assert states.cache_states(a.target, columns, 105) == "hhhkkkkk."
    assert states.cache_states(a.draft, columns, 105) == "hhhkkkko."


def test_without_rollback_by_hand():
    """What is dropped stays, and what stayed earlier is read in the place of the new entry."""
    c = step(100, 4, 1)
    columns = range(97, 106)
    stale = {98, 101, 102}
    assert states.cache_states(c.target, columns, 102, stale, False) == "hshkssll."


@given(st.integers(1, 12), st.data())
def test_cells_are_the_theorys_entries(gamma, data):
    accepted = data.draw(st.integers(0, gamma))
    owed = data.draw(st.integers(0, 1))
    made, told = step(50, gamma, accepted, owed), round_entries(50, gamma, accepted)
    columns, newest = range(47, 50 + gamma + 2), told.emitted[-1]
    for entries, cache, late in ((made.target, told.target, 0), (made.draft, told.draft, owed)):
        codes = dict(zip(columns, states.cache_states(entries, columns, newest), strict=True))
        found = {c: [p for p in columns if codes[p] == c] for c in "hkdo."}
        assert found["k"] == [*range(50 - late, 50), *cache.kept]
        assert found["d"] == list(cache.dropped)
        assert found["h"] == list(range(47, 50 - late))
        assert found["o"] == (list(told.owed) if entries is made.draft else [])
        assert newest in [*found["d"], *found["."]]
    drafted, text = states.token_states(made, columns)
    assert drafted.count("a") == text.count("a") == accepted
    assert drafted.count("r") == gamma - accepted
    assert columns[re.search("[cb]", text).start()] == newest


class Snapshots(Decoder):
    """Notes before each round which positions each cache holds stale."""

    seen = None

    def round(self, sequences, gammas):
        self.seen.append({
            s.request: [set(getattr(cache, "stale", {}).get(row, ())) for cache, row in
                        zip(self.caches, s.rows, strict=True)]
            for s in sequences
        })  # fmt: skip
        return super().round(sequences, gammas)


@pytest.mark.parametrize("run", ["target", "draft"])
def test_stale_cells_are_the_stale_entries_of_the_cache(run):
    """Scarce blocks: a preempted sequence loses its stale entries with its row."""
    recording = next(each for each in load() if each.name == "scarce")
    pair, preempted = load_pair(), False
    caches = tuple(StaleCache if name == run else PagedCache for name in ("target", "draft"))
    prompts = [recording.runs[run].tokens[i][:n] for i, n in enumerate(recording.prompts)]
    blocks = recording.blocks
    while not preempted:
        seen = []
        engine = Engine(*pair, recording.gamma, 4, blocks, recording.block_size)
        engine.caches, engine.decoder = caches, type("Recorder", (Snapshots,), {"seen": seen})
        out = engine.generate(prompts, 32, 1.0, seed=1, progress=False)
        preempted, blocks = any(each.preemptions for each in out), blocks - 1
    texts = tuple((*p, *each.tokens) for p, each in zip(prompts, out, strict=True))
    made = Run(texts, ("length",) * 4, tuple(out.trace), tuple((0.0,) * 4 for _ in out.trace))
    walked = states.shown_rounds(replace(recording, runs={run: made}), run, lambda tokens: "")
    decoded = [
        shown for shown, each in zip(walked, out.trace, strict=True) if each.kind == "decode"
    ]
    found = 0
    for shown, snapshot in zip(decoded, seen, strict=True):
        for request, stale in snapshot.items():
            card = shown.cards[request]
            for codes, held in zip(card.rows[2:], stale, strict=True):
                columns = range(card.first, card.first + len(codes))
                at = {p for p, code in zip(columns, codes, strict=True) if code == "s"}
                assert at == held & set(columns)
                found += len(at)
    assert found > 10


def small(temperature=0.0):
    """A recording by hand: one sequence, a prefill and two rounds, no rollback in the target."""
    first = Step(0, 5, (1, 2), 0, (3,), Entries(5, 3, 1, (4,)), Entries(5, 2, 1, (2,)))
    second = Step(0, 6, (4, 5), 2, (4, 5, 6), Entries(6, 3, 3, (4, 7)), Entries(6, 2, 2, (2,)))
    kinds = [
        ("prefill", (), (0,), ()),
        ("decode", (first,), (), ()),
        ("decode", (second,), (), (0,)),
    ]
    rounds = tuple(
        Round(kind, 2, steps, 2, admitted, (), finished, (1, 1), 0, 0.0)
        for kind, steps, admitted, finished in kinds
    )
    runs = {
        "rollback": Run(((0,) * 6 + (3, 4, 5, 7),), ("stop",), rounds, ((), (0.0,), (0.0,))),
        "target": Run(((0,) * 6 + (3, 4, 5, 6),), ("length",), rounds, ((), (0.0,), (0.25,))),
        "draft": Run(((0,) * 6 + (3, 4, 5, 7),), ("stop",), rounds, ((), (0.0,), (0.0,))),
    }
    return Recording("small", "small", temperature, 2, 9, 16, (6,), runs)


def test_a_run_by_hand():
    prefill, first, second = states.shown_rounds(small(), "target", lambda t: "x" * len(t))
    assert prefill.cards[0].title == "admitted: both caches get 5 entries"
    assert first.cards[0].rows == ("....rr.", "ttttc..", "hhhkll.", "hhhkd..")
    assert second.cards[0].rows == ("....aa.", "ttttaab", "hhhssk.", "hhhkko.")
    assert (
        second.cards[0].title == "K = 2 of 2, ends at 9, wrong since 9; finished: length asked for"
    )
    assert second.cards[0].caches == ((9, (4, 7), 1), (8, (2,), 0))
    assert first.words == (
        "Round 2 of 3: accepted drafts A 0; new tokens 1. The target leaves 2 entries, the "
        "draft drops 1. Stale entries read by the target: 0; the target's distributions are "
        "off by 0.00. Acceptance so far 0.00."
    )
    assert "Stale entries read by the target: 2; the target's distributions are off by 0.25" in (
        second.words
    )
    assert second.words.endswith("Acceptance so far 0.67.")


def test_verdicts_by_hand():
    right, target, draft = (verdict(small(), run) for run in ("rollback", "target", "draft"))
    assert (
        right
        == "3 rounds, acceptance 0.67. The target's distributions are the ones a clean cache gives."
    )
    assert target.endswith("off by up to 0.25, and the text of A is wrong.")
    assert draft.endswith("a clean cache gives, and the text is the same, token for token.")
    sampled = [verdict(small(1.0), run) for run in ("target", "draft")]
    assert sampled[0].endswith("off by up to 0.25: the text is not the target's.")
    assert sampled[1].endswith("a clean cache gives: the text differs as another seed's would.")
