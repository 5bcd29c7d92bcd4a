from ..questions import Text

question = Text(
    id="concept-map",
    topic="connections",
    chapter="10",
    level="analyse",
    minutes=40,
    points=6,
    text=(
        "Draw a concept map with KV cache, batching, speculative decoding, ridge point, knee and "
        "break-even as six of its boxes, and at least three topics that you know from other "
        "courses, from mathematics or from physics. Hand it in as a list, one arrow a line, in "
        "the form `box — verb → box`, so that each line reads as a true sentence. At least twelve "
        "arrows."
    ),
    rubric=(
        "- 2: twelve arrows or more, each a true sentence with a verb of its own; *relates to*, "
        "*affects* and *is connected with* do not count.\n"
        "- 1: the knee depends on batch, window, precision and ridge point, not on α.\n"
        "- 1: the break-even lies past the knee and depends on α and on the draft's cost.\n"
        "- 1: the three topics from elsewhere are tied in by their substance (a geometric series "
        "sums to E[T]; Little's law sizes the batch), not by their names.\n"
        "- 1: from every box some path leads to the break-even, along the arrows or against them."
    ),
    worked=lambda: (
        "The course's own map is the last figure of *Active recall*. Lines such as `geometric "
        "series — sums to → E[T]`, `batching — raises → arithmetic intensity`, `arithmetic "
        "intensity — meets the ridge point at → knee`, `α — moves → break-even`, `quantisation — "
        "can move → knee`."
    ),
)
