"""Let one formula run on floats, on NumPy arrays and in the reader's browser.

A formula in ``theory`` is written with arithmetic operators and the helpers
below. Given numbers it computes; given Altair parameters (``altair.param``,
``altair.datum.x``) it returns the Vega expression of the same formula, which
the published page evaluates. Altair expressions are always truthy, so Python's
``if`` and ``max`` would silently take one branch: branches on values go through
`where` and `maximum` instead.
"""

import sys
from math import inf

import numpy as np


def is_traced(*values):
    """Tell whether any value is an Altair expression or parameter.

    Altair is looked up, not imported: before somebody imports it, no traced
    value can exist, and the formulas stay light without it.
    """
    core = sys.modules.get("altair.expr.core")
    return core is not None and any(isinstance(value, core.OperatorMixin) for value in values)


def plain(value):
    """Return NumPy scalars and 0-d arrays as Python numbers, anything else as it is.

    Altair writes numbers into its expressions with ``repr``, and NumPy's
    ``np.float64(2.0)`` would not be JavaScript.
    """
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    return value


def _traced_call(function, *arguments):
    core = sys.modules["altair.expr.core"]
    infinity = core.BinaryExpression("/", 1, 0)  # Vega has no name for it
    arguments = tuple(infinity if a is inf else a for a in arguments)
    return core.FunctionExpression(function, arguments)


def maximum(a, b):
    """Return the larger of `a` and `b`, elementwise for arrays."""
    a, b = plain(a), plain(b)
    if is_traced(a, b):
        return _traced_call("max", a, b)
    return plain(np.maximum(a, b))


def minimum(a, b):
    """Return the smaller of `a` and `b`, elementwise for arrays."""
    a, b = plain(a), plain(b)
    if is_traced(a, b):
        return _traced_call("min", a, b)
    return plain(np.minimum(a, b))


def where(condition, if_true, if_false):
    """Return `if_true` where `condition` holds, else `if_false`.

    NumPy evaluates both branches, so a division in either must be safe for
    every input; callers guard their denominators.
    """
    condition, if_true, if_false = plain(condition), plain(if_true), plain(if_false)
    if is_traced(condition, if_true, if_false):
        return _traced_call("if", condition, if_true, if_false)
    return plain(np.where(condition, if_true, if_false))


def page_value(name):
    """Return a traced reference to a value that the page holds under `name`.

    For figures too many to write into a formula: the page keeps them once, and
    ``page_value("measured")["index"][i]`` looks one up.

    Parameters
    ----------
    name : str
        An identifier.

    Raises
    ------
    ValueError
        `name` is not an identifier.
    """
    if not name.isidentifier():
        raise ValueError(f"name = {name!r}: expected an identifier such as 'measured'")
    from altair.expr import core  # whoever traces has imported it

    return core.ConstExpression(name)


def vega_expression(value):
    """Return a traced value as the text of a Vega expression.

    Raises
    ------
    ValueError
        `value` is not traced.
    """
    if not is_traced(value):
        raise ValueError(f"value = {value!r}: expected an Altair expression or parameter")
    written = value.to_dict()
    return written["expr"] if isinstance(written, dict) else written
