"""Speed of all that is live, as a reader meets it, in headless Chromium on the built site.

For each chart, the calculator and the recorded rounds: from an input event to the frame
after the view has run, over events of all its controls at any phase of the screen's 60
frames a second; and, for its page, from the start of the visit to the moment it answers,
with an empty cache.
"""

import os
import re
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

SITE = Path(__file__).resolve().parents[1] / "_build" / "html"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-sync"]  # fmt: skip
EVENTS, VISITS = 240, 5  # events a chart, visits a page
MEDIAN, P95, USABLE = 16, 50, 1500  # ms, what is asked of them
# What is live, as the page writes it: its name, where it is, and its controls.
KINDS = [
    (r'<figure class="explorable" id="(\w+)"', "figure#{}", ".vega-bind :is(input, select)"),
    (r'<figure class="recorded-explorable" id="(\w+)"', "figure#{}", ".commits-step input, select"),
    (r'<div class="(calculator)"', "div.{}", "form :is(input, select)"),
]
# Controls are there once the script has run; recorded rounds have no view.
LIVE = """(found) => found.every(([, selector, controls]) => {
    const box = document.querySelector(selector);
    return box?.querySelector(controls)
        && (box.matches(".recorded-explorable") || box.view || box.calculator?.view);
})"""
# One event: another value of one control, at a random moment of a frame.
EVENTS_OF = """async ([[, selector, of], count]) => {
    const box = document.querySelector(selector), times = [];
    const view = box.view ?? box.calculator?.view;
    const controls = [...box.querySelectorAll(of)].filter((each) => each.checkVisibility());
    const frame = () => new Promise(requestAnimationFrame);
    for (let n = 0; n < count + 10; n++) {
        const control = controls[n % controls.length];
        if (control.options) {
            control.selectedIndex = (control.selectedIndex + 1) % control.options.length;
        } else if (control.value === control.max) control.value = control.min;
        else control.stepUp();
        await new Promise((done) => setTimeout(done, 50 * Math.random()));
        const start = performance.now();
        for (const kind of control.options ? ["input", "change"] : ["input"])
            control.dispatchEvent(new Event(kind, {bubbles: true}));
        await view?.runAsync();
        await frame();
        if (n >= 10) times.push(performance.now() - start);   // the first ones warm up
    }
    return times;
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Say nothing."""


def live():
    """The built pages with something live, each with the name, selector and controls of it."""
    found = {}
    for path in sorted(SITE.rglob("*.html")):
        text = path.read_text("utf-8")
        here = [[name, where.format(name), of]
                for kind, where, of in KINDS for name in re.findall(kind, text)]  # fmt: skip
        if here:
            found[path.relative_to(SITE).as_posix()] = here
    return found


def measure(browser, address, page, found):
    """Return ms of the visits of a page, and of the events of each live thing on it."""
    visits, events = [], {}
    for visit in range(VISITS):
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(f"{address}/{page}", wait_until="commit")
        tab.wait_for_function(LIVE, arg=found, polling=5)
        visits.append(tab.evaluate("performance.now()"))
        if visit == VISITS - 1:
            events = {each[0]: tab.evaluate(EVENTS_OF, [each, EVENTS]) for each in found}
        context.close()
    return visits, events


def main():
    """Print, for each page and live thing on it, what was measured beside what is asked."""
    if not SITE.exists() or not Path(CHROMIUM).exists():
        sys.exit(f"expected the built site (make site) and Chromium at {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}; asked: median {MEDIAN} ms and 95th")
    print(f"percentile {P95} ms an event, {USABLE} ms until a page answers")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        address = f"http://127.0.0.1:{server.server_port}"
        for page, found in live().items():
            visits, events = measure(browser, address, page, found)
            print(f"{page}: answers after {np.median(visits):.0f} ms (best {min(visits):.0f})")
            for name, times in events.items():
                median, p95 = np.percentile(times, [50, 95])
                print(f"  {name}: median {median:.1f} ms, 95th percentile {p95:.1f} ms")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
