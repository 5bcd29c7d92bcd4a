"""The envelope: a pass takes as long as its slower half, memory or arithmetic."""

from dataclasses import dataclass
from math import inf

from .attention import cache_copies, cached_token_cost
from .hardware import Accelerator
from .intensity import crossover_batch, ridge_point
from .models import Model
from .parallel import Link, communication_seconds
from .tracing import maximum, minimum, where
from .validation import check_number

_READINGS = ("pass", "operator")


@dataclass(frozen=True)
class Roofline:
    """Latency model of a perfect chip: ``seconds = roofline(batch, width, context)``.

    Weights are read once a pass, arithmetic runs at its peak, the two overlap
    completely. Real passes are slower, never faster.

    Parameters
    ----------
    model : Model
    accelerator : Accelerator
    precision : str
        Precision of the arithmetic, a key of ``accelerator.peak_flops``. It
        need not match the storage: int8 weights multiplied in fp16 are
        ``Model(..., bytes_per_param=1)`` with ``precision="fp16"``. Attention
        is charged the same rate.
    roof_per : str
        How attention shares the chip with the weights, once there is context.
        ``"pass"``: one roof over both, so that reading the cache hides behind
        the weights' arithmetic; no pass is faster. ``"operator"``: a roof each,
        one after the other, as kernels run; never faster than ``"pass"``.
    tensor_parallel : int
        Chips that share each layer evenly. Each then has its own roof, with its
        share of weights, heads and cache; what all chips must wait for is `link`.
    link : Link, optional
        The connection between the chips. None: talking costs nothing.
    compute_efficiency, bandwidth_efficiency : float
        Fractions of the peaks that are reached, above 0 and at most 1. The
        crossover batch scales with compute over bandwidth.

    Raises
    ------
    ValueError
        The accelerator has no rate for `precision`, or a parameter is out of range.

    Examples
    --------
    >>> from crossover.theory import ACCELERATORS
    >>> target = Roofline(Model("target", 70e9), ACCELERATORS["A100-80GB-SXM"])
    >>> round(target(batch=1, width=1) * 1e3, 2)   # ms
    68.66
    """

    model: Model
    accelerator: Accelerator
    precision: str = "fp16"
    roof_per: str = "pass"
    tensor_parallel: int = 1
    link: Link = None
    compute_efficiency: float = 1
    bandwidth_efficiency: float = 1

    # No pass is too large for a formula; measured profiles set a bound here.
    max_positions = inf

    def __post_init__(self):
        self.accelerator.peak_flops[self.precision]  # an unknown precision fails here, not later
        if self.roof_per not in _READINGS:
            raise ValueError(f"roof_per = {self.roof_per!r}: expected one of {_READINGS}")
        check_number("tensor_parallel", self.tensor_parallel, 1, whole=True)
        for field in ("compute_efficiency", "bandwidth_efficiency"):
            check_number(field, getattr(self, field), above=0, high=1)
        if self.link is not None and not isinstance(self.link, Link):
            raise ValueError(f"link = {self.link!r}: expected a Link or None")

    @property
    def reached_flops(self):
        """FLOP/s one chip reaches: its peak times `compute_efficiency`."""
        return self.accelerator.peak_flops[self.precision] * self.compute_efficiency

    @property
    def reached_bandwidth(self):
        """Bytes/s one chip reaches: its bandwidth times `bandwidth_efficiency`."""
        return self.accelerator.bandwidth * self.bandwidth_efficiency

    @property
    def memory_seconds(self):
        """N·d / BW, the time to stream the weights once; each chip streams its share."""
        return self.model.weight_bytes / (self.reached_bandwidth * self.tensor_parallel)

    @property
    def seconds_per_position(self):
        """2·N / FLOPS, the time one token position takes once compute-bound."""
        return 2 * self.model.params / (self.reached_flops * self.tensor_parallel)

    def __call__(self, batch, width=1, context=0):
        """Return the seconds of one pass.

        Without context max(N·d/BW, 2·N·B·w/FLOPS). With it, one roof per pass:
        max((N·d + B·L·kappa)/BW, (2·N + a·L)·B·w/FLOPS); one per operator:
        max(N·d/BW, 2·N·B·w/FLOPS) + B·L·max(kappa/BW, a·w/FLOPS). All-reduces
        are added to either. At L = 0 both are the first, bit for bit.

        Parameters
        ----------
        batch : number, array or traced
            B, sequences, at least 1.
        width : number, array or traced
            w, token positions per sequence, at least 1.
        context : number, array or traced
            L, tokens already cached per sequence.

        Raises
        ------
        ValueError
            `batch` or `width` below 1, `context` below 0, or context for a
            model without a shape.
        """
        batch = check_number("batch", batch, 1)
        width = check_number("width", width, 1)
        context = check_number("context", context, 0)
        seconds = self._chip_seconds(batch, width, context)
        if self.link is None:
            return seconds
        return seconds + communication_seconds(
            self.model, batch, width, self.tensor_parallel, self.link
        )

    def _chip_seconds(self, batch, width, context):
        reading, arithmetic = self.memory_seconds, self.seconds_per_position * batch * width
        if _is_zero(context):
            return maximum(reading, arithmetic)
        read, attend = self._cached_token_seconds(context)
        cache_reading, attention = read * batch * context, attend * batch * width * context
        if self.roof_per == "operator":
            return maximum(reading, arithmetic) + maximum(cache_reading, attention)
        return maximum(reading + cache_reading, arithmetic + attention)

    def _cached_token_seconds(self, context):
        """Seconds a cached token takes: to read it, and to attend to it from a position."""
        kv_bytes, flops = cached_token_cost(self.model, context)
        kv_bytes = kv_bytes * cache_copies(self.model, self.tensor_parallel)
        chips = self.tensor_parallel
        return kv_bytes / (self.reached_bandwidth * chips), flops / (self.reached_flops * chips)

    def intensity(self, batch, width=1, context=0):
        """Return AI(B, w, L) = (2·N + a·L)·B·w / (N·d + B·L·kappa), FLOP per byte.

        The pass's arithmetic over what it reads, weights and cache. With one roof
        per pass the pass is compute-bound where this is above
        reached_flops / reached_bandwidth. At L = 0 it is `arithmetic_intensity`.

        Raises
        ------
        ValueError
            As calling the roofline does.
        """
        batch = check_number("batch", batch, 1)
        width = check_number("width", width, 1)
        context = check_number("context", context, 0)
        kv_bytes, flops = cached_token_cost(self.model, context)
        kv_bytes = kv_bytes * cache_copies(self.model, self.tensor_parallel)
        computed = (2 * self.model.params + flops * context) * batch * width
        return computed / (self.model.weight_bytes + kv_bytes * batch * context)

    def attainable_flops(self, intensity):
        """Return min(intensity·BW, FLOPS), the height of one chip's roof, FLOP/s.

        Parameters
        ----------
        intensity : number, array or traced
            FLOP per byte, above 0.

        Raises
        ------
        ValueError
            `intensity` is not above 0.
        """
        intensity = check_number("intensity", intensity, above=0)
        return minimum(intensity * self.reached_bandwidth, self.reached_flops)

    def seconds_per_cached_token(self, width):
        """Return max(kappa/BW, a·w/FLOPS), what a cached token adds where the cache dominates.

        Raises
        ------
        ValueError
            `width` below 1, or a model without a shape.
        """
        width = check_number("width", width, 1)
        cache_read, attention = self._cached_token_seconds(context=1)
        return maximum(cache_read, attention * width)

    def attention_crossover_width(self):
        """Return R·kappa/a, the width from which attention itself is compute-bound.

        Neither batch nor context moves it. In fp16 it is R·kv_heads/heads:
        grouped queries bring it down, since more queries share each key read.

        Raises
        ------
        ValueError
            The model has no shape.
        """
        cache_read, attention = self._cached_token_seconds(context=1)
        return cache_read / attention

    def crossover_batch(self, width, context=0):
        """Return B*(w, L), the batch above which a pass of this width is compute-bound.

        With one roof per pass it is R·N·d / (2·N·w + a·w·L - R·kappa·L), and
        infinite where the denominator is not positive: each further sequence
        then brings more bytes than the arithmetic can hide. With a roof per
        operator it is the weights' own, R·d / (2·w), at every context.

        Raises
        ------
        ValueError
            `width` below 1, `context` below 0, or context for a model without
            a shape.
        """
        width, context = check_number("width", width, 1), check_number("context", context, 0)
        weights_alone = crossover_batch(
            self.reached_flops, self.reached_bandwidth, self.model.bytes_per_param, width
        )
        if _is_zero(context):
            return weights_alone
        # as a factor on the weights' crossover: exactly 1 where a traced context is 0
        factor = 1 + context * self._tilt(width, context)
        crossing = factor > 0
        return where(crossing, weights_alone / where(crossing, factor, 1), inf)

    def context_limit(self, width):
        """Return the context from which on no batch makes a pass compute-bound.

        2·N·w / (R·kappa - a·w), where the denominator of `crossover_batch`
        reaches 0. Infinite if attention is compute-bound itself at this width,
        and with a roof per operator, where the weights' knee stays.

        Raises
        ------
        ValueError
            `width` below 1, or a model without a shape.
        """
        tilt = self._tilt(check_number("width", width, 1), context=1)
        to_memory = tilt < 0
        return where(to_memory, -1 / where(to_memory, tilt, 1), inf)

    def _tilt(self, width, context):
        """(a·w - R·kappa) / (2·N·w): how far a cached token tips a sequence to arithmetic."""
        kv_bytes, flops = cached_token_cost(self.model, context)
        if self.roof_per == "operator":
            return 0.0 * width
        ridge = ridge_point(self.reached_flops, self.reached_bandwidth)
        kv_bytes = kv_bytes * cache_copies(self.model, self.tensor_parallel)
        return (flops * width - ridge * kv_bytes) / (2 * self.model.params * width)

    def knots(self, width, context=0):
        """Return the batches at which the slope of the pass time changes."""
        return [self.crossover_batch(width, context)]


def _is_zero(context):
    # Decided by type first: a traced context has no value yet, and an array of
    # zeros still gives the result its shape.
    return isinstance(context, float) and context == 0
