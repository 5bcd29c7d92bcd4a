from ..questions import Text

question = Text(
    id="why-free-positions-end",
    topic="roofline",
    chapter="05",
    level="recall",
    minutes=4,
    points=3,
    text=(
        "A verification pass judges γ drafted positions more than plain decoding would process. At "
        "small batch they take no extra time. Explain in two or three sentences, in terms of "
        "arithmetic intensity and the ridge point, why they take time at large batch. Name the "
        "quantity that decides, with its unit."
    ),
    rubric=(
        "One point each:\n\n"
        "- The weights are read once a pass whatever the batch; below the ridge the read alone "
        "sets the time, and further positions use arithmetic that would stand idle.\n"
        "- The intensity is $2Bw/d$ with $w = γ + 1$: it grows with the batch as well as with the "
        "window.\n"
        "- The pass is compute-bound once the intensity exceeds $R$ = FLOPS/BW, in FLOP per byte "
        "(or: $B$ exceeds $B^* = Rd/2w$ sequences); from there every position adds time.\n\n"
        "No point for *the GPU is full* or *memory runs out* without the ratio."
    ),
    worked=lambda: (
        "The pass reads its weights once, for all sequences. It does $2Bw/d$ FLOP for each byte "
        "read, while the chip could do $R$ = FLOPS/BW. Below $R$ the read sets the time, and the γ "
        "positions use arithmetic that stands idle. Both $B$ and $w = γ + 1$ raise the intensity; "
        "beyond $B^* = R d / 2w$ sequences it exceeds $R$, and time grows with every position."
    ),
)
