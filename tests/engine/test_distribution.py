"""At temperature > 0 the next three tokens follow the target's joint distribution.

Stale entries can act only after the first round, hence three tokens and not one. The
target's joint distribution is enumerated; sampled counts are compared by chi-square,
cells of expected count below 5 pooled. The threshold is the 1 - 1e-6 quantile: a right
engine fails a test with another seed once in a million; the seeds here are fixed.
"""

from collections import Counter

import numpy as np
import pytest
from stale_cache import StaleCache

from crossover.engine import Engine, held_out
from crossover.engine.kvcache import PagedCache
from crossover.engine.rounds import Decoder
from crossover.engine.sampling import distribution, sample, verify

SAMPLES = 20_000
Z = 4.7534  # standard normal quantile at 1 - 1e-6


def joint(model, prompt, cut, temperature=1.0, top_p=1.0):
    """Probability of each continuation of three tokens that is at least `cut`."""
    known = {(): 1.0}
    for _ in range(3):
        heads = list(known)
        logits = [
            model.logits([[*prompt, *head] for head in heads[i : i + 64]])[:, -1]
            for i in range(0, len(heads), 64)
        ]
        p = (
            distribution(np.concatenate(logits), temperature, top_p)
            * np.array([known[h] for h in heads])[:, None]
        )
        known = {(*heads[i], int(t)): p[i, t] for i, t in zip(*np.nonzero(p >= cut), strict=True)}
    return known


def chi_square(counts, expected):
    """Statistic and its limit; what `expected` leaves out is one more cell.

    The limit is the Wilson-Hilferty approximation of the quantile.
    """
    total = sum(counts.values())
    cells = {k: p * total for k, p in expected.items() if p * total >= 5}
    seen = [counts[k] for k in cells]
    want = list(cells.values())
    seen, want = [*seen, total - sum(seen)], [*want, total - sum(want)]
    if want[-1] < 5:  # too small to stand alone: join the last cell
        seen[-2:], want[-2:] = [sum(seen[-2:])], [sum(want[-2:])]
    k = len(want) - 1
    assert k >= 10, f"only {k + 1} cells: the prompt tells too little"
    statistic = sum((s - w) ** 2 / w for s, w in zip(seen, want, strict=True))
    return statistic, k * (1 - 2 / (9 * k) + Z * np.sqrt(2 / (9 * k))) ** 3, k


def run(engine, prompt, samples=SAMPLES, max_tokens=3, temperature=1.0, top_p=1.0):
    """Counts of the first three tokens, and the mean acceptance of judged drafts."""
    out = engine.generate(
        [prompt] * samples, max_tokens, temperature, top_p, seed=1, stop_at_end=False
    )
    reached, passed = out.acceptance()
    return Counter(tuple(c.tokens[:3]) for c in out), sum(passed) / max(sum(reached), 1)


def judge(engine, prompt, samples=SAMPLES, temperature=1.0, top_p=1.0, max_tokens=3):
    """Chi-square over its limit (above 1: not the target's distribution), and acceptance."""
    counts, alpha = run(engine, prompt, samples, max_tokens, temperature, top_p)
    expected = joint(engine.models[0], prompt, 4 / samples, temperature, top_p)
    statistic, limit, k = chi_square(counts, expected)
    print(f"chi-square {statistic:.1f}, limit {limit:.1f}, {k} degrees; acceptance {alpha:.3f}")
    return statistic / limit, alpha


def trained(pair, i, gamma):
    """An engine, and the start of held-out text i up to where the next token is uncertain.

    Even texts are cut among their first tokens, where drafts mostly fail; odd ones at the
    most uncertain of the places from which, for three tokens of the text, the draft has more
    than half of the target's probability.
    """
    tokens = [0, *pair[0].tokenizer.encode(held_out()[i])[:100]]
    p, q = (distribution(model.logits([tokens])[0]) for model in pair)
    entropy = -(p * np.log(np.maximum(p, 1e-300))).sum(-1)
    near = np.append(np.minimum(p, q).sum(-1) > 0.5, [False, False])
    fit = near[:-2] & near[1:-1] & near[2:] if i % 2 else np.arange(len(tokens)) < 9
    return Engine(*pair, gamma=gamma, max_batch=250), tokens[: int((entropy * fit).argmax()) + 1]


@pytest.mark.parametrize(
    "i, gamma, settings", [(0, 2, {}), (9, 2, {"top_p": 0.95, "temperature": 1.2})]
)
def test_the_trained_pair_emits_the_joint_distribution(pair, i, gamma, settings):
    assert judge(*trained(pair, i, gamma), **settings)[0] < 1


@pytest.mark.long
@pytest.mark.parametrize("i", range(20))
def test_twenty_prompts_and_whole_rounds(pair, i):
    engine, prompt = trained(pair, i, gamma=1 + i % 5)
    ratio, alpha = judge(engine, prompt, max_tokens=7)
    assert ratio < 1
    assert alpha > 0.35 or not i % 2  # so the accept path is tried as well as the residual


# --- negative controls, on a small random pair whose every cell is enumerated ---


@pytest.fixture
def small(tiny):
    """An engine with a sharp random pair, and a prompt."""
    target = tiny(11, layers=2, vocabulary=8, window=32, scale=2.0)
    draft = tiny(12, layers=1, vocabulary=8, window=32, scale=1.0)
    return Engine(target, draft, gamma=2, max_batch=500), [1, 2, 3]


class SkipResidual(Decoder):
    """Saboteur: replaces a rejected draft from p itself."""

    def verify(self, p, q, drafts, gammas, uniform):
        accepted, _ = verify(p, q, drafts, gammas, uniform)
        return accepted, sample(p[np.arange(len(p)), accepted], uniform[:, -1])


class AcceptAlways(Decoder):
    """Saboteur: accepts every draft."""

    def verify(self, p, q, drafts, gammas, uniform):
        return gammas, sample(p[np.arange(len(p)), gammas], uniform[:, -1])


CONTROL = 6_000  # samples: what is wrong here is wrong by much


def sabotaged(engine, decoder=Decoder, target=PagedCache, draft=PagedCache):
    engine.decoder, engine.caches = decoder, (target, draft)
    return engine


def test_the_small_pair_passes_untouched(small):
    assert judge(*small, CONTROL)[0] < 1


@pytest.mark.parametrize(
    "how",
    [{"decoder": SkipResidual}, {"decoder": AcceptAlways}, {"target": StaleCache}],
    ids=["no residual", "accept always", "stale target entries"],
)
def test_a_saboteur_is_caught(small, how):
    engine, prompt = small
    assert judge(sabotaged(engine, **how), prompt, CONTROL)[0] > 1


def test_stale_draft_entries_lower_acceptance_and_change_nothing_else(small):
    engine, prompt = small
    _, alpha = judge(engine, prompt, CONTROL, max_tokens=8)
    ratio, stale_alpha = judge(sabotaged(engine, draft=StaleCache), prompt, max_tokens=8)
    assert ratio < 1
    assert stale_alpha < alpha - 0.01
