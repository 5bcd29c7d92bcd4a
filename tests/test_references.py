"""The appendix of references holds every work that a page lists, and says what for."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted([*ROOT.glob("chapters/*.ipynb"), *ROOT.glob("appendices/*.ipynb")])
APPENDIX = (ROOT / "appendices" / "references.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\((https?://[^)\s]+)\)")


def listed(notebook):
    """The addresses under the heading References of a notebook."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
    section = re.search(r"^## References$(.*?)(?=^## |\Z)", text, re.M | re.S)
    return set(LINK.findall(section[1])) if section else set()


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_work_listed_is_in_the_appendix(notebook):
    assert listed(notebook) - set(LINK.findall(APPENDIX)) == set()


def test_the_works_are_found():
    assert len(set().union(*map(listed, NOTEBOOKS))) >= 5


def test_each_entry_says_what_it_is_cited_for_and_stands_once():
    entries = [line for line in APPENDIX.splitlines() if line.startswith("- ")]
    after_the_link = [LINK.sub("](there)", entry).rpartition("](there)")[2] for entry in entries]
    assert [words for words in after_the_link if not re.search(r": \S+ \S+", words)] == []
    links = LINK.findall(APPENDIX)
    assert sorted(set(links)) == sorted(links)
