"""Take Font Awesome's 542 KB script out of the theme and keep the icons the pages use.

The theme draws its icons twice over: a script swaps them for SVG, and its stylesheet
also knows them as characters of an icon font. This extension drops the script and cuts
the font down to the characters that some page or script names.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pydata_sphinx_theme
from fontTools import subset
from sphinx.errors import SphinxError

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme"
MACROS = "static/webpack-macros.html"
FONTS = Path("_static/vendor/fontawesome/webfonts")
STYLES = Path("_static/styles/pydata-sphinx-theme.css")
ICON_RULE = re.compile(r'((?:\.fa-[\w-]+:before,?)+)\{content:"\\([0-9a-f]+)\s?"\}')
FONT_FACE = re.compile(r"@font-face\{[^}]*Font Awesome[^}]*\}")

FACE = (
    "@font-face{font-display:block;font-family:Font Awesome\\ 6 Free;font-weight:900;"
    'src:url(../vendor/fontawesome/webfonts/icons.woff) format("woff")}'
)

logging.getLogger("fontTools").setLevel(logging.WARNING)  # it tells of every table it cuts


def drop_script(app, config) -> None:
    """Put the theme's list of scripts, without Font Awesome's, before the theme's own."""
    whole = (THEME / MACROS).read_text(encoding="utf-8")
    lean, found = re.subn(r"\s*<script[^>]*fontawesome\.js[^>]*></script>", "", whole)
    if found != 1:
        raise SphinxError(f"lean_theme: fontawesome.js not found once in the theme's {MACROS}")
    target = Path(app.outdir).parent / "templates" / MACROS
    target.parent.mkdir(parents=True, exist_ok=True)
    if not target.exists() or target.read_text(encoding="utf-8") != lean:
        target.write_text(lean, encoding="utf-8")
    config.templates_path.insert(0, str(target.parents[1]))


def icons_in(text: str) -> set[str]:
    """The icon names that a page or a script mentions."""
    return set(re.findall(r"\bfa-([a-z0-9-]+)", text))


def characters_in(css: str) -> set[int]:
    """The private characters that a stylesheet writes itself, as for admonitions."""
    escaped = (int(code, 16) for code in re.findall(r"\\([ef][0-9a-f]{3})\b", css))
    return {*escaped, *(ord(char) for char in css if "\ue000" <= char <= "\uf8ff")}


def cut_font(app, exception) -> None:
    """Write a font of the used icons, and point the theme's stylesheet at it."""
    if exception or app.builder.format != "html":
        return
    out = Path(app.outdir)
    for path in [*out.glob("_static/**/fontawesome.js*"), *out.glob("_static/**/*.map")]:
        if not path.name.endswith("LICENSE.txt"):
            path.unlink(missing_ok=True)
    used = set()
    for path in [*out.glob("**/*.html"), *out.glob("_static/**/*.js")]:
        used |= icons_in(path.read_text(encoding="utf-8", errors="replace"))
    css = (out / STYLES).read_text(encoding="utf-8")
    css = ICON_RULE.sub(lambda rule: rule[0] if icons_in(rule[1]) & used else "", css)
    (out / STYLES).write_text(FONT_FACE.sub("", css) + FACE, encoding="utf-8")

    options = subset.Options(flavor="woff", notdef_outline=True)
    font = subset.load_font(str(out / FONTS / "fa-solid-900.ttf"), options)
    wanted = set()
    for path in out.glob("_static/**/*.css"):
        wanted |= characters_in(path.read_text(encoding="utf-8"))
    drawn = wanted & set(font.getBestCmap())  # the rest are brands' marks
    if not drawn:
        raise SphinxError("lean_theme: no icon of the theme was found in the pages")
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=drawn)
    cutter.subset(font)
    for path in (out / FONTS).iterdir():
        path.unlink()
    subset.save_font(font, str(out / FONTS / "icons.woff"), options)


def setup(app):
    # jupyter-book sets it for its comments extension, which is not loaded.
    app.add_config_value("comments_config", {}, "html", dict)
    app.connect("config-inited", drop_script, priority=900)
    app.connect("build-finished", cut_font, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
