from ..questions import Number, Wrong
from ._facts import chips, rooflines

CHIPS = chips("A100-40GB-SXM", "L40S", "A100-80GB-SXM", "H100-SXM", "H200-SXM", "A40")


def milliseconds(chip, billions, prompt):
    (latency,) = rooflines(CHIPS[chip], billions)
    return latency(1, prompt) * 1e3


def reading(chip, billions):
    return rooflines(CHIPS[chip], billions)[0].memory_seconds * 1e3


def worked(chip, billions, prompt):
    return (
        f"Reading the weights takes {reading(chip, billions):.2f} ms. The arithmetic is "
        rf"$2 \cdot {billions} \cdot 10^9 \cdot {prompt}$ FLOP and takes "
        f"{milliseconds(chip, billions, prompt):.2f} ms, which is longer: prefill is compute-bound."
    )


question = Number(
    id="prefill-time",
    topic="roofline",
    chapter="01",
    level="apply",
    minutes=4,
    points=2,
    text=(
        "A model of {{billions}} billion parameters in fp16 takes in a prompt of {{prompt}} "
        "tokens, alone and in one pass, on this chip: {{chip}}. The pass takes the longer of "
        "reading the weights once and doing 2 FLOP for each parameter and position at the peak "
        "rate; attention is left out. How long does it take, in ms?"
    ),
    parameters={
        "chip": list(CHIPS),
        "billions": [7, 8, 9, 12, 13, 14.7],
        "prompt": [730, 880, 1050, 1240, 1460, 1750, 2100, 2500],
    },
    answer=milliseconds,
    unit="ms",
    low=1,
    high=5000,
    wrong=[
        Wrong(
            "memory time",
            lambda chip, billions, prompt: reading(chip, billions),
            "That is the read of the weights. A prompt of this length brings more arithmetic than "
            "the read can hide.",
        ),
        Wrong(
            "token by token",
            lambda chip, billions, prompt: prompt * reading(chip, billions),
            "The tokens of a prompt are known, so one pass takes them all in and reads the weights "
            "once.",
        ),
        Wrong(
            "one FLOP a parameter",
            lambda chip, billions, prompt: milliseconds(chip, billions, prompt) / 2,
            "Each parameter is multiplied and added: 2 FLOP a position.",
        ),
        Wrong(
            "sum of both times",
            lambda chip, billions, prompt: (
                milliseconds(chip, billions, prompt) + reading(chip, billions)
            ),
            "Reading and arithmetic overlap. The pass takes the longer of the two, not their sum.",
        ),
    ],
    worked=worked,
)
