from typing import NamedTuple

from crossover.evidence.gemm import MeasuredProfile
from crossover.theory import expected_tokens

from ..questions import Number, Wrong


class Passes(NamedTuple):
    """Milliseconds of a plain step, a verification and a draft step, and the window."""

    gamma: int
    plain: float
    verify: float
    draft: float


def _measured(chip, batch, gamma):
    target, draft = (MeasuredProfile(chip, name) for name in ("Llama-2-70B", "Llama-2-7B"))
    seconds = target(batch), target(batch, gamma + 1), draft(batch)
    passes = Passes(gamma, *(round(float(each) * 1e3, 1) for each in seconds))
    words = (
        f"{chip}, B = {batch}, γ = {gamma}: plain step {passes.plain} ms, verification "
        f"{passes.verify} ms, draft step {passes.draft} ms"
    )
    return words, passes


# Batches at which the positions of each pass were measured, not interpolated.
PASSES = dict(
    _measured(chip, batch, gamma)
    for chip in ("A100-80GB-SXM", "H100-SXM")
    for batch, gamma in ((16, 4), (24, 3), (32, 3), (32, 4), (48, 2), (40, 3), (64, 2), (64, 3))
)


def gain(passes, alpha):
    gamma, plain, verify, draft = PASSES[passes]
    return expected_tokens(alpha, gamma) * plain / (verify + gamma * draft)


def worked(passes, alpha):
    gamma, plain, verify, draft = PASSES[passes]
    return (
        rf"$E[T] = {expected_tokens(alpha, gamma):.4f}$. The round takes ${verify} + {gamma} "
        rf"\cdot {draft} = {verify + gamma * draft:.1f}$ ms, a plain step {plain} ms: speedup "
        f"{gain(passes, alpha):.3f}."
    )


question = Number(
    id="measured-speedup",
    topic="measurement",
    chapter="12",
    level="apply",
    minutes=4,
    points=2,
    text=(
        "Passes of a 70 and a 7 billion model were measured (matrix products only, after Vidur, "
        "Agrawal et al. 2024). {{passes}}. Each draft is accepted with probability {{alpha}}, "
        "independently of the others. What is the speedup of speculative over plain decoding?"
    ),
    parameters={
        "passes": list(PASSES),
        "alpha": [0.62, 0.66, 0.69, 0.73, 0.77, 0.81, 0.85, 0.88],
    },
    answer=gain,
    unit="1",
    low=0,
    high=10,
    wrong=[
        Wrong(
            "verification as long as a plain step",
            lambda passes, alpha: (
                expected_tokens(alpha, PASSES[passes].gamma) * PASSES[passes].plain
                / (PASSES[passes].plain + PASSES[passes].gamma * PASSES[passes].draft)
            ),
            "The measured verification takes longer than a plain step. Use its own time.",
        ),
        Wrong(
            "one draft step",
            lambda passes, alpha: (
                expected_tokens(alpha, PASSES[passes].gamma) * PASSES[passes].plain
                / (PASSES[passes].verify + PASSES[passes].draft)
            ),
            "The draft proposes one token after the other: γ steps a round.",
        ),
        Wrong(
            "every draft accepted",
            lambda passes, alpha: (
                (PASSES[passes].gamma + 1) * PASSES[passes].plain
                / (PASSES[passes].verify + PASSES[passes].gamma * PASSES[passes].draft)
            ),
            "γ + 1 tokens come only if every draft is accepted. Use the expected number.",
        ),
    ],
    worked=worked,
)
