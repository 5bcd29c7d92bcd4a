"""One weight matrix that no cache holds, multiplied by one row and by many."""

import time

import numpy as np

from .machine import last_level_cache

ROWS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
COLUMNS = 8192  # the width of a 70-billion-parameter model
_LEAST = 2**28
_UNKNOWN = 2**30


def out_of_cache_bytes(cache):
    """Return bytes that a cache of `cache` bytes (None: unknown) keeps next to nothing of.

    Four times the cache: read from end to end, over and over, a matrix of that size drives
    out its own beginning before it is wanted again.
    """
    return _UNKNOWN if cache is None else max(4 * cache, _LEAST)


def measure(matrix_bytes=None, rows=ROWS, turns=5):
    """Time `rows` activations times one weight matrix of float32, ``(outputs, 8192)``.

    The row counts take turns, so that all see the same machine; the least time of each
    counts, since whatever else runs there only adds.

    Parameters
    ----------
    matrix_bytes : int, optional
        Rounded down to whole outputs. None: `out_of_cache_bytes` of this machine.
    rows : sequence of int
    turns : int

    Returns
    -------
    dict
        ``matrix_bytes``, ``weights`` (how many), ``bytes_per_weight``, ``rows`` and, for
        each of them, ``seconds``.

    Raises
    ------
    ValueError
        Not one output fits in `matrix_bytes`.
    """
    if matrix_bytes is None:
        matrix_bytes = out_of_cache_bytes(last_level_cache())
    outputs = int(matrix_bytes) // (4 * COLUMNS)
    if outputs < 1:
        raise ValueError(f"matrix_bytes = {matrix_bytes}: expected at least {4 * COLUMNS}")
    # Written, not zeros: untouched pages would all be the same one, in the cache.
    weights = np.full((outputs, COLUMNS), 0.5, np.float32)
    inputs = {count: np.ones((count, COLUMNS), np.float32) for count in rows}
    results = {count: np.empty((count, outputs), np.float32) for count in rows}
    least = dict.fromkeys(rows, np.inf)
    for _ in range(turns):
        for count in rows:
            started = time.perf_counter()
            np.matmul(inputs[count], weights.T, out=results[count])
            least[count] = min(least[count], time.perf_counter() - started)
    return {
        "matrix_bytes": weights.nbytes,
        "weights": weights.size,
        "bytes_per_weight": weights.itemsize,
        "rows": list(rows),
        "seconds": list(least.values()),
    }
