"""The envelope: a pass takes as long as its slower half, memory or arithmetic."""

from dataclasses import dataclass
from math import inf

from .hardware import Accelerator
from .intensity import crossover_batch
from .models import Model
from .tracing import is_traced, maximum
from .validation import check_number


@dataclass(frozen=True)
class Roofline:
    """Latency model of a perfect chip: ``seconds = roofline(batch, width)``.

    Weights are read once a pass, arithmetic runs at its peak, the two overlap
    completely. Real passes are slower, never faster.

    Parameters
    ----------
    model : Model
    accelerator : Accelerator
    precision : str
        Precision of the arithmetic, a key of ``accelerator.peak_flops``. It
        need not match the storage: int8 weights multiplied in fp16 are
        ``Model(..., bytes_per_param=1)`` with ``precision="fp16"``.

    Raises
    ------
    ValueError
        The accelerator has no rate for `precision`.

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

    # No pass is too large for a formula; measured profiles set a bound here.
    max_positions = inf

    def __post_init__(self):
        self.accelerator.peak_flops[self.precision]  # an unknown precision fails here, not later

    @property
    def memory_seconds(self):
        """N·d / BW, the time to stream the weights once."""
        return self.model.weight_bytes / self.accelerator.bandwidth

    @property
    def seconds_per_position(self):
        """2·N / FLOPS, the time one token position takes once compute-bound."""
        return 2 * self.model.params / self.accelerator.peak_flops[self.precision]

    def __call__(self, batch, width=1, context=0):
        """Return max(N·d/BW, 2·N·B·w/FLOPS), seconds for one pass.

        Parameters
        ----------
        batch : number, array or traced
            B, sequences, at least 1.
        width : number, array or traced
            w, token positions per sequence, at least 1.
        context : number
            L, tokens already cached per sequence. Only 0 so far.

        Raises
        ------
        ValueError
            `batch` or `width` below 1.
        NotImplementedError
            `context` is not 0: this envelope counts the weights alone.
        """
        batch = check_number("batch", batch, 1)
        width = check_number("width", width, 1)
        context = check_number("context", context, 0)
        if is_traced(context) or (context != 0 if isinstance(context, float) else context.any()):
            raise NotImplementedError("context > 0: this Roofline counts the weights alone")
        return maximum(self.memory_seconds, self.seconds_per_position * batch * width)

    def crossover_batch(self, width):
        """Return B*(w), the batch above which a pass of this width is compute-bound."""
        return crossover_batch(
            self.accelerator.peak_flops[self.precision],
            self.accelerator.bandwidth,
            self.model.bytes_per_param,
            width,
        )

    def knots(self, width):
        """Return the batches at which the slope of the pass time changes."""
        return [self.crossover_batch(width)]
