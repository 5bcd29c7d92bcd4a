"""Tensor parallelism: what the chips of a group say to each other.

Each layer is split over the chips twice, in attention and in the feed-forward
block, and each time the partial sums must be added up on every chip: two
all-reduces a layer (Shoeybi et al. 2019, Megatron-LM).
"""

from dataclasses import dataclass

from .tracing import where
from .validation import check_number


@dataclass(frozen=True)
class Link:
    """The connection between the chips of a tensor-parallel group.

    Parameters
    ----------
    bandwidth : float
        What one chip can send, bytes/s, one way. Data sheets often give both
        ways together: 600 GB/s of NVLink are 300 GB/s here.
    latency : float
        Seconds one all-reduce takes however small the message.

    Raises
    ------
    ValueError
        `bandwidth` is not positive, or `latency` negative.
    """

    bandwidth: float
    latency: float = 0.0

    def __post_init__(self):
        # a frozen dataclass sets its own fields only this way
        object.__setattr__(self, "bandwidth", check_number("bandwidth", self.bandwidth, above=0))
        object.__setattr__(self, "latency", check_number("latency", self.latency, 0))


def all_reduce_seconds(message_bytes, tensor_parallel, link):
    """Return latency + 2·(t - 1)/t · bytes / bandwidth, seconds; 0 on one chip.

    The second term is the least traffic any all-reduce needs, and what a ring
    achieves (Patarasuk and Yuan 2009).

    Parameters
    ----------
    message_bytes : number, array or traced
        Bytes of the vector that is added up.
    tensor_parallel : number, array or traced
        t, chips in the group, a whole number, at least 1.
    link : Link

    Raises
    ------
    ValueError
        A parameter out of range.
    """
    message_bytes = check_number("message_bytes", message_bytes, 0)
    degree = check_number("tensor_parallel", tensor_parallel, 1, whole=True)
    latency = where(degree > 1, link.latency, 0.0)
    return latency + 2 * (degree - 1) / degree * message_bytes / link.bandwidth


def communication_seconds(model, batch, width, tensor_parallel, link, bytes_per_value=2):
    """Return the seconds a pass spends on its all-reduces: two a layer.

    The message is one hidden vector a position, heads·head_dim values. Nothing
    is overlapped with the arithmetic, and gathering the logits is left out.

    Parameters
    ----------
    model : Model
    batch, width : number, array or traced
    tensor_parallel : number or traced
    link : Link
    bytes_per_value : number
        2 for 16-bit activations.

    Raises
    ------
    ValueError
        The model lacks layers, heads or head_dim.
    """
    model.need_shape("link", "layers", "heads", "head_dim")
    message = batch * width * model.heads * model.head_dim * bytes_per_value
    return 2 * model.layers * all_reduce_seconds(message, tensor_parallel, link)
