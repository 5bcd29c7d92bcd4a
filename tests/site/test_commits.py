"""The recorded rounds on the built page: what is shown is what Python reads from the trace."""

from itertools import pairwise

import numpy as np
import pytest

from crossover.evidence.traces import RUNS, load
from crossover.show.commits import RaggedCommits
from crossover.show.round_states import ROWS, STATES
from crossover.show.still_round import mark

from .conftest import heard_while

pytestmark = pytest.mark.xdist_group("browser, charts")
PAGE = "chapters/07_ragged_commits.html"
SETTINGS = 600
# Set the reader's own controls, then read every cell, token and block that is drawn.
SET = """([trace, run, round]) => {
    const view = document.querySelector(".commits-view");
    const select = view.querySelector("select");
    if (select.value !== trace) { select.value = trace; select.dispatchEvent(new Event("change")); }
    view.querySelector(`input[value=${run}]`).click();
    const slider = view.querySelector("input[type=range]");
    slider.value = round + 1;
    slider.dispatchEvent(new Event("input"));
}"""
READ = """() => [...document.querySelectorAll(".commits-card")].map((card) => ({
    name: card.dataset.name,
    status: card.dataset.status,
    tokens: [...card.querySelectorAll(".commits-token")]
        .map((t) => [t.lastChild.textContent, t.dataset.state]),
    rows: [...card.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll("td")]
        .map((c) => [Number(c.dataset.position), c.dataset.state,
                     c.textContent])),
    blocks: [...card.querySelectorAll(".commits-blocks")].map((each) => [
        Number(each.firstChild.textContent.match(/\\d+/)[0]),
        [...each.querySelectorAll("li")].map((b) => [Number(b.firstChild.textContent),
                                                     "new" in b.dataset])]),
}))"""
WORDS = "document.querySelector('.commits-words').textContent"


@pytest.fixture
def view(open_page):
    """Open the page, its rounds alive."""

    def open_(**options):
        page = open_page(PAGE, **options)
        page.wait_for_selector("figure.recorded-explorable[data-live]")
        return page

    return open_


def told(card, name):
    """What the page should read back for one `Card`."""
    rows = [
        [
            [card.first + i, STATES[c][0], mark(c, card.first + i, card.position)]
            for i, c in enumerate(codes)
        ]
        for codes in card.rows
    ]
    blocks = [
        [entries, [[block, i >= len(table) - new] for i, block in enumerate(table)]]
        for entries, table, new in card.caches
    ]
    tokens = [[text, STATES[code][0]] for text, code in card.tokens]
    return {"name": name, "status": card.status, "tokens": tokens, "rows": rows, "blocks": blocks}


def settings(count):
    """Every (trace, run, round) once and then some at random, in a random order."""
    every = [
        (each.name, run, number)
        for each in load()
        for run in RUNS
        for number in range(len(each.runs[run].rounds))
    ]
    random = np.random.default_rng(5)
    more = [every[i] for i in random.integers(len(every), size=max(0, count - len(every)))]
    chosen = [*every, *more]
    return [chosen[i] for i in random.permutation(len(chosen))]


@pytest.mark.long
def test_every_setting_shows_what_the_trace_says(view):
    page, commits, chosen = view(), RaggedCommits(), settings(SETTINGS)
    assert len(chosen) >= 500 and len(set(chosen)) > 200
    answers = page.evaluate(
        f"(all) => all.map((each) => {{ ({SET})(each); return [({READ})(), {WORDS}]; }})", chosen
    )
    traces = {each.name: each for each in commits.recordings}
    for (trace, run, number), (cards, words) in zip(chosen, answers, strict=True):
        shown = commits.shown[trace, run][number]
        assert words == shown.words
        assert cards == [told(card, name) for card, name in zip(shown.cards, "ABCD", strict=True)]
        for step in traces[trace].runs[run].rounds[number].steps:  # the engine's own report
            card = cards["ABCD".index("ABCD"[step.request])]
            for cache, (entries, blocks) in zip((step.target, step.draft), card["blocks"],
                                                strict=True):  # fmt: skip
                assert entries == cache.first + cache.kept
                assert [block for block, _ in blocks] == list(cache.blocks)
            drafted = [state for _, state, _ in card["rows"][0] if state != "none"]
            assert drafted == ["accepted"] * step.accepted + ["rejected"] * (
                len(step.proposed) - step.accepted
            )


def test_the_page_opens_with_the_pictures_round(view):
    commits = RaggedCommits()
    cards = view(new=True).evaluate(READ)
    assert cards == [told(c, n) for c, n in zip(commits.first.cards, "ABCD", strict=True)]


def test_every_control_works_by_keyboard(view):
    """Each changes what is drawn, and says what it is."""
    page = view(new=True)
    seen = [page.evaluate(READ)]

    def press(locator, key):
        locator.focus()
        page.keyboard.press(key)
        seen.append(page.evaluate(READ))
        assert seen[-1] != seen[-2], f"{key} on {locator} changed nothing"

    slider = page.get_by_role("slider", name="Round")
    press(slider, "ArrowRight")
    press(slider, "ArrowLeft")
    assert seen[-1] == seen[0]
    press(page.get_by_role("button", name="Next"), "Enter")
    press(page.get_by_role("button", name="Back"), "Space")
    assert seen[-1] == seen[0]
    press(slider, "End")
    press(page.get_by_role("button", name="Back"), "Enter")
    press(page.get_by_role("radio", name="in both caches"), "ArrowRight")
    assert page.get_by_role("radio", name="not in the target's").is_checked()
    press(page.get_by_role("radio", name="not in the target's"), "ArrowDown")
    assert page.get_by_role("radio", name="not in the draft's").is_checked()
    press(page.get_by_role("combobox", name="Recorded trace"), "ArrowDown")


def test_ends_are_ends(view):
    page = view(new=True)
    slider, back = page.get_by_role("slider"), page.get_by_role("button", name="Back")
    slider.press("Home")
    assert back.get_attribute("aria-disabled") == "true"
    before = page.evaluate(READ)
    back.press("Enter")
    assert page.evaluate(READ) == before and page.evaluate("document.activeElement.textContent")


@pytest.mark.parametrize("width", [390, 1024])
def test_controls_are_large_enough_and_all_fits(view, width):
    page = view(width=width, new=True)
    page.evaluate(SET, ["wide", "target", 5])
    figure = page.locator("figure.recorded-explorable")
    left, right = figure.evaluate(
        "(f) => { const b = f.getBoundingClientRect(); return [b.left, b.right]; }"
    )
    assert left >= 0 and right <= width
    for control in figure.locator("select, button, input").all():
        box = control.bounding_box()
        assert box["height"] >= 24 and box["width"] >= 24
        assert left <= box["x"] and box["x"] + box["width"] <= right + 1
    outside = figure.evaluate(
        "(f, [l, r]) => [...f.querySelectorAll('td, th, li, .commits-token')].filter((e) => {"
        "const b = e.getBoundingClientRect();"
        "return b.width && (b.left < l - 1 || b.right > r + 1);"
        "}).map((e) => e.outerHTML)",
        [left, right],
    )
    assert not outside, outside
    cells = figure.locator("tbody td").all()[:13]
    assert {round(cell.bounding_box()["width"]) for cell in cells} <= set(range(17, 40))
    crowded = figure.evaluate(
        "(f) => [...f.querySelectorAll('thead th')]"
        ".filter((h) => h.scrollWidth > h.clientWidth + 1).map((h) => h.textContent)"
    )
    assert not crowded, f"positions run into each other: {crowded}"


def test_follows_the_theme_without_reload(view):
    page = view(new=True)
    page.evaluate(SET, ["sampled", "draft", 6])
    look = "getComputedStyle(document.querySelector('td[data-state=kept]')).backgroundColor"
    ground = (
        "getComputedStyle(document.querySelector('.text_html:has(.commits-view)')).backgroundColor"
    )
    before, light = page.evaluate(READ), page.evaluate(look)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(look) != light
    assert page.evaluate(ground) in ("rgba(0, 0, 0, 0)", "transparent")
    assert page.evaluate(READ) == before


@pytest.mark.long
def test_live_region_speaks_in_words_at_most_once_a_second(view):
    page = view(new=True)
    said = page.locator(".commits-view [role=status]")
    button = page.get_by_role("button", name="Next")
    heard = heard_while(page, said, button.click, times=9, pause=350)
    assert 3 <= len(heard) <= 5
    assert all(b[0] - a[0] >= 1000 for a, b in pairwise(heard))
    assert page.locator(".commits-view [role=status]").text_content() == page.evaluate(WORDS)


def test_picture_and_sentence_without_script(open_page):
    page = open_page(PAGE, java_script_enabled=False)
    figure = page.locator("figure.recorded-explorable")
    picture = figure.locator("img")
    assert picture.is_visible() and picture.evaluate("(i) => i.complete && i.naturalWidth > 300")
    assert figure.locator("p").inner_text() == picture.get_attribute("alt")
    assert figure.locator("input, select, button").count() == 0, "a control that does nothing"


def test_picture_and_sentence_in_print(view):
    page = view()
    page.emulate_media(media="print")
    figure = page.locator("figure.recorded-explorable")
    assert figure.locator("> img").is_visible() and figure.locator("> p").is_visible()
    assert not figure.locator(".commits-view").is_visible()


def test_nothing_moves_by_itself(view):
    """No transition and no animation, for those who asked for less motion or not."""
    page = view()
    moving = page.evaluate(
        "[...document.querySelectorAll('.recorded-explorable *')].filter((e) => {"
        "const s = getComputedStyle(e); return s.animationName !== 'none'"
        " || s.transitionDuration.split(', ').some((d) => parseFloat(d) > 0); }).length"
    )
    assert moving == 0


def test_rows_are_named(view):
    page = view()
    names = page.locator(".commits-card").first.locator("tbody th").all_inner_texts()
    assert names == list(ROWS)
