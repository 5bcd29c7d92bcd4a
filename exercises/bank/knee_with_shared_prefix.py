from crossover.theory import MODELS, Roofline

from ..questions import Function, Wrong
from ._facts import A100, ON_A100

MODEL = MODELS["Llama-3-70B"]
ROOF = Roofline(MODEL, A100)


def shared_knee(width, context, prefix, attend_to_prefix=True):
    """The prefix is read once a pass; every position attends to it all the same."""
    kappa = MODEL.kv_bytes_per_token
    attention = 4 * MODEL.layers * MODEL.heads * MODEL.head_dim
    attended = context + (prefix if attend_to_prefix else 0)
    arithmetic = (2 * MODEL.params + attention * attended) * width
    spare = arithmetic - A100.ridge_point() * kappa * context
    if spare <= 0:
        return -1.0
    return A100.ridge_point() * (MODEL.weight_bytes + kappa * prefix) / spare


def own_copies(width, context, prefix):
    knee = float(ROOF.crossover_batch(width, context + prefix))
    return knee if knee != float("inf") else -1.0


def prefix_ignored(width, context, prefix):
    knee = float(ROOF.crossover_batch(width, context))
    return knee if knee != float("inf") else -1.0


def draw_inputs(rng, prefix):
    within = [(rng.randint(2, 8), rng.randint(100, 5000)) for _ in range(10)]
    return [*within, (1, rng.randint(4000, 8000)), (1, rng.randint(100, 1500))]


question = Function(
    id="knee-with-shared-prefix",
    topic="memory",
    chapter="11",
    level="analyse",
    minutes=30,
    points=6,
    text=(
        "Every request of a service begins with the same system prompt of {{prefix}} tokens. Its "
        "keys and values are stored once, and a pass reads them once for the whole batch. Each "
        "sequence has `context` further cached tokens of its own. Every position attends to the "
        "prefix and to its own sequence's tokens, at 4 · layers · query heads · head size FLOP a "
        "position and token. A pass takes the longer of reading (weights, prefix, own caches) and "
        f"arithmetic, {ON_A100}, per card that would hold it; the model has the size and shape "
        "of Llama-3-70B in fp16 (see `MODELS`).\n\n"
        "Write `shared_knee(width, context)`: the batch, not rounded, above which a pass of "
        "`width` positions a sequence is compute-bound; -1.0 if no batch makes it so."
    ),
    parameters={"prefix": list(range(1000, 7000, 50))},
    name="shared_knee",
    signature="width, context",
    answer=shared_knee,
    inputs=draw_inputs,
    examples=[(5, 1000), (1, 6000)],
    rtol=1e-5,
    wrong=[
        Wrong(
            "calls the library",
            own_copies,
            "`crossover_batch` at context + prefix reads the prefix once for every sequence. Here "
            "one read serves them all.",
        ),
        Wrong(
            "prefix ignored",
            prefix_ignored,
            "The prefix adds bytes to the pass, and every position attends to it.",
        ),
        Wrong(
            "prefix not attended to",
            lambda width, context, prefix: shared_knee(width, context, prefix, False),
            "Reading is shared, attention is not: every position does the arithmetic for every "
            "token of the prefix.",
        ),
    ],
    worked=lambda prefix: (
        r"Equal halves: $R (N d + κ P + B L κ) = (2N + a (P + L)) B w$, so "
        r"$B = R (N d + κ P) / ((2N + a (P + L)) w - R κ L)$ where the denominator is positive. "
        f"With $P$ = {prefix}, `(5, 1000)` gives {shared_knee(5, 1000, prefix):.4f}."
    ),
)
