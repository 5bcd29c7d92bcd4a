"""What a caller of the engine sees: streaming, policies, interrupts, finish reasons."""

import numpy as np
import pytest

from crossover.engine import Engine
from crossover.engine.rounds import Decoder

PROMPTS = ["Customer: Hello, I paid", "Customer: The payment of Rs 2,500 failed", "Agent: Thank"]


def test_text_is_the_decoded_tokens_and_reads_as_a_dispute(pair, openings):
    out = Engine(*pair, gamma=3).generate(openings[:4], 24)
    for completion in out:
        assert completion.text == pair[0].tokenizer.decode(completion.tokens)
        assert completion.finish_reason == "length"
    assert any("UPI" in c.text or "sorry" in c.text or "bank" in c.text for c in out)


def test_a_whole_conversation_ends_at_the_end_mark(pair, openings):
    out = Engine(*pair, gamma=4).generate(openings[:2], 340)
    for completion in out:
        assert completion.finish_reason == "stop" and completion.tokens[-1] == 0
        assert "<|end|>" not in completion.text and completion.text.endswith("\n")


def test_the_window_ends_a_completion_that_nothing_else_ends(pair):
    out = Engine(*pair, gamma=4).generate([PROMPTS[0]], 1000, stop_at_end=False)
    prompt = 1 + len(pair[0].tokenizer.encode(PROMPTS[0]))
    assert out[0].finish_reason == "window" and prompt + len(out[0].tokens) == 384


def test_streamed_pieces_add_up(pair):
    pieces = {0: [], 1: [], 2: []}
    texts = {0: "", 1: "", 2: ""}

    def listen(request, tokens, text):
        pieces[request] += tokens
        texts[request] += text

    out = Engine(*pair, gamma=3).generate(PROMPTS, 20, 1.0, on_tokens=listen)
    assert [pieces[c.request] for c in out] == [c.tokens for c in out]
    assert [texts[c.request] for c in out] == [c.text for c in out]


def test_an_interrupt_returns_what_is_finished_and_leaves_the_engine_usable(pair):
    count = []

    def listen(request, tokens, text):
        count.append(request)
        if len(count) > 8:
            raise KeyboardInterrupt

    engine = Engine(pair[0], max_batch=1)
    out = engine.generate(PROMPTS, 6, on_tokens=listen)
    whole = engine.generate(PROMPTS, 6)
    assert [c.finish_reason for c in out] == ["length", "interrupted", "interrupted"]
    assert out[0].tokens == whole[0].tokens
    assert out[1].tokens == whole[1].tokens[:3] and out[2].tokens == []


def test_an_error_in_a_callback_reaches_the_caller(pair):
    def fail(*_):
        raise RuntimeError("mine")

    engine = Engine(pair[0])
    with pytest.raises(RuntimeError, match="mine"):
        engine.generate(PROMPTS, 6, on_tokens=fail)
    assert len(engine.generate(PROMPTS, 2)) == 3


def test_a_policy_sees_the_state_and_sets_each_round(tiny):
    views = []

    def policy(view):
        views.append(view)
        return 0 if view.batch > 2 else 3

    target, draft = tiny(1), tiny(1, layers=2)  # the same model: every draft passes
    asked = [[1, 2]] * 2 + [[3, 4, 5]] * 3
    out = Engine(target, draft, policy, max_batch=5).generate(asked, 12)
    plain = Engine(target).generate(asked, 12)
    assert [c.tokens for c in out] == [c.tokens for c in plain]
    assert {r.gamma for r in out.trace if r.kind == "decode" and len(r.steps) > 2} == {0}
    few = Engine(target, draft, policy, max_batch=2).generate(asked, 12)
    assert [c.tokens for c in few] == [c.tokens for c in plain]
    last = views[-1]
    assert (last.batch, last.gamma, last.waiting) == (1, 3, 0)
    assert 0 < last.accepted == last.proposed and last.free_blocks > 0 and last.context > 2


def test_switching_speculation_on_late_lets_the_draft_catch_up(tiny):
    rounds = iter([0] * 8 + [3] * 20)
    target = tiny(1)
    out = Engine(target, tiny(1), lambda view: next(rounds)).generate([[1, 2, 3]], 20)
    first = next(step for step in out.steps if step.proposed)
    assert first.accepted == 3 and first.draft.written == first.position - first.draft.first + 3
    assert first.position - first.draft.first >= 6


def test_the_seed_and_temperature_decide_the_text(pair):
    engine = Engine(*pair, gamma=3)
    one, again, other = (engine.generate(PROMPTS, 20, 1.0, seed=s) for s in (1, 1, 2))
    assert [c.tokens for c in one] == [c.tokens for c in again] != [c.tokens for c in other]
    cold = engine.generate(PROMPTS, 20, 1e-4, seed=3)
    assert [c.tokens for c in cold] == [c.tokens for c in engine.generate(PROMPTS, 20)]


def test_no_prompts_give_no_completions(pair):
    assert len(Engine(pair[0]).generate([], 5)) == 0


def test_the_interrupt_may_come_in_the_middle_of_a_pass(tiny):
    class Interrupted(Decoder):
        left = 4

        def settle(self, *arguments):
            Interrupted.left -= 1
            if not Interrupted.left:
                raise KeyboardInterrupt
            return super().settle(*arguments)

    engine = Engine(tiny(1))
    engine.decoder = Interrupted
    out = engine.generate([[1], [2]], 5)
    assert [len(c.tokens) for c in out] == [2, 1]
    assert all(np.isfinite(t) for c in out for t in c.tokens)
