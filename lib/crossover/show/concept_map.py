"""The course on one page: its ideas, four topics from elsewhere, and what links them."""

import matplotlib.pyplot as plt
from matplotlib.patches import FancyBboxPatch

from . import figures

COLUMNS, ROWS = (0.75, 2.25, 3.75), (5.3, 4.1, 2.9, 1.7, 0.5)  # inches
WIDTH, HEIGHT = 1.24, 0.52
FIGSIZE = (4.5, 6.2)

# name: (column, row)
COURSE = {
    "KV cache": (1, 0),
    "batching": (0, 1),
    "speculative\ndecoding": (2, 1),
    "arithmetic\nintensity": (1, 2),
    "quantisation": (2, 2),
    "knee B*": (1, 3),
    "measured\npasses": (2, 3),
    "break-even": (1, 4),
}
ELSEWHERE = {
    "Little's law": (0, 0),
    "rejection\nsampling": (2, 0),
    "memory\nhierarchy": (0, 2),
    "geometric\nseries": (0, 3),
}
# (from, what it does, to): each line reads as a sentence
LINKS = [
    ("Little's law", "sizes", "batching"),
    ("rejection\nsampling", "keeps exact", "speculative\ndecoding"),
    ("KV cache", "limits", "batching"),
    ("KV cache", "is cut back after", "speculative\ndecoding"),
    ("batching", "scales by B", "arithmetic\nintensity"),
    ("speculative\ndecoding", "scales by γ + 1", "arithmetic\nintensity"),
    ("arithmetic\nintensity", "meets R at", "knee B*"),
    ("memory\nhierarchy", "sets R of", "knee B*"),
    ("quantisation", "can move", "knee B*"),
    ("knee B*", "comes before", "break-even"),
    ("geometric\nseries", "sums to E[T] for", "break-even"),
    ("measured\npasses", "correct", "break-even"),
]


@figures.in_style
def concept_map():
    """Draw the ideas of Part II and the topics from elsewhere that they rest on.

    Returns
    -------
    matplotlib.axes.Axes
        In inches, without an axis. Each idea is a text in a box, each link an
        arrow with its verb; ideas from elsewhere have a dashed box.
    """
    _, ax = plt.subplots(figsize=FIGSIZE)
    ax.set(xlim=(0, FIGSIZE[0]), ylim=(0, FIGSIZE[1]), aspect="equal")
    ax.axis("off")
    boxes = {}
    for ideas, color, line in ((COURSE, figures.BLUE, "-"), (ELSEWHERE, figures.ORANGE, "--")):
        for name, (column, row) in ideas.items():
            boxes[name] = _box(ax, name, COLUMNS[column], ROWS[row], color, line)
    for start, verb, end in LINKS:
        _link(ax, boxes[start], verb, boxes[end])
    for x, words, color, line in (
        (COLUMNS[0], "this course", figures.BLUE, "-"),
        (COLUMNS[2], "from elsewhere", figures.ORANGE, "--"),
    ):
        ax.plot([x - 0.5, x + 0.5], [5.8, 5.8], line, color=color, linewidth=1.6)
        ax.text(x, 5.88, words, ha="center", va="bottom", fontsize=10, color=color)
    return ax


def _box(ax, name, x, y, color, line):
    box = FancyBboxPatch(
        (x - WIDTH / 2, y - HEIGHT / 2), WIDTH, HEIGHT,
        boxstyle="round,pad=0,rounding_size=0.1",
        facecolor="white", edgecolor=color, linestyle=line, linewidth=1.6, zorder=2,
    )  # fmt: skip
    ax.add_patch(box)
    ax.text(x, y, name, ha="center", va="center", color=color, zorder=3, gid="idea")
    return box


def _link(ax, start, verb, end):
    a, b = (_centre(box) for box in (start, end))
    ax.annotate(
        "", xy=b, xytext=a,
        arrowprops={
            "arrowstyle": "-|>", "patchA": start, "patchB": end, "shrinkA": 1, "shrinkB": 1,
            "color": figures.GREY, "linewidth": 1.2,
        },
    )  # fmt: skip
    along = 0.6 if a[0] == b[0] else 0.36  # slanted links carry their verb higher: no collisions
    ax.text(
        a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1]), verb,
        ha="center", va="center", fontsize=9.5, color="black", zorder=4,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2},
    )  # fmt: skip


def _centre(box):
    return box.get_x() + WIDTH / 2, box.get_y() + HEIGHT / 2
