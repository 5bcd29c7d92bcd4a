"""Does one alpha describe this text? Measured tokens a round against the formula.

The formula E[T] = 1 + alpha + ... + alpha^gamma takes acceptances as independent and
identical. Here alpha is the share of judged drafts that passed, and the difference to
what the rounds emitted gets an interval by resampling whole prompts, since rounds of one
prompt are alike.
"""

from dataclasses import dataclass

import numpy as np

from crossover.theory import expected_tokens


@dataclass(frozen=True)
class RoundTokens:
    """Tokens a round, measured and as one alpha predicts, in full rounds of `gamma` drafts.

    `by_position` is the acceptance rate of draft 1, 2, ... given that all before it
    passed. `low` and `high` bound measured - expected with 95 % confidence.
    """

    gamma: int
    alpha: float
    by_position: tuple
    rounds: int
    measured: float
    expected: float
    low: float
    high: float

    @property
    def independent(self):
        """Whether the interval leaves room for the formula to be right."""
        return self.low <= 0 <= self.high


def tokens_per_round(generation, gamma, resamples=2000, seed=0):
    """Compare the rounds of a `Generation` with E[T]; return a `RoundTokens`.

    Rounds that drafted fewer than `gamma` (near the end of a completion) are left out.
    Raises ValueError if fewer than two prompts have a full round.
    """
    counts = {}  # for each prompt: rounds that accepted 0, 1, ... gamma drafts
    for step in generation.steps:
        if len(step.proposed) == gamma > 0:
            counts.setdefault(step.request, np.zeros(gamma + 1, int))[step.accepted] += 1
    if len(counts) < 2:
        raise ValueError(
            f"generation must hold full rounds of gamma = {gamma} for at least two "
            f"prompts, got {len(counts)}"
        )
    table = np.array(list(counts.values()))
    picks = np.random.default_rng(seed).integers(0, len(table), (resamples, len(table)))
    measured, expected, _ = _compare(table.sum(0))
    difference = np.subtract(*_compare(table[picks].sum(1))[:2])
    low, high = np.quantile(difference, [0.025, 0.975])
    reached = table.sum(0)[::-1].cumsum()[::-1]  # rounds that accepted at least j drafts
    return RoundTokens(
        gamma,
        float(_compare(table.sum(0))[2]),
        tuple((reached[1:] / np.maximum(reached[:-1], 1)).tolist()),
        int(table.sum()),
        float(measured),
        float(expected),
        float(low),
        float(high),
    )


def _compare(accepted):
    """Measured and expected tokens a round, and alpha, of counts ``(..., gamma + 1)``."""
    number = np.arange(accepted.shape[-1])
    rounds = accepted.sum(-1)
    passed = (accepted * number).sum(-1)
    judged = (accepted * np.minimum(number + 1, number[-1])).sum(-1)
    alpha = passed / judged
    return 1 + passed / rounds, expected_tokens(alpha, number[-1]), alpha
