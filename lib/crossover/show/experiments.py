"""Experiments that need Python: controls where a kernel runs, a sentence elsewhere."""

from crossover.show.views import WIDGET


class Experiment:
    """A widget and the sentence that stands in its place where nothing could move it.

    As the last expression of a cell it shows itself. `tools/notebooks.py` stores no
    widget view, so the stored chapter and the site hold the sentence alone and no
    dead control.

    Parameters
    ----------
    widget : ipywidgets.Widget
    sentence : str
        What the experiment does and how to get it.

    Raises
    ------
    ValueError
        `sentence` is empty.
    """

    def __init__(self, widget, sentence):
        if not sentence.strip():
            raise ValueError(
                f"sentence = {sentence!r}: expected what a reader without a kernel reads"
            )
        self.widget, self.sentence = widget, sentence

    def _repr_mimebundle_(self, include=None, exclude=None):
        view = self.widget._repr_mimebundle_()
        return {WIDGET: view[WIDGET], "text/plain": self.sentence}
