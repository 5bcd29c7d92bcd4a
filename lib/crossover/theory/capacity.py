"""Does it fit: weights, draft and both KV caches against the memory there is."""

from dataclasses import dataclass
from math import inf

from .attention import cache_copies, cached_token_cost
from .hardware import Accelerator
from .models import Model
from .tracing import maximum, where
from .validation import check_number

_GB = 1e9


@dataclass(frozen=True)
class Capacity:
    """The memory of a tensor-parallel group that serves a target, perhaps with a draft.

    Weights and caches are split evenly over the chips, key-value heads as far
    as there are any (see `attention.cache_copies`). Activations, and what the
    runtime keeps for itself, come out of the share that is not usable.

    Parameters
    ----------
    target : Model
    accelerator : Accelerator
        One chip of the group; its `memory` is needed.
    draft : Model, optional
        None: plain decoding.
    tensor_parallel : int
        Chips in the group.
    usable : float
        Fraction of the memory that weights and caches may take, above 0 and at
        most 1. 0.9 is what vLLM long took unless told otherwise
        (``gpu_memory_utilization``).

    Raises
    ------
    ValueError
        A parameter is out of range, or the accelerator's memory is not known.

    Examples
    --------
    >>> from crossover.theory import ACCELERATORS
    >>> pair = Capacity(Model("t", 70e9), ACCELERATORS["A100-80GB-SXM"], Model("d", 7e9), usable=1)
    >>> pair.verdict()
    'weights 154.0 GB + cache 0.0 GB on 1 x 80.0 GB (80.0 GB usable): 74.0 GB too much'
    """

    target: Model
    accelerator: Accelerator
    draft: Model = None
    tensor_parallel: int = 1
    usable: float = 0.9

    def __post_init__(self):
        if self.accelerator.memory is None:
            raise ValueError(
                f"memory of {self.accelerator.name} = None: expected bytes; "
                f"give Accelerator(..., memory=...)"
            )
        check_number("tensor_parallel", self.tensor_parallel, 1, whole=True)
        check_number("usable", self.usable, above=0, high=1)

    @property
    def usable_bytes(self):
        """Memory of all chips together times the usable fraction, bytes."""
        return self.accelerator.memory * self.tensor_parallel * self.usable

    @property
    def weight_bytes(self):
        """Weights of target and draft, bytes."""
        return self.target.weight_bytes + (0 if self.draft is None else self.draft.weight_bytes)

    def cache_bytes(self, batch, context=0, draft_context=None):
        """Return B·(kappa·L + kappa_draft·L_draft), bytes over all chips.

        Parameters
        ----------
        batch : number, array or traced
            B, sequences, at least 1.
        context : number, array or traced
            L, cached tokens per sequence: to be sure of a round, those it ends
            with, gamma + 1 more than it starts with.
        draft_context : number, array or traced, optional
            The draft's. None: the same.

        Raises
        ------
        ValueError
            A parameter out of range, or context for a model without a shape.
        """
        batch = check_number("batch", batch, 1)
        return batch * self._sequence_bytes(context, draft_context)

    def spare_bytes(self, batch=1, context=0, draft_context=None):
        """Return the bytes left over; negative is how much is missing.

        Parameters and errors as `cache_bytes`.
        """
        needed = self.weight_bytes + self.cache_bytes(batch, context, draft_context)
        return self.usable_bytes - needed

    def largest_batch(self, context, draft_context=None):
        """Return how many sequences fit, a whole number.

        0 if not even one does; infinite where a sequence takes no room, at
        context 0. Parameters and errors as `cache_bytes`.
        """
        each = self._sequence_bytes(context, draft_context)
        room = maximum(self.usable_bytes - self.weight_bytes, 0.0)
        takes_room = each > 0
        batch = room / where(takes_room, each, 1)
        # rounds down by arithmetic, which a traced value has too
        unbounded = where(self.usable_bytes >= self.weight_bytes, inf, 0.0)
        return where(takes_room, batch - batch % 1, unbounded)

    def verdict(self, batch=1, context=0, draft_context=None):
        """Return in words whether it fits and by how much, with the sums.

        Parameters and errors as `cache_bytes`, with single numbers.
        """
        cache = self.cache_bytes(batch, context, draft_context)
        spare = self.spare_bytes(batch, context, draft_context)
        outcome = "to spare" if spare >= 0 else "too much"
        return (
            f"weights {self.weight_bytes / _GB:.1f} GB + cache {cache / _GB:.1f} GB on "
            f"{self.tensor_parallel} x {self.accelerator.memory / _GB:.1f} GB "
            f"({self.usable_bytes / _GB:.1f} GB usable): {abs(spare) / _GB:.1f} GB {outcome}"
        )

    def _sequence_bytes(self, context, draft_context):
        context = check_number("context", context, 0)
        bytes_each = self._cached(self.target, context)
        if self.draft is None:
            return bytes_each
        if draft_context is not None:
            context = check_number("draft_context", draft_context, 0)
        return bytes_each + self._cached(self.draft, context)

    def _cached(self, model, context):
        kv_bytes, _ = cached_token_cost(model, context)
        return context * kv_bytes * cache_copies(model, self.tensor_parallel)


def smallest_degree(
    target, accelerator, draft=None, batch=1, context=0, draft_context=None, usable=0.9, largest=64
):
    """Return the smallest tensor-parallel degree at which everything fits.

    Degrees double, as heads and hidden sizes divide.

    Parameters
    ----------
    target, accelerator, draft, usable
        As `Capacity`.
    batch, context, draft_context : number
        As `Capacity.cache_bytes`.
    largest : int
        Largest degree tried.

    Raises
    ------
    ValueError
        It fits at none of them; the message says by how much at the last.
    """
    degree = 1
    while True:
        group = Capacity(target, accelerator, draft, degree, usable)
        if group.spare_bytes(batch, context, draft_context) >= 0:
            return degree
        if 2 * degree > largest:
            words = group.verdict(batch, context, draft_context)
            raise ValueError(f"largest = {largest}: does not fit; {words}")
        degree *= 2
