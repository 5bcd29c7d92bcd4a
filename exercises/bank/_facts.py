"""What the questions of the bank share: chips and models in words, and the model of a round."""

from crossover.theory import ACCELERATORS, MODELS, Model, Roofline

ENVELOPE = (
    "A pass takes the longer of two times: reading the weights once, and doing its arithmetic "
    "at the peak rate, 2 FLOP for each parameter and token position. Caches and overheads are "
    "left out. "
)
ROUND = (
    "A round is γ draft steps, one position a sequence each, and one verification of γ + 1 "
    "positions by the target. Each drafted token is accepted with probability α, independently "
    "of the others. "
)

_WORDS = {
    "fp16": lambda chip: f"{chip.peak_flops['fp16'] / 1e12:g} TFLOP/s dense fp16",
    "int8": lambda chip: f"{chip.peak_flops['int8'] / 1e12:g} TOP/s dense int8",
    "sparse": lambda chip: f"{2 * chip.peak_flops['fp16'] / 1e12:g} TFLOP/s fp16 with sparsity",
    "bandwidth": lambda chip: f"{chip.bandwidth / 1e9:g} GB/s",
    "memory": lambda chip: f"{chip.memory / 1e9:g} GB",
}
CARDS = "A100-40GB-SXM", "L40S", "A100-80GB-SXM", "H100-SXM", "H100-PCIe", "H200-SXM", "MI300X"


def chips(*names, show=("fp16", "bandwidth")):
    """Return {words: Accelerator}, the words being the name and the figures in `show`.

    The words are what a question draws and prints, so that its text is complete;
    the answer finds the chip by them.
    """
    found = [ACCELERATORS[name] for name in names]
    return {f"{c.name} ({', '.join(_WORDS[word](c) for word in show)})": c for c in found}


def models(*names):
    """Return {words: Model}, the words being the name, parameters and shape."""
    found = [MODELS[name] for name in names]
    return {
        f"{m.name} ({m.params / 1e9:.2f} billion parameters, {m.layers} layers, {m.heads} query "
        f"heads, {m.kv_heads} key-value heads, head size {m.head_dim})": m
        for m in found
    }


def rooflines(chip, *billions, bytes_per_param=2, precision="fp16"):
    """Return a `Roofline` on `chip` for each model size in `billions` of parameters."""
    return [
        Roofline(Model(f"{size}B", size * 1e9, bytes_per_param), chip, precision)
        for size in billions
    ]
