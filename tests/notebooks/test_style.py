"""How a chapter is written: its shape, its code cells, its pictures.

Shape: the first cell has the title and the lines **You will be able to**, **Know
first:** and **Time:** N minutes. The last headings are Summary, Active recall (with
answers in admonitions of class dropdown) and References, and the last cell ends with
**Next:**. A picture's caption and alternative text are cell metadata,
`{"mystnb": {"figure": {"name": "fig-x", "caption": "..."}, "image": {"alt": "..."}}}`;
a live chart brings its own, as `figcaption` and `alt` in its HTML.
"""
import ast
import re

import pytest

from .pages import data_of, lines, page_metadata

LINES, COLUMNS, COMMENT_LINES = 15, 88, 2
ENDING = ["Summary", "Active recall", "References"]
# Chapter -> the headings of ENDING it does without, and why.
ENDS_OTHERWISE = {
    "10_active_recall": (["Active recall"], "the whole chapter is active recall"),
}


def code_faults(chapter):
    """A line for every code cell that is too long, too wide, or not plain imports-first Python."""
    found = []
    for number, cell in enumerate(chapter.code, start=1):
        where, source = f"code cell {number}", cell.source.splitlines()
        if len(source) > LINES:
            found.append(f"{where} has {len(source)} lines; at most {LINES}")
        wide = [line for line in source if len(line) > COLUMNS]
        if wide:
            found.append(f"{where} is {max(map(len, wide))} columns wide; at most {COLUMNS}")
        if re.search(rf"(^\s*#.*\n?){{{COMMENT_LINES + 1},}}", cell.source, re.M):
            found.append(f"{where} has prose in comments; move it to Markdown")
        if "sys.path" in cell.source:
            found.append(f"{where} edits sys.path; the library is installed")
        try:
            body = ast.parse(cell.source).body
        except SyntaxError as error:
            found.append(f"{where} is not plain Python: {error.msg}")
            continue
        found += import_faults(where, number, body)
    return found


def import_faults(where, number, body):
    """Imports outside the first code cell, below other code, or inside functions."""
    is_import = [isinstance(node, (ast.Import, ast.ImportFrom)) for node in body]
    nested = any(isinstance(inner, (ast.Import, ast.ImportFrom))
                 for node, top in zip(body, is_import, strict=True) if not top
                 for inner in ast.walk(node))
    if number > 1 and (any(is_import) or nested):
        return [f"{where} imports; imports belong in the first code cell"]
    if nested or is_import != sorted(is_import, reverse=True):
        return [f"{where} imports below other code"]
    return []


def picture_faults(chapter):
    """A line for every picture without a name, a caption or an alternative text."""
    found = []
    for number, cell in enumerate(chapter.code, start=1):
        where = f"code cell {number}"
        charts = [html for html in data_of(cell, "text/html") if "explorable" in html]
        for html in charts:
            if not re.search(r"<figcaption[^>]*>\s*[^<\s]", html):
                found.append(f"{where}: the live chart has no figcaption")
            if not re.search(r'\balt="[^"]', html):
                found.append(f"{where}: the live chart has no alt")
        if data_of(cell, "image/png") and not charts:
            for keys in [("figure", "name"), ("figure", "caption"), ("image", "alt")]:
                if not str(page_metadata(cell, *keys)).strip():
                    found.append(f"{where}: the picture has no mystnb.{'.'.join(keys)}")
            if len(data_of(cell, "image/png")) > 1:
                found.append(f"{where} shows several pictures under one caption")
    return found


def shape_faults(chapter):
    """A line for every part that the first cell or the end of the chapter lacks."""
    first, last = chapter.notebook.cells[0], chapter.notebook.cells[-1]
    parts = {"a title": r"\A# \S", "You will be able to": r"^\*\*You will be able to\*\* \S",
             "Know first": r"^\*\*Know first:\*\* \S", "Time": r"^\*\*Time:\*\* \d+ minutes\.?$"}
    found = [f"the first cell lacks {part}" for part, pattern in parts.items()
             if first.cell_type != "markdown" or not re.search(pattern, first.source, re.M)]
    text = "\n\n".join(chapter.prose)
    headings = re.findall(r"^#{1,2} +(.+?)\s*$", text, re.M)
    spared = ENDS_OTHERWISE.get(chapter.name, ([], ""))[0]
    ending = [heading for heading in ENDING if heading not in spared]
    if headings[-len(ending):] != ending:
        found.append(f"the last headings are {headings[-len(ending):]}, not {ending}")
    if not re.search(r"\{admonition\}[^\n]*\n:class: [^\n]*\bdropdown\b", text):
        found.append("no folded answer: an admonition with `:class: dropdown`")
    if last.cell_type != "markdown" or not re.search(r"^\*\*Next:\*\* \S", last.source, re.M):
        found.append("the last cell has no line **Next:**")
    return found


CHECKS = [code_faults, picture_faults, shape_faults]


@pytest.mark.parametrize("check", CHECKS)
def test_chapter_is_in_style(any_chapter, check):
    if check is shape_faults and any_chapter.path.parent.name not in ("chapters", "fixtures"):
        return  # the calculator and the appendices are there to look things up in
    faults = check(any_chapter)
    assert not faults, lines(faults)


def edit(number, old, new):
    """Replace text in code cell `number`."""
    def spoil(chapter):
        cell = chapter.code[number - 1]
        assert old in cell.source
        cell.source = cell.source.replace(old, new)
    return spoil


def edit_prose(old, new):
    """Replace text in every Markdown cell."""
    def spoil(chapter):
        for cell in chapter.notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = cell.source.replace(old, new)
    return spoil


def drop_metadata(*keys):
    def spoil(chapter):
        del chapter.code[2].metadata.mystnb[keys[0]][keys[1]]
    return spoil


def edit_html(old, new):
    def spoil(chapter):
        data = chapter.code[3].outputs[0].data
        assert old in data["text/html"]
        data["text/html"] = data["text/html"].replace(old, new)
    return spoil


def second_picture(chapter):
    chapter.code[2].outputs.append(chapter.code[2].outputs[0])


@pytest.mark.parametrize("spoil, said", [
    (edit(2, "print", "\n" * 15 + "print"), "at most 15"),
    (edit(2, "one pass", "one pass" + "." * 80), "columns wide"),
    (edit(2, "params,", "# a\n# b\n# c\nparams,"), "prose in comments"),
    (edit(1, "import numpy", "import sys; sys.path.append('..')\nimport numpy"), "edits sys.path"),
    (edit(1, "import numpy", "x = 1\nimport numpy"), "imports below other code"),
    (edit(2, "params,", "import os\nparams,"), "code cell 2 imports"),
    (edit(2, "params,", "def f():\n    import os\nparams,"), "code cell 2 imports"),
    (edit(2, "params,", "%time 1\nparams,"), "not plain Python"),
    (drop_metadata("figure", "name"), "mystnb.figure.name"),
    (drop_metadata("figure", "caption"), "mystnb.figure.caption"),
    (drop_metadata("image", "alt"), "mystnb.image.alt"),
    (edit_html("Drag the batch.", " "), "no figcaption"),
    (edit_html('alt="Intensity by batch"', 'alt=""'), "live chart has no alt"),
    (second_picture, "several pictures"),
    (edit_prose("# Intensity of a pass", "Intensity"), "lacks a title"),
    (edit_prose("**You will be able to**", "You will"), "lacks You will be able to"),
    (edit_prose("**Know first:**", ""), "lacks Know first"),
    (edit_prose("15 minutes", "a while"), "lacks Time"),
    (edit_prose("## Summary", "## Recap"), "the last headings are"),
    (edit_prose(":class: dropdown", ":class: tip"), "no folded answer"),
    (edit_prose("**Next:**", "Then"), "no line **Next:**"),
])
def test_a_breach_of_style_is_caught(good, spoil, said):
    spoil(good)
    assert said in "\n".join(fault for check in CHECKS for fault in check(good))
