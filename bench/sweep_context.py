"""A million settings of (batch, gamma, alpha, context), with memory bounded.

The formulas take arrays, so a sweep could be one call, which holds arrays of a
million floats. In chunks it holds arrays of one chunk's size, however large the
sweep. Times are given as ratios within the run, since the machine is not known.

    python -m bench.sweep_context
"""

import tracemalloc
from time import perf_counter

import numpy as np

from crossover.theory import ACCELERATORS, MODELS, Roofline, speedup

BATCH = np.unique(np.geomspace(1, 1024, 50).round())
GAMMA = np.arange(1, 13)
ALPHA = np.linspace(0.05, 0.95, 19)
CONTEXT = np.concatenate([[0], np.geomspace(64, 131_072, 109)])
CHUNK_POINTS = 50_000
SINGLE_CALLS = 2_000


def pair():
    chip = ACCELERATORS["A100-80GB-SXM"]
    return [Roofline(MODELS[name], chip) for name in ("Llama-2-70B", "Llama-2-7B")]


def chunks(chunk_points=CHUNK_POINTS):
    """Yield (contexts, speedups of every batch, gamma and alpha at them).

    Parameters
    ----------
    chunk_points : int
        Points computed at once, at most; one context's worth at least.

    Yields
    ------
    (ndarray, ndarray), shapes (c,) and (c, batches, gammas, alphas)
    """
    target, draft = pair()
    batch, gamma = BATCH[:, None, None], GAMMA[:, None]
    contexts_at_once = max(1, chunk_points // (BATCH.size * GAMMA.size * ALPHA.size))
    for start in range(0, CONTEXT.size, contexts_at_once):
        context = CONTEXT[start : start + contexts_at_once]
        yield context, speedup(target, draft, batch, gamma, ALPHA, context[:, None, None, None])


def sweep(chunk_points=CHUNK_POINTS):
    """Return (points, points won, best speedup and its setting), one chunk at a time."""
    points, won, best = 0, 0, (0.0, None)
    for context, gains in chunks(chunk_points):
        points += gains.size
        won += int((gains >= 1).sum())
        at = np.unravel_index(gains.argmax(), gains.shape)
        setting = context[at[0]], BATCH[at[1]], GAMMA[at[2]], ALPHA[at[3]]
        best = max(best, (float(gains[at]), tuple(float(value) for value in setting)))
    return points, won, best


def peak_bytes(work):
    """Return the most memory `work` held at once beyond what was there, bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def seconds(work):
    start = perf_counter()
    work()
    return perf_counter() - start


def single_calls():
    """Repeat points of the sweep one call each, and refuse a sweep that differs."""
    target, draft = pair()
    random = np.random.default_rng(1)
    context, gains = next(chunks())
    for _ in range(SINGLE_CALLS):
        at = tuple(int(random.integers(0, size)) for size in gains.shape)
        alone = speedup(target, draft, BATCH[at[1]], GAMMA[at[2]], ALPHA[at[3]], context[at[0]])
        if alone != gains[at]:
            raise AssertionError(f"point {at}: {alone!r} alone, {gains[at]!r} in the sweep")


def main():
    """Print what the sweep finds, its memory, and how much chunks and arrays save."""
    points, won, (best, setting) = sweep()
    all_at_once = CONTEXT.size * BATCH.size * GAMMA.size * ALPHA.size
    chunked, whole = peak_bytes(sweep), peak_bytes(lambda: sweep(all_at_once))
    per_point = seconds(sweep) / points
    per_call = seconds(single_calls) / SINGLE_CALLS
    print(f"{points:,} points of (batch, gamma, alpha, context); {won / points:.1%} at least 1")
    context, batch, gamma, alpha = setting
    print(
        f"best {best:.2f} at batch {batch:.0f}, gamma {gamma:.0f}, alpha {alpha:.2f}, "
        f"context {context:.0f}"
    )
    print(
        f"peak memory {chunked / 1e6:.1f} MB in chunks of {CHUNK_POINTS:,}, "
        f"{whole / 1e6:.1f} MB all at once: {whole / chunked:.0f} times as much"
    )
    print(f"{per_call / per_point:.0f} times as fast a point as one call a point")


if __name__ == "__main__":
    main()
