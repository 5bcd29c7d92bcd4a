"""What cached tokens cost a pass: bytes to read, arithmetic to do.

Every pass reads the whole cache of each of its sequences, once, and every
position it computes attends to all of it. Both grow with batch x context, so no
batch spreads them over more sequences as it spreads the weights (Pope et al.
2022; Chen et al. 2024, MagicDec). The positions of the pass's own window attend
to each other too; that is neglected, since a window is short beside a context.
"""

import numpy as np

from .models import SHAPE
from .speculation import expected_tokens
from .tracing import is_traced, maximum
from .validation import check_number


def cached_token_cost(model, context):
    """Return (kappa, a): bytes and FLOPs that one cached token costs.

    kappa = 2·layers·kv_heads·head_dim·bytes, read once per sequence and pass.
    a = 4·layers·heads·head_dim, done once per position: a multiply and an add
    for each element of the query-key product, and again for the weighted sum of
    values. Grouped queries shrink kappa by kv_heads / heads and leave a alone.

    Parameters
    ----------
    model : Model
    context : number, array or traced
        L, cached tokens per sequence; here only to know whether there are any.

    Returns
    -------
    (number or traced, number or traced)
        (0, 0) for a model without a shape when `context` is 0 everywhere.

    Raises
    ------
    ValueError
        `context` is above 0, or traced, and the model lacks a shape field.
    """
    shapeless = any(getattr(model, field) is None for field in SHAPE)
    if shapeless and not is_traced(context) and not np.any(context):
        return 0, 0
    model.need_shape("context above 0", *SHAPE)
    return model.kv_bytes_per_token, 4 * model.layers * model.heads * model.head_dim


def cache_copies(model, tensor_parallel):
    """Return how many times a tensor-parallel group stores and reads the cache.

    Chips divide the key-value heads among them. Beyond one head a chip there is
    nothing left to divide, and chips hold copies: max(1, degree / kv_heads).

    Parameters
    ----------
    model : Model
    tensor_parallel : number or traced
        Chips in the group.

    Returns
    -------
    float or traced
        1 for a model without a shape, whose cache is not counted.
    """
    if model.kv_heads is None:
        return 1.0
    return maximum(1.0, tensor_parallel / model.kv_heads)


def long_context_speedup(target, draft, gamma, alpha, draft_share=1):
    """Return the speedup of two rooflines as the context grows without bound.

    The cache is all that counts then, at every batch: E[T]·c(1) / (c(gamma + 1)
    + gamma·share·c_draft(1)), where c(w) is `Roofline.seconds_per_cached_token`.
    While attention waits for memory, c does not depend on w, and this is
    E[T] / (1 + gamma·share·kappa_draft/kappa_target).

    Parameters
    ----------
    target, draft : Roofline
    gamma, alpha : number, array or traced
    draft_share : number, array or traced
        The draft's context over the target's, 0 to 1. 0 stands for a draft that
        keeps a fixed number of tokens however long the context.

    Raises
    ------
    ValueError
        A parameter out of range, or a model without a shape.
    """
    tokens = expected_tokens(alpha, gamma)
    share = check_number("draft_share", draft_share, 0, 1)
    drafting = gamma * share * draft.seconds_per_cached_token(1)
    verifying = target.seconds_per_cached_token(gamma + 1)
    return tokens * target.seconds_per_cached_token(1) / (verifying + drafting)
