"""Search over batch and gamma: where speculation stops paying, which gamma pays most.

These functions take any two latency models. A model may say how many token
positions a pass may have (`max_positions`) and at which batches its slope
changes (`knots(width, context)`); the search uses both and never leaves the range.
"""

from math import floor, inf

import numpy as np

from .speculation import speedup
from .tracing import is_traced, plain
from .validation import check_number


def break_even_batch(target, draft, gamma, alpha, max_batch=4096, context=0, draft_context=None):
    """Return the first batch beyond which speculation is slower than off.

    Parameters
    ----------
    target, draft : callable
        Latency models.
    gamma : int
        Drafted tokens a round.
    alpha : float
        Acceptance rate.
    max_batch : float
        Where the search ends, or earlier where a latency model's range ends.
    context, draft_context : number
        Cached tokens per sequence; the draft's may differ (None: the same).

    Returns
    -------
    float
        Sequences, not rounded. 0.0 if speculation loses at batch 1 already,
        infinite if it never loses up to where the search ends. At a jump of the
        pass time, the jump's left edge.

    Raises
    ------
    ValueError
        A parameter out of range, or an array where one number is needed.
    """
    wins = win_intervals(target, draft, gamma, alpha, max_batch, context, draft_context)
    if not wins or wins[0][0] > 1:
        return 0.0
    first_end = wins[0][1]
    return inf if first_end == _last_batch(target, draft, gamma, max_batch) else first_end


def win_intervals(target, draft, gamma, alpha, max_batch=4096, context=0, draft_context=None):
    """Return every interval of batches from 1 up on which the speedup is at least 1.

    On a roofline without context there is at most one, and it starts at 1. On
    measured passes, which have steps, there can be several; with context, a
    draft with a small cache can lose at first and win from some batch on.

    Parameters
    ----------
    As `break_even_batch`.

    Returns
    -------
    list of (float, float)
        In rising order. An end equal to where the search ends is open-ended as
        far as is known.

    Raises
    ------
    ValueError
        A parameter out of range, or an array where one number is needed.
    """
    gamma = int(_one_number("gamma", check_number("gamma", gamma, 0, whole=True)))
    alpha = _one_number("alpha", check_number("alpha", alpha, 0, 1))
    last = _last_batch(target, draft, gamma, max_batch)

    def wins(batch):
        return speedup(target, draft, batch, gamma, alpha, context, draft_context) >= 1

    batches = _grid(target, draft, gamma, last, context, draft_context)
    won = wins(batches)
    intervals, start = [], None
    for i, batch in enumerate(batches):
        if won[i] and start is None:
            start = 1.0 if i == 0 else _edge(wins, batch, batches[i - 1])
        elif start is not None and not won[i]:
            intervals.append((start, _edge(wins, batches[i - 1], batch)))
            start = None
    if start is not None:
        intervals.append((start, last))
    return [(float(low), float(high)) for low, high in intervals]


def best_gamma(target, draft, batch, alpha, max_gamma=16, context=0, draft_context=None):
    """Return the gamma with the highest speedup, 0 where none beats switching off.

    That the best gamma falls with the batch was shown by Su, Giannoula and
    Pekhimenko (2023).

    Parameters
    ----------
    target, draft : callable
        Latency models.
    batch, alpha : number or array
        They broadcast.
    max_gamma : int
        Largest gamma tried. A gamma whose verification leaves a latency model's
        range is not tried at that batch.

    Returns
    -------
    int or ndarray of int
        Ties go to the smaller gamma.

    Raises
    ------
    ValueError
        A parameter out of range.
    """
    batch = np.asarray(_numbers("batch", check_number("batch", batch, 1)))
    alpha = _numbers("alpha", check_number("alpha", alpha, 0, 1))
    max_gamma = int(_one_number("max_gamma", check_number("max_gamma", max_gamma, 0, whole=True)))
    shape = np.broadcast_shapes(batch.shape, np.shape(alpha))
    best, best_speedup = np.zeros(shape, dtype=int), np.ones(shape)
    limit = _max_positions(target, draft)
    for gamma in range(1, max_gamma + 1):
        inside = batch * (gamma + 1) <= limit
        tried = np.where(inside, batch, 1.0)
        gain = speedup(target, draft, tried, gamma, alpha, context, draft_context)
        better = inside & (gain > best_speedup)
        best = np.where(better, gamma, best)
        best_speedup = np.where(better, gain, best_speedup)
    return plain(best)


def _numbers(name, value):
    if is_traced(value):
        raise ValueError(f"{name} = {value!r}: expected numbers; a search cannot be traced")
    return value


def _one_number(name, value):
    if not isinstance(_numbers(name, value), float):
        raise ValueError(f"{name} = {value!r}: expected one number, not an array")
    return value


def _max_positions(target, draft):
    return min(getattr(latency, "max_positions", inf) for latency in (target, draft))


def _last_batch(target, draft, gamma, max_batch):
    last = _one_number("max_batch", check_number("max_batch", max_batch, 1))
    last = min(last, getattr(target, "max_positions", inf) / (gamma + 1))
    last = min(last, getattr(draft, "max_positions", inf))
    if last < 1:
        raise ValueError(
            f"gamma = {gamma}: one sequence has {gamma + 1} positions, more than the "
            f"latency model covers"
        )
    return last


def _grid(target, draft, gamma, last, context, draft_context):
    """Batches at which to look: whole numbers, and where the slope changes."""
    draft_context = context if draft_context is None else draft_context
    batches = [np.arange(1, floor(last) + 1, dtype=float), [last]]
    passes = (target, 1, context), (target, gamma + 1, context), (draft, 1, draft_context)
    for latency, width, cached in passes:
        if hasattr(latency, "knots"):
            batches.append(latency.knots(width, cached))
    batches = np.unique(np.concatenate(batches))
    return batches[(batches >= 1) & (batches <= last)]


def _edge(wins, inside, outside):
    """Return the last batch that wins between one that does and one that does not."""
    while True:
        middle = (inside + outside) / 2
        if middle in (inside, outside):
            return inside
        if wins(middle):
            inside = middle
        else:
            outside = middle
