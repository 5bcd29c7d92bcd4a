from ..questions import Number, Wrong
from ._facts import NVIDIA_CARDS, chips

CHIPS = chips(*NVIDIA_CARDS, "L4", "A10", "MI300X", "B200", show=["sparse", "bandwidth"])


def knee(chip, gamma):
    return CHIPS[chip].ridge_point() / (gamma + 1)


def worked(chip, gamma):
    ridge = CHIPS[chip].ridge_point()
    return (
        "Dense weights reach half the rate with sparsity: "
        f"{CHIPS[chip].peak_flops['fp16'] / 1e12:g} TFLOP/s, $R = {ridge:.2f}$ FLOP/B. With "
        rf"$d = 2$, $B^* = R d / 2w = {ridge:.2f} / {gamma + 1} = {knee(chip, gamma):.2f}$."
    )


question = Number(
    id="sparse-data-sheet",
    topic="roofline",
    chapter="05",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A vendor's page gives this chip as: {{chip}}. *With sparsity* means 2:4 structured "
        "sparsity, at twice the dense rate. Your fp16 target is not sparse and verifies γ = "
        "{{gamma}} drafts. From which batch on is verification compute-bound? Do not round."
    ),
    parameters={"chip": list(CHIPS), "gamma": [2, 3, 4, 5, 6, 7, 8, 9, 10]},
    answer=knee,
    unit="sequences",
    low=1,
    high=2000,
    wrong=[
        Wrong(
            "sparse peak",
            lambda chip, gamma: 2 * knee(chip, gamma),
            "Half of the advertised rate needs weights with two zeros in every four. Dense weights "
            "do not have them.",
        ),
        Wrong(
            "w = γ",
            lambda chip, gamma: knee(chip, gamma) * (gamma + 1) / gamma,
            "A verification pass has γ + 1 positions a sequence.",
        ),
        Wrong(
            "plain decoding",
            lambda chip, gamma: knee(chip, 0),
            "That is the knee of plain decoding. A pass γ + 1 positions wide reaches it sooner.",
        ),
    ],
    worked=worked,
)
