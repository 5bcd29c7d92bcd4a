"""From logits to tokens: temperature, top-p, and exact speculative sampling.

Leviathan, Kalman and Matias (2023), arXiv:2211.17192; Chen et al. (2023),
arXiv:2302.01318. A draft token x, drawn from q, is accepted with probability
min(1, p(x)/q(x)); after a rejection the token comes from the residual
max(0, p - q) / sum(max(0, p - q)). What is emitted then follows p, whatever q was.
Temperature 0 is the case where p and q each put everything on one token.
"""

import numpy as np


def check(temperature, top_p):
    """Raise `ValueError` unless temperature >= 0 and 0 < top_p <= 1."""
    if not (np.isfinite(temperature) and temperature >= 0):
        raise ValueError(f"temperature must be a finite number >= 0, got {temperature}")
    if not 0 < top_p <= 1:
        raise ValueError(f"top_p must be in (0, 1], got {top_p}")


def distribution(logits, temperature=1.0, top_p=1.0):
    """Probabilities ``(..., vocabulary)``, in float64, that sampling draws from.

    Temperature divides the logits; 0 puts all on the largest (the first among equals).
    Top-p keeps the likeliest tokens until they hold `top_p`, always at least one, and
    scales them to sum to 1.
    """
    check(temperature, top_p)
    logits = np.asarray(logits, np.float64)
    if temperature == 0:
        p = np.zeros(logits.shape)
        np.put_along_axis(p, logits.argmax(-1)[..., None], 1.0, -1)
        return p
    p = (logits - logits.max(-1, keepdims=True)) / temperature
    np.exp(p, out=p)
    p /= p.sum(-1, keepdims=True)
    if top_p < 1:
        order = np.argsort(-p, -1, kind="stable")
        ranked = np.take_along_axis(p, order, -1)
        ranked[np.cumsum(ranked, -1) - ranked >= top_p] = 0
        np.put_along_axis(p, order, ranked, -1)
        p /= p.sum(-1, keepdims=True)
    return p


def sample(p, uniform):
    """One token for each row of `p` ``(rows, vocabulary)``, from `uniform` numbers in [0, 1)."""
    running = np.cumsum(p, -1)
    # Scaled, so that rounding in the sum can never point past the last possible token.
    return (running <= np.asarray(uniform)[:, None] * running[:, -1:]).sum(-1)


def accept_probability(p, q):
    """Probability min(1, p/q) that a token drawn with `q` is kept; 1 where q is 0."""
    return np.minimum(
        1.0,
        np.divide(
            p,
            q,
            out=np.ones(np.broadcast_shapes(np.shape(p), np.shape(q))),
            where=np.asarray(q) > 0,
        ),
    )


def residual(p, q):
    """The distribution that replaces a rejected token, max(0, p - q) scaled to sum to 1.

    Where p equals q nothing is ever rejected and p itself is returned.
    """
    left = np.maximum(p - q, 0.0)
    total = left.sum(-1, keepdims=True)
    return np.where(total > 0, left / np.where(total > 0, total, 1.0), p)


def verify(p, q, drafts, gammas, uniform):
    """Accept or reject the drafts of several sequences, and choose each one's next token.

    Parameters
    ----------
    p : array, ``(rows, gamma + 1, vocabulary)``
        The target's distributions before each draft, and after the last.
    q : array, ``(rows, gamma, vocabulary)``
        What each draft was drawn from; zeros past a row's own gamma.
    drafts : int array, ``(rows, gamma)``
    gammas : int array, ``(rows,)``
        Drafts of each row, at most gamma.
    uniform : array, ``(rows, gamma + 1)``
        Numbers in [0, 1): one to test each draft, the last to draw the next token.

    Returns
    -------
    accepted, following : int arrays, ``(rows,)``
        Drafts kept, and the correction (after a rejection) or bonus token (after none).
    """
    rows, width = np.arange(len(p)), q.shape[1]
    each = (rows[:, None], np.arange(width), drafts)
    keep = uniform[:, :width] < accept_probability(p[:, :width][each], q[each])
    keep &= np.arange(width) < np.asarray(gammas)[:, None]
    accepted = np.cumprod(keep, 1, dtype=np.int64).sum(1)
    # q is zero after a row's last draft, so there the residual is p: the bonus token.
    past = np.concatenate([q, np.zeros_like(p[:, :1])], 1)
    return accepted, sample(residual(p[rows, accepted], past[rows, accepted]), uniform[:, -1])
