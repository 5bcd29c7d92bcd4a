"""Send each script and style of a live view with the pages that hold one, and with no other.

Jupyter Book sends all of ``_static`` with every page; what is named here it does not. Vega's
script comes out of the vl-convert wheel at build time: no CDN, no Node. Those of the recorded
rounds lie in the library, since JupyterLab's widget uses the same two files.
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import vl_convert
from docutils import nodes

from crossover.show import commits

VEGA = "vega-embed.js"
# What crossover.show writes into a page, and what that needs, in the order of loading.
NEEDED = {
    'class="explorable"': (VEGA, "course.js"),
    'class="prediction"': ("prediction.js",),
    'class="calculator"': (VEGA, "course.js", "calculator.js", "calculator.css"),
    'class="recorded-explorable"': ("commits.js", "commits.css"),
}
# As a module Vega's waits for the page, and its names do not meet Sphinx's.
LOADING = {VEGA: {"type": "module"}, "commits.js": {"loading_method": "defer"}}


def keep_back(app, config) -> None:
    """Take the files named here out of those that every page gets."""
    named = {name for names in NEEDED.values() for name in names}
    config.html_js_files = [name for name in config.html_js_files if name not in named]
    config.html_css_files = [name for name in config.html_css_files if name not in named]


def add_sources(app) -> None:
    """Have Vega's bundle, kept between builds, and the library's files copied with the rest."""
    folder = Path(app.outdir).parent / "vega" / version("vl-convert-python")
    script = folder / VEGA
    if not script.exists():
        folder.mkdir(parents=True, exist_ok=True)
        script.write_text(vl_convert.javascript_bundle(), encoding="utf-8")
    show = Path(commits.__file__).parent
    own = [show / name for name in NEEDED['class="recorded-explorable"']]
    app.config.html_static_path += [str(path) for path in (folder, *own)]


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Ask for what the page's views need, each file once."""
    raw = [] if doctree is None else [node.astext() for node in doctree.findall(nodes.raw)]
    names = [
        name
        for mark, needed in NEEDED.items()
        if any(mark in text for text in raw)
        for name in needed
    ]
    for name in dict.fromkeys(names):
        if name.endswith(".css"):
            app.add_css_file(name)
        else:
            app.add_js_file(name, **LOADING.get(name, {}))


def setup(app):
    app.connect("config-inited", keep_back)
    app.connect("builder-inited", add_sources, priority=100)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
