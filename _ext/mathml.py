"""Mathematics as MathML, made at build time: no script, no request, nothing to wait for.

Temml (vendored, MIT) runs in QuickJS. It was compared by screenshot with latex2mathml,
which prints the ``&`` of ``aligned`` and sets limits beside ``lim``, and with MathJax,
which looks the same but sends 365 KB. Temml also refuses what it cannot read, so a
mistake in a formula stops the build. The font is in ``_static/fonts``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import quickjs
from docutils import nodes
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

logger = logging.getLogger(__name__)
TEMML = Path(__file__).with_name("temml") / "temml.min.js"


@lru_cache(1)
def _converter():
    context = quickjs.Context()
    context.eval(TEMML.read_text(encoding="utf-8"))
    # JSON because the binding returns only flat strings, and Temml's are joined pieces.
    return context.eval(
        "(tex, display) => JSON.stringify(temml.renderToString(tex,"
        " {displayMode: display, throwOnError: true, annotate: true}))"
    )


def to_mathml(tex: str, display: bool = False) -> str:
    """LaTeX mathematics as a ``<math>`` element; ValueError, with the formula, if it is none."""
    try:
        return json.loads(_converter()(tex, display))
    except quickjs.JSException as error:
        reason = str(error).split("\n    at ")[0]
        raise ValueError(f"{reason}\n  in the formula: {tex}") from None


def write(translator, node: nodes.Element, display: bool) -> None:
    """Append a node's formula, or warn where it stands; the build then fails."""
    try:
        translator.body.append(to_mathml(node.astext(), display))
    except ValueError as error:
        logger.warning("%s", error, location=node)


def visit_inline(translator, node: nodes.math) -> None:
    write(translator, node, display=False)
    raise nodes.SkipNode


def visit_block(translator, node: nodes.math_block) -> None:
    # A wide equation scrolls in this box; tabindex lets the keyboard scroll it too.
    translator.body.append(
        translator.starttag(
            node, "div", CLASS="equation", role="group", tabindex="0", **{"aria-label": "Equation"}
        )
    )
    write(translator, node, display=True)
    if node["number"]:
        number = get_node_equation_number(translator, node)
        translator.body.append(f'<span class="eqno">({number})')
        translator.add_permalink_ref(node, "Link to this equation")
        translator.body.append("</span>")
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
