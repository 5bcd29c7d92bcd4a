from crossover.theory import expected_tokens, roofline_break_even

from ..questions import Function, Wrong
from ._facts import DRAFT, ON_A100, TARGET, THE_ENVELOPE

READ = TARGET.memory_seconds


def with_overhead(gamma, alpha, draft_us, once_us=0.0):
    """For these windows and rates the root lies where only verification is compute-bound."""
    overhead = (gamma * draft_us + once_us) * 1e-6
    spare = expected_tokens(alpha, gamma) * READ - gamma * DRAFT.memory_seconds - overhead
    root = spare / (TARGET.seconds_per_position * (gamma + 1))
    return root if spare >= READ else 0.0


def draw_inputs(rng, draft_us):
    return [(rng.randint(2, 6), round(rng.uniform(0.75, 0.92), 3)) for _ in range(10)]


question = Function(
    id="break-even-with-overhead",
    topic="throughput",
    chapter="06",
    level="analyse",
    minutes=25,
    points=5,
    text=(
        "A draft step is short, so what it spends outside the chip weighs heavily. Here every "
        "draft step takes {{draft_us}} µs longer than the envelope says, for launching kernels and "
        "sampling on the host; the target's passes take what the envelope says. The pair has "
        f"70e9 and 7e9 parameters in fp16 {ON_A100}, without context."
        + THE_ENVELOPE
        + "\n\nWrite `break_even_with_overhead(gamma, alpha)`: the batch, not rounded, at which "
        "speculative decoding is as fast as plain decoding, 0 if it is slower at batch 1 already."
    ),
    parameters={"draft_us": list(range(1000, 4000, 25))},
    name="break_even_with_overhead",
    signature="gamma, alpha",
    answer=with_overhead,
    inputs=draw_inputs,
    examples=[(4, 0.75), (2, 0.8)],
    rtol=1e-5,
    wrong=[
        Wrong(
            "calls the library",
            lambda gamma, alpha, draft_us: float(roofline_break_even(TARGET, DRAFT, gamma, alpha)),
            "The library's break-even of the two envelopes leaves the draft's overhead out.",
        ),
        Wrong(
            "overhead once a round",
            lambda gamma, alpha, draft_us: with_overhead(gamma, alpha, 0.0, draft_us),
            "A round has γ draft steps, and each of them takes longer.",
        ),
        Wrong(
            "the knee",
            lambda gamma, alpha, draft_us: TARGET.crossover_batch(gamma + 1),
            "That is the knee of verification. The break-even lies where the whole gain is used "
            "up.",
        ),
    ],
    worked=lambda draft_us: (
        f"Wrap the draft in a latency model that adds {draft_us} µs and search as before, or solve "
        r"$E[T]\,T = γ (T_d + o) + T B / B^*(γ + 1)$. For `(4, 0.75)` the break-even is "
        f"{with_overhead(4, 0.75, draft_us):.3f}."
    ),
)
