from ..questions import Number, Wrong


def megabytes(layers, heads, kv_heads, head_dim, tokens):
    return 2 * layers * kv_heads * head_dim * 2 * tokens / 1e6


def worked(layers, heads, kv_heads, head_dim, tokens):
    per_token = 2 * layers * kv_heads * head_dim * 2
    return (
        rf"A token takes $2 \cdot {layers} \cdot {kv_heads} \cdot {head_dim} \cdot 2 = "
        f"{per_token}$ "
        f"bytes: a key and a value for each layer and key-value head. The {heads} query heads do "
        f"not count. {tokens} tokens take {per_token * tokens / 1e6:.2f} MB."
    )


question = Number(
    id="kv-cache-of-a-sequence",
    topic="kv-cache",
    chapter="02",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A model has {{layers}} layers, {{heads}} query heads, {{kv_heads}} key-value heads and a "
        "head size of {{head_dim}}. Its KV cache is kept in fp16. How much of it does a sequence "
        "of {{tokens}} tokens take, in MB ($10^6$ bytes)?"
    ),
    parameters={
        "layers": [28, 32, 36, 40, 48, 60, 80],
        "heads": [32, 40, 64],
        "kv_heads": [4, 8, 16],
        "head_dim": [64, 128],
        "tokens": [1100, 1300, 1700, 1900, 2300, 2900],
    },
    answer=megabytes,
    unit="MB",
    low=10,
    high=1e5,
    wrong=[
        Wrong(
            "keys only",
            lambda **values: megabytes(**values) / 2,
            "A token leaves a key and a value in each layer: twice as much.",
        ),
        Wrong(
            "query heads",
            lambda **values: megabytes(**values) * values["heads"] / values["kv_heads"],
            "Grouped queries share keys and values: count the key-value heads.",
        ),
        Wrong(
            "bits for bytes",
            lambda **values: megabytes(**values) * 8,
            "An fp16 number takes 2 bytes; 16 is its bits.",
        ),
    ],
    worked=worked,
)
