"""Every number in prose is printed by a cell of its chapter, or stands in a facts table.

Prose is Markdown cells, captions, alternative texts and what a live chart says about
itself. A Markdown page has no cells: there the cells of every chapter count. The facts
tables of a page support its own numbers. Numbers are matched to the digits written:
`2.18` needs a printed 2.18 or 2.180, not 2.179. `prose` says which numbers count.
"""
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from . import prose
from .pages import CHAPTERS, GOOD, PAGES, data_of, lines, page_metadata, read

MOST_EXEMPTIONS = 20
with open(Path(__file__).parent / "exemptions.toml", "rb") as file:
    EXEMPTIONS = tomllib.load(file).get("number", [])
PROSE_PAGES = [pytest.param(path, id=path.stem) for path in [GOOD, *CHAPTERS, *PAGES]]


def live_charts(cell):
    """The HTML of the cell's live charts: their words are the author's, not computed."""
    return [html for html in data_of(cell, "text/html") if "explorable" in html]


def words_of(html):
    """What a reader sees of `html`, without scripts, styles and attributes."""
    html = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"<[^>]*>", " ", html)


def prose_of(chapter):
    """Everything in `chapter` that somebody wrote for a reader, as Markdown."""
    texts = list(chapter.prose)
    for cell in chapter.code:
        texts += [page_metadata(cell, "figure", "caption"), page_metadata(cell, "image", "alt")]
        texts += map(words_of, live_charts(cell))
    return "\n\n".join(texts)


def printed_by(chapter):
    """Every number that the stored outputs of `chapter` show as text."""
    texts = []
    for cell in chapter.code:
        for output in cell.outputs:
            data = output.get("data", {})
            if "image/png" in data or "explorable" in data.get("text/html", ""):
                continue
            texts += [output.get("text", ""), words_of(data.get("text/html", ""))]
            if "text/html" not in data:
                texts.append(data.get("text/plain", ""))
    return prose.printed("\n".join(texts))


@cache
def page(path):
    """The prose of a chapter or Markdown page, and the numbers that support it."""
    if path.suffix == ".md":
        text = path.read_text(encoding="utf-8")
        return text, set().union(prose.facts(text), *(printed_by(read(p)) for p in CHAPTERS))
    chapter = read(path)
    text = prose_of(chapter)
    return text, printed_by(chapter) | prose.facts(text)


def unsupported(text, support):
    """The numbers that `text` states and `support` lacks, as written, each once."""
    return list(dict.fromkeys(number.written for number in prose.stated(text)
                              if not prose.supported(number, support)))


def exempt(path):
    return {entry["text"] for entry in EXEMPTIONS if entry["page"] == path.stem}


@pytest.mark.parametrize("path", PROSE_PAGES)
def test_every_number_in_prose_is_supported(path):
    missing = [written for written in unsupported(*page(path)) if written not in exempt(path)]
    assert not missing, lines(["print to these digits, or put in a table with a column Source:",
                               *missing])


@pytest.mark.parametrize("path", PROSE_PAGES)
def test_every_fact_has_a_source(path):
    assert prose.unsourced(page(path)[0]) == []


def test_exemptions_are_few_and_needed():
    assert len(EXEMPTIONS) <= MOST_EXEMPTIONS
    paths = {path.stem: path for path in [*CHAPTERS, *PAGES]}
    for entry in EXEMPTIONS:
        assert len(entry["reason"].split()) > 2, f"{entry}: say why"
        assert entry["page"] in paths, f"{entry}: no such page"
        assert entry["text"] in unsupported(*page(paths[entry["page"]])), f"{entry}: not needed"


# -- the check itself ---------------------------------------------------------------

@pytest.mark.parametrize("written, numbers", [
    ("2.18× here, 2.1 times there, 4 × 4096 weights", ["2.18×", "2.1 times"]),
    (r"$2.1\times$ and $R = 312\times10^{12} / 2039\times 10^{9} \approx 153.02$",
     ["2.1×", "312e12", "2039e9", "153.02"]),
    ("312×10¹² FLOP/s, 70e9, 1e-9", ["312e12 FLOP/s", "70e9", "1e-9"]),
    ("524 288 B, 524,288 B, 524\u2009288 B", ["524 288", "524,288", "524 288"]),
    (r"$524{,}288$, $1\,864.2 \text{ tokens/s}$", ["524 288", "1 864.2 tokens"]),
    ("70 billion parameters, a 7-billion-parameter draft", ["70 billion", "7-billion"]),
    ("33 % of 2039 GB/s in 68.7 ms, 80GB", ["33 %", "2039 GB/s", "68.7 ms", "80GB"]),
    (r"$\alpha \ge 0.956$, $0.6^5$, \$5", ["0.956", "0.6"]),
    ("**3.05** tokens, *2.1*. And (0.666, 0.537).", ["3.05 tokens", "2.1", "0.666", "0.537"]),
    ("```{admonition} Title 3.3\n:class: x4.5\nbody 4.4\n```\n5.5", ["3.3", "4.4", "5.5"]),
    ("```{math}\n\\frac{0.92224}{0.4}\n```", ["0.92224", "0.4"]),
    ("| B | speedup |\n|---|---|\n| 32 | 2.110 |\n", ["2.110"]),
    (r"γ + 1 times, $\gamma + 1$ positions, $1 + 0.75$ tokens", ["0.75 tokens"]),
    ("$B = 128$, γ = 4, in 2023, int8, W8A16, 8–9 pm", []),
    ("A100-80GB-SXM, Llama-3.1-405B, Llama 3.1, Python 3.11, Part 2", []),
    ("`0.5` and ``0.6``\n```\n0.7\n```\n~~~python\n0.8\n~~~\n<!-- 0.9 -->", []),
    ("[Roofline](https://example.org/1.5) arXiv:2211.17192, 10.1145/1498765.1498785", []),
    ("**Time:** 15 minutes.\n\n1. First.\n2. Second.", []),
    ("| x | Source |\n|---|---|\n| 2.5 GB | [a](b) |\n", []),
])
def test_what_counts_as_a_stated_number(written, numbers):
    assert [number.written for number in prose.stated(written)] == numbers


@pytest.mark.parametrize("written, output, holds", [
    ("2.18×", "speedup 2.18", True), ("2.18×", "speedup 2.180", True),
    ("2.20×", "2.2, then 2.20", True), ("2.20×", "2.2, then 2", False),
    ("2.18×", "speedup 2.179", False), ("2.180×", "speedup 2.18", False),
    ("2.18×", "12.18 or 2.181 or x2.18", False), ("33%", "0.33", False),
    ("1,864.2 tokens/s", "B=128 1864.2", True), ("1864.2 tokens/s", "1,864.2", True),
    ("312×10¹² FLOP/s", "3.12e+14", True), ("70 billion", "N = 70e9", True),
    ("70 billion", "70", True), ("70 billion", "70000000", False), ("140 GB", "140 GB", True),
    ("−12%", "-12%", True), ("5 tokens", "[1, 5, 8]", True), ("5 tokens", "1,500", False),
])
def test_what_supports_a_number(written, output, holds):
    [number] = prose.stated(written)
    assert prose.supported(number, prose.printed(output)) is holds


def reword(chapter):
    """A typed-in number no cell prints."""
    chapter.notebook.cells[2].source += "\nThat is 4.7 times more."


def change_output(chapter):
    """The code moved on; the prose did not."""
    chapter.code[1].outputs[0].text = "one pass: 34.33 ms\ntokens a round: 3.05\n"


def drop_the_source_column(chapter):
    chapter.notebook.cells[2].source = chapter.notebook.cells[2].source.replace("Source", "note")


def caption(chapter):
    chapter.code[2].metadata.mystnb.figure.caption += " The line rises by 17%."


def live_chart(chapter):
    html = chapter.code[3].outputs[0].data
    html["text/html"] = html["text/html"].replace("Drag", "At 9.52 sequences, drag")


@pytest.mark.parametrize("spoil, said", [
    (reword, ["4.7 times"]), (change_output, ["68.66 ms"]),
    (drop_the_source_column, ["2039 GB/s"]), (caption, ["17%"]), (live_chart, ["9.52 sequences"]),
])
def test_an_unsupported_number_is_caught(good, spoil, said):
    spoil(good)
    text = prose_of(good)
    assert unsupported(text, printed_by(good) | prose.facts(text)) == said


def test_a_fact_without_a_source_is_caught(good):
    text = good.prose[1].replace("[NVIDIA, A100 datasheet](https://www.nvidia.com/a100)", "NVIDIA")
    assert len(prose.unsourced(text)) == 1
