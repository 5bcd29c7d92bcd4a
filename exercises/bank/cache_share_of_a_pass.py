from ..questions import Number, Wrong
from ._facts import models

MODELS = models("Llama-2-7B", "Llama-3-8B", "Llama-2-70B", "Llama-3-70B")


def percent(model, batch, context, scale=1):
    shape = MODELS[model]
    cache = batch * context * shape.kv_bytes_per_token * scale
    return 100 * cache / (shape.weight_bytes + cache)


def worked(model, batch, context):
    shape = MODELS[model]
    cache = batch * context * shape.kv_bytes_per_token / 1e9
    return (
        f"A cached token takes {shape.kv_bytes_per_token} bytes, the caches together {cache:.3f} "
        f"GB. The weights are {shape.weight_bytes / 1e9:.3f} GB. The share is "
        f"{percent(model, batch, context):.2f} %."
    )


question = Number(
    id="cache-share-of-a-pass",
    topic="kv-cache",
    chapter="02",
    level="apply",
    minutes=5,
    points=2,
    text=(
        "{{model}} decodes {{batch}} sequences of {{context}} cached tokens each. Weights and "
        "cache are in fp16. A pass reads the weights once and the whole cache of every sequence. "
        "Which share of the bytes read is cache, in percent?"
    ),
    parameters={
        "model": list(MODELS),
        "batch": [6, 9, 14, 20, 28],
        "context": [1150, 1500, 2050, 2700, 3500],
    },
    answer=percent,
    unit="%",
    low=0,
    high=100,
    wrong=[
        Wrong(
            "one sequence's cache",
            lambda model, batch, context: percent(model, 1, context),
            "The batch shares the weights, not the caches: each sequence brings its own.",
        ),
        Wrong(
            "cache over weights",
            lambda model, batch, context: (
                100 * batch * context * MODELS[model].kv_bytes_per_token
                / MODELS[model].weight_bytes
            ),
            "That is cache over weights. The pass reads both, so divide by their sum.",
        ),
        Wrong(
            "keys only",
            lambda model, batch, context: percent(model, batch, context, scale=0.5),
            "A token leaves a key and a value in each layer.",
        ),
    ],
    worked=worked,
)
