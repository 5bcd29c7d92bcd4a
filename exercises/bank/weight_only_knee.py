from ..questions import Number, Wrong
from ._facts import NVIDIA_CARDS, chips

CHIPS = chips(*NVIDIA_CARDS, "L4", "A10", "TPU-v5e", "MI300X", show=["fp16", "int8", "bandwidth"])
BYTES = {"W8A16 (int8 weights, fp16 arithmetic)": 1, "W4A16 (int4 weights, fp16 arithmetic)": 0.5}


def knee(chip, scheme, gamma, bytes_per_param=None):
    return CHIPS[chip].ridge_point() * (bytes_per_param or BYTES[scheme]) / (2 * (gamma + 1))


def worked(chip, scheme, gamma):
    ridge = CHIPS[chip].ridge_point()
    return (
        rf"The arithmetic is fp16, so $R = {ridge:.2f}$ FLOP/B stays; $d = {BYTES[scheme]}$. "
        rf"$B^* = R d / 2w = {ridge * BYTES[scheme]:.2f} / {2 * (gamma + 1)} = "
        f"{knee(chip, scheme, gamma):.3f}$."
    )


question = Number(
    id="weight-only-knee",
    topic="quantisation",
    chapter="09",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A target is quantised to {{scheme}} and verifies γ = {{gamma}} drafts on this chip: "
        "{{chip}}. From which batch on is verification compute-bound? Do not round."
    ),
    parameters={"chip": list(CHIPS), "scheme": list(BYTES), "gamma": [2, 3, 4, 5, 6, 7]},
    answer=knee,
    unit="sequences",
    low=0.5,
    high=1000,
    wrong=[
        Wrong(
            "unquantised",
            lambda chip, scheme, gamma: knee(chip, scheme, gamma, bytes_per_param=2),
            "That is the knee of the fp16 model, and of int8 weights with int8 arithmetic. Here "
            "the read gets shorter and the arithmetic, in fp16, does not.",
        ),
        Wrong(
            "w = γ",
            lambda chip, scheme, gamma: knee(chip, scheme, gamma - 1),
            "Verification takes in γ + 1 positions a sequence.",
        ),
        Wrong(
            "bits for bytes",
            lambda chip, scheme, gamma: 8 * knee(chip, scheme, gamma),
            "d is in bytes: 1 for 8 bits, one half for 4.",
        ),
    ],
    worked=worked,
)
