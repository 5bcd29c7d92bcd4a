from ..questions import Number, Wrong
from ._facts import NVIDIA_CARDS, chips

CHIPS = chips(*NVIDIA_CARDS, "L4", "TPU-v5e", "TPU-v4", "MI300X", "B200")
BYTES = {"fp16": 2, "int8": 1}


def positions(chip, storage, rows, scale=1):
    return CHIPS[chip].ridge_point() * BYTES[storage] * scale / 2 - rows


def worked(chip, storage, rows):
    knee = CHIPS[chip].ridge_point() * BYTES[storage] / 2
    return (
        rf"The arithmetic catches up with the read at $R d / 2 = {knee:.2f}$ positions. {rows} are "
        f"taken by the decoding sequences, which leaves {knee - rows:.2f}."
    )


question = Number(
    id="free-prompt-positions",
    topic="batching",
    chapter="03",
    level="apply",
    minutes=4,
    points=2,
    text=(
        "A continuous batch decodes {{rows}} sequences, one position each, on this chip: {{chip}}. "
        "The weights are stored in {{storage}} and multiplied in fp16. A chunk of a new prompt "
        "rides along in the same pass. How many prompt positions can it have before the pass "
        "takes longer than one read of the weights? Give the number before rounding; attention "
        "is left out."
    ),
    parameters={
        "chip": list(CHIPS),
        "storage": list(BYTES),
        "rows": [9, 13, 18, 24, 29, 35, 42, 48],
    },
    answer=positions,
    unit="positions",
    low=0,
    high=1000,
    wrong=[
        Wrong(
            "decoding rows forgotten",
            lambda **values: positions(**values) + values["rows"],
            "The decoding sequences use the same arithmetic. Take their positions off.",
        ),
        Wrong(
            "one FLOP a parameter",
            lambda **values: positions(**values, scale=2),
            "A position costs 2 FLOP a parameter, so the knee is at R·d/2 positions.",
        ),
        Wrong(
            "bits for bytes",
            lambda **values: positions(**values, scale=8),
            "d is in bytes: 2 for fp16, 1 for int8.",
        ),
    ],
    worked=worked,
)
