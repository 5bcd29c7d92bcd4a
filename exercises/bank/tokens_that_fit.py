from ..questions import Number, Wrong
from ._facts import CARDS, chips, models

CHIPS = chips(*CARDS, show=["memory"])
MODELS = models("Llama-2-7B", "Llama-3-8B")


def tokens(card, cards, model, usable, weights=1, halves=1):
    shape = MODELS[model]
    room = cards * CHIPS[card].memory * usable - weights * shape.weight_bytes
    return room / (shape.kv_bytes_per_token * halves)


def worked(card, cards, model, usable):
    shape = MODELS[model]
    room = cards * CHIPS[card].memory * usable
    return (
        f"Usable: {room / 1e9:.2f} GB. Weights: {shape.weight_bytes / 1e9:.2f} GB. What is left, "
        f"over {shape.kv_bytes_per_token} bytes a token, is "
        f"{tokens(card, cards, model, usable):.0f} tokens."
    )


question = Number(
    id="tokens-that-fit",
    topic="memory",
    chapter="02",
    level="apply",
    minutes=5,
    points=2,
    text=(
        "{{model}}, in fp16, runs on {{cards}} of these cards together: {{card}} each. Weights and "
        "KV cache may take a fraction {{usable}} of the memory; both are split evenly over the "
        "cards, without copies. The cache is in fp16. How many tokens can be cached, all "
        "sequences together? 1 GB is $10^9$ bytes."
    ),
    parameters={
        "card": list(CHIPS),
        "cards": [1, 2],
        "model": list(MODELS),
        "usable": [0.8, 0.83, 0.86, 0.9, 0.94],
    },
    answer=tokens,
    unit="tokens",
    low=1000,
    high=1e8,
    wrong=[
        Wrong(
            "weights forgotten",
            lambda **values: tokens(**values, weights=0),
            "The weights lie in the same memory. Take them off first.",
        ),
        Wrong(
            "all of the memory",
            lambda **values: tokens(**(values | {"usable": 1})),
            "Activations and the runtime need the rest: only the usable fraction counts.",
        ),
        Wrong(
            "keys only",
            lambda **values: tokens(**values, halves=0.5),
            "A token leaves a key and a value in each layer.",
        ),
        Wrong(
            "a byte a parameter",
            lambda **values: tokens(**values, weights=0.5),
            "fp16 weights take 2 bytes a parameter.",
        ),
    ],
    worked=worked,
)
