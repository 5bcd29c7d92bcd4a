"""The ridge point of a chip."""

from ..questions import Number, Wrong


def ridge(rate, bandwidth):
    return rate * 1e12 / (bandwidth * 1e9)


def worked(rate, bandwidth):
    return (f"$R = {rate}\\times10^{{12}} / ({bandwidth}\\times10^9) = "
            f"{ridge(rate, bandwidth):.2f}$ FLOP/B")


question = Number(
    id="ridge-point",
    topic="arithmetic intensity",
    chapter="05",
    level="recall",
    minutes=2,
    points=1,
    text="A chip has a peak dense fp16 rate of {{rate}} TFLOP/s and a memory bandwidth of "
         "{{bandwidth}} GB/s. What is its ridge point $R$, in FLOP/B?",
    parameters={
        "rate": [121, 165, 197, 200, 275, 312, 362, 426, 512, 756, 989],
        "bandwidth": [819, 864, 936, 1200, 1555, 2039, 2400, 3000, 3350, 4800],
    },
    answer=ridge,
    unit="FLOP/B",
    low=1,
    high=5000,
    wrong=[
        Wrong("inverted", lambda rate, bandwidth: 1 / ridge(rate, bandwidth),
              "That is bytes per FLOP. The ridge point is arithmetic over bandwidth."),
        Wrong("prefixes not put in", lambda rate, bandwidth: rate / bandwidth,
              "Put both in SI units before dividing: tera over giga leaves a factor of 1000."),
        Wrong("sparse peak", lambda rate, bandwidth: 2 * ridge(rate, bandwidth),
              "Take the dense peak as given. The doubled figure is for structured sparsity."),
    ],
    worked=worked,
)
