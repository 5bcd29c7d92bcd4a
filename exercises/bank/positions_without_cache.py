from ..questions import Number, Wrong


def positions(prompt, generated):
    return generated * prompt + generated * (generated - 1) / 2


def worked(prompt, generated):
    return (
        f"Pass $i$ (from 0) processes {prompt} + $i$ positions. The sum over {generated} passes is "
        rf"${generated} \cdot {prompt} + {generated} \cdot {generated - 1} / 2 = "
        f"{positions(prompt, generated):.0f}$."
    )


question = Number(
    id="positions-without-cache",
    topic="kv-cache",
    chapter="00",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A prompt of {{prompt}} tokens is followed by {{generated}} generated tokens. There is no "
        "KV cache: every pass processes the whole text so far. The first pass takes in the prompt "
        "and yields the first generated token; the last pass yields the last one. How many token "
        "positions are processed in all?"
    ),
    parameters={
        "prompt": [310, 380, 450, 530, 620, 710, 830, 940, 1060, 1170, 1290, 1430],
        "generated": [120, 140, 165, 190, 215, 245, 280, 310, 345, 385, 430, 480],
    },
    answer=positions,
    unit="positions",
    rtol=0.001,
    low=1e4,
    high=1e7,
    wrong=[
        Wrong(
            "the text does not grow",
            lambda prompt, generated: prompt * generated,
            "That counts the prompt in every pass. Without a cache the generated tokens are "
            "processed again too, one more in each pass.",
        ),
        Wrong(
            "with a cache",
            lambda prompt, generated: prompt + generated - 1,
            "That is the count with a KV cache, where each token is taken in once. Without it "
            "every pass starts from the first token again.",
        ),
        Wrong(
            "always the full text",
            lambda prompt, generated: (prompt + generated) * generated,
            "The text has its full length only at the end. Early passes are shorter.",
        ),
    ],
    worked=worked,
)
