from math import ceil

from crossover.theory import expected_tokens, speedup

from ..questions import Function, Wrong
from ._facts import DRAFT, ON_A100, TARGET


def stepped(roofline, positions, tile):
    """Arithmetic comes in whole tiles; the read is as ever."""
    return roofline(ceil(positions / tile) * tile)


def staircase(batch, gamma, alpha, tile):
    plain = stepped(TARGET, batch, tile)
    seconds = gamma * stepped(DRAFT, batch, tile) + stepped(TARGET, batch * (gamma + 1), tile)
    return expected_tokens(alpha, gamma) * plain / seconds


def verification_only(batch, gamma, alpha, tile):
    seconds = gamma * DRAFT(batch) + stepped(TARGET, batch * (gamma + 1), tile)
    return expected_tokens(alpha, gamma) * TARGET(batch) / seconds


def tiles_of_sequences(batch, gamma, alpha, tile):
    padded = ceil(batch / tile) * tile
    return float(speedup(TARGET, DRAFT, padded, gamma, alpha))


def draw_inputs(rng, tile):
    small = [
        (rng.randint(31, 140), rng.randint(3, 6), round(rng.uniform(0.5, 0.9), 3)) for _ in range(8)
    ]
    # past the plain knee, where plain steps and drafts are padded visibly too
    large = [
        (rng.randint(160, 500), rng.randint(1, 4), round(rng.uniform(0.5, 0.9), 3))
        for _ in range(6)
    ]
    return small + large


question = Function(
    id="staircase-speedup",
    topic="measurement",
    chapter="12",
    level="analyse",
    minutes=25,
    points=5,
    text=(
        "A chip works products off in rows of {{tile}} token positions, batch times width, and a "
        "row filled in part takes as long as a full one. So a pass takes the longer of reading the "
        "weights once and 2 FLOP for each parameter and *padded* position, the positions rounded "
        "up to whole rows. The target has 70e9, the draft 7e9 parameters, both in fp16, "
        f"{ON_A100}, without context. All passes are padded.\n\n"
        "Write `staircase_speedup(batch, gamma, alpha)`: the speedup of speculative over plain "
        "decoding on this chip."
    ),
    parameters={"tile": list(range(40, 192))},
    name="staircase_speedup",
    signature="batch, gamma, alpha",
    answer=staircase,
    inputs=draw_inputs,
    examples=[(32, 4, 0.75), (200, 1, 0.8)],
    wrong=[
        Wrong(
            "calls the library",
            lambda batch, gamma, alpha, tile: float(speedup(TARGET, DRAFT, batch, gamma, alpha)),
            "`speedup` of two envelopes pays for each position, not for whole rows of them.",
        ),
        Wrong(
            "verification only",
            verification_only,
            "Plain steps and draft steps are padded to whole rows as well.",
        ),
        Wrong(
            "sequences padded",
            tiles_of_sequences,
            "Positions fill a row, batch times width, not sequences. Multiply, then round up.",
        ),
    ],
    worked=lambda tile: (
        rf"With $P(x) = {tile} \lceil x / {tile} \rceil$, $T(B, w) = \max(N d / BW, 2 N P(B w) / "
        rf"FLOPS)$ for both models; the speedup is $E[T]\,T(B, 1) / (γ T_d(B, 1) + T(B, γ + 1))$. "
        f"`(32, 4, 0.75)` gives {staircase(32, 4, 0.75, tile):.4f}."
    ),
)
