from crossover.theory import (
    Accelerator,
    crossover_batch,
    expected_tokens,
    roofline_break_even,
    speedup,
)

from ..questions import Function, Wrong
from ._facts import THE_ENVELOPE, rooflines


def pair(tflops, gbs):
    return rooflines(Accelerator("chip", tflops * 1e12, gbs * 1e9), 70, 7)


def three_numbers(tflops, gbs, gamma, alpha, reached):
    """At small batch only the bandwidth counts, and the share of the peak cancels."""
    target, draft = pair(tflops * reached / 100, gbs)
    return [
        float(target.crossover_batch(gamma + 1)),
        float(roofline_break_even(target, draft, gamma, alpha)),
        float(speedup(target, draft, 1, gamma, alpha)),
    ]


def at_the_peak(tflops, gbs, gamma, alpha, reached):
    target, draft = pair(tflops, gbs)
    return [
        float(crossover_batch(tflops * 1e12, gbs * 1e9, 2, gamma + 1)),
        float(roofline_break_even(target, draft, gamma, alpha)),
        float(speedup(target, draft, 1, gamma, alpha)),
    ]


def window_of_gamma(tflops, gbs, gamma, alpha, reached):
    knee, even, gain = three_numbers(tflops, gbs, gamma, alpha, reached)
    return [knee * (gamma + 1) / gamma, even * (gamma + 1) / gamma, gain]


def drafting_forgotten(tflops, gbs, gamma, alpha, reached):
    knee, _, _ = three_numbers(tflops, gbs, gamma, alpha, reached)
    tokens = expected_tokens(alpha, gamma)
    return [knee, knee * tokens, tokens]


def draw_inputs(rng, reached):
    return [
        (
            rng.randrange(150, 1000, 10),
            rng.randrange(600, 2400, 50),
            rng.randint(2, 5),
            round(rng.uniform(0.65, 0.88), 3),
        )
        for _ in range(12)
    ]


question = Function(
    id="core-concept",
    topic="throughput",
    chapter="10",
    level="apply",
    minutes=40,
    points=6,
    text=(
        "Put the core of Part II into one short program. A target of 70e9 and a draft of 7e9 "
        "parameters, both in fp16, run on a chip with `tflops` TFLOP/s of dense fp16 arithmetic "
        "and `gbs` GB/s of bandwidth. Matrix products reach {{reached}} % of that arithmetic; the "
        "bandwidth is reached in full. Otherwise passes take what the envelope says, without "
        "context."
        + THE_ENVELOPE
        + "\n\nWrite `core_concept(tflops, gbs, gamma, alpha)`: a list of the batch from which "
        "verification is compute-bound, the break-even batch (both not rounded) and the speedup at "
        "batch 1. About twenty lines are enough. Try it on the three chips of "
        "the examples, and see on which of them speculation pays longest."
    ),
    parameters={"reached": list(range(55, 96)) + [round(55.5 + step, 1) for step in range(40)]},
    name="core_concept",
    signature="tflops, gbs, gamma, alpha",
    answer=three_numbers,
    inputs=draw_inputs,
    examples=[(312, 2039, 4, 0.75), (989, 3350, 4, 0.75), (121, 300, 4, 0.75)],
    rtol=1e-5,
    wrong=[
        Wrong(
            "calls the library",
            at_the_peak,
            "The library's functions were called with the peak rate. Only a share of it is "
            "reached here.",
        ),
        Wrong(
            "w = γ",
            window_of_gamma,
            "Verification takes in γ + 1 positions a sequence.",
        ),
        Wrong(
            "drafting forgotten",
            drafting_forgotten,
            "The γ draft steps of a round take time, at batch 1 as well as at the break-even.",
        ),
    ],
    worked=lambda reached: (
        rf"$R$ becomes {reached} % of FLOPS/BW. $B^*(γ+1) = R / (γ + 1)$; while plain decoding and "
        r"drafting are memory-bound, the break-even is $B^* (E[T] - γ / 10)$; at batch 1 the "
        r"speedup is $E[T] / (1 + γ / 10)$. `(312, 2039, 4, 0.75)` gives "
        f"{[round(number, 4) for number in three_numbers(312, 2039, 4, 0.75, reached)]}. The "
        "chip with the most arithmetic for each byte keeps its gain longest."
    ),
)
