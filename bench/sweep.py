"""Ten million points through `speedup`: arrays in chunks against a scalar loop."""

import resource
import sys
from time import perf_counter

import numpy as np

from crossover.theory import ACCELERATORS, Model, Roofline, speedup

POINTS = 10_000_000
CHUNK = 250_000
SCALAR_POINTS = 50_000  # the loop's rate is the same at ten million, and takes minutes


def settings(points, seed):
    random = np.random.default_rng(seed)
    return (
        random.uniform(1, 512, points),
        random.integers(0, 17, points),
        random.uniform(0, 1, points),
    )


def peak_megabytes():
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return kilobytes / (1e6 if sys.platform == "darwin" else 1e3)


def main():
    chip = ACCELERATORS["A100-80GB-SXM"]
    target, draft = Roofline(Model("target", 70e9), chip), Roofline(Model("draft", 7e9), chip)

    before = peak_megabytes()
    start, wins = perf_counter(), 0
    for chunk in range(POINTS // CHUNK):
        batch, gamma, alpha = settings(CHUNK, chunk)
        wins += np.count_nonzero(speedup(target, draft, batch, gamma, alpha) > 1)
    array_rate = POINTS / (perf_counter() - start)

    rows = list(zip(*(values.tolist() for values in settings(SCALAR_POINTS, 0)), strict=True))
    start = perf_counter()
    for batch, gamma, alpha in rows:
        speedup(target, draft, batch, gamma, alpha)
    scalar_rate = SCALAR_POINTS / (perf_counter() - start)

    print(f"arrays      {array_rate:12,.0f} points/s over {POINTS:,} points, chunks of {CHUNK:,}")
    print(f"scalar loop {scalar_rate:12,.0f} points/s over {SCALAR_POINTS:,} points")
    print(f"ratio       {array_rate / scalar_rate:12,.0f} x")
    print(f"memory grew by {peak_megabytes() - before:.0f} MB; {wins:,} points win")
