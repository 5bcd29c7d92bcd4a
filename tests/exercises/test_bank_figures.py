"""The bank's answers against the source chapter, and its functions against other ways.

Each reference is computed a second time here: by trying every case, by simulating, or
by the library where the question's own constant makes no difference.
"""

from itertools import product
from math import isclose, prod

import pytest

from crossover.theory import (
    ACCELERATORS,
    MODELS,
    Model,
    Roofline,
    break_even_batch,
    expected_tokens,
    round_time,
    speedup,
)
from exercises.bank import _facts

from .asked import BANK, answer, module

A100 = ACCELERATORS["A100-80GB-SXM"]


def on_a100(question_id, **values):
    return answer(question_id, chip=A100.name, **values)


def close(found, expected, digits):
    """Whether `found`, rounded like the source prints it, is what the source prints."""
    return round(found, digits) == expected


def test_recall_2_another_chip():
    found = answer("another-chip", rate=200, bandwidth=3000, gamma=6)
    assert close(found["ridge_point"], 66.67, 2) and close(found["crossover_batch"], 9.52, 2)


def test_recall_3_weaker_draft():
    found = on_a100("weaker-draft", gamma=4, hoped=0.75, alpha=0.6)
    assert close(found["tokens"], 2.3056, 4) and close(found["crossover_batch"], 30.60, 2)


@pytest.mark.parametrize(("batch", "gain"), [(1, 1.695), (81, 0.885), (128, 0.612)])
def test_recall_4_quantised_target(batch, gain):
    found = on_a100("quantise-the-target", batch=batch, gamma=4, alpha=0.75)
    assert close(found["ridge_point"], 306.03, 2) and close(found["crossover_batch"], 30.60, 2)
    assert close(found["read_ms"], 34.3, 1) and close(found["speedup"], gain, 3)


def test_recall_5_sequence_d():
    found = answer("entries-after-a-rejection", position=100, gamma=4, accepted=0)
    # text to 101; the target drops 101-104, the draft 101-103
    assert found == {"last_token": 101, "target_length": 101, "target_dropped": 4,
                     "draft_dropped": 3}


def test_recall_6_double_gamma():
    found = on_a100("double-gamma", batch=128, gamma=4, alpha=0.75)
    assert close(found["as_it_is"], 0.666, 3) and close(found["doubled"], 0.444, 3)
    assert close(found["one"], 0.987, 3)


def test_figures_of_part_two():
    pair = {"gamma": 4, "alpha": 0.75}
    assert close(on_a100("break-even", sizes="70 and 7", **pair), 81.1, 1)
    gains = [on_a100("speedup-past-the-knee", target=70, draft=7, batch=b, **pair)
             for b in (1, 32, 64, 81, 128)]
    assert [round(gain, 3) for gain in gains] == [2.179, 2.110, 1.225, 1.001, 0.666]
    assert close(answer("in-step", batch=8, **pair), 1.111, 3)
    assert close(answer("speedup-at-batch-one", cost=0.1, **pair), 2.179, 3)
    assert close(answer("chance-of-k", accepted=3, **pair), 0.105, 3)
    assert close(on_a100("alpha-needed", draft=7, share=100 * 128 / A100.ridge_point()), 0.773, 3)
    assert answer("positions-without-cache", prompt=1000, generated=200) == sum(range(1000, 1200))


def test_figures_of_quantisation_and_context():
    schemes = list(module("weight-only-knee").BYTES)
    knees = [on_a100("weight-only-knee", scheme=scheme, gamma=4) for scheme in schemes]
    assert [round(knee, 2) for knee in knees] == [15.30, 7.65]
    assert close(on_a100("weight-only-break-even", draft=7, gamma=4, alpha=0.75), 34.4, 1)
    tends_to = answer("long-context-speedup", target="Llama-2-70B", draft="Llama-2-7B", gamma=4,
                      alpha=0.75)
    assert close(tends_to, 0.41, 2)
    roof = Roofline(MODELS["Llama-3-8B"], ACCELERATORS["H100-SXM"])
    limit = answer("context-without-knee", chip="H100-SXM", model="Llama-3-8B", gamma=2)
    assert isclose(limit, roof.context_limit(3), rel_tol=1e-12)


def test_figures_of_measured_passes():
    passes = list(module("measured-speedup").PASSES)
    gains = {gamma: answer("measured-speedup", passes=next(
        each for each in passes if each.startswith(f"A100-80GB-SXM, B = 32, γ = {gamma}:")),
        alpha=0.75) for gamma in (3, 4)}
    assert {gamma: round(gain, 2) for gamma, gain in gains.items()} == {3: 1.89, 4: 1.43}


def test_words_show_the_table():
    chips = _facts.chips("A100-80GB-SXM", show=["fp16", "int8", "sparse", "bandwidth", "memory"])
    assert list(chips) == ["A100-80GB-SXM (312 TFLOP/s dense fp16, 624 TOP/s dense int8, 624 "
                           "TFLOP/s fp16 with sparsity, 2039 GB/s, 80 GB)"]


def test_choice_crowded_node():
    for values in BANK["crowded-node"].variants():
        batch = values["share"] / 100 * values["ridge"]
        chip = type(A100)("chip", values["ridge"] * 1e12, 1e12)
        twice = type(A100)("twice", values["ridge"] * 2e12, 2e12)
        pair, faster = (_facts.rooflines(each, 70, 7) for each in (chip, twice))
        gamma, alpha = values["gamma"], values["alpha"]
        for window, models in ((gamma, pair), (2 * gamma, pair), (1, pair), (gamma, faster)):
            assert speedup(*models, batch, window, alpha) < 1
        assert speedup(*pair, batch, 1, 0.95) > 1


def test_choices_say_what_their_numbers_say():
    for values in BANK["where-to-switch-off"].variants():
        gamma, knee, even = values["gamma"], values["knee"], values["even"]
        assert values["low"] < knee < even < values["high"] <= knee * (gamma + 1)
    for values in BANK["which-quantisation"].variants():
        assert values["knee"] / 2 < values["batch"] < values["knee"]


def outcomes(rates):
    """Every pattern of verdicts of a chain of drafts: (chance, tokens)."""
    for passed in product([True, False], repeat=len(rates)):
        chance = prod(rate if ok else 1 - rate for ok, rate in zip(passed, rates, strict=True))
        yield chance, (passed.index(False) if False in passed else len(passed)) + 1


def test_tokens_by_position_and_variance_by_every_pattern():
    rates, decay = [0.9, 0.6, 0.8, 0.7], 0.93
    faded = [rate * decay**place for place, rate in enumerate(rates)]
    mean = sum(chance * tokens for chance, tokens in outcomes(faded))
    assert isclose(module("expected-tokens-by-position").mean_tokens(rates, decay), mean)
    alike = list(outcomes([0.7] * 5))
    mean = sum(chance * tokens for chance, tokens in alike)
    square = sum(chance * (tokens - mean) ** 2 for chance, tokens in alike)
    assert isclose(answer("variance-of-tokens", alpha=0.7, gamma=5, rounds=3), 3 * square)


def test_tree_by_every_pattern():
    alpha, gamma, width, fade = 0.6, 2, 3, 0.7
    mean = 0.0
    candidates = [alpha * fade**place for place in range(width)]
    for verdicts in product([True, False], repeat=gamma * width):
        chance = prod(rate if ok else 1 - rate
                      for ok, rate in zip(verdicts, candidates * gamma, strict=True))
        levels = [any(verdicts[level * width:(level + 1) * width]) for level in range(gamma)]
        passed = levels.index(False) if False in levels else gamma
        mean += chance * (passed + 1)
    tree = module("tokens-with-a-tree").tree_tokens
    assert isclose(tree(alpha, gamma, width, fade), mean)
    assert isclose(tree(0.7, 5, 1, fade), expected_tokens(0.7, 5))


def test_effective_alpha_of_geometric_counts_is_alpha():
    # a half, a quarter, an eighth, an eighth: alpha = 1/2, gamma = 3
    assert isclose(module("alpha-from-counts").effective_alpha([8, 4, 2, 2], 1), 0.5)
    half = module("alpha-from-counts").effective_alpha([0, 0, 5], 0.5)
    assert isclose(half + half**2, 1)


@pytest.mark.parametrize(("gamma", "alpha"), [(2, 0.75), (4, 0.75), (2, 0.92), (6, 0.92)])
@pytest.mark.parametrize("draft_us", [1000, 3975])
def test_break_even_with_overhead_by_search(target, draft, gamma, alpha, draft_us):
    def slower(batch, width, context=0):
        return draft(batch, width, context) + draft_us * 1e-6

    slower.knots = draft.knots
    found = answer("break-even-with-overhead", gamma=gamma, alpha=alpha, draft_us=draft_us)
    assert isclose(found, break_even_batch(target, slower, gamma, alpha), rel_tol=1e-9)


def test_largest_batch_is_the_last_within_the_limit(target, draft):
    for limit, gamma, alpha, extra in ((120, 4, 0.75, 5), (75, 1, 0.6, 1), (300, 6, 0.9, 20)):
        found = answer("largest-batch-within-limit", limit_ms=limit, gamma=gamma, alpha=alpha,
                       detokenise_ms=extra)
        per_token = [round_time(target, draft, batch, gamma) / expected_tokens(alpha, gamma) * 1e3
                     + extra for batch in (found, found + 1)]
        assert per_token[0] <= limit < per_token[1]
    assert answer("largest-batch-within-limit", limit_ms=10, gamma=4, alpha=0.75,
                  detokenise_ms=1) == 0


def test_ping_pong_by_stages():
    here = module("ping-pong-throughput")
    batch, gamma, alpha, transfer_us = 200, 4, 0.75, 3000
    clock, emitted, stages = 0.0, 0.0, 500
    for _ in range(stages):  # in every stage one group is verified and the other drafted for
        ends = (gamma * here.DRAFT(batch // 2, 1), here.TARGET(batch // 2, gamma + 1))
        clock += max(end + transfer_us * 1e-6 for end in ends)
        emitted += batch // 2 * expected_tokens(alpha, gamma)
    found = here.tokens_per_second(batch, gamma, alpha, transfer_us)
    assert isclose(found, emitted / clock, rel_tol=1e-9)


def test_draft_entries_by_keeping_a_cache():
    for gamma, accepted in ((4, [4, 2, 0, 4, 4, 1]), (1, [1, 1, 0, 1]), (3, [0, 1, 2, 3])):
        text, cached, writes = 100, 99, 0  # tokens, and entries of the draft's cache that hold
        for count in accepted:
            fed = text - cached + gamma - 1  # what it owes, then its own drafts but the last
            writes += fed
            cached = min(cached + fed, text + count)
            text += count + 1
        assert answer("entries-over-rounds", gamma=gamma, accepted=accepted,
                      draft_kb=1) == writes * 1000


def test_best_gamma_within_budget_by_trying(target):
    small = Roofline(Model("draft", 3e9), A100)
    for batch, alpha in ((20, 0.9), (30, 0.8), (5, 0.5), (60, 0.9), (90, 0.9)):
        gains = {0: 1.0} | {gamma: speedup(target, small, batch, gamma, alpha)
                            for gamma in range(1, 40) if batch * (gamma + 1) <= 96}
        gamma, gain = answer("best-gamma-within-budget", batch=batch, alpha=alpha, budget=96,
                             draft=3)
        assert gain == max(gains.values()) == gains[gamma]


def test_shared_prefix_knee_balances_the_pass():
    model, prefix, width, context = MODELS["Llama-3-70B"], 4000, 5, 1500
    knee = answer("knee-with-shared-prefix", width=width, context=context, prefix=prefix)
    attention = 4 * model.layers * model.heads * model.head_dim
    reading = (model.weight_bytes + model.kv_bytes_per_token * (prefix + knee * context))
    arithmetic = knee * width * (2 * model.params + attention * (prefix + context))
    assert isclose(reading / A100.bandwidth, arithmetic / A100.peak_flops["fp16"])
    roof = Roofline(model, A100)
    assert isclose(answer("knee-with-shared-prefix", width=2, context=900, prefix=0),
                   roof.crossover_batch(2, 900))
    assert answer("knee-with-shared-prefix", width=1, context=5000, prefix=4000) == -1


def test_constants_that_make_no_difference_give_the_library(target, draft):
    for batch, gamma, alpha in ((1, 4, 0.75), (64, 4, 0.75), (300, 2, 0.6)):
        plain = pytest.approx(speedup(target, draft, batch, gamma, alpha))
        assert answer("staircase-speedup", batch=batch, gamma=gamma, alpha=alpha, tile=1) == plain
        assert answer("speedup-with-launch", batch=batch, gamma=gamma, alpha=alpha,
                      launch_us=0) == plain
    found = answer("core-concept", tflops=312, gbs=2039, gamma=4, alpha=0.75, reached=100)
    assert [round(number, digits) for number, digits in zip(found, (2, 1, 3), strict=True)] == [
        30.60, 81.1, 2.179]


def test_staircase_fills_rows(target, draft):
    """32 sequences fill one row of 128 at γ = 3 and start a second at γ = 4."""
    full, over = (answer("staircase-speedup", batch=32, gamma=gamma, alpha=0.75, tile=128)
                  for gamma in (3, 4))
    assert full == pytest.approx(speedup(target, draft, 32, 3, 0.75))
    seconds = 4 * draft(32, 1) + target(256, 1)
    assert over == pytest.approx(expected_tokens(0.75, 4) * target(32, 1) / seconds)
