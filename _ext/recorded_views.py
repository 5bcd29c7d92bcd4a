"""Send the script and the style of a recorded view with the pages that hold one.

They lie in the library, since JupyterLab's widget uses the same two files. In ``_static``
they would be sent with every page.
"""

from __future__ import annotations

from pathlib import Path

from docutils import nodes

from crossover.show import commits

FILES = ("commits.js", "commits.css")
MARK = 'class="recorded-explorable"'  # what crossover.show.commits writes


def add_static(app) -> None:
    """Have the two files copied beside the site's static ones."""
    folder = Path(commits.__file__).parent
    app.config.html_static_path.extend(str(folder / name) for name in FILES)


def add_files(app, pagename, templatename, context, doctree) -> None:
    """Ask for them on a page that holds a recorded view."""
    if doctree is not None and any(MARK in node.astext() for node in doctree.findall(nodes.raw)):
        script, style = FILES
        app.add_js_file(script, loading_method="defer")
        app.add_css_file(style)


def setup(app):
    app.connect("builder-inited", add_static, priority=100)
    app.connect("html-page-context", add_files)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
