"""What a speculative round takes on this machine, pass by pass, one sequence at a time."""

from collections import defaultdict
from time import perf_counter

import numpy as np
from threadpoolctl import threadpool_limits

from crossover.engine import Engine, load_pair, openings
from crossover.engine.rounds import Decoder

GAMMAS = (1, 2, 3, 4, 6, 8)


def measure(gammas=GAMMAS, prompts=16, tokens=48):
    """Decode held-out openings one at a time, plain and with each gamma; time every pass.

    The gammas take turns at each opening, so that all see the same machine. Of the
    seconds of a pass, and of a round, the lower quartile counts: whatever else runs on
    the machine only adds. Temperature is 1, and the BLAS gets one thread: matrices this
    small gain nothing from more.

    Parameters
    ----------
    gammas : sequence of int
        Each at least 1.
    prompts : int
        Openings, at least 1.
    tokens : int
        New tokens for each; more than the largest gamma.

    Returns
    -------
    dict
        ``gammas``; for each of them ``alpha`` (drafts passed over drafts judged),
        ``tokens_per_round``, ``round_seconds``, and ``target_seconds`` of the pass of
        width gamma + 1, all of full rounds; ``draft_seconds``, a pass of the draft; for
        plain decoding ``plain_seconds``, a pass, and ``plain_round_seconds``.

    Raises
    ------
    ValueError
        A parameter out of range.
    """
    for name, value, least in (("gammas", min(gammas), 1), ("prompts", prompts, 1),
                               ("tokens", tokens, max(gammas) + 1)):  # fmt: skip
        if value < least:
            raise ValueError(f"{name} must be at least {least}, got {value}")
    engines = {gamma: _timed_engine(gamma) for gamma in (0, *gammas)}
    rounds = {gamma: [] for gamma in engines}
    for i, opening in enumerate(openings()[:prompts]):
        for gamma, engine in engines.items():
            with threadpool_limits(1, "blas"):
                out = engine.generate([opening], tokens, 1.0, seed=i)
            rounds[gamma] += [
                r for r in out.trace if r.kind == "decode" and len(r.steps[0].proposed) == gamma
            ]
    passes = {gamma: engine.decoder.passes for gamma, engine in engines.items()}
    accepted = {g: np.array([r.steps[0].accepted for r in rounds[g]]) for g in gammas}
    return {
        "gammas": list(gammas),
        "alpha": [float(accepted[g].sum() / np.minimum(accepted[g] + 1, g).sum()) for g in gammas],
        "tokens_per_round": [float(accepted[g].mean() + 1) for g in gammas],
        "round_seconds": [_quartile([r.seconds for r in rounds[g]]) for g in gammas],
        "target_seconds": [_quartile(passes[g][0, g + 1]) for g in gammas],
        "draft_seconds": _quartile([s for g in gammas for s in passes[g][1, 1]]),
        "plain_seconds": _quartile(passes[0][0, 1]),
        "plain_round_seconds": _quartile([r.seconds for r in rounds[0]]),
    }


def _quartile(seconds):
    return float(np.quantile(seconds, 0.25))


def _timed_engine(gamma):
    """An engine for one sequence; its ``decoder.passes`` holds the seconds of each pass."""
    seconds = defaultdict(list)  # (0 target or 1 draft, width) -> of each pass

    class Timed(Decoder):
        passes = seconds

        def _pass(self, which, sequences, tokens, last_only):
            started = perf_counter()
            result = super()._pass(which, sequences, tokens, last_only)
            self.passes[which, len(tokens[0])].append(perf_counter() - started)
            return result

    engine = Engine(*load_pair(), gamma=gamma, max_batch=1)
    engine.decoder = Timed
    return engine
