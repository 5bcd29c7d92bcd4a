from ..questions import Number, Wrong

BYTES = {"fp16": 2, "int8": 1, "int4": 0.5}


def intensity(batch, gamma, storage):
    return 2 * batch * (gamma + 1) / BYTES[storage]


def worked(batch, gamma, storage):
    return (
        rf"$2 B w / d = 2 \cdot {batch} \cdot {gamma + 1} / {BYTES[storage]} = "
        f"{intensity(batch, gamma, storage):g}$ FLOP/B. The size of the model cancels."
    )


question = Number(
    id="intensity-of-a-pass",
    topic="roofline",
    chapter="05",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A target with weights stored in {{storage}} verifies γ = {{gamma}} drafts for each of "
        "{{batch}} sequences in one pass. How many FLOP does it do for each byte of weights it "
        "reads? Take 2 FLOP for each parameter and position."
    ),
    parameters={
        "batch": [3, 5, 7, 9, 11, 13, 17, 19, 23, 26, 29, 31, 37],
        "gamma": [2, 3, 4, 5, 6, 7],
        "storage": list(BYTES),
    },
    answer=intensity,
    unit="FLOP/B",
    low=1,
    high=1e5,
    wrong=[
        Wrong(
            "w = γ",
            lambda batch, gamma, storage: intensity(batch, gamma - 1, storage),
            "The pass takes in the last committed token too: γ + 1 positions.",
        ),
        Wrong(
            "one FLOP a parameter",
            lambda batch, gamma, storage: intensity(batch, gamma, storage) / 2,
            "Each parameter is multiplied and added: 2 FLOP.",
        ),
        Wrong(
            "bits for bytes",
            lambda batch, gamma, storage: intensity(batch, gamma, storage) / 8,
            "d is in bytes: fp16 2, int8 1, int4 one half.",
        ),
    ],
    worked=worked,
)
