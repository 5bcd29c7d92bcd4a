"""What the questions of the bank share: chips and models in words, and the model of a round."""

from crossover.theory import ACCELERATORS, MODELS, Model, Roofline

ENVELOPE = (
    "A pass takes the longer of two times: reading the weights once, and doing its arithmetic "
    "at the peak rate, 2 FLOP for each parameter and token position. Caches and overheads are "
    "left out. "
)
THE_ENVELOPE = (
    " The envelope: a pass takes the longer of reading its weights once and doing 2 FLOP for each "
    "parameter and token position at the peak rate."
)
ROUND = (
    "A round is γ draft steps, one position a sequence each, and one verification of γ + 1 "
    "positions by the target. Each drafted token is accepted with probability α, independently "
    "of the others. "
)

SHARED_CHIP = "the chip {{chip}}; read all figures per card that would hold the pair. "
PAIR_ON_CHIP = (
    f"A target of 70 and a draft of 7 billion parameters, both in fp16, share {SHARED_CHIP}"
)

_WORDS = {
    "rate": lambda chip: f"{chip.peak_flops['fp16'] / 1e12:g} TFLOP/s",
    "fp16": lambda chip: f"{chip.peak_flops['fp16'] / 1e12:g} TFLOP/s dense fp16",
    "int8": lambda chip: f"{chip.peak_flops['int8'] / 1e12:g} TOP/s dense int8",
    "sparse": lambda chip: f"{2 * chip.peak_flops['fp16'] / 1e12:g} TFLOP/s fp16 with sparsity",
    "bandwidth": lambda chip: f"{chip.bandwidth / 1e9:g} GB/s",
    "memory": lambda chip: f"{chip.memory / 1e9:g} GB",
}
# ridge points from 153 to 247 FLOP/B: at a hundred sequences verification is compute-bound and
# plain decoding memory-bound
RIDGE_NEAR_200 = (
    "A100-80GB-SXM",
    "A100-40GB-SXM",
    "H200-SXM",
    "A40",
    "TPU-v5e",
    "TPU-v4",
    "MI300X",
)
NVIDIA_CARDS = (
    "A100-80GB-SXM",
    "A100-40GB-SXM",
    "H100-SXM",
    "H100-PCIe",
    "H200-SXM",
    "L40S",
    "A40",
)
CARDS = "A100-40GB-SXM", "L40S", "A100-80GB-SXM", "H100-SXM", "H100-PCIe", "H200-SXM", "MI300X"


def chips(*names, show=("fp16", "bandwidth")):
    """Return {words: Accelerator}, the words being the name and the figures in `show`.

    The words are what a question draws and prints, so that its text is complete;
    the answer finds the chip by them.
    """
    return {f"{name} ({_figures(name, show)})": ACCELERATORS[name] for name in names}


def in_text(name):
    """Return a chip as a sentence has it: "A100 80GB SXM (312 TFLOP/s, 2039 GB/s)"."""
    return f"{name.replace('-', ' ')} ({_figures(name, ('rate', 'bandwidth'))})"


def _figures(name, show):
    return ", ".join(_WORDS[word](ACCELERATORS[name]) for word in show)


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


A100 = ACCELERATORS["A100-80GB-SXM"]
ON_A100 = f"on an {in_text('A100-80GB-SXM')}"
TARGET, DRAFT = rooflines(A100, 70, 7)
