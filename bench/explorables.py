"""Speed of the live charts, as a reader meets it, in headless Chromium on the built site.

For each chart: from an input event to the frame after the view has run, over events of
all its controls at any phase of the screen's 60 frames a second; and, for its page, from
the start of the visit to the moment the chart answers, with an empty cache.
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
LIVE = "(names) => names.every((name) => document.getElementById(name)?.view)"
# One event: another value of one control, at a random moment of a frame.
EVENTS_OF = """async ([id, count]) => {
    const figure = document.getElementById(id), times = [];
    const controls = [...figure.querySelectorAll(".vega-bind :is(input, select)")];
    const frame = () => new Promise(requestAnimationFrame);
    for (let n = 0; n < count + 10; n++) {
        const control = controls[n % controls.length];
        if (control.options) {
            control.selectedIndex = (control.selectedIndex + 1) % control.options.length;
        } else if (control.value === control.max) control.value = control.min;
        else control.stepUp();
        await new Promise((done) => setTimeout(done, 50 * Math.random()));
        const start = performance.now();
        control.dispatchEvent(new Event(control.options ? "change" : "input", {bubbles: true}));
        await figure.view.runAsync();
        await frame();
        if (n >= 10) times.push(performance.now() - start);   // the first ones warm up
    }
    return times;
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args):
        """Say nothing."""


def charts():
    """The built pages with a live chart, each with the names of its charts."""
    found = {}
    for path in sorted(SITE.rglob("*.html")):
        names = re.findall(r'<figure class="explorable" id="(\w+)"', path.read_text("utf-8"))
        if names:
            found[path.relative_to(SITE).as_posix()] = names
    return found


def measure(browser, address, page, names):
    """Return ms of the visits of a page, and of the events of each of its charts."""
    visits, events = [], {}
    for visit in range(VISITS):
        context = browser.new_context()
        tab = context.new_page()
        tab.goto(f"{address}/{page}", wait_until="commit")
        tab.wait_for_function(LIVE, arg=names, polling=5)
        visits.append(tab.evaluate("performance.now()"))
        if visit == VISITS - 1:
            events = {name: tab.evaluate(EVENTS_OF, [name, EVENTS]) for name in names}
        context.close()
    return visits, events


def main():
    """Print, for each chart and page, what was measured beside what is asked."""
    if not SITE.exists() or not Path(CHROMIUM).exists():
        sys.exit(f"expected the built site (make site) and Chromium at {CHROMIUM}")
    from playwright.sync_api import sync_playwright

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load {load:.1f}; asked: median {MEDIAN} ms and 95th")
    print(f"percentile {P95} ms an event, {USABLE} ms until a page's charts answer")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for page, names in charts().items():
            visits, events = measure(browser, f"http://127.0.0.1:{server.server_port}", page, names)
            print(f"{page}: answers after {np.median(visits):.0f} ms (best {min(visits):.0f})")
            for name, times in events.items():
                median, p95 = np.percentile(times, [50, 95])
                print(f"  {name}: median {median:.1f} ms, 95th percentile {p95:.1f} ms")
        browser.close()
    server.shutdown()


if __name__ == "__main__":
    main()
