"""Commit first: the chart stays shut until the reader has predicted, and is judged by it."""

import pytest

from crossover.theory import speedup

pytestmark = pytest.mark.xdist_group("browser, charts")
PAGE = "chapters/08_wider_windows.html"


@pytest.fixture
def asked(open_page):
    """Open the page of the prediction; its figure, once the chart behind it is ready."""

    def open_(**options):
        page = open_page(PAGE, **options)
        page.wait_for_function("document.querySelector('figure.explorable')?.view")
        return page.locator("figure.explorable:has(form.prediction)").first

    return open_


def commit(figure, direction, value):
    """Answer by the keyboard alone, from the first choice to the button."""
    page = figure.page
    figure.locator("input[type=radio]").first.focus()
    page.keyboard.press("Space")
    for _ in range(["rises", "stays", "falls"].index(direction)):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.type(str(value))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_nothing_of_the_chart_is_there_before(asked):
    figure = asked()
    assert figure.locator("form.prediction").is_visible()
    for hidden in ("svg.marks", "img", ".explorable-words", ".vega-bind input"):
        assert not figure.locator(hidden).first.is_visible(), hidden
    seen = figure.inner_text()
    assert "0.666" in seen and "0.44" not in seen
    figure.locator("button").focus()
    figure.page.keyboard.press("Tab")
    assert not figure.evaluate("(f) => f.contains(document.activeElement)")


@pytest.mark.parametrize(
    "direction, value, said",
    [
        ("falls", 0.5, "the direction is right, the value 0.06 too high."),
        ("rises", 0.9, "the other direction, the value 0.46 too high."),
        ("stays", 0.4, "the other direction, the value 0.04 too low."),
        ("falls", 0.444, "the direction is right, and so is the value."),
    ],
)
def test_the_answer_is_judged_by_the_chart(asked, target, draft, direction, value, said):
    figure = asked()
    commit(figure, direction, value)
    told = figure.locator(".prediction-outcome")
    told.wait_for(state="visible")
    before, after = (speedup(target, draft, 128, gamma, 0.75) for gamma in (4, 8))
    assert told.inner_text() == (
        f"It falls: from {before:.3f} to {after:.3f}. You said it {direction}, "
        f"to {value:.2f}: {said}"
    )
    assert told.get_attribute("role") == "status"
    assert told.evaluate("(p) => document.activeElement === p")
    assert not figure.locator("form.prediction").is_visible()
    drawing = figure.locator("svg.marks")
    assert drawing.is_visible() and drawing.bounding_box()["width"] >= 500
    assert figure.locator(".explorable-words").is_visible()
    assert figure.locator("input[type=range]").first.input_value() == "8"


def test_it_does_not_open_without_an_answer(asked):
    figure = asked()
    figure.locator("button").press("Enter")
    figure.locator("input[type=radio]").first.check()
    figure.locator("input[type=number]").fill("-3")
    figure.locator("button").press("Enter")
    assert figure.locator("form.prediction").is_visible()
    assert not figure.locator("svg.marks").is_visible()


def test_its_controls_are_large_enough_and_labelled(asked):
    figure = asked(width=390)
    for control in figure.locator("form.prediction :is(input, button)").all():
        box = control.bounding_box()
        assert box["width"] >= 24 and box["height"] >= 24
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        assert control.evaluate("(c) => (c.labels?.[0] ?? c).innerText.trim().length > 5")


def test_picture_and_sentence_without_script_and_in_print(open_page, asked):
    page = open_page(PAGE, java_script_enabled=False)
    figure = page.locator("figure.explorable:has(form.prediction)")
    assert not figure.locator("form.prediction").is_visible()
    assert figure.locator("img").is_visible()
    assert figure.locator(".explorable-words").is_visible()
    printed = asked()
    printed.page.emulate_media(media="print")
    assert not printed.locator("form.prediction").is_visible()
    assert printed.locator("img").is_visible()
    assert printed.locator(".explorable-words").is_visible()


def test_where_no_chart_comes_the_picture_stays(browser, site):
    """Vega's script is lost on the way: nobody is asked for what nothing would answer."""
    context = browser.new_context()
    page = context.new_page()
    page.route("**/vega-embed.js*", lambda route: route.abort())
    page.goto(f"{site}/{PAGE}")
    figure = page.locator("figure.explorable:has(form.prediction)").first
    assert figure.locator("img").is_visible()
    assert not figure.locator("form.prediction").is_visible()
    context.close()
