"""Pure formulas: no input, no output, no plots.

Scalars, arrays or browser expressions in; the same out.
"""

from .attention import long_context_speedup
from .break_even import first_loss, pass_knees, saving_knots, time_saved
from .capacity import Capacity, smallest_degree
from .hardware import ACCELERATORS, Accelerator
from .intensity import arithmetic_intensity, crossover_batch, ridge_point
from .models import MODELS, Model
from .operating_point import best_gamma, break_even_batch, win_intervals
from .parallel import Link, all_reduce_seconds
from .roofline import Roofline
from .rounds import round_entries
from .speculation import (
    baseline_throughput,
    expected_tokens,
    roofline_break_even,
    round_time,
    speculative_throughput,
    speedup,
    speedup_floor,
)
from .tracing import is_traced, maximum, minimum, page_value, vega_expression, where
from .validation import UnknownName

__all__ = [
    "ACCELERATORS",
    "MODELS",
    "Accelerator",
    "Capacity",
    "Link",
    "Model",
    "Roofline",
    "UnknownName",
    "all_reduce_seconds",
    "arithmetic_intensity",
    "baseline_throughput",
    "best_gamma",
    "break_even_batch",
    "crossover_batch",
    "expected_tokens",
    "first_loss",
    "is_traced",
    "long_context_speedup",
    "maximum",
    "minimum",
    "page_value",
    "pass_knees",
    "ridge_point",
    "roofline_break_even",
    "round_entries",
    "round_time",
    "saving_knots",
    "smallest_degree",
    "speculative_throughput",
    "speedup",
    "speedup_floor",
    "time_saved",
    "vega_expression",
    "where",
    "win_intervals",
]
