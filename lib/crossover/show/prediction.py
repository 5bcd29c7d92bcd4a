"""Commit first: a form that the site shows before a live chart, and then judges."""

from dataclasses import dataclass
from html import escape

DIRECTIONS = ("rises", "stays", "falls")


@dataclass(frozen=True)
class Prediction:
    """What the reader is asked before a chart is revealed.

    The form is hidden in the page; the site's script shows it, hides the chart until
    the reader commits, and reads the answer from the chart itself.

    Parameters
    ----------
    question : str
        Where something goes from what it is now.
    value : str
        What number is asked for, with its unit.
    signal : str
        The chart's value that answers, with the controls where they start.
    before : float
        The value that it goes from.

    Raises
    ------
    ValueError
        ``question`` or ``value`` is empty.
    """

    question: str
    value: str
    signal: str
    before: float

    def __post_init__(self):
        for name in ("question", "value"):
            if not getattr(self, name).strip():
                raise ValueError(f"{name} = {getattr(self, name)!r}: expected what is asked")

    def html(self, figure):
        """Return the form for the figure of this name."""
        choices = "".join(
            f'<label><input type="radio" name="{figure}_direction" value="{way}" required> '
            f"It {way}</label>\n"
            for way in DIRECTIONS
        )
        return (
            f'<form class="prediction" hidden data-signal="{escape(self.signal)}" '
            f'data-before="{self.before!r}">\n'
            f"<fieldset><legend>{escape(self.question)}</legend>\n{choices}</fieldset>\n"
            f"<label>{escape(self.value)}\n"
            f'<input type="number" min="0" max="100" step="any" required></label>\n'
            f'<button type="submit">Commit, then see</button>\n</form>\n'
            f'<p class="prediction-outcome" role="status" tabindex="-1" hidden></p>\n'
        )
