"""One fresh run of a notebook per worker, shared by the checks that compare with it."""
import asyncio
import functools
import json
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat
import notebooks

from .pages import data_of, page_metadata

HERE = Path(__file__).parent


@dataclass
class Figure:
    """A picture of one code cell: stored, drawn afresh, and the data it was drawn from."""

    name: str     # mystnb.figure.name, or "code cell 3"
    stored: str   # PNG, base64; '' when none is stored
    fresh: str
    axes: list    # as record_figures.axes_data gives them


@dataclass
class Run:
    """A notebook as stored and as a fresh run gives it."""

    stored: nbformat.NotebookNode
    fresh: nbformat.NotebookNode
    figures: dict  # name -> Figure


def in_a_thread(function, *arguments):
    """Call in a thread of its own: the browser tests may keep an event loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function, *arguments).result()


@functools.cache
def run(path):
    """Run the notebook at `path` once; later calls return the same `Run`.

    Raises `notebooks.NotebookFailed` when a cell raises, and `ValueError` when a
    cell shows more than one picture, which the book would give one caption.
    """
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "figures.jsonl"
        record.touch()
        search = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))
        stored, fresh = in_a_thread(asyncio.run, notebooks.rerun(
            path, extension="record_figures",
            env={"PYTHONPATH": search, "RECORD_FIGURES": str(record)}))
        drawn = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return Run(stored, fresh, figures_of(stored, fresh, drawn))


def figures_of(stored, fresh, drawn):
    """Bring together what each code cell stored, showed and recorded."""
    figures = {}
    pairs = zip(stored.cells, fresh.cells, strict=True)
    code = [(old, new) for old, new in pairs if new.cell_type == "code" and new.source.strip()]
    for number, (old, new) in enumerate(code, start=1):
        before, after = data_of(old, "image/png"), data_of(new, "image/png")
        recorded = [figure["axes"] for figure in drawn if figure["cell"] == number]
        if len(after) > 1:
            raise ValueError(f"code cell {number} shows {len(after)} pictures; show one a cell")
        if not before and not after:
            continue
        name = page_metadata(new, "figure", "name") or f"code cell {number}"
        if name in figures:
            raise ValueError(f"code cell {number}: the figure name {name!r} is taken")
        figures[name] = Figure(name, "".join(before[:1]), "".join(after),
                               recorded[-1] if recorded else [])
    return figures
