"""Arithmetic intensity of a pass, and the batch at which it meets the ridge.

Each function takes floats, arrays (they broadcast) or traced values.
"""

from .validation import check_number


def arithmetic_intensity(batch, width, bytes_per_param):
    """Return AI(B, w) = 2·B·w / d, FLOP per byte of weights streamed.

    A pass does about 2·N FLOPs a token position and reads N·d bytes of weights
    once, whatever the batch: N cancels.

    Parameters
    ----------
    batch : number or array
        B, sequences in the pass, at least 1.
    width : number or array
        w, token positions per sequence; 1 for plain decoding, gamma + 1 for
        verification.
    bytes_per_param : number or array
        d, bytes.

    Raises
    ------
    ValueError
        `batch` or `width` below 1, `bytes_per_param` not positive.
    """
    batch = check_number("batch", batch, 1)
    width = check_number("width", width, 1)
    return 2 * batch * width / check_number("bytes_per_param", bytes_per_param, above=0)


def ridge_point(peak_flops, bandwidth):
    """Return R = FLOPS / BW, FLOP per byte.

    Below it a pass waits for memory, above it for arithmetic (Williams,
    Waterman and Patterson, 2009).

    Parameters
    ----------
    peak_flops : number or array
        FLOP/s.
    bandwidth : number or array
        Bytes/s.

    Raises
    ------
    ValueError
        Either is not a finite positive number.
    """
    peak_flops = check_number("peak_flops", peak_flops, above=0)
    return peak_flops / check_number("bandwidth", bandwidth, above=0)


def crossover_batch(peak_flops, bandwidth, bytes_per_param, width):
    """Return B*(w) = R·d / (2·w), the batch at which AI(B, w) = R.

    It is the knee of the pass, where added positions start to cost time. It is
    not the break-even batch, which lies higher.

    Parameters
    ----------
    peak_flops : number or array
        FLOP/s.
    bandwidth : number or array
        Bytes/s.
    bytes_per_param : number or array
        d, bytes.
    width : number or array
        w, token positions per sequence.

    Returns
    -------
    float or ndarray
        Sequences; below 1 when even one sequence is compute-bound.

    Raises
    ------
    ValueError
        A figure is not positive, or `width` is below 1.
    """
    bytes_per_param = check_number("bytes_per_param", bytes_per_param, above=0)
    width = check_number("width", width, 1)
    return ridge_point(peak_flops, bandwidth) * bytes_per_param / (2 * width)
