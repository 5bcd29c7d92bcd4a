"""The one form in which a notebook is stored, and what counts as the same output.

`normalise` removes what depends on chance or on the machine; `keep_stored` puts
back the stored bytes of every output that says the same to a reader, so that
executing again changes a file only when its content changed.
"""
import base64
import binascii
import hashlib
import io
import os
import re

import nbformat
import numpy as np
from PIL import Image

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("mystnb", "tags")
FOLDED = {"outputs_hidden": True, "source_hidden": True}  # how JupyterLab says hide-cell
# A pixel counts as changed when a channel moves by more than LEVELS of 255, and a
# picture when more than SHARE of its pixels do: 30 of 640 x 480. Matplotlib brings its
# own FreeType and fonts, both pinned, so a second drawing is equal but for rounding,
# and a curve moved by 1e-4 of its height gives the same pixels. A curve moved by
# 1e-3 changes 9 SHAREs of them, ten points of 200 moved by a hundredth 3 SHAREs.
# tests/notebooks/test_pictures.py holds both sides.
LEVELS = 32
SHARE = 1e-4


def cell_id(source, taken):
    """An id that depends on the source only, not in `taken`: ``c-`` and 8 digits."""
    stem = "c-" + hashlib.sha1(source.encode()).hexdigest()[:8]
    copies = 1
    name = stem
    while name in taken:
        copies += 1
        name = f"{stem}-{copies}"
    return name


def has_tool_made_id(cell):
    """True for no id and for the random ids of nbformat (8 hex digits) and JupyterLab (UUID)."""
    random = r"([0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})?)?"
    return re.fullmatch(random, cell.get("id", "")) is not None


def normalise(notebook):
    """Bring `notebook` into the stored form, in place.

    Cell ids last and do not depend on chance; metadata is the kernel's name and
    what the book reads; what the book folds is folded in JupyterLab too; outputs hold
    no widget view, whose model id is random and which shows nothing without a kernel.
    """
    page = {"mystnb": notebook.metadata["mystnb"]} if "mystnb" in notebook.metadata else {}
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA | page)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    taken = set()
    for cell in notebook.cells:
        if has_tool_made_id(cell) or cell.id in taken:  # in taken: a copied cell
            cell.id = cell_id(cell.source, taken)
        taken.add(cell.id)
        kept = {key: cell.metadata[key] for key in CELL_METADATA if cell.metadata.get(key)}
        if "hide-cell" in kept.get("tags", ()):
            kept["jupyter"] = FOLDED
        cell.metadata = nbformat.from_dict(kept)
        for output in cell.get("outputs", []):
            output.get("data", {}).pop(WIDGET_VIEW, None)
            output.get("metadata", {}).pop(WIDGET_VIEW, None)
    return notebook


def with_palettes(notebook):
    """Give the pictures of `notebook` palettes, in place."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = with_palette(output.data["image/png"])
    return notebook


def with_palette(png):
    """The picture in the base64 text `png` in 256 colours, about a third of the bytes.

    `png` itself if it would not look the same.
    """
    flat = Image.fromarray(pixels(png).astype(np.uint8))
    small = io.BytesIO()
    few = flat.quantize(256, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(small, "PNG", optimize=True)
    text = base64.b64encode(small.getvalue()).decode()
    return text if picture_difference(text, png) == 0 else png


def pixels(png):
    """The picture in the base64 text `png` as RGB on white, shape (rows, columns, 3)."""
    picture = Image.open(io.BytesIO(base64.b64decode(png))).convert("RGBA")
    white = Image.new("RGBA", picture.size, "white")
    return np.asarray(Image.alpha_composite(white, picture).convert("RGB"), dtype=np.int16)


def picture_difference(fresh, stored):
    """Share of pixels, 0 to 1, in which two base64 PNGs differ by more than `LEVELS`.

    1.0 when the sizes differ.
    """
    if fresh.strip() == stored.strip():
        return 0.0
    new, old = pixels(fresh), pixels(stored)
    if new.shape != old.shape:
        return 1.0
    return float((np.abs(new - old).max(axis=2) > LEVELS).mean())


def same(mime, fresh, stored, patterns):
    """Whether two outputs of one MIME type say the same to a reader."""
    if mime == "image/png":
        try:
            return picture_difference(fresh, stored) <= SHARE
        except (binascii.Error, OSError):  # the stored bytes are no picture
            return False
    if isinstance(fresh, str) and isinstance(stored, str):
        for pattern, replacement in patterns:
            fresh, stored = (re.sub(pattern, replacement, text) for text in (fresh, stored))
    return fresh == stored


def keep_stored(fresh, stored, patterns):
    """Put the stored bytes back into `fresh` wherever they say the same, in place."""
    before = {cell.id: cell.get("outputs", []) for cell in stored.cells}
    for cell in fresh.cells:
        for new, old in zip(cell.get("outputs", []), before.get(cell.id, []), strict=False):
            if new.output_type != old.output_type:
                continue
            if "text" in new and same("text/plain", new.text, old.text, patterns):
                new.text = old.text
            for mime in set(new.get("data", {})) & set(old.get("data", {})):
                if same(mime, new.data[mime], old.data[mime], patterns):
                    new.data[mime] = old.data[mime]
    return fresh


def text_of(notebook):
    """`notebook` as the text of its file: nbformat's own layout and a last newline."""
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


def store(path, text):
    """Replace the file in one step, so an interrupt leaves the old or the new one."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)
