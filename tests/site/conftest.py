"""The built site on a local port, and a browser to read it with."""

import gzip
import os
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
# The front page, a chart with all there is, a chart behind a form, recorded rounds, a tool.
SAMPLE = {
    "intro.html",
    "chapters/06_throughput_across_batch.html",
    "chapters/08_wider_windows.html",
    "chapters/07_ragged_commits.html",
    "calculator.html",
}
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TEXT = (".html", ".css", ".js", ".json", ".svg", ".ipynb", ".txt")


class Server(SimpleHTTPRequestHandler):
    """Serve files as a host would: text gzipped, all of it cacheable; note every answer."""

    answers: ClassVar[list[tuple[str, int, int]]] = []  # path, status, bytes of the body sent

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        if not path.is_file():
            self.answers.append((self.path, 404, 0))
            return self.send_error(404)
        body = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Cache-Control", "max-age=600")
        if path.suffix in TEXT:
            body = gzip.compress(body, 6)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.answers.append((self.path, 200, len(body)))
        self.wfile.write(body)

    def log_message(self, *args):
        """Say nothing."""


@pytest.fixture(scope="session")
def site():
    """The address of the built site, without a slash at the end."""
    if not (SITE / "index.html").exists():
        pytest.fail("_build/html is not built: run `make site` first", pytrace=False)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.fixture
def answers(site):
    """What the server has sent since the test began."""
    Server.answers.clear()
    return Server.answers


@pytest.fixture(scope="session")
def browser():
    """Chromium, headless; without one the test is skipped, or fails where CI is set."""
    if not Path(CHROMIUM).exists():
        reason = f"no browser at {CHROMIUM}: apt-get install chromium, or set CHROMIUM to its path"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip("SITE NOT TESTED: " + reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared(browser):
    """A reader whose browser has a cache; the tests that change nothing share it."""
    return browser.new_context()


@pytest.fixture
def open_page(browser, site, request):
    """Open a page of the site; a page's errors and its requests to others fail the test.

    With ``new=True`` or any option of a browser context, as a reader who was never here;
    with ``idle=True`` once nothing more has been asked for in half a second.
    """
    contexts, pages, faults = [], [], []

    def open_(path, width=1440, height=900, theme="light", new=False, idle=False, **options):
        if new or options:
            context = browser.new_context(**options)
            contexts.append(context)
        else:
            context = request.getfixturevalue("shared")
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        # Aborted: the page sent the reader on first. Without scripts theirs are not fetched.
        page.on(
            "requestfailed",
            lambda request: (
                faults.append(f"no answer: {request.url}")
                if request.failure != "net::ERR_ABORTED"
                and options.get("java_script_enabled", True)
                else None
            ),
        )
        page.on(
            "console",
            lambda message: (
                faults.append(f"console: {message.text}")
                if message.type in ("error", "warning")
                else None
            ),
        )
        page.on(
            "response",
            lambda answer: (
                faults.append(f"{answer.status}: {answer.url}") if answer.status >= 400 else None
            ),
        )
        page.on(
            "request",
            lambda request: (
                faults.append(f"another host: {request.url}")
                if not request.url.startswith((site, "data:", "blob:"))
                else None
            ),
        )
        page.goto(f"{site}/{path}", wait_until="networkidle" if idle else "load")
        page.wait_for_function("document.title && document.querySelector('main')")
        return page

    yield open_
    for page in pages:
        page.close()
    for context in contexts:
        context.close()
    assert not faults, "\n".join(faults)


@pytest.fixture
def open_calculator(open_page):
    """Open the calculator at an address, once it is live; the page and the calculator's box."""

    def open_(address="", **options):
        page = open_page(f"calculator.html{address}", **options)
        page.wait_for_function("document.querySelector('.calculator').calculator")
        return page, page.locator(".calculator")

    return open_


def heard_while(page, region, move, times, pause):
    """What a live region says while `move()` is done `times` times, `pause` ms apart, and after.

    As [ms, text], by the page's own clock, which stands still but for the pauses: however busy
    the machine, the page sees the same hand. The clock is that of the page's whole context:
    open the page with ``new=True``.
    """
    assert len(page.context.pages) == 1, "another page would stand still with this one"
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.evaluate(
        """(region) => { window.heard = [];
        new MutationObserver(() => heard.push([Date.now(), region.textContent]))
            .observe(region, {childList: true, characterData: true, subtree: true}); }""",
        region.element_handle(),
    )
    for _ in range(times):
        move()
        page.clock.run_for(pause)
    page.clock.run_for(2000)
    return page.evaluate("heard")


def built_pages():
    """Every page in the build, as a path below it."""
    return sorted(
        path.relative_to(SITE).as_posix()
        for path in SITE.glob("**/*.html")
        if "_static" not in path.parts
    )


def holding(pages, text):
    """The built pages whose HTML holds a text."""
    return [page for page in pages if text in (SITE / page).read_text(encoding="utf-8")]


def sampled(pages):
    """The pages as parameters, all but a few of them for the long run."""
    long = pytest.mark.long
    return [page if page in SAMPLE else pytest.param(page, marks=long) for page in pages]


def pytest_generate_tests(metafunc):
    """Give a test that asks for ``path`` every page; for another, the pages that have the thing."""
    pages = built_pages()
    for name, found in {
        "path": pages,
        "sample_path": sampled(pages),
        "chart_path": sampled(holding(pages, 'class="explorable"')),
        "coded_path": [
            page for page in holding(pages, "<math") if page in holding(pages, "cell_input")
        ][:1],
        "folded_path": holding(pages, 'class="dropdown admonition"'),
    }.items():
        if name in metafunc.fixturenames:
            # With none the test still runs: before the site is built, `site` says what to do.
            metafunc.parametrize(name, found or [f"none of {len(pages)} pages for {name}"])
