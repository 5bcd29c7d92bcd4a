from ..questions import Number, Wrong
from ._facts import chips

CHIPS = chips("A100-80GB-SXM", "A100-40GB-SXM", "H100-SXM", "H200-SXM", "L40S", "A40", "TPU-v5e",
              "TPU-v4", "MI300X", "L4")  # fmt: skip
BYTES = {"fp16": 2, "int4": 0.5}


def percent(chip, batch, storage):
    return 100 * 2 * batch / BYTES[storage] / CHIPS[chip].ridge_point()


def worked(chip, batch, storage):
    needed = 2 * batch / BYTES[storage]
    return (
        rf"A pass does $2 B / d = 2 \cdot {batch} / {BYTES[storage]} = {needed:g}$ FLOP for each "
        rf"byte it reads. The chip could do $R = {CHIPS[chip].ridge_point():.2f}$. The share is "
        f"{percent(chip, batch, storage):.3f} %."
    )


question = Number(
    id="share-of-peak",
    topic="roofline",
    chapter="01",
    level="apply",
    minutes=4,
    points=2,
    text=(
        "A model whose weights are stored in {{storage}} and multiplied in fp16 decodes "
        "{{batch}} sequences, one position each, on this chip: {{chip}}. The pass is memory-bound: "
        "it takes as long as one read of the weights. Which share of the chip's peak fp16 "
        "arithmetic does it use, in percent? Take 2 FLOP for each parameter and position."
    ),
    parameters={
        "chip": list(CHIPS),
        "batch": [3, 4, 5, 7, 9, 11, 13, 17, 21, 26, 31],
        "storage": list(BYTES),
    },
    answer=percent,
    unit="%",
    low=0,
    high=100,
    wrong=[
        Wrong(
            "bytes of a parameter forgotten",
            lambda chip, batch, storage: 200 * batch / CHIPS[chip].ridge_point(),
            "The ridge point counts FLOP for each byte. Divide the FLOP of a parameter by the "
            "bytes it takes.",
        ),
        Wrong(
            "one FLOP a parameter",
            lambda chip, batch, storage: percent(chip, batch, storage) / 2,
            "A parameter is multiplied and added: 2 FLOP for each position.",
        ),
        Wrong(
            "bits for bytes",
            lambda chip, batch, storage: percent(chip, batch, storage) / 8,
            "d is in bytes. fp16 takes 2 bytes a parameter, int4 half a byte.",
        ),
    ],
    worked=worked,
)
