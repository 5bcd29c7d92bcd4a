from math import floor

from ..questions import Number, Wrong
from ._facts import models

TARGETS, DRAFTS = models("Llama-2-70B", "Llama-3-70B"), models("Llama-2-7B", "Llama-3-8B")


def sequences(target, draft, usable, context, draft_cache=1, draft_weights=1):
    big, small = TARGETS[target], DRAFTS[draft]
    room = 8 * 80e9 * usable - big.weight_bytes - draft_weights * small.weight_bytes
    each = big.kv_bytes_per_token + draft_cache * small.kv_bytes_per_token
    return floor(room / (context * each))


def worked(target, draft, usable, context):
    big, small = TARGETS[target], DRAFTS[draft]
    room = (640e9 * usable - big.weight_bytes - small.weight_bytes) / 1e9
    each = context * (big.kv_bytes_per_token + small.kv_bytes_per_token) / 1e9
    return (
        f"Usable {640 * usable:g} GB less {big.weight_bytes / 1e9:.2f} and "
        f"{small.weight_bytes / 1e9:.2f} GB of weights leave {room:.2f} GB. A sequence takes "
        f"{context} · ({big.kv_bytes_per_token} + {small.kv_bytes_per_token}) bytes, {each:.4f} "
        f"GB. {room:.2f} / {each:.4f}, rounded down: {sequences(target, draft, usable, context)}."
    )


question = Number(
    id="sequences-that-fit",
    topic="memory",
    chapter="11",
    level="apply",
    minutes=6,
    points=3,
    text=(
        "Target: {{target}}. Draft: {{draft}}. Weights and caches are in fp16 and spread evenly "
        "over 8 cards of 80 GB, of which a fraction {{usable}} may be used. Every sequence has at "
        "most {{context}} tokens, cached by both models. How many whole sequences fit at once? "
        "1 GB is $10^9$ bytes."
    ),
    parameters={
        "target": list(TARGETS),
        "draft": list(DRAFTS),
        "usable": [0.82, 0.85, 0.88, 0.91, 0.94],
        "context": [1100, 1400, 1800, 2300, 2900, 3700],
    },
    answer=sequences,
    unit="sequences",
    rtol=0.003,
    low=1,
    high=10000,
    wrong=[
        Wrong(
            "draft's cache forgotten",
            lambda **values: sequences(**values, draft_cache=0),
            "The draft keeps a cache of its own for every sequence, and it need not be the smaller "
            "one.",
        ),
        Wrong(
            "draft's weights forgotten",
            lambda **values: sequences(**values, draft_weights=0),
            "The draft's weights take room before any cache does.",
        ),
        Wrong(
            "all of the memory",
            lambda **values: sequences(**(values | {"usable": 1})),
            "Only the usable fraction counts: activations and the runtime need the rest.",
        ),
    ],
    worked=worked,
)
