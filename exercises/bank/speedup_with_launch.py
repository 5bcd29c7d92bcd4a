"""A function: the speedup when every pass waits for its launch first."""

from crossover.theory import expected_tokens, speedup

from ..questions import Function, Wrong
from ._facts import DRAFT, TARGET


def with_launch(batch, gamma, alpha, launch_us):
    launch = launch_us * 1e-6
    plain = launch + TARGET(batch, 1)
    round_seconds = gamma * (launch + DRAFT(batch, 1)) + launch + TARGET(batch, gamma + 1)
    return expected_tokens(alpha, gamma) * plain / round_seconds


def launch_once(batch, gamma, alpha, launch_us):
    launch = launch_us * 1e-6
    round_seconds = launch + gamma * DRAFT(batch, 1) + TARGET(batch, gamma + 1)
    return expected_tokens(alpha, gamma) * (launch + TARGET(batch, 1)) / round_seconds


def from_library(batch, gamma, alpha, launch_us):
    return speedup(TARGET, DRAFT, batch, gamma, alpha)


def draw_inputs(rng, launch_us):
    return [(rng.randint(1, 256), rng.randint(1, 10), round(rng.uniform(0.3, 0.95), 3))
            for _ in range(12)]


question = Function(
    id="speedup-with-launch",
    topic="throughput",
    chapter="06",
    level="analyse",
    minutes=20,
    points=4,
    text="Before every forward pass, of the target or of the draft, the host spends "
         "{{launch_us}} µs launching kernels, and the pass starts only then. Write "
         "`speedup_with_launch(batch, gamma, alpha)`: the speedup of speculative over plain "
         "decoding with this cost, for the 70e9/7e9 pair at 2 bytes a parameter on "
         '`ACCELERATORS["A100-80GB-SXM"]`, without context.',
    parameters={"launch_us": list(range(500, 6100, 50))},
    name="speedup_with_launch",
    signature="batch, gamma, alpha",
    answer=with_launch,
    inputs=draw_inputs,
    examples=[(1, 4, 0.75), (128, 4, 0.75)],
    wrong=[
        Wrong("calls the library", from_library,
              "This is `crossover.theory.speedup`, which knows no launch cost."),
        Wrong("one launch a round", launch_once,
              "A round is gamma + 1 passes, and each of them is launched."),
    ],
    worked=lambda launch_us: (
        f"Every pass takes {launch_us} µs longer: γ draft steps and one verification in a round, "
        "one step in plain decoding. The speedup is $E[T] (T(B,1) + o) / (γ (T_d(B,1) + o) + "
        f"T(B,γ+1) + o)$; {with_launch(1, 4, 0.75, launch_us):.4f} at `(1, 4, 0.75)`."
    ),
)
