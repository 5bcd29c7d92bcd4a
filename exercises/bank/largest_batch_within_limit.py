from bisect import bisect_right

from crossover.theory import expected_tokens, roofline_break_even

from ..questions import Function, Wrong
from ._facts import DRAFT, ON_A100, TARGET, THE_ENVELOPE


def envelope(roofline):
    """The pass time without the library's checks of its arguments, for many calls."""
    read, position = roofline.memory_seconds, roofline.seconds_per_position
    return lambda batch, width: max(read, position * batch * width)


PLAIN, DRAFTING = envelope(TARGET), envelope(DRAFT)


def seconds(batch, gamma):
    return gamma * DRAFTING(batch, 1) + PLAIN(batch, gamma + 1)


def largest(limit_ms, seconds_a_token):
    """Largest whole batch whose time a token, which rises with it, is within the limit, or 0."""
    return bisect_right(range(1, 2**14), limit_ms, key=lambda batch: seconds_a_token(batch) * 1e3)


def within_limit(limit_ms, gamma, alpha, detokenise_ms):
    tokens = expected_tokens(alpha, gamma)
    return largest(limit_ms, lambda batch: seconds(batch, gamma) / tokens + detokenise_ms * 1e-3)


def a_round_is_a_token(limit_ms, gamma, alpha, detokenise_ms):
    return largest(limit_ms, lambda batch: seconds(batch, gamma) + detokenise_ms * 1e-3)


def draw_inputs(rng, detokenise_ms):
    return [
        (rng.randint(70, 300), rng.randint(1, 6), round(rng.uniform(0.5, 0.9), 3))
        for _ in range(12)
    ]


question = Function(
    id="largest-batch-within-limit",
    topic="throughput",
    chapter="06",
    level="analyse",
    minutes=25,
    points=5,
    text=(
        "Users must get a token every `limit_ms` milliseconds on average. The pair has 70e9 and "
        f"7e9 parameters in fp16 {ON_A100}, passes take what "
        "the envelope says, without context. Each emitted token takes {{detokenise_ms}} ms more "
        "before the user sees it, in series with the rounds."
        + THE_ENVELOPE
        + "\n\nWrite `largest_batch(limit_ms, gamma, alpha)`: the largest whole number of "
        "sequences at which speculative decoding keeps the mean time per token of a user within "
        "the limit, 0 if even one sequence misses it."
    ),
    parameters={"detokenise_ms": [round(1 + 0.2 * step, 1) for step in range(100)]},
    name="largest_batch",
    signature="limit_ms, gamma, alpha",
    answer=within_limit,
    inputs=draw_inputs,
    examples=[(120, 4, 0.75), (10, 4, 0.75)],
    wrong=[
        Wrong(
            "calls the library",
            lambda limit_ms, gamma, alpha, detokenise_ms: int(
                roofline_break_even(TARGET, DRAFT, gamma, alpha)
            ),
            "The library's break-even compares with plain decoding. It knows no limit in time.",
        ),
        Wrong(
            "a round is a token",
            a_round_is_a_token,
            "A round emits $E[T]$ tokens a sequence on average. Divide its time by them.",
        ),
        Wrong(
            "time after the round forgotten",
            lambda limit_ms, gamma, alpha, detokenise_ms: within_limit(limit_ms, gamma, alpha, 0),
            "The time that each token takes after the round counts against the limit too.",
        ),
    ],
    worked=lambda detokenise_ms: (
        "The time per token, round time over $E[T]$ plus "
        f"{detokenise_ms} ms, rises with the batch: halve an interval of whole numbers, with 0 for "
        f"a limit that one sequence misses. `(120, 4, 0.75)` gives "
        f"{within_limit(120, 4, 0.75, detokenise_ms)}."
    ),
)
