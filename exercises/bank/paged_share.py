from math import ceil, floor

from ..questions import Numbers, Wrong


def shares(tokens, longest, block):
    return {
        "reserved": 100 * tokens / longest,
        "paged": 100 * tokens / (ceil(tokens / block) * block),
    }


def wasted(**values):
    return {name: 100 - share for name, share in shares(**values).items()}


def rounded_down(tokens, longest, block):
    return shares(tokens, longest, block) | {
        "paged": 100 * tokens / (floor(tokens / block) * block)
    }


def whole_reservation_in_blocks(tokens, longest, block):
    return {"reserved": 100 * tokens / longest, "paged": 100 * tokens / longest}


def worked(tokens, longest, block):
    share, blocks = shares(tokens, longest, block), ceil(tokens / block)
    return (
        f"Reserved: {tokens} of {longest}, {share['reserved']:.2f} %. Paged: {blocks} blocks hold "
        f"{blocks * block} tokens, {share['paged']:.2f} %. Only the last block has room unused."
    )


question = Numbers(
    id="paged-share",
    topic="kv-cache",
    chapter="02",
    level="apply",
    minutes=4,
    points=2,
    text=(
        "A sequence ends at {{tokens}} cached tokens. One engine reserves room for {{longest}} "
        "tokens when the sequence starts. Another takes blocks of {{block}} tokens as they are "
        "needed. Which share of the memory taken holds tokens at the end, in percent: `reserved` "
        "in the first engine, `paged` in the second?"
    ),
    parameters={
        "tokens": [333, 397, 462, 541, 617, 703, 813, 925, 1059, 1173, 1285, 1421],
        "longest": [2048, 3072, 4096, 6144, 8192],
        "block": [16, 32, 64, 128],
    },
    answer=shares,
    units={"reserved": "%", "paged": "%"},
    rtol=0.002,
    wrong=[
        Wrong(
            "share wasted",
            wasted,
            "That is the share that stands empty. The question asks for the share that holds "
            "tokens.",
        ),
        Wrong(
            "blocks rounded down",
            rounded_down,
            "A block that is filled in part is taken whole: round the number of blocks up. More "
            "than 100 % cannot be in use.",
        ),
        Wrong(
            "pages reserved ahead",
            whole_reservation_in_blocks,
            "Paging reserves nothing ahead. Only the blocks that hold tokens are taken.",
        ),
    ],
    worked=worked,
)
