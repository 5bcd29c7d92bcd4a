from ..questions import Choice

question = Choice(
    id="crowded-node",
    topic="window",
    chapter="08",
    level="analyse",
    minutes=5,
    points=2,
    text=(
        "A pair of 70 and 7 billion parameters in fp16 runs on a chip with $R$ = {{ridge}} FLOP/B, "
        "with γ = {{gamma}} and α = {{alpha}}. At the peak hour the batch is {{share}} % of $R$, "
        "and throughput is below plain decoding. Passes take what the envelope says. Which one of "
        "these changes can bring the speedup above 1 at this batch?"
    ),
    parameters={
        "ridge": [153, 201, 247, 295],
        "gamma": [4, 5, 6],
        "alpha": [0.7, 0.72, 0.75],
        "share": [84, 87, 90],
    },
    options={
        "a": "Double γ: more drafts a round, more chances to be accepted.",
        "b": "Shrink γ to 1, so that verification is memory-bound again.",
        "c": "Train the draft for a much higher α, and run γ = 1.",
        "d": "Move both models to a chip with twice the arithmetic rate and twice the bandwidth, "
        "at the same batch.",
    },
    answer=lambda **values: "c",
    wrong={
        "a": "E[T] cannot pass 1/(1 − α), while a compute-bound pass grows with every position. "
        "The speedup falls further.",
        "b": "Two positions a sequence reach the knee at half of R already, so verification stays "
        "compute-bound; compare what the round yields with what it costs.",
        "d": "Every pass takes half as long, with speculation and without. R is a ratio and stays, "
        "and so does the speedup.",
    },
    worked=lambda ridge, gamma, alpha, share: (
        f"**c.** With γ = 1 a round costs {2 * share / 100:.2f} + 0.10 plain steps and yields "
        f"1 + α = {1 + alpha:.2f} tokens: {(1 + alpha) / (2 * share / 100 + 0.1):.3f}. "
        f"It takes α above {2 * share / 100 - 0.9:.2f}. Until then, switch speculation off at this "
        "batch."
    ),
)
