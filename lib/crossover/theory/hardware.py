"""Chips: peak arithmetic rate, memory bandwidth, memory."""

from collections.abc import Mapping
from dataclasses import dataclass

from .intensity import ridge_point
from .validation import Table, check_number


@dataclass(frozen=True)
class Accelerator:
    """One chip, as the roofline sees it.

    Parameters
    ----------
    name : str
    peak_flops : mapping of str to float, or float
        Peak dense arithmetic rate by precision, FLOP/s (integer operations a
        second for ``"int8"``). One number stands for ``{"fp16": number}``.
    bandwidth : float
        Memory bandwidth, bytes/s.
    memory : float
        Memory capacity, bytes.
    source : str
        Where the figures come from.

    Raises
    ------
    ValueError
        A figure is not a finite positive number.

    Examples
    --------
    >>> round(ACCELERATORS["A100-80GB-SXM"].ridge_point(), 2)
    153.02
    """

    name: str
    peak_flops: Mapping
    bandwidth: float
    memory: float = None
    source: str = ""

    def __post_init__(self):
        rates = self.peak_flops
        if not isinstance(rates, Mapping):
            rates = {"fp16": rates}
        rates = {
            precision: check_number(f"peak_flops[{precision!r}]", rate, above=0)
            for precision, rate in rates.items()
        }
        # a frozen dataclass sets its own fields only this way
        object.__setattr__(self, "peak_flops", Table(f"precision of {self.name}", rates))
        object.__setattr__(self, "bandwidth", check_number("bandwidth", self.bandwidth, above=0))
        if self.memory is not None:
            object.__setattr__(self, "memory", check_number("memory", self.memory, above=0))

    def ridge_point(self, precision="fp16"):
        """Return R = peak_flops / bandwidth, FLOP per byte.

        Raises
        ------
        ValueError
            The chip has no rate for `precision`; the message lists those it has.
        """
        return ridge_point(self.peak_flops[precision], self.bandwidth)


def _chip(name, fp16, int8, fp8, bandwidth, memory, source):
    rates = {"fp16": fp16, "int8": int8, "fp8": fp8}
    rates = {precision: rate for precision, rate in rates.items() if rate is not None}
    return name, Accelerator(name, rates, bandwidth, memory, source)


_NVIDIA = "NVIDIA data sheet"
_FP32_ACCUMULATE = "fp32-accumulate rate, third-party table"

# Dense peaks; vendors' figures "with sparsity" are twice these.
ACCELERATORS = Table("accelerator", [
    #     name              fp16       int8       fp8        bytes/s   bytes
    _chip("V100-SXM2-32GB", 1.25e14,   None,      None,      0.900e12, 32e9, _NVIDIA),
    _chip("A100-40GB-SXM",  3.12e14,   6.24e14,   None,      1.555e12, 40e9, _NVIDIA),
    _chip("A100-80GB-SXM",  3.12e14,   6.24e14,   None,      2.039e12, 80e9, _NVIDIA),
    _chip("H100-SXM",       9.89e14,   1.979e15,  1.979e15,  3.350e12, 80e9, _NVIDIA),
    _chip("H100-PCIe",      7.56e14,   1.513e15,  1.513e15,  2.000e12, 80e9, _NVIDIA),
    _chip("H200-SXM",       9.89e14,   1.979e15,  1.979e15,  4.800e12, 141e9, _NVIDIA),
    _chip("B200",           2.25e15,   None,      4.5e15,    8.000e12, 192e9, _NVIDIA),
    _chip("L4",             1.21e14,   2.42e14,   2.42e14,   0.300e12, 24e9, _NVIDIA),
    _chip("L40S",           3.62e14,   7.33e14,   7.33e14,   0.864e12, 48e9, _NVIDIA),
    _chip("A10",            1.25e14,   2.5e14,    None,      0.600e12, 24e9, _NVIDIA),
    _chip("A40",            1.497e14,  2.993e14,  None,      0.696e12, 48e9,
          "NVIDIA's figures through a third-party table"),
    _chip("RTX-3090",       7.1e13,    2.84e14,   None,      0.936e12, 24e9, _FP32_ACCUMULATE),
    _chip("RTX-4090",       1.65e14,   6.6e14,    None,      1.008e12, 24e9, _FP32_ACCUMULATE),
    _chip("TPU-v5e",        1.97e14,   3.94e14,   None,      0.820e12, 16e9,
          "Google; How to Scale Your Model"),
    _chip("TPU-v4",         2.75e14,   None,      None,      1.200e12, 32e9, "Google"),
    _chip("MI300X",         1.3074e15, 2.6149e15, 2.6149e15, 5.300e12, 192e9, "AMD data sheet"),
])
