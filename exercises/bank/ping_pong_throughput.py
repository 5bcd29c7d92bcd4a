from crossover.theory import (
    ACCELERATORS,
    expected_tokens,
    round_time,
    speculative_throughput,
)

from ..questions import Function, Wrong
from ._facts import THE_ENVELOPE, in_text, rooflines

(TARGET,) = rooflines(ACCELERATORS["H100-SXM"], 70)
(DRAFT,) = rooflines(ACCELERATORS["L40S"], 7)


def tokens_per_second(batch, gamma, alpha, transfer_us):
    half, transfer = batch / 2, transfer_us * 1e-6
    stage = max(gamma * DRAFT(half, 1) + transfer, TARGET(half, gamma + 1) + transfer)
    return batch * expected_tokens(alpha, gamma) / (2 * stage)


def one_after_the_other(batch, gamma, alpha, transfer_us):
    seconds = round_time(TARGET, DRAFT, batch / 2, gamma) + 2 * transfer_us * 1e-6
    return batch * expected_tokens(alpha, gamma) / (2 * seconds)


def whole_batch_in_both(batch, gamma, alpha, transfer_us):
    stage = max(gamma * DRAFT(batch, 1), TARGET(batch, gamma + 1)) + transfer_us * 1e-6
    return batch * expected_tokens(alpha, gamma) / stage


def draw_inputs(rng, transfer_us):
    return [
        (2 * rng.randint(60, 300), rng.randint(2, 8), round(rng.uniform(0.5, 0.9), 3))
        for _ in range(12)
    ]


question = Function(
    id="ping-pong-throughput",
    topic="throughput",
    chapter="06",
    level="analyse",
    minutes=25,
    points=5,
    text=(
        "The draft has a chip of its own. So that neither chip idles, the batch is split into two "
        "equal groups: while one group is verified on the target's chip, the other is drafted for "
        "on the draft's chip; then they swap. A stage lasts as long as the slower of the two, and "
        "each of the two takes {{transfer_us}} µs longer than the envelope says, to send its "
        f"results over. The target has 70e9 parameters on an {in_text('H100-SXM')}, the "
        f"draft 7e9 on an {in_text('L40S')}, both in fp16, without context; read the "
        "H100 as a card that could hold the target."
        + THE_ENVELOPE
        + "\n\nWrite `tokens_per_second(batch, gamma, alpha)`: the tokens a second of both groups "
        "together, `batch` being their sequences together, an even number."
    ),
    parameters={"transfer_us": list(range(2000, 14000, 100))},
    name="tokens_per_second",
    signature="batch, gamma, alpha",
    answer=tokens_per_second,
    inputs=draw_inputs,
    examples=[(64, 4, 0.75), (256, 5, 0.8)],
    wrong=[
        Wrong(
            "calls the library",
            lambda batch, gamma, alpha, transfer_us: speculative_throughput(
                TARGET, DRAFT, batch, gamma, alpha
            ),
            "`speculative_throughput` drafts first and verifies then, with the whole batch. Here "
            "both go on at the same time, each with half of it.",
        ),
        Wrong(
            "one after the other",
            one_after_the_other,
            "The stages of the two groups overlap. A stage lasts as long as the slower of drafting "
            "and verification, not as their sum.",
        ),
        Wrong(
            "whole batch in both",
            whole_batch_in_both,
            "Each chip works on one group, half of the batch, and a group is verified in every "
            "second stage.",
        ),
    ],
    worked=lambda transfer_us: (
        r"A stage takes $s = \max(γ T_d(B/2, 1), T(B/2, γ + 1)) + "
        rf"{transfer_us}$ µs. Each group emits $(B/2)\,E[T]$ in two stages, both together "
        rf"$B\,E[T] / 2s$. `(64, 4, 0.75)` gives "
        f"{tokens_per_second(64, 4, 0.75, transfer_us):.2f}."
    ),
)
