"""What the course's live things share: one object, one bundle of views, as each viewer can."""

import json
from base64 import b64encode
from io import BytesIO

from PIL import Image

WIDGET = "application/vnd.jupyter.widget-view+json"
# JupyterLab would take a slider's arrow keys as shortcuts, and D D there would delete the
# cell. Keys held with Ctrl, Shift or Cmd still reach it.
KEEP_KEYS = """el.addEventListener("keydown", (key) => {
  if (!key.ctrlKey && !key.shiftKey && !key.metaKey) key.stopPropagation();
});"""


class Views:
    """A thing with ``html``, ``png``, ``alternative`` (a sentence) and ``widget``.

    As the last expression of a cell it shows itself: the widget in JupyterLab, the page's
    HTML on the site, the picture with its sentence everywhere else.
    """

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Every view at once. The widget's has a random id; tools/notebooks.py leaves it out."""
        bundle = {
            "text/html": self.html,
            "image/png": b64encode(self.png).decode(),
            "text/plain": self.alternative,
        }
        view = self.widget._repr_mimebundle_()
        view = view[0] if isinstance(view, tuple) else view or {}
        if WIDGET in view:
            bundle[WIDGET] = view[WIDGET]
        return bundle


def inert(data, **how):
    """Return `data` as JSON for a script element; `how` goes to ``json.dumps``."""
    # "</" would end the element early.
    return json.dumps(data, separators=(",", ":"), **how).replace("</", "<\\/")


def small_png(png):
    """Return a PNG in 64 colours: a tenth of the bytes in the stored notebook."""
    small = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(64).save(small, "png", optimize=True)
    return small.getvalue()
