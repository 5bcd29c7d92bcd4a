from ..questions import Number, Wrong
from ._facts import chips, models

CHIPS = chips("A100-80GB-SXM", "A100-40GB-SXM", "H100-SXM", "H100-PCIe", "H200-SXM", "A40", "L40S",
              "MI300X")  # fmt: skip
MODELS = models("Llama-2-70B", "Llama-3-70B", "Llama-3-8B", "Llama-3.1-405B")


def context(chip, model, gamma, positions=None, attention=1):
    shape, width = MODELS[model], positions or gamma + 1
    flops = 4 * shape.layers * shape.heads * shape.head_dim * attention
    more_bytes = CHIPS[chip].ridge_point() * shape.kv_bytes_per_token - flops * width
    return 2 * shape.params * width / more_bytes


def worked(chip, model, gamma):
    shape = MODELS[model]
    return (
        rf"$κ = {shape.kv_bytes_per_token}$ B, $a = 4 \cdot {shape.layers} \cdot {shape.heads} "
        rf"\cdot {shape.head_dim} = {4 * shape.layers * shape.heads * shape.head_dim}$ FLOP, $R = "
        rf"{CHIPS[chip].ridge_point():.2f}$ FLOP/B, $w = {gamma + 1}$. A further sequence brings "
        r"$(2N + aL) w$ FLOP and $L κ$ bytes; equal to the ridge at "
        rf"$L = 2Nw / (Rκ - aw) = {context(chip, model, gamma):.1f}$ tokens."
    )


question = Number(
    id="context-without-knee",
    topic="memory",
    chapter="11",
    level="analyse",
    minutes=10,
    points=4,
    text=(
        "A target of this shape: {{model}}, in fp16, verifies γ = {{gamma}} drafts on the chip "
        "{{chip}}, per card that would hold it. The cache is in fp16 too. A pass takes the longer "
        "of reading weights and all caches once, and its arithmetic: 2 FLOP for each parameter and "
        "position, and 4 · layers · query heads · head size FLOP for each position and cached "
        "token. From how many cached tokens a sequence on does no batch, however large, make the "
        "pass compute-bound?"
    ),
    parameters={"chip": list(CHIPS), "model": list(MODELS), "gamma": [1, 2, 3, 4, 5]},
    answer=context,
    unit="tokens",
    low=100,
    high=1e6,
    wrong=[
        Wrong(
            "attention forgotten",
            lambda chip, model, gamma: context(chip, model, gamma, attention=0),
            "Every position also attends to all cached tokens; that arithmetic grows with the "
            "context.",
        ),
        Wrong(
            "plain decoding",
            lambda chip, model, gamma: context(chip, model, gamma, positions=1),
            "That is the limit for one position a sequence. Verification brings γ + 1 times the "
            "arithmetic for the same bytes.",
        ),
        Wrong(
            "w = γ",
            lambda chip, model, gamma: (
                context(chip, model, gamma, positions=gamma)
            ),
            "Verification takes in γ + 1 positions a sequence.",
        ),
    ],
    worked=worked,
)
