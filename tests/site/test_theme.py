"""What the trimmed theme must still do, on a notebook page unless said."""

import pytest

pytestmark = pytest.mark.xdist_group("browser, pages")


@pytest.fixture
def chapter(open_page, chart_path):
    """Open the page with a chart at a width."""

    def open_(width=1440, **options):
        return open_page(chart_path, width=width, **options)

    return open_


def test_theme_button_goes_round_and_is_remembered(chapter):
    page = chapter(new=True)
    button, seen = page.locator(".theme-switch-button:visible").first, []
    for _ in range(3):
        button.click()
        seen.append(page.locator("html").get_attribute("data-mode"))
    assert sorted(seen) == ["auto", "dark", "light"]
    while page.locator("html").get_attribute("data-mode") != "dark":
        button.click()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.reload()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == background


def test_icons_are_drawn(chapter):
    """Every icon is a character of the cut-down font, and the font arrives."""
    page = chapter()
    page.evaluate("document.fonts.ready")
    fonts = page.evaluate(
        "[...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family)"
    )
    assert any("Font Awesome" in family for family in fonts)
    icons = page.evaluate(
        "[...document.querySelectorAll('i[class*=fa-], span[class*=fa-]')]"
        ".filter((e) => e.checkVisibility())"
        ".map((e) => [e.className, getComputedStyle(e, '::before').content])"
    )
    assert len(icons) >= 4
    assert not [name for name, content in icons if content in ("none", "normal", '""')]


@pytest.mark.parametrize("width", [390, 1024, 1150])
def test_contents_of_the_page_behind_a_button(chapter, width):
    """Below the width that has room for it the page's contents open on demand, and lead on."""
    page = chapter(width)
    page.locator(".secondary-toggle:visible").click()
    contents = page.locator("#pst-secondary-sidebar-modal nav a:visible")
    contents.last.wait_for()
    target = contents.last.get_attribute("href")
    contents.last.click()
    page.wait_for_function("(hash) => location.hash === hash", arg=target)


def test_contents_of_the_page_beside_it(chapter):
    assert chapter(1440).locator("#pst-secondary-sidebar nav a:visible").count() >= 2


@pytest.mark.parametrize("width", [390, 1024])
def test_sidebar_opens_or_folds(chapter, width):
    page = chapter(width)
    links = page.locator("nav.bd-links a:visible")
    shown = links.count()
    page.locator(".primary-toggle:visible").click()
    page.wait_for_function(
        "(shown) => [...document.querySelectorAll('nav.bd-links a')].filter((a) =>"
        " a.checkVisibility({visibilityProperty: true})"
        " && a.getBoundingClientRect().right > 0).length !== shown",
        arg=shown,
    )


def test_search_finds_a_word(open_page, site):
    page = open_page("search.html?q=speculative")
    page.locator("#search-results li a").first.wait_for()
    assert (
        page.locator("#search-results li a")
        .first.get_attribute("href")
        .startswith(("chap", "intro"))
    )


def test_search_dialog_opens_by_key(chapter):
    page = chapter()
    page.keyboard.press("Control+k")
    page.locator("#pst-search-dialog[open] input").wait_for()


def test_copy_button_copies_the_cell(chapter):
    page = chapter(permissions=["clipboard-read", "clipboard-write"])
    cell = page.locator("div.cell_input div.highlight").first
    cell.hover()
    cell.locator("button.copybtn").click()
    assert (
        page.evaluate("navigator.clipboard.readText()").strip()
        == cell.locator("pre").inner_text().strip()
    )


def test_notebook_downloads(chapter):
    page = chapter()
    link = page.locator("a.btn-download-source-button, a[href*='_sources']").first
    answer = page.request.get(page.evaluate("(a) => a.href", link.element_handle()))
    assert answer.ok and answer.json()["nbformat"] == 4


def test_skip_link_is_first_and_works(chapter):
    page = chapter()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main-content"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#main-content"


def test_focus_is_seen(chapter):
    """Every stop of the keyboard on the way through a page is outlined or shadowed."""
    page = chapter()
    unseen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        unseen += page.evaluate("""(() => {
            const e = document.activeElement;
            if (e === document.body) return [];
            const marks = [e, e.parentElement].some((x) => {
                const s = getComputedStyle(x);
                const outlined = s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1;
                return outlined || s.boxShadow !== "none";
            });
            return marks ? [] : [e.outerHTML.slice(0, 120)];
        })()""")
    assert not unseen, "\n".join(dict.fromkeys(unseen))


def test_folded_answers_unfold(open_page, folded_path):
    """Every answer folded on a page can be unfolded by the keyboard."""
    page = open_page(folded_path)
    page.emulate_media(reduced_motion="reduce")
    for answer in page.locator(".admonition.dropdown, .toggle").all():
        body = answer.locator(":scope > :not(.admonition-title):not(button)").first
        assert not body.is_visible()
        answer.locator("button.toggle-button").press("Enter")
        body.wait_for(state="visible")
