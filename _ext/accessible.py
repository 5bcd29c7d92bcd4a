"""Mend the markup that assistive technology stumbles over in the theme and in docutils."""

from __future__ import annotations

from pathlib import Path

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator


def visit_citation(translator, node: nodes.citation) -> None:
    """A reference, as an item of the list that docutils opens around it.

    docutils gives it the role doc-biblioentry, deprecated and not allowed in a list.
    """
    HTML5Translator.visit_citation(translator, node)
    translator.body[-1] = translator.body[-1].replace("doc-biblioentry", "listitem")


def depart_citation(translator, node: nodes.citation) -> None:
    HTML5Translator.depart_citation(translator, node)


def add_templates(app, config) -> None:
    """Find home-link.html, which puts the site's title into a landmark."""
    config.templates_path.append(str(Path(__file__).with_name("templates")))


def setup(app):
    app.connect("config-inited", add_templates)
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
