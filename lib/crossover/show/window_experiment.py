"""The experiment of chapter 08: speedup over gamma on the envelope and on measured passes."""

from io import BytesIO

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np

from crossover.evidence.gemm import MeasuredProfile, profiles
from crossover.show.experiments import Experiment
from crossover.show.figures import GREY, MEASURED, SPECULATIVE, axes, in_style
from crossover.theory import ACCELERATORS, MODELS, Roofline, best_gamma, speedup

TARGET, DRAFT = "Llama-2-70B", "Llama-2-7B"
LARGEST = 12  # gamma
SENTENCE = (
    "Run this cell in JupyterLab (make lab): it draws the speedup over γ for a chip, a batch\n"
    "and an α of your choice, on the envelope and on that chip's measured passes."
)


def window_experiment():
    """Return controls for chip, batch and alpha with the picture and sentence they set.

    Returns
    -------
    Experiment
    """
    chips = [chip for chip, model, split in profiles()
             if model == TARGET and split == 1 and chip in ACCELERATORS]  # fmt: skip
    wide, calm = widgets.Layout(width="28rem"), {"continuous_update": False}
    chip = widgets.Dropdown(options=chips, description="chip")
    batch = widgets.IntSlider(64, 1, 256, description="batch B", layout=wide, **calm)
    alpha = widgets.FloatSlider(value=0.75, min=0, max=1, step=0.01, description="α",
                                layout=wide, **calm)  # fmt: skip
    natural = widgets.Layout(align_self="flex-start")  # a VBox stretches pictures to its width
    picture, words = widgets.Image(format="png", layout=natural), widgets.Label()

    def draw(_=None):
        pairs = _pairs(chip.value)
        picture.value = _png(pairs, batch.value, alpha.value)
        words.value = in_words(pairs, batch.value, alpha.value)

    for control in (chip, batch, alpha):
        control.observe(draw, "value")
    draw()
    return Experiment(widgets.VBox([chip, batch, alpha, words, picture]), SENTENCE)


def in_words(pairs, batch, alpha):
    """Return the best gamma of each pair as a sentence.

    Parameters
    ----------
    pairs : mapping of str to (target, draft, look)
    batch : int
    alpha : float
    """
    said = []
    for label, (target, draft, _) in pairs.items():
        best = best_gamma(target, draft, batch, alpha, LARGEST)
        gain = speedup(target, draft, batch, best, alpha)
        said.append(f"{label}: γ = {best} at {gain:.2f}" if best else f"{label}: off")
    return f"Best at B = {batch}, α = {alpha:.2f}. " + "; ".join(said) + "."


def _pairs(chip):
    roofs = [Roofline(MODELS[model], ACCELERATORS[chip]) for model in (TARGET, DRAFT)]
    clocks = [MeasuredProfile(chip, model) for model in (TARGET, DRAFT)]
    return {"envelope": (*roofs, SPECULATIVE), "measured": (*clocks, MEASURED)}


@in_style
def _png(pairs, batch, alpha):
    """Return the picture as PNG: drawn here, not by the notebook, which would show it twice."""
    ax = axes("γ (drafted tokens per round)", "speedup over plain decoding")
    gammas = np.arange(LARGEST + 1)
    for (label, (target, draft, look)), marker in zip(pairs.items(), "so", strict=True):
        gains = [speedup(target, draft, batch, int(gamma), alpha) for gamma in gammas]
        ax.plot(gammas, gains, marker=marker, label=label, **look)
    ax.axhline(1, color=GREY, linestyle=":", linewidth=1.4)
    ax.set_ylim(0, max(2.5, ax.get_ylim()[1]))
    ax.legend(loc="upper right")
    file = BytesIO()
    ax.figure.savefig(file, format="png")
    plt.close(ax.figure)
    return file.getvalue()
