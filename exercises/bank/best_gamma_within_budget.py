import numpy as np

from crossover.theory import best_gamma, speedup

from ..questions import Function, Wrong
from ._facts import A100, ON_A100, THE_ENVELOPE, rooflines


def best_within(batch, alpha, budget, draft):
    pair = rooflines(A100, 70, draft)
    widest = budget // batch - 1
    gains = speedup(*pair, batch, np.arange(max(widest, 0) + 1), alpha)
    return [int(gains.argmax()), float(gains.max())]


def unlimited(batch, alpha, budget, draft):
    pair = rooflines(A100, 70, draft)
    gamma = best_gamma(*pair, batch, alpha)
    return [int(gamma), float(speedup(*pair, batch, gamma, alpha))]


def widest_allowed(batch, alpha, budget, draft):
    gamma = max(budget // batch - 1, 0)
    return [gamma, float(speedup(*rooflines(A100, 70, draft), batch, gamma, alpha))]


def drafts_only(batch, alpha, budget, draft):
    return best_within(batch, alpha, budget + batch, draft)


def draw_inputs(rng, budget, draft):
    tight = [
        (rng.randint(budget // 5, budget // 2 + 8), round(rng.uniform(0.8, 0.95), 3))
        for _ in range(6)
    ]
    loose = [(rng.randint(2, budget // 12), round(rng.uniform(0.4, 0.6), 3)) for _ in range(3)]
    return tight + loose


question = Function(
    id="best-gamma-within-budget",
    topic="window",
    chapter="08",
    level="analyse",
    minutes=25,
    points=5,
    text=(
        "To bound the memory of activations, an engine takes at most {{budget}} token positions "
        "in a pass of the target, all sequences together. The target has 70e9 and the draft "
        "{{draft}}e9 parameters, both in fp16, "
        f"{ON_A100}; passes take what the envelope says, without context."
        + THE_ENVELOPE
        + "\n\nWrite `best_gamma_within_budget(batch, alpha)`: a list `[gamma, gain]` of the "
        "window with the highest speedup that the limit allows, and that speedup; `[0, 1.0]` if "
        "no window beats plain decoding. Plain decoding always fits."
    ),
    parameters={"budget": list(range(60, 140, 4)), "draft": [1, 1.5, 1.7, 3, 3.8, 7, 8, 9]},
    name="best_gamma_within_budget",
    signature="batch, alpha",
    answer=best_within,
    inputs=draw_inputs,
    examples=[(20, 0.8), (3, 0.5)],
    wrong=[
        Wrong(
            "calls the library",
            unlimited,
            "`best_gamma` knows no limit on the positions of a pass. Try only windows with "
            "B·(γ + 1) positions within the budget.",
        ),
        Wrong(
            "widest window allowed",
            widest_allowed,
            "The widest window that fits is not always the best: its last drafts may cost more "
            "than they bring.",
        ),
        Wrong(
            "B·γ positions",
            drafts_only,
            "A sequence brings γ + 1 positions to verification, the last committed token among "
            "them.",
        ),
    ],
    worked=lambda budget, draft: (
        f"Windows with $B (γ + 1) ≤ {budget}$ are allowed: γ up to ⌊{budget}/B⌋ − 1. Take the one "
        f"with the largest speedup, γ = 0 with 1 among them. `(20, 0.8)` gives "
        f"{best_within(20, 0.8, budget, draft)}."
    ),
)
