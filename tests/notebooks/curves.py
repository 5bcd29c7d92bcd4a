"""What every curve of every figure should be, recomputed from the theory at its own x.

A figure is known by its cell's `mystnb.figure.name`, a curve by the `label=` it is
drawn with (a legend is not needed). Every labelled curve of every chapter has a row
in CURVES, or stands in NOT_THEORY with the reason. Lines without a label are free; to
check one, name it as Matplotlib does: "_child2" is the third thing on its axes.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from crossover.evidence.gemm import MeasuredProfile
from crossover.theory import (
    ACCELERATORS,
    Model,
    Roofline,
    baseline_throughput,
    best_gamma,
    round_time,
    speculative_throughput,
    speedup,
)


@dataclass(frozen=True)
class Curve:
    """One labelled curve, set of points or set of bars, and what it should be.

    `y` maps the array of x to y; or, for a vertical line, `x` is where it stands.
    `axes` counts the figure's axes from 0.
    """

    chapter: str
    figure: str
    label: str
    y: Callable | None = None
    x: float | None = None
    axes: int = 0


A100 = ACCELERATORS["A100-80GB-SXM"]
PAIR = tuple(Roofline(Model(name, params), A100) for name, params in (("t", 70e9), ("d", 7e9)))
MEASURED = tuple(MeasuredProfile("A100-80GB-SXM", name) for name in ("Llama-2-70B", "Llama-2-7B"))


def roof(intensity):
    """TFLOP/s that the A100 attains at an arithmetic intensity."""
    return np.minimum(intensity * 2039e9, 312e12) / 1e12


def price(batch):
    """What a round costs in plain steps, over gamma."""
    return lambda gammas: [round_time(*PAIR, batch, g) / PAIR[0](batch) for g in gammas]


def stored(bytes_per_param, arithmetic, draft_bytes=2):
    """The pair with a target stored and multiplied as given, and the draft's bytes."""
    return (Roofline(Model("t", 70e9, bytes_per_param), A100, arithmetic),
            Roofline(Model("d", 7e9, draft_bytes), A100))


CURVES = [
    # The fixture's curves: 2·B·w/d at d = 2.
    Curve("good", "fig-intensity", "width 1", lambda batch: batch),
    Curve("good", "fig-intensity", "width 5", lambda batch: 5 * batch),
    # min(p, q) of each token, and what fills it up to p
    Curve("00_before_you_start", "fig-accept", "accepted proposal", lambda x: [0.3, 0.3, 0.1]),
    Curve("00_before_you_start", "fig-accept", "replacement", lambda x: [0.3, 0, 0]),
    Curve("05_positions_per_pass", "fig-roofline", "roof", roof),
    Curve("05_positions_per_pass", "fig-roofline", "R = 153", x=312e12 / 2039e9),
    Curve("05_positions_per_pass", "fig-roofline", "w = 1", roof),
    Curve("05_positions_per_pass", "fig-roofline", "w = 5", roof),
    Curve("06_throughput_across_batch", "fig-throughput", "plain",
          lambda batch: baseline_throughput(PAIR[0], batch)),
    Curve("06_throughput_across_batch", "fig-throughput", "speculative, γ = 4",
          lambda batch: speculative_throughput(*PAIR, batch, 4, 0.75)),
    Curve("06_throughput_across_batch", "fig-measured", "envelope",
          lambda batch: speedup(*PAIR, batch, 4, 0.75)),
    Curve("06_throughput_across_batch", "fig-measured", "measured A100 passes",
          lambda batch: speedup(*MEASURED, batch, 4, 0.75)),
    # a sequence goes on while it accepts; a batch in step while all of it does
    Curve("07_ragged_commits", "fig-lockstep", "each its own K",
          lambda batch: sum(0.75**k for k in range(5))),
    Curve("07_ragged_commits", "fig-lockstep", "all at the shortest K",
          lambda batch: sum(0.75 ** (batch * k) for k in range(5))),
    # both panels: the sum of alpha^k, and the round counted in plain steps
    *(Curve("08_wider_windows", "fig-tokens-and-cost", "emitted tokens, E[T]",
            lambda gammas: [sum(0.75**k for k in range(int(g) + 1)) for g in gammas], axes=panel)
      for panel in (0, 1)),
    *(Curve("08_wider_windows", "fig-tokens-and-cost", "price in plain steps", price(batch),
            axes=panel) for panel, batch in enumerate((3, 128))),
    *(Curve("08_wider_windows", figure, "envelope", lambda batch: best_gamma(*PAIR, batch, 0.75))
      for figure in ("fig-best-gamma", "fig-best-gamma-measured")),
    Curve("08_wider_windows", "fig-best-gamma-measured", "measured A100 passes",
          lambda batch: best_gamma(*MEASURED, batch, 0.75)),
    *(Curve("09_quantization_ripple", "fig-variants", label,
            lambda batch, pair=pair: speedup(*pair, batch, 4, 0.75))
      for label, pair in (("fp16: 81.1", PAIR), ("W8A8 target alone: 68.9", stored(1, "int8")),
                          ("W8A16 target alone: 34.4", stored(1, "fp16")),
                          ("W8A16 both: 40.6", stored(1, "fp16", 1)),
                          ("W4A16 target alone: 11.1", stored(0.5, "fp16")))),
]

# (chapter, figure) or (chapter, figure, label): why the theory has nothing to say.
NOT_THEORY = {
    ("07_ragged_commits", "fig-ragged"): "boxes, no curve; tests/show/test_ragged.py checks each",
    ("10_active_recall", "fig-concept-map"): "a concept map, drawn from words",
}
