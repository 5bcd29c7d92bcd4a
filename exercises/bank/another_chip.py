from ..questions import Numbers, Wrong


def ridge_and_knee(rate, bandwidth, gamma, width=None):
    ridge = rate * 1e12 / (bandwidth * 1e9)
    return {"ridge_point": ridge, "crossover_batch": ridge * 2 / (2 * (width or gamma + 1))}


def worked(rate, bandwidth, gamma):
    found = ridge_and_knee(rate, bandwidth, gamma)
    return (
        rf"$R = {rate} \cdot 10^{{12}} / ({bandwidth} \cdot 10^9) = {found['ridge_point']:.2f}$ "
        rf"FLOP/B. $B^*({gamma + 1}) = R d / 2w = {2 * found['ridge_point']:.2f} / "
        rf"{2 * (gamma + 1)} = {found['crossover_batch']:.2f}$ sequences."
    )


question = Numbers(
    id="another-chip",
    topic="roofline",
    chapter="10",
    level="recall",
    minutes=4,
    points=2,
    text=(
        "An accelerator does {{rate}} TFLOP/s of dense fp16 arithmetic and reads {{bandwidth}} "
        "GB/s. A target in fp16 verifies γ = {{gamma}} drafts a round on it. Compute the ridge "
        "point and the batch from which a verification pass is compute-bound (no caches, no "
        "overheads). Do not round the batch."
    ),
    parameters={
        "rate": [130, 165, 180, 220, 260, 310, 370, 420],
        "bandwidth": [900, 1150, 1450, 1800, 2300, 2700, 3300],
        "gamma": [2, 3, 4, 5, 7],
    },
    answer=ridge_and_knee,
    units={"ridge_point": "FLOP/B", "crossover_batch": "sequences"},
    wrong=[
        Wrong(
            "w = γ",
            lambda rate, bandwidth, gamma: {
                "crossover_batch": ridge_and_knee(rate, bandwidth, gamma, gamma)["crossover_batch"]
            },
            "A verification pass has γ + 1 positions: the γ drafts and the last committed token.",
        ),
        Wrong(
            "plain decoding",
            lambda rate, bandwidth, gamma: {
                "crossover_batch": ridge_and_knee(rate, bandwidth, gamma, 1)["crossover_batch"]
            },
            "That is the knee of plain decoding, w = 1. Verification is γ + 1 positions wide.",
        ),
        Wrong(
            "bits for bytes",
            lambda rate, bandwidth, gamma: {
                "crossover_batch": 8 * ridge_and_knee(rate, bandwidth, gamma)["crossover_batch"]
            },
            "d is in bytes: 2 for fp16.",
        ),
        Wrong(
            "inverted",
            lambda rate, bandwidth, gamma: {"ridge_point": bandwidth / rate / 1e3},
            "That is bytes for each FLOP. The ridge point is arithmetic over bandwidth.",
        ),
    ],
    worked=worked,
)
