from math import ceil

from ..questions import Number, Wrong


def percent(batch, gamma, tile):
    positions = batch * (gamma + 1)
    rows = ceil(positions / tile) * tile
    return 100 * (rows - positions) / rows


def worked(batch, gamma, tile):
    positions = batch * (gamma + 1)
    tiles = ceil(positions / tile)
    return (
        rf"${batch} \cdot {gamma + 1} = {positions}$ positions need {tiles} rows of tiles, "
        f"{tiles * tile} positions. {tiles * tile - positions} of them are padding, "
        f"{percent(batch, gamma, tile):.2f} %."
    )


question = Number(
    id="padding",
    topic="measurement",
    chapter="12",
    level="recall",
    minutes=2,
    points=1,
    text=(
        "A chip works a product off in rows of tiles, {{tile}} positions tall; a row filled in "
        "part takes as long as a full one. {{batch}} sequences verify γ = {{gamma}} drafts each. "
        "Which share of the positions that the tiles have room for is padding, in percent?"
    ),
    parameters={
        # no padding within 2 % of none, of one half, or of what w = γ would give
        "batch": [17, 20, *range(22, 26), *range(28, 32), 33, 34, 35, 37, 39, 40, *range(44, 48),
                  49, 50, 52, 53, 55, 56, *range(58, 63)],
        "gamma": [2, 4, 5, 6],
        "tile": [96, 128],
    },
    answer=percent,
    unit="%",
    rtol=0.002,
    low=0,
    high=100,
    wrong=[
        Wrong(
            "share of the positions",
            lambda batch, gamma, tile: (
                100 * (ceil(batch * (gamma + 1) / tile) * tile / (batch * (gamma + 1)) - 1)
            ),
            "That is padding over the positions that are used. The question asks for its share of "
            "all that the tiles have room for.",
        ),
        Wrong(
            "w = γ",
            lambda batch, gamma, tile: percent(batch, gamma - 1, tile),
            "Verification takes in γ + 1 positions a sequence.",
        ),
        Wrong(
            "share used",
            lambda batch, gamma, tile: 100 - percent(batch, gamma, tile),
            "That is the share that is used.",
        ),
    ],
    worked=worked,
)
