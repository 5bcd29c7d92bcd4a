"""Every page: no request elsewhere, no error, nothing wider than the screen, no barrier."""

import pytest
from axe_playwright_python.sync_playwright import Axe

pytestmark = pytest.mark.xdist_group("browser, pages")
WIDTHS = (390, 1024, 1440)
# Our scripts and styles for what is live on a page; course.css goes with every page.
VIEWS = {
    "figure.explorable": {"vega-embed.js", "course.js"},
    "form.prediction": {"prediction.js"},
    ".calculator": {"vega-embed.js", "course.js", "calculator.js", "calculator.css"},
    "figure.recorded-explorable": {"commits.js", "commits.css"},
}
OURS = set.union(*VIEWS.values())


def needed(page):
    """The files that the page's live views need."""
    there = [files for view, files in VIEWS.items() if page.locator(view).count()]
    return set().union(*there)


def test_page_is_whole_and_fits(open_page, path):
    """No fault on the way (open_page sees to that), and nothing scrolls the page sideways."""
    page = open_page(path, idle=True)
    assert page.locator("html").get_attribute("lang") == "en"
    assert page.title()
    for text in page.evaluate("[...document.querySelectorAll('main img')].map((i) => i.alt)"):
        assert len(text.split()) >= 3, f"{path}: a picture's alternative text is {text!r}"

    sent = page.evaluate(
        "performance.getEntriesByType('resource').map((r) => new URL(r.name).pathname)"
    )
    names = sorted(path.rpartition("/")[2] for path in sent)
    assert [name for name in names if name in OURS] == sorted(needed(page)), "each once, no other"

    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(100)
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{path} is {wide} px wide on a screen of {width} px"


def test_formulas_are_drawn(open_page, path):
    """A formula is MathML in the shipped font, and a wide one scrolls in its own box."""
    page = open_page(path, width=390)
    assert "\\frac" not in page.locator("main").inner_text()
    if page.locator("math").count():
        page.evaluate("document.fonts.load('16px \"Crossover Math\"')")
        assert page.evaluate("document.fonts.check('16px \"Crossover Math\"')")
    for right, flow in page.evaluate(
        "[...document.querySelectorAll('div.equation')].filter((e) => e.checkVisibility())"
        ".map((e) => [e.getBoundingClientRect().right, getComputedStyle(e).overflowX])"
    ):
        assert right <= 390 and flow == "auto"


def barriers(page, exclude=()):
    """What axe finds on a page, and in the dark what faint text it finds; a line each."""
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    # Without preload axe does not fetch the stylesheets again, from addresses of its own making.
    options = {"resultTypes": ["violations"], "preload": False}
    context = {"include": ["html"], "exclude": list(exclude)}
    found = Axe().run(page, context=context, options=options).response["violations"]
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    options["runOnly"] = ["color-contrast"]
    found += page.evaluate("([c, o]) => axe.run(c, o)", [context, options])["violations"]
    return [
        f"{fault['id']} ({fault['impact']}): {node['target']} {node['html'][:150]}\n"
        f"    {node.get('failureSummary', '')[:300]}"
        for fault in found
        for node in fault["nodes"]
    ]


def test_page_has_no_barriers(open_page, sample_path):
    # The inside of code and formulas takes most of axe's time, and is alike on all pages.
    lines = barriers(open_page(sample_path), exclude=[".highlight pre span", "math"])
    assert not lines, "\n".join(lines)


def test_code_and_formulas_have_no_barriers(open_page, coded_path):
    """One page looked at whole: one stylesheet colours all code, one font sets all formulas."""
    lines = barriers(open_page(coded_path))
    assert not lines, "\n".join(lines)
