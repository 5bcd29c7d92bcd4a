"""Who runs when: continuous and static batching, shared prefixes, preemption."""

import numpy as np
import pytest

from crossover.engine import Engine


@pytest.fixture(scope="module")
def models(tiny):
    return tiny(1, layers=2), tiny(2, layers=1)


def prompts(count, seed=0, low=4, high=20):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, 12, n).tolist() for n in rng.integers(low, high, count)]


def tokens(generation):
    return [completion.tokens for completion in generation]


def test_continuous_batching_refills_at_once_and_static_waits(models):
    asked = [[i] * (5 + 9 * i) for i in range(6)]  # the window of 64 ends them apart
    rounds = {}
    for batching in ("continuous", "static"):
        engine = Engine(*models, gamma=2, max_batch=3, batching=batching)
        out = engine.generate(asked, 64)
        rounds[batching] = len(out.trace)
        running = 0
        for r in out.trace:
            if batching == "static":
                assert not r.admitted or running == 0
            elif r.kind == "decode":
                assert running == 3 or r.waiting == 0
            running += len(r.admitted) - len(r.finished) - len(r.preempted)
        rounds[batching, "tokens"] = tokens(out)
    assert rounds["continuous", "tokens"] == rounds["static", "tokens"]
    assert rounds["continuous"] < rounds["static"]


def test_a_shared_prefix_is_held_once(models):
    prefix = prompts(1, low=40, high=41)[0]
    asked = [[*prefix, i] for i in range(8)]
    engine = Engine(models[0], max_batch=8, block_size=4)
    shared = engine.generate(asked, 4)
    decode = next(r for r in shared.trace if r.kind == "decode")
    # ten blocks of prefix held once, and at most two more for each sequence
    assert engine.blocks - decode.free[0] <= 10 + 8 * 2
    tables = [step.target.blocks for step in decode.steps]
    assert len({table[:10] for table in tables}) == 1
    alone = [engine.generate([p], 4)[0].tokens for p in asked]
    assert tokens(shared) == alone


def test_preemption_when_blocks_run_out_changes_nothing_but_the_time(models):
    asked = prompts(12)
    roomy = Engine(*models, gamma=3, max_batch=6, block_size=4).generate(asked, 40, 1.0)
    tight = Engine(*models, gamma=3, max_batch=6, block_size=4, blocks=30).generate(asked, 40, 1.0)
    assert sum(c.preemptions for c in roomy) == 0 < sum(c.preemptions for c in tight)
    assert tokens(tight) == tokens(roomy)
    assert [c.request for c in tight if c.preemptions] == sorted(
        {r for round_ in tight.trace for r in round_.preempted}
    )
    assert all(min(r.free) >= 0 for r in tight.trace) and tight.trace[-1].free == (30, 30)


def test_the_sequence_admitted_last_is_preempted_first(models):
    out = Engine(models[0], max_batch=4, block_size=4, blocks=24).generate(
        prompts(4, low=10, high=11), 40
    )
    first = next(r for r in out.trace if r.preempted)
    assert first.preempted == (3,)
    assert out[0].preemptions == 0


def test_a_tokens_text_does_not_depend_on_its_batch(models):
    asked = prompts(9)
    together = Engine(*models, gamma=3, max_batch=9).generate(asked, 20, 1.0, seed=4)
    by_twos = Engine(*models, gamma=3, max_batch=2).generate(asked, 20, 1.0, seed=4)
    assert tokens(together) == tokens(by_twos)
    assert tokens(Engine(*models, gamma=3).generate(asked, 20, 1.0, seed=5)) != tokens(together)


def test_a_prefill_pass_stays_within_its_token_budget(tiny, monkeypatch):
    target = tiny(1, window=256)
    monkeypatch.setattr(
        "crossover.engine.scheduler.Scheduler.__init__.__defaults__", (400, "continuous")
    )
    out = Engine(target).generate([[i % 12, i // 12] + [i % 5] * 98 for i in range(10)], 2)
    assert [len(r.admitted) for r in out.trace if r.admitted] == [4, 4, 2]
