from math import prod

from crossover.theory import expected_tokens

from ..questions import Function, Wrong


def mean_tokens(rates, decay):
    total, reached = 1.0, 1.0
    for position, rate in enumerate(rates):
        reached *= rate * decay**position
        total += reached
    return total


def one_mean_rate(rates, decay):
    faded = [rate * decay**position for position, rate in enumerate(rates)]
    return expected_tokens(sum(faded) / len(faded), len(faded))


def positions_judged_alone(rates, decay):
    return 1 + sum(rate * decay**position for position, rate in enumerate(rates))


def geometric_mean_rate(rates, decay):
    faded = [rate * decay**position for position, rate in enumerate(rates)]
    return expected_tokens(prod(faded) ** (1 / len(faded)), len(faded))


def draw_inputs(rng, decay):
    return [
        ([round(rng.uniform(0.4, 0.95), 3) for _ in range(rng.randint(2, 8))],) for _ in range(12)
    ]


question = Function(
    id="expected-tokens-by-position",
    topic="speculation",
    chapter="04",
    level="apply",
    minutes=15,
    points=4,
    text=(
        "The acceptance rate is not the same at every place of the window. On a sound system "
        "draft 1, 2, … of a round, if all before it passed, is accepted with the probabilities in "
        "the list `rates`. This system loses some more at every step: the rate of draft $j$ is "
        "`rates[j - 1]` × {{decay}}$^{j-1}$.\n\n"
        "Write `mean_tokens(rates)`: the expected tokens a round emits, the target's own token "
        "included. The length of the list is γ, at least 1."
    ),
    parameters={"decay": [round(0.88 + 0.0015 * step, 4) for step in range(60)]},
    name="mean_tokens",
    signature="rates",
    answer=mean_tokens,
    inputs=draw_inputs,
    examples=[([0.8, 0.7, 0.6],), ([0.75],)],
    wrong=[
        Wrong(
            "calls the library",
            one_mean_rate,
            "`expected_tokens` of the mean rate treats all positions alike. A low rate early in "
            "the window costs more than the same rate late.",
        ),
        Wrong(
            "positions judged alone",
            positions_judged_alone,
            "A draft counts only if all drafts before it passed. Multiply the rates up to it.",
        ),
        Wrong(
            "no decay",
            lambda rates, decay: mean_tokens(rates, 1),
            "The rates in the list still have to be lowered, draft $j$ by the factor of the "
            "question to the power $j - 1$.",
        ),
        Wrong(
            "calls the library with the geometric mean",
            geometric_mean_rate,
            "The geometric mean gets the last term right, not those before it.",
        ),
    ],
    worked=lambda decay: (
        rf"$E[T] = 1 + \sum_{{j=1}}^{{\gamma}} \prod_{{i=1}}^{{j}} r_i$ with "
        rf"$r_i = \text{{rates}}_i \cdot {decay}^{{i-1}}$: draft $j$ is emitted if drafts 1 to $j$ "
        "all pass. For `[0.8, 0.7, 0.6]` it is "
        f"{mean_tokens([0.8, 0.7, 0.6], decay):.4f}."
    ),
)
