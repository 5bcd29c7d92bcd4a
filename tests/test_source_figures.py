"""Every figure of the source chapter, recomputed with the library.

A row holds what the source says, the expression that gives it, the value, and
the digits the source prints. Where the source's own value is loose or wrong,
the row holds what is right and `note` says what stands in the source.
"""

from collections.abc import Callable
from math import ceil
from typing import NamedTuple

import pytest

from crossover.theory import (
    ACCELERATORS,
    Accelerator,
    Model,
    Roofline,
    baseline_throughput,
    break_even_batch,
    expected_tokens,
    speculative_throughput,
    speedup,
)

A100 = ACCELERATORS["A100-80GB-SXM"]
TARGET, DRAFT = Roofline(Model("target", 70e9), A100), Roofline(Model("draft", 7e9), A100)
INT8 = Roofline(Model("target, int8", 70e9, bytes_per_param=1), A100, precision="int8")
OTHER = Roofline(Model("any", 70e9), Accelerator("question 2", 200e12, 3000e9))
GAMMA, ALPHA, WEAK = 4, 0.75, 0.6


class Figure(NamedTuple):
    statement: str
    expression: Callable[[], float]
    stated: float
    digits: int
    note: str = ""


def plain(batch, target=TARGET):
    return baseline_throughput(target, batch)


def speculative(batch, target=TARGET):
    return speculative_throughput(target, DRAFT, batch, GAMMA, ALPHA)


def gain(batch, gamma=GAMMA, target=TARGET):
    return speedup(target, DRAFT, batch, gamma, ALPHA)


# The listing's output: batch, plain tokens/s, speculative tokens/s, speedup.
PRINTED = [
    (1, 14.6, 31.7, 2.179),
    (8, 116.5, 253.9, 2.179),
    (32, 466.1, 983.5, 2.110),
    (64, 932.1, 1141.5, 1.225),
    (81, 1179.7, 1181.3, 1.001),
    (128, 1864.2, 1241.1, 0.666),
    (256, 2228.6, 1259.1, 0.565),
]

FIGURES = [
    # The opening, and worked example 1
    Figure("staging speedup at B = 3", lambda: gain(3), 2.2, 1,
           "the source says roughly 2.1 here and 2.179 in its own table"),
    Figure("A100: TFLOPS, dense fp16", lambda: A100.peak_flops["fp16"] / 1e12, 312, 9),
    Figure("A100: GB/s", lambda: A100.bandwidth / 1e9, 2039, 9),
    Figure("A100: GB of memory", lambda: A100.memory / 1e9, 80, 9),
    Figure("R", lambda: TARGET.accelerator.ridge_point(), 153.02, 2),
    Figure("B*(1)", lambda: TARGET.crossover_batch(1), 153.02, 2),
    Figure("B*(5)", lambda: TARGET.crossover_batch(GAMMA + 1), 30.60, 2),
    Figure("B*(5) as a part of B*(1)",
           lambda: TARGET.crossover_batch(GAMMA + 1) / TARGET.crossover_batch(1), 0.2, 12),
    Figure("B*(1) as a multiple of B*(5)",
           lambda: TARGET.crossover_batch(1) / TARGET.crossover_batch(GAMMA + 1), 5, 12,
           "the source says more than 5; it is exactly γ + 1"),
    # Worked example 2
    *(Figure(f"plain tokens/s at B = {b}", lambda b=b: plain(b), rate, 1)
      for b, rate, _, _ in PRINTED),
    *(Figure(f"speculative tokens/s at B = {b}", lambda b=b: speculative(b), rate, 1)
      for b, _, rate, _ in PRINTED),
    *(Figure(f"speedup at B = {b}", lambda b=b: gain(b), ratio, 3)
      for b, _, _, ratio in PRINTED),
    Figure("break-even batch", lambda: break_even_batch(TARGET, DRAFT, GAMMA, ALPHA), 81.1, 1),
    # The misconception; γ = 4 stands in the table above
    Figure("speedup at B = 128, γ = 6", lambda: gain(128, gamma=6), 0.537, 3),
    Figure("speedup at B = 128, γ = 8", lambda: gain(128, gamma=8), 0.444, 3),
    Figure("speedup at B = 128, γ = 12", lambda: gain(128, gamma=12), 0.323, 3),
    # Answer 2
    Figure("question 2: R", lambda: OTHER.accelerator.ridge_point(), 66.67, 2),
    Figure("question 2: R·d", lambda: 2 * OTHER.crossover_batch(1), 133.33, 2),
    Figure("question 2: B*(7)", lambda: OTHER.crossover_batch(7), 9.52, 2),
    Figure("question 2: whole batch that is enough",
           lambda: ceil(OTHER.crossover_batch(7)), 10, 0),
    # Answer 3
    Figure("question 3: 0.6^5",
           lambda: 1 - expected_tokens(WEAK, GAMMA) * (1 - WEAK), 0.07776, 12),
    Figure("question 3: 1 - 0.6^5",
           lambda: expected_tokens(WEAK, GAMMA) * (1 - WEAK), 0.92224, 12),
    Figure("question 3: E[T] at α = 0.6", lambda: expected_tokens(WEAK, GAMMA), 2.3056, 12),
    Figure("question 3: E[T] at α = 0.75", lambda: expected_tokens(ALPHA, GAMMA), 3.051, 3),
    # Answer 4: the target alone in int8
    Figure("A100: TOPS, int8", lambda: A100.peak_flops["int8"] / 1e12, 624, 9),
    Figure("int8: R", lambda: A100.ridge_point("int8"), 306.03, 2),
    Figure("int8: R against fp16", lambda: A100.ridge_point("int8") / A100.ridge_point(), 2, 12),
    Figure("int8: R·d", lambda: 2 * INT8.crossover_batch(1), 306.03, 2),
    Figure("fp16: R·d", lambda: 2 * TARGET.crossover_batch(1), 306.03, 2,
           "the source writes 153.02 × 2 = 306.03; of the rounded R it would be 306.04"),
    Figure("int8: B*(5)", lambda: INT8.crossover_batch(GAMMA + 1), 30.6, 1),
    Figure("int8: plain tokens/s at B = 1", lambda: plain(1, INT8), 29.1, 1),
    Figure("int8: plain tokens/s at B = 128", lambda: plain(128, INT8), 3728.5, 1),
    Figure("int8: plain tokens/s, farthest from double",
           lambda: max(abs(plain(b, INT8) / plain(b) - 2) for b, *_ in PRINTED), 0, 12),
    Figure("int8: speculative tokens/s at B = 1", lambda: speculative(1, INT8), 49.4, 1),
    Figure("int8: speculative tokens/s at B = 128", lambda: speculative(128, INT8), 2282.9, 1),
    Figure("int8: speedup at B = 1", lambda: gain(1, target=INT8), 1.695, 3),
    Figure("int8: speedup at B = 81", lambda: gain(81, target=INT8), 0.885, 3),
    Figure("int8: speedup at B = 128", lambda: gain(128, target=INT8), 0.612, 3),
    Figure("int8: break-even batch",
           lambda: break_even_batch(INT8, DRAFT, GAMMA, ALPHA), 68.9, 1),
    # Answer 5: K = 0 is every round of a draft that is never right
    Figure("question 5: tokens Sequence D gains", lambda: expected_tokens(0, GAMMA), 1, 12),
]  # fmt: skip


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.statement)
def test_figure(figure):
    value = figure.expression()
    assert round(value, figure.digits) == figure.stated, (
        f"{figure.statement}: computed {value!r}, stated {figure.stated} {figure.note}"
    )
