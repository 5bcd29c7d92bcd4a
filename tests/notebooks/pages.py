"""The chapters and pages of the book, as the checks read them."""
from dataclasses import dataclass
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = sorted(path for pattern in ("chapters/*.ipynb", "calculator.ipynb", "appendices/*.ipynb")
                  for path in ROOT.glob(pattern))
PAGES = sorted(path for path in [ROOT / "intro.md", *ROOT.glob("appendices/**/*.md"),
                                 *ROOT.glob("chapters/**/*.md")] if path.exists())
GOOD = Path(__file__).parent / "fixtures" / "good.ipynb"


@dataclass
class Chapter:
    """One notebook: where it is and what it holds."""

    path: Path
    notebook: nbformat.NotebookNode

    @property
    def name(self):
        return self.path.stem

    @property
    def code(self):
        """Its code cells, in order."""
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    @property
    def prose(self):
        """The sources of its Markdown cells, in order."""
        return [cell.source for cell in self.notebook.cells if cell.cell_type == "markdown"]


def read(path):
    """The `Chapter` stored at `path`."""
    return Chapter(path, nbformat.read(path, as_version=4))


def page_metadata(cell, *keys):
    """What the cell's `mystnb` metadata says under `keys`, or ''."""
    value = cell.metadata.get("mystnb", {})
    for key in keys:
        value = value.get(key, {})
    return value or ""


def lines(faults):
    """`faults` one a line, as the message of a failed check."""
    return "\n".join(["", *faults])


def data_of(cell, mime):
    """The outputs of `cell` that hold `mime`, as stored."""
    return [output.data[mime] for output in cell.get("outputs", [])
            if mime in output.get("data", {})]
