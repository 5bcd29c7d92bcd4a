"""Send Vega's script, once, with the pages that hold a live chart, and with no other.

The script comes out of the vl-convert wheel at build time: no CDN, no Node. The pages'
own script, ``_static/course.js``, uses it to bring the charts to life.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import vl_convert
from docutils import nodes

SCRIPT = "vega-embed.js"
# What crossover.show.explorables and crossover.show.calculator write.
MARKS = ('class="explorable"', 'class="calculator"')


def write_script(app) -> None:
    """Write the bundle beside the site's static files; keep it between builds."""
    folder = Path(app.outdir).parent / "vega" / version("vl-convert-python")
    script = folder / SCRIPT
    if not script.exists():
        folder.mkdir(parents=True, exist_ok=True)
        script.write_text(vl_convert.javascript_bundle(), encoding="utf-8")
    app.config.html_static_path.append(str(folder))


def add_script(app, pagename, templatename, context, doctree) -> None:
    """Ask for the script on a page that has a chart."""
    raw = [] if doctree is None else [node.astext() for node in doctree.findall(nodes.raw)]
    if any(mark in text for mark in MARKS for text in raw):
        # As a module: it waits for the page, and its names do not meet Sphinx's.
        app.add_js_file(SCRIPT, type="module")


def setup(app):
    app.connect("builder-inited", write_script, priority=100)
    app.connect("html-page-context", add_script)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
