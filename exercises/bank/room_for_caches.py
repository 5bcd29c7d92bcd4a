from ..questions import Number, Wrong


def gigabytes(target, draft, cards, memory, usable):
    return cards * memory * usable - 2 * (target + draft)


def worked(target, draft, cards, memory, usable):
    return (
        rf"Usable: ${cards} \cdot {memory} \cdot {usable} = {cards * memory * usable:.2f}$ GB. "
        rf"Weights: $2 \cdot ({target} + {draft}) = {2 * (target + draft):.1f}$ GB. Left: "
        f"{gigabytes(target, draft, cards, memory, usable):.2f} GB."
    )


question = Number(
    id="room-for-caches",
    topic="memory",
    chapter="11",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A target of {{target}} and a draft of {{draft}} billion parameters, both in fp16, are "
        "spread over {{cards}} cards of {{memory}} GB. Weights and caches may take a fraction "
        "{{usable}} of the memory. How many GB are left for KV caches, all cards together? 1 GB is "
        "$10^9$ bytes."
    ),
    parameters={
        "target": [65, 70, 72, 76],
        "draft": [3, 7, 8, 13],
        "cards": [4, 8],
        "memory": [80, 141],
        "usable": [0.81, 0.84, 0.87, 0.9, 0.93],
    },
    answer=gigabytes,
    unit="GB",
    rtol=0.001,
    low=0,
    high=5000,
    wrong=[
        Wrong(
            "a byte a parameter",
            lambda target, draft, cards, memory, usable: (
                cards * memory * usable - target - draft
            ),
            "fp16 takes 2 bytes a parameter.",
        ),
        Wrong(
            "all of the memory",
            lambda target, draft, cards, memory, usable: cards * memory - 2 * (target + draft),
            "Only the usable fraction counts: activations and the runtime need the rest.",
        ),
        Wrong(
            "weights on every card",
            lambda target, draft, cards, memory, usable: (
                cards * (memory * usable - 2 * (target + draft))
            ),
            "The cards share the weights; each holds its part of them, not a copy.",
        ),
        Wrong(
            "draft forgotten",
            lambda target, draft, cards, memory, usable: cards * memory * usable - 2 * target,
            "The draft's weights lie in the same memory.",
        ),
    ],
    worked=worked,
)
