from crossover.theory import speedup

from ..questions import Numbers, Wrong
from ._facts import ENVELOPE, ROUND, SHARED_CHIP, chips, rooflines

CHIPS = chips(
    "A100-80GB-SXM",
    "A100-40GB-SXM",
    "H100-SXM",
    "H200-SXM",
    "A40",
    "L40S",
    "TPU-v5e",
    "MI300X",
    show=["fp16", "int8", "bandwidth"],
)


def int8(chip, size):
    return rooflines(CHIPS[chip], size, bytes_per_param=1, precision="int8")[0]


def ripple(chip, batch, gamma, alpha):
    (draft,) = rooflines(CHIPS[chip], 7)
    return measures(int8(chip, 70), draft, batch, gamma, alpha)


def measures(target, draft, batch, gamma, alpha):
    return {
        "ridge_point": target.accelerator.ridge_point(target.precision),
        "crossover_batch": target.crossover_batch(gamma + 1),
        "read_ms": target.memory_seconds * 1e3,
        "speedup": speedup(target, draft, batch, gamma, alpha),
    }


def pick(found, *names):
    """Return of a mistake what it touches."""
    return {name: found[name] for name in names}


def both_quantised(chip, batch, gamma, alpha):
    return pick(measures(int8(chip, 70), int8(chip, 7), batch, gamma, alpha), "speedup")


def fp16_arithmetic(chip, batch, gamma, alpha):
    (draft,) = rooflines(CHIPS[chip], 7)
    (target,) = rooflines(CHIPS[chip], 70, bytes_per_param=1)
    found = measures(target, draft, batch, gamma, alpha)
    return pick(found, "ridge_point", "crossover_batch", "speedup")


def two_bytes(chip, batch, gamma, alpha):
    (draft,) = rooflines(CHIPS[chip], 7)
    (target,) = rooflines(CHIPS[chip], 70, precision="int8")
    return pick(measures(target, draft, batch, gamma, alpha), "crossover_batch", "read_ms")


def worked(chip, batch, gamma, alpha):
    found, (draft,) = ripple(chip, batch, gamma, alpha), rooflines(CHIPS[chip], 7)
    return (
        rf"$R = {found['ridge_point']:.2f}$ FLOP/B. $d$ = 1, so $B^*({gamma + 1}) = R d / 2w = "
        rf"{found['crossover_batch']:.2f}$: about where it was in fp16, since the rate about "
        f"doubles as the bytes halve. A read takes {found['read_ms']:.2f} ms, half of before. The "
        f"draft step, still fp16, stays at {draft(batch, 1) * 1e3:.3f} ms, a larger share of the "
        f"round than before: speedup {found['speedup']:.3f}."
    )


question = Numbers(
    id="quantise-the-target",
    topic="quantisation",
    chapter="10",
    level="analyse",
    minutes=12,
    points=4,
    text=(
        "To save memory a team quantises its target of 70 billion parameters to int8, weights and "
        "arithmetic. The draft of 7 billion stays in fp16, weights and arithmetic. Both run on "
        + SHARED_CHIP
        + ENVELOPE
        + ROUND
        + "γ = {{gamma}}, α = {{alpha}}. For the quantised target give the ridge point, the batch "
        "from which verification is compute-bound (not rounded), and the time of one read of its "
        "weights (`read_ms`). Then give the speedup over plain decoding with the quantised target "
        "at $B$ = {{batch}}."
    ),
    parameters={
        "chip": list(CHIPS),
        "batch": [1, 2, 3, 104, 113, 122, 131],
        "gamma": [3, 4, 5, 6],
        "alpha": [0.66, 0.7, 0.74, 0.78, 0.82],
    },
    answer=ripple,
    units={
        "ridge_point": "FLOP/B",
        "crossover_batch": "sequences",
        "read_ms": "ms",
        "speedup": "1",
    },
    wrong=[
        Wrong(
            "both quantised",
            both_quantised,
            "Only the target is quantised. The draft's steps take as long as before and become a "
            "larger part of the round.",
        ),
        Wrong(
            "arithmetic still fp16",
            fp16_arithmetic,
            "Weights *and* arithmetic are int8 here, so the target's rate is the chip's int8 rate.",
        ),
        Wrong(
            "two bytes a parameter",
            two_bytes,
            "An int8 weight takes one byte, so d halves and half as much is read.",
        ),
    ],
    worked=worked,
)
