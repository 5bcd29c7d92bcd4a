"""What a reader's browser fetches, in gzipped bytes as they are sent."""

from itertools import groupby

import pytest

pytestmark = pytest.mark.xdist_group("browser, pages")
FIRST, LATER = 700_000, 150_000  # a page without a chart; a page after it


def visit(page, url, answers):
    """Bytes sent for one page, of the page and of a live chart's script apart."""
    answers.clear()
    page.goto(url, wait_until="networkidle")
    chart = sum(size for path, _, size in answers if "vega-embed.js" in path)
    return sum(size for _, _, size in answers) - chart, chart


def test_first_visit_and_every_later_page(open_page, site, answers, record_property):
    """The first page within its budget, then each page of the book within the later one."""
    page = open_page("intro.html", new=True, idle=True)
    first = sum(size for _, _, size in answers)
    record_property("first visit", first)
    print(f"first visit: {first / 1000:.1f} kB")
    assert 50_000 < first <= FIRST, f"a first visit takes {first} bytes"
    charts = 0
    for path in later_pages(page):
        weight, chart = visit(page, f"{site}/{path}", answers)
        charts += chart > 0
        record_property(path, weight)
        print(f"{path}: {weight / 1000:.1f} kB, and {chart / 1000:.1f} kB for its charts")
        assert weight <= LATER, f"{path} takes {weight} bytes after the first page"
    assert charts <= 1, "the charts' script is fetched again on a later page"


def later_pages(page):
    """The pages that the first page's sidebar links to, each once, but for the first."""
    links = page.evaluate(
        "[...document.querySelectorAll('.bd-sidebar-primary nav a.internal')]"
        ".map((a) => a.getAttribute('href').split('#')[0])"
    )
    paths = [path for path, _ in groupby(links) if path.endswith(".html")]
    assert paths, "the sidebar lists no page"
    return paths
