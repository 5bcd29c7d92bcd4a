from crossover.theory import expected_tokens, speedup

from ..questions import Numbers, Wrong
from ._facts import ENVELOPE, PAIR_ON_CHIP, RIDGE_NEAR_200, ROUND, chips, rooflines

CHIPS = chips(*RIDGE_NEAR_200)


def gains(chip, batch, gamma, alpha):
    pair = rooflines(CHIPS[chip], 70, 7)
    return {
        "as_it_is": speedup(*pair, batch, gamma, alpha),
        "doubled": speedup(*pair, batch, 2 * gamma, alpha),
        "one": speedup(*pair, batch, 1, alpha),
    }


def at_small_batch(chip, batch, gamma, alpha):
    return gains(chip, 1, gamma, alpha)


def scaled_by_tokens(chip, batch, gamma, alpha):
    now = gains(chip, batch, gamma, alpha)["as_it_is"]
    ratio = expected_tokens(alpha, 2 * gamma) / expected_tokens(alpha, gamma)
    return {"doubled": now * ratio}


def drafting_kept(chip, batch, gamma, alpha):
    """The window doubles, the number of draft steps does not."""
    target, draft = rooflines(CHIPS[chip], 70, 7)
    seconds = gamma * draft(batch, 1) + target(batch, 2 * gamma + 1)
    return {"doubled": expected_tokens(alpha, 2 * gamma) * target(batch, 1) / seconds}


def worked(chip, batch, gamma, alpha):
    found = gains(chip, batch, gamma, alpha)
    return (
        f"γ = {gamma}: {found['as_it_is']:.3f}; γ = {2 * gamma}: {found['doubled']:.3f}; γ = 1: "
        f"{found['one']:.3f}. Doubling raises $E[T]$ from {expected_tokens(alpha, gamma):.3f} to "
        f"{expected_tokens(alpha, 2 * gamma):.3f}, with a ceiling at {1 / (1 - alpha):.3f}, while "
        "the compute-bound pass grows with every position. It is not the fix. A smaller window is, "
        "if its speedup is above 1; else a much better draft, or off."
    )


question = Numbers(
    id="double-gamma",
    topic="window",
    chapter="10",
    level="analyse",
    minutes=12,
    points=4,
    text=(
        PAIR_ON_CHIP
        + ENVELOPE
        + ROUND
        + "The node runs $B$ = {{batch}} sequences with γ = {{gamma}} and α = {{alpha}}. A "
        "colleague wants to double γ. Compute the speedup over plain decoding `as_it_is`, with γ "
        "`doubled`, and with γ = `one`."
    ),
    parameters={
        "chip": list(CHIPS),
        "batch": [104, 111, 117, 124, 131, 138],
        "gamma": [3, 4, 5],
        "alpha": [0.66, 0.7, 0.73, 0.77, 0.8],
    },
    answer=gains,
    units={"as_it_is": "1", "doubled": "1", "one": "1"},
    wrong=[
        Wrong(
            "small batch",
            at_small_batch,
            "That is the speedup at batch 1, where verification hides behind the read of the "
            "weights. At this batch it is compute-bound.",
        ),
        Wrong(
            "only the tokens grow",
            scaled_by_tokens,
            "A wider window yields more tokens and takes longer too: past the knee the pass grows "
            "with every position.",
        ),
        Wrong(
            "draft steps not doubled",
            drafting_kept,
            "Twice as many drafts need twice as many draft steps.",
        ),
    ],
    worked=worked,
)
