"""The still picture of one recorded round, as SVG: the same bytes on every machine."""

from html import escape

from .figures import BLUE, GREY, ORANGE, PURPLE
from .round_states import ROWS, STATES

CELL, LABEL, LINE = 30, 96, 24
WIDTH = 420
# fill, border, dashes, ink, hatched; the page's stylesheet has the same looks, and two more:
# a still picture shows no round whose rollback was left out.
LOOKS = {
    "accepted": ("#ffffff", BLUE, "", BLUE, False),
    "rejected": ("#ffffff", ORANGE, "", ORANGE, True),
    "committed": ("#e4e4e4", "#e4e4e4", "", "#000000", False),
    "correction": ("#ffffff", "#000000", "", "#000000", False),
    "bonus": ("#ffffff", "#000000", "", "#000000", False),
    "own": ("#ffffff", "#000000", "", "#000000", False),
    "held": ("#a9c9df", "#a9c9df", "", "#000000", False),
    "kept": (BLUE, BLUE, "", "#ffffff", False),
    "dropped": ("#ffffff", ORANGE, "", ORANGE, True),
    "owed": ("#ffffff", PURPLE, "4 3", PURPLE, False),
    "none": ("none", "#dddddd", "", GREY, False),
}
HATCH = (
    '<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    f'patternTransform="rotate(45)"><path d="M0 0V6" stroke="{ORANGE}" stroke-width="2"/></pattern>'
)


def mark(code, position, last):
    """What stands in a cell: c, b, × for the last token before the round, or a draft's number."""
    if code in "cbn":
        return {"c": "c", "b": "b", "n": "t"}[code]
    if code == "." or position < last:
        return ""
    return "×" if position == last else str(position - last)


def picture(shown, names):
    """Draw one round.

    Parameters
    ----------
    shown : Shown
    names : str
        A letter for each card.

    Returns
    -------
    str
        An SVG of `WIDTH` pixels.
    """
    parts, y, used = [], 0, set()
    for name, card in zip(names, shown.cards, strict=True):
        parts.append(_text(0, y + 18, f"{name}: {card.title}", weight="bold"))
        y += LINE + 4
        if card.rows:
            columns = range(len(card.rows[0]))
            centres = [LABEL + CELL * (column + 0.5) for column in columns]
            parts += [_text(x, y + 14, str(card.first + i), anchor="middle", size=11, fill=GREY)
                      for i, x in enumerate(centres)]  # fmt: skip
            y += 20
            for label, codes in zip(ROWS, card.rows, strict=True):
                parts.append(_text(0, y + 18, label))
                for column, code in zip(columns, codes, strict=True):
                    used.add(code)
                    position = card.first + column
                    text = mark(code, position, card.position)
                    parts.append(_cell(LABEL + CELL * column, y, STATES[code][0], text))
                y += LINE + 3
        y += 12
    for code in (code for code in STATES if code in used and code != "."):
        name, words = STATES[code]
        parts += [_cell(0, y, name, mark(code, 0, 1)), _text(CELL + 8, y + 17, words, size=13)]
        y += LINE + 2
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 4}" '
        f'viewBox="-2 0 {WIDTH} {y + 4}" font-family="sans-serif">\n'
        f'<defs>{HATCH}</defs>\n<rect x="-2" width="{WIDTH}" height="{y + 4}" fill="#ffffff"/>\n'
        f"{body}\n</svg>"
    )


def _cell(x, y, state, text):
    fill, border, dashes, ink, hatched = LOOKS[state]
    width = 2.4 if border == "#000000" else 1.5
    box = f'x="{x + 2:g}" y="{y + 1}" width="{CELL - 4}" height="{LINE - 2}"'
    drawn = f'<rect {box} fill="{fill}" stroke="{border}" stroke-width="{width}"'
    drawn += f' stroke-dasharray="{dashes}"/>' if dashes else "/>"
    if hatched:
        drawn += f'<rect {box} fill="url(#hatch)" fill-opacity="0.45"/>'
    if text and hatched:
        middle = x + CELL / 2
        drawn += f'<rect x="{middle - 7:g}" y="{y + 4}" width="14" height="16" fill="{fill}"/>'
    if text:
        drawn += _text(x + CELL / 2, y + 17, text, anchor="middle", fill=ink)
    return drawn


def _text(x, y, words, anchor="start", size=14, fill="#000000", weight="normal"):
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{fill}">{escape(words)}</text>'
    )
