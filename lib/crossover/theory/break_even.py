"""Break-even of two rooflines with context, without a search.

The time that speculation saves a round is piecewise linear in the batch: it bends
only where one of the three passes turns compute-bound. So its values at those
knots hold its first root, and a page, which cannot search, can compute it.
"""

from math import inf

from .speculation import expected_tokens, round_time
from .tracing import maximum, minimum, where
from .validation import check_number


def time_saved(target, draft, batch, gamma, alpha, context=0, draft_context=None):
    """Return E[T]·T_target(B, 1) - round_time, the seconds a round saves.

    What plain decoding takes for the tokens of a round, less what the round
    takes. Negative where speculation is slower than off.

    Parameters
    ----------
    As `speedup`.

    Raises
    ------
    ValueError
        As `speedup` does.
    """
    plain = expected_tokens(alpha, gamma) * target(batch, 1, context)
    return plain - round_time(target, draft, batch, gamma, context, draft_context)


def pass_knees(target, draft, gamma, context=0, draft_context=None):
    """Return B* of the three passes of `time_saved`: plain decoding, verification, drafting.

    Parameters
    ----------
    target, draft : Roofline
    gamma, context, draft_context : number, array or traced
    """
    draft_context = context if draft_context is None else draft_context
    return (
        target.crossover_batch(1, context),
        target.crossover_batch(gamma + 1, context),
        draft.crossover_batch(1, draft_context),
    )


def saving_knots(target, draft, gamma, context=0, draft_context=None, max_batch=4096):
    """Return the batches between which the time saved is linear, in rising order.

    Parameters
    ----------
    target, draft : Roofline
        Without a link.
    gamma : number or traced
        Drafted tokens a round.
    context, draft_context : number or traced
        Cached tokens per sequence; the draft's may differ (None: the same).
    max_batch : float
        The last one.

    Returns
    -------
    list
        1, the knees of the plain step, the verification and the draft step as far
        as they lie between, and `max_batch`: five numbers, arrays or traced values.

    Raises
    ------
    ValueError
        A parameter out of range, or a roofline with a link.
    """
    for roofline in (target, draft):
        if roofline.link is not None:
            raise ValueError(
                f"link = {roofline.link}: the knots hold with link=None only; use break_even_batch"
            )
    last = check_number("max_batch", max_batch, 1)
    knees = pass_knees(target, draft, gamma, context, draft_context)
    a, b, c = (minimum(maximum(knee, 1), last) for knee in knees)
    low, high = minimum(a, b), maximum(a, b)
    return [1, minimum(low, c), maximum(low, minimum(high, c)), maximum(high, c), last]


def first_loss(batches, saved):
    """Return the batch at which a piecewise linear saving first falls below 0.

    Parameters
    ----------
    batches, saved : sequence
        Rising batches and the saving at each; numbers, arrays or traced values.

    Returns
    -------
    float, ndarray or traced
        As `break_even_batch`: 0 where it is below 0 at the first batch already,
        infinite where it never is.

    Raises
    ------
    ValueError
        Not as many savings as batches, or fewer than two.
    """
    if len(batches) != len(saved) or len(batches) < 2:
        raise ValueError(
            f"saved has {len(saved)} entries for {len(batches)} batches: expected as many, "
            f"at least 2"
        )
    root = inf
    segments = list(zip(batches, batches[1:], saved, saved[1:], strict=False))
    for start, end, before, after in reversed(segments):
        crosses = (before >= 0) & (after < 0)
        drop = where(crosses, before - after, 1)
        root = where(crosses, start + (end - start) * before / drop, root)
    return where(saved[0] < 0, 0.0, root)
