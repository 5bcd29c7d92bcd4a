"""Mend the markup that assistive technology stumbles over in the theme."""

from __future__ import annotations

from pathlib import Path


def add_templates(app, config) -> None:
    """Find home-link.html, which puts the site's title into a landmark."""
    config.templates_path.append(str(Path(__file__).with_name("templates")))


def setup(app):
    app.connect("config-inited", add_templates)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
