"""Live charts on the built pages: they compute, they are reachable, they follow the theme."""

from itertools import cycle, pairwise

import pytest

from crossover.show.explorables import INK, PALETTE

from .conftest import heard_while

pytestmark = pytest.mark.xdist_group("browser, charts")
# Every row of every dataset that Vega holds for a chart; not the items drawn from them.
ROWS = """(figure) => JSON.stringify(
    Object.keys(figure.view.getState({data: () => true, signals: () => false}).data)
          .map((name) => figure.view.data(name))
          .filter((rows) => rows.length && !("mark" in rows[0])))"""


def live(page):
    """The page's first live chart, once it is drawn and, where it asks first, answered."""
    page.wait_for_function("document.querySelector('figure.explorable')?.view", timeout=15_000)
    figure = page.locator("figure.explorable").first
    if figure.locator("form.prediction").count():
        figure.locator("input[type=radio]").first.check()
        figure.locator("input[type=number]").fill("1")
        figure.locator("form.prediction button").click()
    return figure


def test_there_is_a_chart(chart_path):
    assert chart_path.endswith(".html"), chart_path


def test_keyboard_moves_the_curves(open_page, chart_path):
    """A step of the first slider changes the numbers that are held, and what is said."""
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
def test_control_has_label_value_and_size(open_page, chart_path, width):
    """Each control names itself, shows its value, is tall enough to touch, and fits."""
    figure = live(open_page(chart_path, width=width))
    for label in figure.locator(".vega-bind label").all():
        control = label.locator(":is(input[type=range], select)")
        name = label.locator(".vega-bind-name").inner_text()
        if control.evaluate("(c) => c.tagName") == "INPUT":
            assert len(name.split()) >= 2, f"{name}: no unit or symbol"
            value = label.locator("span").last.inner_text()
            assert float(value) == pytest.approx(float(control.input_value()))
        else:
            assert len(name) >= 4 and control.input_value()
        box = control.bounding_box()
        assert box["height"] >= 24 and box["width"] >= 150
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
    drawing = figure.locator("svg.marks").bounding_box()
    assert drawing["x"] + drawing["width"] <= width
    assert drawing["width"] >= min(width - 80, 500), "the chart does not use the page's width"


def test_every_control_does_something(open_page, chart_path):
    """Each control, moved by its keys, changes the numbers drawn or what is said of them."""
    page = open_page(chart_path)
    figure = live(page)
    words = figure.locator(".explorable-words")
    for control in figure.locator(".vega-bind :is(input, select)").all():
        before = figure.evaluate(ROWS) + words.inner_text()
        value = control.input_value()
        control.focus()
        page.keyboard.press("ArrowRight")
        if control.input_value() == value:
            page.keyboard.press("ArrowLeft")
        assert control.input_value() != value
        page.wait_for_function(
            "([f, words, old]) => (" + ROWS + ")(f) + words.innerText !== old",
            arg=[figure.element_handle(), words.element_handle(), before],
        )


def test_chart_follows_the_theme(open_page, chart_path):
    """Another theme recolours the chart as it stands: nothing is drawn again or forgotten."""
    page = open_page(chart_path, new=True)
    figure = live(page)
    control = figure.locator("input[type=range]").first
    control.focus()
    page.keyboard.press("ArrowRight")
    moved, drawing = control.input_value(), figure.locator("svg.marks").element_handle()
    light = shown_colours(figure)
    assert rgb(INK) in light and light <= {rgb(colour) for colour in [INK, *PALETTE]}
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = {rgb(colour) for colour in theme_colours(page)}
    assert shown_colours(figure) <= dark and not dark & light
    assert figure.locator("input[type=range]").first.input_value() == moved
    assert drawing.evaluate("(svg) => svg.isConnected")


def shown_colours(figure):
    """The colours of a chart's lines and its axes' words, as the browser computes them."""
    return set(figure.evaluate(
        "(f) => [...f.querySelectorAll('svg :is(.mark-line path, .role-axis-label text)')]"
        ".map((e) => getComputedStyle(e)[e.tagName === 'path' ? 'stroke' : 'fill'])"
    ))  # fmt: skip


def theme_colours(page):
    return page.evaluate(
        "['ink', 1, 2, 3, 4].map((n) => getComputedStyle(document.documentElement)"
        ".getPropertyValue(`--chart-${n}`).trim())"
    )


def rgb(colour):
    """#0b5394 as a browser writes it."""
    return "rgb(" + ", ".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5)) + ")"


@pytest.mark.long
def test_words_are_heard_at_most_once_a_second(open_page):
    """While keys are held down, the live region waits; then it says what the screen shows."""
    page = open_page("chapters/06_throughput_across_batch.html", new=True)
    figure = live(page)
    said = figure.locator("[role=status]")
    assert said.inner_text() == ""
    figure.locator("input[type=range]").first.focus()
    keys = cycle(["ArrowRight", "ArrowLeft"])
    heard = heard_while(page, said, lambda: page.keyboard.press(next(keys)), times=9, pause=400)
    assert 3 <= len(heard) <= 5
    assert all(b[0] - a[0] >= 1000 for a, b in pairwise(heard))
    assert heard[-1][1] == figure.locator(".explorable-words").inner_text()


def test_stylesheet_and_pictures_share_their_colours(open_page, chart_path):
    assert theme_colours(open_page(chart_path)) == [INK, *PALETTE]


def test_picture_and_sentence_without_script(open_page, chart_path):
    page = open_page(chart_path, java_script_enabled=False)
    figure = page.locator("figure.explorable").first
    picture = figure.locator("img")
    assert picture.is_visible() and picture.evaluate("(i) => i.complete && i.naturalWidth > 300")
    assert figure.locator(".explorable-words").inner_text() == picture.get_attribute("alt")
    controls = figure.locator(":is(input, select, button)")
    assert not any(each.is_visible() for each in controls.all()), "a control that does nothing"


def test_picture_in_print(open_page, chart_path):
    page = open_page(chart_path)
    figure = live(page)
    page.emulate_media(media="print")
    assert figure.locator("img").is_visible()
    assert not figure.locator(".explorable-view").is_visible()
