from ..questions import Number, Wrong
from ._facts import chips

CHIPS = chips("A100-80GB-SXM", "H100-SXM", "H100-PCIe", "H200-SXM", "L40S", "A40", "MI300X")


def positions(chip, compute, bandwidth):
    return CHIPS[chip].ridge_point() * compute / bandwidth


def worked(chip, compute, bandwidth):
    return (
        rf"The read takes $1 / {bandwidth}$ of the envelope's, a position $1 / {compute}$. In fp16 "
        rf"the envelope's knee is $R d / 2 = {CHIPS[chip].ridge_point():.2f}$ positions, and the "
        rf"real one $\cdot\,{compute} / {bandwidth} = {positions(chip, compute, bandwidth):.2f}$."
    )


question = Number(
    id="measured-knee",
    topic="measurement",
    chapter="12",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "On the chip {{chip}} a team measures that a model in fp16 reaches {{bandwidth}} of the "
        "bandwidth in a pass of one position, and {{compute}} of the arithmetic peak in large "
        "passes. At how many token positions, batch times width, does the time of the read equal "
        "the time of the arithmetic?"
    ),
    parameters={
        "chip": list(CHIPS),
        "compute": [0.61, 0.66, 0.7, 0.73, 0.82],
        "bandwidth": [0.75, 0.79, 0.86, 0.9, 0.94],
    },
    answer=positions,
    unit="positions",
    rtol=0.003,
    low=1,
    high=2000,
    wrong=[
        Wrong(
            "the data sheet's knee",
            lambda chip, compute, bandwidth: CHIPS[chip].ridge_point(),
            "That takes both peaks as reached. The knee moves with the ratio of what is reached.",
        ),
        Wrong(
            "upside down",
            lambda chip, compute, bandwidth: positions(chip, bandwidth, compute),
            "Poor arithmetic brings the knee sooner, poor bandwidth later.",
        ),
        Wrong(
            "both losses multiplied",
            lambda chip, compute, bandwidth: positions(chip, compute * bandwidth, 1),
            "A slower read leaves more time to hide arithmetic behind: divide by the share of the "
            "bandwidth.",
        ),
    ],
    worked=worked,
)
