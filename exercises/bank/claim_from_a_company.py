from ..questions import Text

question = Text(
    id="claim-from-a-company",
    topic="measurement",
    chapter="10",
    level="analyse",
    minutes=60,
    points=8,
    text=(
        "Find a public statement by an Indian company, or by one of its suppliers, on serving a "
        "language model: how fast, for how many users, or what was gained by caching, batching or "
        "speculative decoding. Do not use the case worked in the course. Write one paragraph of "
        "120 to 200 words: what is claimed, by whom, against what, at which load, on which chip "
        "and models; what is not said; where the load lies beside $B^*(γ + 1)$ of the chip (γ = 0 "
        "if there is no draft); and whether you would expect the gain at a peak hour. Give the "
        "address and the date of the statement."
    ),
    rubric=(
        "- 1: a public source with address and date; the statement is there.\n"
        "- 2: baseline and load are named, or *not said* is (a gap found counts as a finding).\n"
        "- 1: chip, precision and models, or *not said*.\n"
        "- 2: $B^*$ computed from the chip's dense rate and bandwidth, with the right width, and "
        "the load placed left or right of it. Half if the sparse rate is taken.\n"
        "- 2: the verdict on the peak hour follows from what stands before it; a reader can tell "
        "at which batch the claim was measured, or that nobody said.\n\n"
        "A claim retold without its load earns at most 3."
    ),
    worked=lambda: (
        "The course's case of a voice bot (*Active recall*, exercise 2) shows the form: who, what, "
        "against what, load, chip, models, text; then the batch beside $B^*$; then the verdict. "
        "Mark the reasoning, not the company."
    ),
)
