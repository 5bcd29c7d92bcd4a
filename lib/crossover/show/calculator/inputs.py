"""What the calculator asks for: one declaration for Python, the form and the address.

The defaults are the pair, the chip and the load of the source chapter, by name where
there is a published checkpoint. What is custom starts at the source's own figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from crossover.theory import ACCELERATORS, MODELS
from crossover.theory.validation import Table, check_number

CUSTOM = "custom"
MAX_BATCH, MAX_GAMMA = 4096, 16
# key: what the reader sees, bytes a stored parameter takes, precision of the arithmetic
PRECISIONS = Table("precision", {
    "fp16": ("fp16", 2, "fp16"),
    "int8": ("int8, weights and arithmetic", 1, "int8"),
    "fp8": ("fp8, weights and arithmetic", 1, "fp8"),
    "w8a16": ("int8 weights, fp16 arithmetic", 1, "fp16"),
    "w4a16": ("int4 weights, fp16 arithmetic", 0.5, "fp16"),
})  # fmt: skip


@dataclass(frozen=True)
class Input:
    """One thing the reader sets.

    Parameters
    ----------
    name : str
        In Python, in the form and in the address.
    label, unit : str
        What the reader sees.
    default : str or number
    group : str
        The heading it stands under.
    low, high, step : number
        Range of a number, both ends allowed, and the step of its arrow keys.
    whole : bool
        Whole numbers only.
    slides : number
        Where the slider beside the number ends. 0: it has none.
    choices : mapping of str to str
        For a name instead of a number: what it may be, and how the reader sees it.
    custom : str
        The input that must be "custom" for this one to count. Empty: it always counts.
    rate : str
        The precision of arithmetic that some model must use for this one to count.
    """

    name: str
    label: str
    unit: str
    default: object
    group: str
    low: float = None
    high: float = None
    step: float = 1
    whole: bool = False
    slides: float = 0
    choices: Mapping = None
    custom: str = ""
    rate: str = ""

    def check(self, value):
        """Return `value` if it is allowed; ValueError with the name, the value and what is."""
        if self.choices:
            Table(self.name, self.choices)[value]
            return value
        check_number(self.name, value, self.low, self.high, whole=self.whole)
        return value


def _number(name, label, unit, default, group, low, high, step=1, **more):
    return Input(name, label, unit, default, group, low, high, step, **more)


def _count(name, label, unit, default, group, low, high, **more):
    return _number(name, label, unit, default, group, low, high, whole=True, **more)


def _choice(name, label, default, group, choices):
    return Input(name, label, "", default, group, choices=choices)


def _named(table):
    return {**{name: name for name in table}, CUSTOM: "custom …"}


def _chip(group="Hardware"):
    own = {"group": group, "custom": "chip"}
    return [
        _choice("chip", "Chip", "A100-80GB-SXM", group, _named(ACCELERATORS)),
        _number("chip_fp16", "Peak at fp16", "TFLOP/s", 312, low=1, high=1e5, **own, rate="fp16"),
        _number("chip_int8", "Peak at int8", "TOP/s", 624, low=1, high=1e5, **own, rate="int8"),
        _number("chip_fp8", "Peak at fp8", "TFLOP/s", 624, low=1, high=1e5, **own, rate="fp8"),
        _number("chip_bandwidth", "Memory bandwidth", "GB/s", 2039, low=1, high=1e6, **own),
        _number("chip_memory", "Memory", "GB", 80, low=1, high=1e5, **own),
        _count("count", "Count, tensor parallel", "chips", 1, group, 1, 64),
        _number("compute_efficiency", "Share of the peak rate reached", "0 to 1", 1, group,
                0.05, 1, 0.05),
        _number("bandwidth_efficiency", "Share of the bandwidth reached", "0 to 1", 1, group,
                0.05, 1, 0.05),
    ]  # fmt: skip


def _model(role, name, params, layers, heads, kv_heads):
    group = role.capitalize()
    own = {"group": f"{group} model", "custom": role}
    precisions = {key: label for key, (label, _, _) in PRECISIONS.items()}
    return [
        _choice(role, f"{group} model", name, own["group"], _named(MODELS)),
        _number(f"{role}_params", "Parameters", "10⁹", params, low=0.001, high=1e5, **own),
        _count(f"{role}_layers", "Layers", "", layers, low=1, high=1000, **own),
        _count(f"{role}_heads", "Attention heads", "", heads, low=1, high=1000, **own),
        _count(f"{role}_kv_heads", "Key-value heads", "", kv_heads, low=1, high=1000, **own),
        _count(f"{role}_head_dim", "Size of a head", "", 128, low=1, high=1024, **own),
        _choice(f"{role}_precision", f"{group} precision", "fp16", own["group"], precisions),
    ]


INPUTS = {each.name: each for each in [
    *_chip(),
    *_model("target", "Llama-2-70B", 70, 80, 64, 8),
    *_model("draft", "Llama-2-7B", 7, 32, 32, 32),
    _count("gamma", "γ, drafted per round", "tokens", 4, "Speculation", 0, MAX_GAMMA,
           slides=MAX_GAMMA),
    _number("alpha", "α, acceptance rate", "0 to 1", 0.75, "Speculation", 0, 1, 0.01,
            slides=1),
    _count("batch", "B, batch", "sequences", 128, "Load", 1, MAX_BATCH, slides=512),
    _count("context", "L, cached per sequence", "tokens", 0, "Load", 0, 10_000_000),
]}  # fmt: skip


def complete(given):
    """Return every input, the defaults where `given` says nothing.

    Raises
    ------
    ValueError
        An input that is not asked for, a value outside its range, or a precision that
        the chip has no rate for.
    """
    for name in given:
        Table("input", INPUTS)[name]
    values = {name: each.default for name, each in INPUTS.items()} | dict(given)
    for name, each in INPUTS.items():
        each.check(values[name])
    if values["chip"] != CUSTOM:
        for role in ("target", "draft"):
            arithmetic = PRECISIONS[values[f"{role}_precision"]][2]
            if arithmetic not in ACCELERATORS[values["chip"]].peak_flops:
                raise ValueError(
                    f"{role}_precision = {values[f'{role}_precision']!r}: {values['chip']} has no "
                    f"{arithmetic} rate in the table; expected another precision, or chip='custom'"
                )
    return values


def declaration():
    """Return the inputs as plain data, for the page's script; what is empty is left out."""
    return [
        {key: value for key, value in vars(each).items() if value not in ("", None)}
        for each in INPUTS.values()
    ]
