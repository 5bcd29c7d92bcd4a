"""One case of each remaining numerical question, worked by hand or by the library."""

import pytest

from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Capacity,
    Roofline,
    break_even_batch,
    long_context_speedup,
    speculative_throughput,
)

from .asked import BANK, answer

A100 = "A100-80GB-SXM"


@pytest.mark.parametrize(("question_id", "values", "expected"), [
    # 0.2 + 0.3 + 0.2
    ("acceptance-of-a-draft", {"p_paid": 0.5, "p_failed": 0.3, "q_paid": 0.2, "q_failed": 0.5},
     0.7),
    # 140 GB at 2039 GB/s
    ("one-token-read", {"chip": A100, "billions": 70}, 140e3 / 2039),
    # 10 of 153.02 FLOP/B, and 40 of them with half-byte weights
    ("share-of-peak", {"chip": A100, "batch": 10, "storage": "fp16"}, 6.53526),
    ("share-of-peak", {"chip": A100, "batch": 10, "storage": "int4"}, 26.1410),
    # 14e12 FLOP at 312 TFLOP/s
    ("prefill-time", {"chip": A100, "billions": 7, "prompt": 1000}, 14e3 / 312),
    # Llama-2-7B's shape: 524 288 bytes a token
    ("kv-cache-of-a-sequence", {"layers": 32, "heads": 32, "kv_heads": 32, "head_dim": 128,
                                "tokens": 1000}, 524.288),
    # 5.243 of 13.477 + 5.243 GB
    ("cache-share-of-a-pass", {"model": "Llama-2-7B", "batch": 10, "context": 1000}, 28.0073),
    ("free-prompt-positions", {"chip": A100, "storage": "fp16", "rows": 20}, 133.016),
    ("free-prompt-positions", {"chip": A100, "storage": "int8", "rows": 20}, 56.508),
    # 60 of 160 row-steps
    ("static-batch-waste", {"a": 10, "b": 20, "c": 30, "d": 40}, 37.5),
    # rows free at 5 and 2; c to 4, d to 7, e from 5 to 6
    ("continuous-steps", {"a": 5, "b": 2, "c": 2, "d": 3, "e": 1}, 7),
    ("batch-by-littles-law", {"rate": 2, "tokens": 100, "step_ms": 50}, 10),
    ("intensity-of-a-pass", {"batch": 128, "gamma": 4, "storage": "fp16"}, 640),
    ("intensity-of-a-pass", {"batch": 3, "gamma": 1, "storage": "int4"}, 24),
    ("ridge-point", {"rate": 312, "bandwidth": 2039}, 153.016),
    ("sparse-data-sheet", {"chip": A100, "gamma": 4}, 30.6032),
    # 3.0508 / (5 + 0.4)
    ("speedup-far-above", {"target": 70, "draft": 7, "gamma": 4, "alpha": 0.75}, 0.564959),
    # 65 ms for 1.5 tokens
    ("time-per-token", {"verify_ms": 60, "draft_ms": 5, "gamma": 1, "alpha": 0.5}, 43.3333),
    # 20 positions, 15 tokens
    ("wasted-positions", {"batch": 10, "gamma": 1, "alpha": 0.5}, 5),
    ("share-of-ceiling", {"alpha": 0.6, "gamma": 4}, 92.224),
    # 4 · 80 · 0.9 - 154
    ("room-for-caches", {"target": 70, "draft": 7, "cards": 4, "memory": 80, "usable": 0.9}, 134),
    # 160 positions in two rows of 128
    ("padding", {"batch": 32, "gamma": 4, "tile": 128}, 37.5),
    ("measured-knee", {"chip": A100, "compute": 0.6, "bandwidth": 0.8}, 114.762),
])  # fmt: skip
def test_by_hand(question_id, values, expected):
    assert answer(question_id, **values) == pytest.approx(expected, rel=1e-5)


def test_several_numbers_by_hand():
    paged = answer("paged-share", tokens=100, longest=400, block=16)
    assert paged == pytest.approx({"reserved": 25, "paged": 100 / 1.12})
    correction = answer("correction-token", p_paid=0.3, p_failed=0.4, q_paid=0.6, q_failed=0.3)
    assert correction == pytest.approx({"failed": 1 / 3, "pending": 2 / 3})
    # 0.75^5; B/B*(1) = 0.8365 and a draft step of 0.1
    found = answer("next-draft", chip=A100, batch=128, gamma=4, alpha=0.75)
    assert found == pytest.approx({"tokens": 0.237305, "cost": 128 / 153.016 + 0.1}, rel=1e-5)


def test_what_fits_by_the_library():
    card = ACCELERATORS[A100]
    found = answer("tokens-that-fit", card=A100, cards=2, model="Llama-3-8B", usable=0.9)
    fits = Capacity(MODELS["Llama-3-8B"], card, tensor_parallel=2).largest_batch(context=1)
    assert found == pytest.approx(fits, abs=1)
    found = answer("sequences-that-fit", target="Llama-2-70B", draft="Llama-2-7B", usable=0.9,
                   context=2000)
    pair = Capacity(MODELS["Llama-2-70B"], card, MODELS["Llama-2-7B"], tensor_parallel=8)
    assert found == pair.largest_batch(2000)


def test_arrivals_by_throughput(target, draft):
    """At the break-even the batch emits as many tokens a second as arrive."""
    even = break_even_batch(target, draft, 4, 0.75)
    emitted = speculative_throughput(target, draft, even, 4, 0.75)
    found = answer("arrivals-at-break-even", chip=A100, gamma=4, alpha=0.75, tokens=250)
    assert found * 250 == pytest.approx(emitted)


def test_draft_window_is_where_the_limit_is_one():
    found = answer("draft-window", target="Llama-3-70B", gamma=4, alpha=0.75, context=20000)
    pair = [Roofline(MODELS[name], ACCELERATORS[A100]) for name in ("Llama-3-70B", "Llama-2-7B")]
    assert long_context_speedup(*pair, 4, 0.75, found / 20000) == pytest.approx(1)
    for values in BANK["draft-window"].variants():
        assert BANK["draft-window"].answer(**values) < values["context"]
