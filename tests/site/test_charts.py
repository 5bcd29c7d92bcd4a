"""Live charts on the built pages: they compute, they are reachable, they follow the theme."""

import pytest

from crossover.show.explorables import PALETTE

pytestmark = pytest.mark.xdist_group("browser")
# Every row of every dataset that Vega holds for a chart; not the items drawn from them.
ROWS = """(figure) => JSON.stringify(
    Object.keys(figure.view.getState({data: () => true, signals: () => false}).data)
          .map((name) => figure.view.data(name))
          .filter((rows) => rows.length && !("mark" in rows[0])))"""


def live(page):
    """The page's first live chart, once it is drawn."""
    page.wait_for_function("document.querySelector('figure.explorable')?.view", timeout=15_000)
    return page.locator("figure.explorable").first


def test_there_is_a_chart(chart_path):
    assert chart_path.endswith(".html"), chart_path


def test_keyboard_moves_the_curves(open_page, chart_path):
    """A step of the first slider changes the numbers that are drawn, and what is said."""
    page = open_page(chart_path)
    figure = live(page)
    before, words = figure.evaluate(ROWS), figure.locator(".explorable-words").inner_text()
    assert before.count("{") > 10, f"the chart holds no rows: {before[:200]}"
    slider = figure.locator("input[type=range]").first
    start = float(slider.input_value())
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "([f, old]) => f.view && (" + ROWS + ")(f) !== old", arg=[figure.element_handle(), before]
    )
    assert float(slider.input_value()) > start
    if figure.evaluate("(f) => f.querySelector('script').textContent.includes('\"words\"')"):
        page.wait_for_function(
            "([box, old]) => box.innerText !== old",
            arg=[figure.locator(".explorable-words").element_handle(), words],
        )


def test_mouse_drags_the_slider(open_page, chart_path):
    page = open_page(chart_path, width=1024)
    figure = live(page)
    slider = figure.locator("input[type=range]").last
    slider.scroll_into_view_if_needed()
    before, box = figure.evaluate(ROWS), slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.75, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.2, middle, steps=4)
    page.mouse.up()
    page.wait_for_function(
        "([f, old]) => (" + ROWS + ")(f) !== old", arg=[figure.element_handle(), before]
    )


@pytest.mark.parametrize("width", [390, 1440])
def test_slider_has_label_value_and_size(open_page, chart_path, width):
    """Each slider names itself, shows its value, is tall enough to touch, and fits."""
    figure = live(open_page(chart_path, width=width))
    for label in figure.locator(".vega-bind label").all():
        name, value = label.locator("span").first, label.locator("span").last
        slider = label.locator("input[type=range]")
        assert len(name.inner_text().split()) >= 2
        assert float(value.inner_text()) == pytest.approx(float(slider.input_value()))
        box = slider.bounding_box()
        assert box["height"] >= 24 and box["width"] >= 150
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
    drawing = figure.locator("svg.marks").bounding_box()
    assert drawing["x"] + drawing["width"] <= width
    assert drawing["width"] >= min(width - 80, 500), "the chart does not use the page's width"


def test_chart_follows_the_theme(open_page, chart_path):
    """The theme's button recolours the chart at once and leaves the sliders where they are."""
    page = open_page(chart_path, new=True)
    figure = live(page)
    slider = figure.locator("input[type=range]").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    moved = slider.input_value()
    colours = (
        "(f) => [...f.querySelectorAll('svg .mark-line path')].map((p) => p.getAttribute('stroke'))"
    )
    light = figure.evaluate(colours)
    assert light and set(light) <= set(PALETTE)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(
        "([f, old]) => { const now = (" + colours + ")(f);"
        " return now.length && !now.some((c) => old.includes(c)); }",
        arg=[figure.element_handle(), light],
    )
    dark = page.evaluate(
        "[1, 2, 3, 4].map((n) => getComputedStyle(document.documentElement)"
        ".getPropertyValue(`--chart-${n}`).trim())"
    )
    assert set(figure.evaluate(colours)) <= set(dark)
    assert figure.locator("input[type=range]").first.input_value() == moved


def test_stylesheet_and_pictures_share_their_colours(open_page, chart_path):
    page = open_page(chart_path)
    shown = page.evaluate(
        "[1, 2, 3, 4].map((n) => getComputedStyle(document.documentElement)"
        ".getPropertyValue(`--chart-${n}`).trim())"
    )
    assert shown == PALETTE


def test_picture_and_sentence_without_script(open_page, chart_path):
    page = open_page(chart_path, java_script_enabled=False)
    figure = page.locator("figure.explorable").first
    picture = figure.locator("img")
    assert picture.is_visible() and picture.evaluate("(i) => i.complete && i.naturalWidth > 300")
    assert figure.locator(".explorable-words").inner_text() == picture.get_attribute("alt")
    assert figure.locator("input").count() == 0, "a control that does nothing"


def test_picture_in_print(open_page, chart_path):
    page = open_page(chart_path)
    figure = live(page)
    page.emulate_media(media="print")
    assert figure.locator("img").is_visible()
    assert not figure.locator(".explorable-view").is_visible()
