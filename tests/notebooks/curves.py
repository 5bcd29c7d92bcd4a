"""What every curve of every figure should be, recomputed from the theory at its own x.

A figure is known by its cell's `mystnb.figure.name`, a curve by the `label=` it is
drawn with (a legend is not needed). Every labelled curve of every chapter has a row
in CURVES, or stands in NOT_THEORY with the reason. Lines without a label are free; to
check one, name it as Matplotlib does: "_child2" is the third thing on its axes.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from crossover.evidence.gemm import MeasuredProfile
from crossover.evidence.recorded import recorded
from crossover.theory import (
    ACCELERATORS,
    MODELS,
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
SHAPED = tuple(replace(MODELS[name], params=params)
               for name, params in (("Llama-2-70B", 70e9), ("Llama-2-7B", 7e9)))
READINGS = {reading: tuple(Roofline(model, A100, roof_per=reading) for model in SHAPED)
            for reading in ("pass", "operator")}


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


def knee(width):
    """B*(w, L) of the target by hand: R·N·d / (2·N·w + a·w·L - R·kappa·L)."""
    ridge, kappa, a = 312e12 / 2039e9, 327_680, 4 * 80 * 64 * 128
    return lambda context: ridge * 140e9 / (
        140e9 * width + (a * width - ridge * kappa) * context)


def two_ways(reading, batch, full):
    """Speedup over context, the draft caching everything or 512 tokens."""
    return lambda context: speedup(*READINGS[reading], batch, 4, 0.75, context,
                                   context if full else np.minimum(context, 512))


def even(budget):
    """Batch at which speedup is 1, by bisection; NaN where it is above 1 at every batch shown."""
    def batch(context):
        kept = np.minimum(context, budget)
        low, high = np.ones_like(context), np.full_like(context, 4096)
        for _ in range(80):
            middle = (low + high) / 2
            wins = speedup(*READINGS["pass"], middle, 4, 0.75, context, kept) >= 1
            low, high = np.where(wins, middle, low), np.where(wins, high, middle)
        return np.where(low > 4095, np.nan, low)
    return batch


def four_cards(budget):
    """Sequences that 4·80 GB·0.9 hold beside 154 GB of weights; NaN where not even one."""
    def batch(context):
        each = 327_680 * context + 524_288 * np.minimum(context, budget)
        holds = np.floor((288e9 - 154e9) / each)
        return np.where(holds < 1, np.nan, holds)
    return batch


def choosing(choose):
    """Measured A100 speedup of the gamma that `choose` picks at each batch."""
    return lambda batch: speedup(*MEASURED, batch, choose(batch), 0.75)


def timed(name, of="seconds"):
    """Milliseconds as recorded, whatever the x."""
    return lambda x: np.array(recorded(name, None)[of]) * 1e3


def at_batch_one(cost):
    """E[T] over the price of a round whose draft steps cost `cost` plain steps each."""
    return lambda gammas: [sum(0.75**k for k in range(int(g) + 1)) / (1 + g * cost)
                           for g in gammas]


RATES = recorded("batch_rates", None)  # batch to seconds a round, as stored
SECONDS = dict(zip(RATES["batch"], RATES["seconds"], strict=True))

CURVES = [
    # The fixture's curves: 2·B·w/d at d = 2.
    Curve("good", "fig-intensity", "width 1", lambda batch: batch),
    Curve("good", "fig-intensity", "width 5", lambda batch: 5 * batch),
    # min(p, q) of each token, and what fills it up to p
    Curve("00_before_you_start", "fig-accept", "accepted proposal", lambda x: [0.3, 0.3, 0.1]),
    Curve("00_before_you_start", "fig-accept", "replacement", lambda x: [0.3, 0, 0]),
    # the recordings, and a read of the weights for each row
    Curve("01_memory_bound_decoding", "fig-shared-read", "measured", timed("weight_read")),
    Curve("01_memory_bound_decoding", "fig-shared-read", "a read for every row",
          lambda rows: rows * timed("weight_read")(rows)[0]),
    *(Curve("02_kv_cache", "fig-with-and-without", label, timed("cache_saving", way))
      for label, way in (("whole text again", "without"), ("with the cache", "with"))),
    Curve("03_batching", "fig-rates", "if rows were free", lambda batch: batch / SECONDS[1]),
    Curve("03_batching", "fig-rates", "small engine, recorded",
          lambda batch: batch / [SECONDS[b] for b in batch]),
    *(Curve("04_speculative_decoding", "fig-best-gamma-one", f"c = {cost}", at_batch_one(cost))
      for cost in (0.02, 0.1, 0.3)),
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
    *(Curve("11_memory_and_context", "fig-knee-context", f"w = {width}", knee(width))
      for width in (1, 5)),
    *(Curve("11_memory_and_context", "fig-two-ways", f"{cache} draft cache, roof per {reading}",
            two_ways(reading, batch, cache == "full"), axes=panel)
      for panel, batch in enumerate((32, 128))
      for cache in ("full", "fixed") for reading in READINGS),
    *(Curve("11_memory_and_context", figure, label, curve(budget))
      for figure, budget in (("fig-map-full", np.inf), ("fig-map-fixed", 512))
      for label, curve in (("as fast as off: 1", even), ("what 4 cards hold", four_cards))),
    *(Curve("12_measured_passes", "fig-three-chips", chip, lambda batch, chip=chip: speedup(
        *(MeasuredProfile(chip, model) for model in ("Llama-2-70B", "Llama-2-7B")),
        batch, 4, 0.75)) for chip in ("A100-80GB-SXM", "H100-SXM", "A40")),
    *(Curve("12_measured_passes", "fig-staircase", label, lambda at: MEASURED[0](at) * 1e3)
      for label in ("measured", "last before a step")),
    # 2·N/FLOPS a position, not less than N·d/BW
    Curve("12_measured_passes", "fig-staircase", "envelope", lambda at: np.maximum(
        1 / 2039e9, at / 312e12) * 2 * MODELS["Llama-2-70B"].params * 1e3),
    Curve("12_measured_passes", "fig-rule", "best on measured passes",
          choosing(lambda batch: best_gamma(*MEASURED, batch, 0.75))),
    Curve("12_measured_passes", "fig-rule", "envelope's choice", choosing(lambda batch: best_gamma(
        *(profile.envelope() for profile in MEASURED), batch, 0.75))),
    Curve("12_measured_passes", "fig-rule", "fill a row of tiles", choosing(
        lambda batch: np.minimum(np.where(batch <= 64, 128, 256) // batch - 1, 5))),
]

# (chapter, figure) or (chapter, figure, label): why the theory has nothing to say.
NOT_THEORY = {
    ("02_kv_cache", "fig-pools"): "bars, no curve; tests/show/test_kv_cache.py checks each",
    ("03_batching", "fig-timeline"): "boxes, no curve; tests/show/test_batching.py checks each",
    ("04_speculative_decoding", "fig-accept-pair"): "a trained pair's probabilities; "
        "tests/show/test_speculation.py adds the bars up",
    ("04_speculative_decoding", "fig-rounds"): "measured on the engine; "
        "tests/engine/test_acceptance.py holds the measure against known rounds",
    ("04_speculative_decoding", "fig-published"): "published measurements; "
        "tests/show/test_speculation.py finds each row",
    ("07_ragged_commits", "fig-ragged"): "boxes, no curve; tests/show/test_ragged.py checks each",
    ("07_ragged_commits", "fig-stale"): "measured on the engine; "
        "tests/engine/test_distribution.py judges the same saboteur",
    ("10_active_recall", "fig-concept-map"): "a concept map, drawn from words",
}
