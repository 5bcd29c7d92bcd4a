from types import SimpleNamespace

from crossover.engine.acceptance import tokens_per_round

from ..questions import Function, Wrong


def mean_accepted(counts):
    return sum(k * count for k, count in enumerate(counts)) / sum(counts)


def effective_alpha(counts, margin):
    """The rate at which E[T] is the mean to be met, found by halving."""
    gamma = len(counts) - 1
    wanted = margin * mean_accepted(counts)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if sum(middle**power for power in range(1, gamma + 1)) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def library(counts, margin):
    gamma = len(counts) - 1
    steps = [
        SimpleNamespace(proposed=(0,) * gamma, accepted=accepted, request=request)
        for accepted, count in enumerate(counts)
        for request in range(2)  # two prompts with the same rounds
        for _ in range(count)
    ]
    return tokens_per_round(SimpleNamespace(steps=steps), gamma, resamples=1).alpha


def share_of_drafts(counts, margin):
    gamma = len(counts) - 1
    return margin * mean_accepted(counts) / gamma


def endless_window(counts, margin):
    return 1 - 1 / (1 + margin * mean_accepted(counts))


def draw_inputs(rng, margin):
    return [([rng.randint(5, 80) for _ in range(rng.randint(3, 8))],) for _ in range(10)]


question = Function(
    id="alpha-from-counts",
    topic="speculation",
    chapter="04",
    level="analyse",
    minutes=25,
    points=5,
    text=(
        "An engine logs how many drafts each round accepted: `counts[k]` rounds accepted exactly "
        "$k$, and γ = `len(counts) - 1` were drafted. Nothing says that the counts follow one α. "
        "For planning we want the *effective* α, the one for which $E[T]$ equals the mean tokens "
        "of a round. To be careful, only {{margin}} of the accepted drafts are counted on: the "
        "mean to be met is $1 + ${{margin}}$\\,\\bar K$, where $\\bar K$ is the mean number of "
        "accepted drafts.\n\n"
        "Write `effective_alpha(counts)`, exact to 6 digits."
    ),
    parameters={"margin": [round(0.7 + 0.004 * step, 4) for step in range(70)]},
    name="effective_alpha",
    signature="counts",
    answer=effective_alpha,
    inputs=draw_inputs,
    examples=[([40, 30, 30, 60],), ([10, 20],)],
    rtol=2e-6,
    wrong=[
        Wrong(
            "calls the library",
            library,
            "The `alpha` of `tokens_per_round` is the share of judged drafts that passed. Where "
            "the rate differs by position, $E[T]$ of that share is not the measured mean.",
        ),
        Wrong(
            "share of all drafts",
            share_of_drafts,
            "Dividing by γ counts drafts behind a rejection as rejected, though they were never "
            "judged. Solve $E[T](α)$ = mean instead.",
        ),
        Wrong(
            "window without end",
            endless_window,
            "1/(1 − α) is the ceiling of E[T], reached by an endless window only. Use the sum "
            "with γ + 1 terms.",
        ),
    ],
    worked=lambda margin: (
        rf"$\bar K = \sum k\,n_k / \sum n_k$. Solve $\alpha + \dots + \alpha^\gamma = {margin} "
        r"\bar K$ by halving the interval from 0 to 1: the left side rises with α. For "
        f"`[40, 30, 30, 60]` it is {effective_alpha([40, 30, 30, 60], margin):.6f}."
    ),
)
