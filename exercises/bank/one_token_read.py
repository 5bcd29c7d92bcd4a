from ..questions import Number, Wrong
from ._facts import CARDS, chips, rooflines

CHIPS = chips(*CARDS, "A40", "B200")


def milliseconds(chip, billions):
    (latency,) = rooflines(CHIPS[chip], billions)
    return latency(1, 1) * 1e3


def worked(chip, billions):
    return (
        rf"${billions} \cdot 10^9 \cdot 2$ bytes are {2 * billions:g} GB. At "
        f"{CHIPS[chip].bandwidth / 1e9:g} GB/s they take {milliseconds(chip, billions):.3f} ms. "
        "The arithmetic of one position takes far less and runs meanwhile."
    )


question = Number(
    id="one-token-read",
    topic="roofline",
    chapter="00",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A model of {{billions}} billion parameters in fp16 decodes one sequence on this chip: "
        "{{chip}}. The weights are read once a step, at the full bandwidth, and nothing else "
        "counts. How long does a step take, in ms?"
    ),
    parameters={
        "chip": list(CHIPS),
        "billions": [3, 3.8, 4, 7, 8, 9, 10.7, 12, 13, 14.7],
    },
    answer=milliseconds,
    unit="ms",
    low=0.1,
    high=200,
    wrong=[
        Wrong(
            "a byte a parameter",
            lambda chip, billions: milliseconds(chip, billions) / 2,
            "A parameter in fp16 takes 2 bytes, so twice as many bytes have to be read.",
        ),
        Wrong(
            "bits for bytes",
            lambda chip, billions: 8 * milliseconds(chip, billions),
            "The bandwidth is in bytes a second. 16 bits are 2 bytes.",
        ),
        Wrong(
            "arithmetic time",
            lambda chip, billions: 2 * billions * 1e12 / CHIPS[chip].peak_flops["fp16"],
            "That is the time of the arithmetic. With one sequence the chip waits for its weights, "
            "so the read sets the time.",
        ),
    ],
    worked=worked,
)
