"""Speculative decoding: what a round costs, what it yields, when it pays.

A latency model is a callable ``seconds = latency(batch, width, context)``.
Every function here takes two of them, a target and a draft, and does not ask
where the seconds come from. `context` is the target's cached tokens per
sequence; `draft_context` the draft's (None: the same).

A round is gamma sequential draft steps of width 1 and one verification of
width gamma + 1 (Leviathan et al. 2023; Chen et al. 2023).
"""

from math import inf

from .tracing import minimum, where
from .validation import check_number

# Below this distance from 1 the closed form of E[T] cancels away its digits.
_NEAR_ONE = 1e-5


def expected_tokens(alpha, gamma):
    """Return E[T] = (1 - alpha^(gamma+1)) / (1 - alpha), tokens emitted a round.

    Parameters
    ----------
    alpha : number, array or traced
        Per-token acceptance rate, 0 to 1, taken as independent and identical.
    gamma : number, array or traced
        Drafted tokens a round, a whole number, at least 0.

    Returns
    -------
    float, ndarray or traced
        1 at alpha = 0, gamma + 1 at alpha = 1.

    Raises
    ------
    ValueError
        `alpha` outside 0..1; `gamma` negative or fractional.
    """
    alpha = check_number("alpha", alpha, 0, 1)
    width = check_number("gamma", gamma, 0, whole=True) + 1
    miss = 1 - alpha
    near_one = miss < _NEAR_ONE
    closed = (1 - alpha**width) / where(near_one, 1, miss)
    # the first terms of the same sum around alpha = 1, where they are all it takes
    series = width * (1 - (width - 1) / 2 * miss * (1 - (width - 2) / 3 * miss))
    return where(near_one, series, closed)


def round_time(target, draft, batch, gamma, context=0, draft_context=None):
    """Return the seconds of one round: gamma·T_draft(B, 1) + T_target(B, gamma + 1).

    Parameters
    ----------
    target, draft : callable
        Latency models.
    batch : number, array or traced
        B, sequences, at least 1.
    gamma : number, array or traced
        Drafted tokens a round; 0 leaves one plain decoding step.

    Raises
    ------
    ValueError
        `batch` below 1; `gamma` negative or fractional; beyond what a latency
        model covers.
    """
    gamma = check_number("gamma", gamma, 0, whole=True)
    draft_context = context if draft_context is None else draft_context
    drafting = gamma * draft(batch, 1, draft_context)
    return drafting + target(batch, gamma + 1, context)


def baseline_throughput(target, batch, context=0, draft_context=None):
    """Return B / T_target(B, 1), tokens/s of the whole batch without speculation.

    `draft_context` has no effect; it is there so that the functions of this
    module can be called alike.
    """
    batch = check_number("batch", batch, 1)
    return batch / target(batch, 1, context)


def speculative_throughput(target, draft, batch, gamma, alpha, context=0, draft_context=None):
    """Return B·E[T] / round_time, tokens/s of the whole batch with speculation.

    Raises
    ------
    ValueError
        As `round_time` and `expected_tokens` do.
    """
    batch = check_number("batch", batch, 1)
    seconds = round_time(target, draft, batch, gamma, context, draft_context)
    return batch * expected_tokens(alpha, gamma) / seconds


def speedup(target, draft, batch, gamma, alpha, context=0, draft_context=None):
    """Return speculative over plain throughput, E[T]·T_target(B, 1) / round_time.

    Below 1 speculation is slower than switching it off. gamma = 0 gives 1.

    Raises
    ------
    ValueError
        As `round_time` and `expected_tokens` do.

    Examples
    --------
    >>> from crossover.theory import ACCELERATORS, Model, Roofline
    >>> a100 = ACCELERATORS["A100-80GB-SXM"]
    >>> target, draft = (Roofline(Model(str(n), n), a100) for n in (70e9, 7e9))
    >>> [round(speedup(target, draft, b, gamma=4, alpha=0.75), 3) for b in (1, 128)]
    [2.179, 0.666]
    """
    seconds = round_time(target, draft, batch, gamma, context, draft_context)
    return expected_tokens(alpha, gamma) * target(batch, 1, context) / seconds


def speedup_floor(target, draft, gamma, alpha):
    """Return the speedup of two rooflines as the batch grows without bound.

    With everything compute-bound it is E[T] / (gamma + 1 + gamma·c), where
    c = (N_draft/F_draft) / (N/F) is the draft's arithmetic per token against
    the target's. It is below 1 for every gamma above 0. It holds without
    context; `long_context_speedup` is the limit with it.

    Parameters
    ----------
    target, draft : Roofline
    gamma, alpha : number, array or traced

    Raises
    ------
    ValueError
        `alpha` outside 0..1; `gamma` negative or fractional; a roofline with a
        link, whose all-reduces the formula does not hold.
    """
    _need_no_link(target, draft)
    gamma = check_number("gamma", gamma, 0, whole=True)
    tokens = expected_tokens(alpha, gamma)
    cost_ratio = draft.seconds_per_position / target.seconds_per_position
    return tokens / (gamma + 1 + gamma * cost_ratio)


def roofline_break_even(target, draft, gamma, alpha):
    """Return the break-even batch of two rooflines in closed form.

    The time speculation saves, E[T]·T(B,1) - round_time, is piecewise linear in
    B and never rises. Above B*(1), where plain decoding is compute-bound too,
    it is negative for every gamma above 0, so the root lies where plain
    decoding still costs its floor m = N·d/BW, and is the earliest of three:
    the draft alone compute-bound, verification alone, or both. It holds without
    context; with it, search with `break_even_batch`.

    Parameters
    ----------
    target, draft : Roofline
    gamma, alpha : number, array or traced

    Returns
    -------
    float, ndarray or traced
        As `break_even_batch`: sequences; 0 if speculation loses at batch 1
        already; infinite for gamma = 0, which never loses.

    Raises
    ------
    ValueError
        `alpha` outside 0..1; `gamma` negative or fractional; a roofline with a
        link, whose all-reduces the formula does not hold.
    """
    _need_no_link(target, draft)
    gamma = check_number("gamma", gamma, 0, whole=True)
    tokens = expected_tokens(alpha, gamma)
    drafts = where(gamma < 1, 1, gamma)  # keeps the divisions finite; undone below
    floor, verify_slope = target.memory_seconds, target.seconds_per_position * (drafts + 1)
    draft_floor, draft_slope = drafts * draft.memory_seconds, drafts * draft.seconds_per_position

    draft_only = (tokens - 1) * floor / draft_slope
    verify_only = (tokens * floor - draft_floor) / verify_slope
    both = tokens * floor / (draft_slope + verify_slope)
    root = minimum(minimum(draft_only, verify_only), both)

    wins_somewhere = tokens * floor >= draft_floor + floor
    root = where(wins_somewhere, where(root < 1, 0.0, root), 0.0)
    return where(gamma < 1, inf, root)


def _need_no_link(*rooflines):
    for roofline in rooflines:
        if roofline.link is not None:
            raise ValueError(
                f"link = {roofline.link}: the closed form holds with link=None only; "
                f"use speedup or break_even_batch"
            )
