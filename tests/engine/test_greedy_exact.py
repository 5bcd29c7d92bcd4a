"""At temperature 0 speculative decoding equals plain decoding, token for token.

The two run passes of different shapes, so float32 sums differ in the last digits. Where
two tokens' logits agree to within that, either may come first: a difference is accepted
only if a float64 recomputation shows such a tie at that very place, and ties are counted.
"""

import numpy as np
import pytest

from crossover.engine import Engine, load_model

TIE = 1e-4  # largest gap, in logits, that float32 rounding may turn over


@pytest.fixture(scope="module")
def exact():
    """The target in float64, to judge ties by."""
    return load_model("target", dtype=np.float64)


def agree(plain, other, prompts, exact):
    """Compare completions; return the number of ties, fail on any other difference."""
    ties = 0
    for prompt, a, b in zip(prompts, plain, other, strict=True):
        if a.tokens != b.tokens:
            at = next(
                (i for i, (x, y) in enumerate(zip(a.tokens, b.tokens, strict=False)) if x != y),
                None,
            )
            assert at is not None, f"one is a prefix of the other: {a.tokens} {b.tokens}"
            tokens = [0, *exact.tokenizer.encode(prompt), *a.tokens[:at]]
            logits = exact.logits([tokens])[0, -1]
            best = np.sort(logits)[-2:]
            assert {a.tokens[at], b.tokens[at]} == set(np.argsort(logits)[-2:].tolist())
            assert best[1] - best[0] < TIE, f"no tie at token {at}: {best}"
            ties += 1
    return ties


def compare(pair, exact, openings, max_tokens, gammas):
    """Ties over all `openings` for each gamma; every batch size, preemption forced."""
    plain = Engine(pair[0], max_batch=32).generate(openings, max_tokens)
    assert sum(len(c.tokens) for c in plain) > 0.9 * max_tokens * len(openings)
    for gamma in gammas:
        ties = preempted = 0
        for part, batch in zip(
            np.array_split(np.arange(len(openings)), 4), (1, 5, 13, 32), strict=True
        ):
            prompts = [openings[i] for i in part]
            need = max(len(pair[0].tokenizer.encode(p)) for p in prompts) + 1 + max_tokens
            # one batch size runs short of blocks: room for two sequences and a bit
            blocks = need // 2 + 3 if batch == 13 else None
            engine = Engine(*pair, gamma=gamma, max_batch=batch, blocks=blocks, block_size=4)
            out = engine.generate(prompts, max_tokens)
            ties += agree([plain[i] for i in part], out, prompts, exact)
            preempted += sum(c.preemptions for c in out)
            assert batch == 13 or max(len(r.steps) for r in out.trace) == min(batch, len(part))
        assert preempted > 0
        print(f"gamma {gamma}: {len(openings)} prompts, {ties} ties, {preempted} preemptions")


def test_speculative_equals_plain_for_200_prompts(pair, exact, openings):
    compare(pair, exact, openings[:200], 16, [4])


@pytest.mark.parametrize("gamma", [1, 2, 3, 5, 6, 7, 8])
def test_speculative_equals_plain_for_every_gamma(pair, exact, openings, gamma):
    compare(pair, exact, openings[25 * gamma : 25 * gamma + 25], 24, [gamma])


@pytest.mark.long
@pytest.mark.parametrize("gamma", range(1, 9))
def test_every_gamma_on_all_200_prompts_and_longer_texts(pair, exact, openings, gamma):
    compare(pair, exact, openings[:200], 96, [gamma])


def test_a_wrong_token_is_not_excused_as_a_tie(pair, exact, openings):
    out = Engine(pair[0]).generate(openings[:1], 4).completions
    other = Engine(pair[0]).generate(openings[:1], 4).completions
    other[0].tokens[2] = (other[0].tokens[2] + 1) % 512
    with pytest.raises(AssertionError):
        agree(out, other, openings[:1], exact)


def test_stopping_at_the_end_mark_inside_accepted_drafts(tiny):
    target = tiny(1, layers=2)
    plain = Engine(target).generate([[3, 4]], 40)[0].tokens
    end = plain[6]
    target.tokenizer = type("OnlyAnEnd", (), {"end": end, "decode": lambda self, t: str(list(t))})()
    cut = plain.index(end) + 1
    for gamma in (0, 1, 4, 8):
        out = Engine(target, tiny(1, layers=2) if gamma else None, gamma).generate([[3, 4]], 40)
        assert out[0].tokens == plain[:cut] and out[0].finish_reason == "stop"
        assert out[0].text == str(plain[: cut - 1])
    run_on = Engine(target).generate([[3, 4]], 40, stop_at_end=False)
    assert run_on[0].tokens == plain and run_on[0].finish_reason == "length"
