"""Refuse bad input with the parameter, the value and what is allowed.

Numbers and arrays are checked; traced values pass, since their value is only
known in the reader's browser.
"""

from collections.abc import Mapping
from difflib import get_close_matches

import numpy as np

from .tracing import is_traced, plain


def check_number(name, value, low=None, high=None, *, above=None, whole=False):
    """Return `value` as a float, a float array or the traced value it is.

    Parameters
    ----------
    name : str
        What the value is called in the caller's signature.
    value : number, array_like or traced
    low, high : float, optional
        Smallest and largest allowed value, both included.
    above : float, optional
        A bound that itself is not allowed.
    whole : bool
        Allow only integer values (4.0 counts as one).

    Raises
    ------
    ValueError
        Not a number, not finite, out of range, or a fraction where `whole`.
    """
    if is_traced(value):
        return value
    allowed = _range_in_words(low, high, above, whole)
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "iuf":
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} = {value!r}: expected {allowed}") from None
    bad = ~np.isfinite(array)
    if low is not None:
        bad |= array < low
    if high is not None:
        bad |= array > high
    if above is not None:
        bad |= array <= above
    if whole:
        bad |= array != np.floor(array)
    if bad.any():
        shown = plain(value) if array.ndim == 0 else array[bad].flat[0]
        where = "" if array.ndim == 0 else f" at index {_first_index(bad)}"
        raise ValueError(f"{name} = {shown}{where}: expected {allowed}")
    return plain(array)


def _first_index(bad):
    index = tuple(int(i) for i in np.argwhere(bad)[0])
    return index[0] if len(index) == 1 else index


def _range_in_words(low, high, above, whole):
    kind = "a whole number" if whole else "a finite number"
    if above is not None and high is not None:
        return f"{kind} above {above:g} and at most {high:g}"
    if above is not None:
        return f"{kind} above {above:g}"
    if low is not None and high is not None:
        return f"{kind} from {low:g} to {high:g}"
    if low is not None:
        return f"{kind}, at least {low:g}"
    return kind


class UnknownName(KeyError, ValueError):
    """A name that a table does not hold. Says which names come near."""

    def __str__(self):
        return self.args[0]


class Table(Mapping):
    """A read-only mapping whose error for an unknown key is of use.

    Parameters
    ----------
    kind : str
        What the keys are, as the error calls them ("accelerator", "precision").
    rows : mapping
        Key to value.

    Raises
    ------
    UnknownName
        On look-up of a key it does not hold: a `ValueError` and a `KeyError`
        that names the key, the nearest keys and all keys.
    """

    def __init__(self, kind, rows):
        self.kind = kind
        self._rows = dict(rows)

    def __getitem__(self, key):
        try:
            return self._rows[key]
        except (KeyError, TypeError):
            raise UnknownName(self._unknown(key)) from None

    def _unknown(self, key):
        by_folded = {str(name).casefold(): name for name in self._rows}
        wanted = str(key).casefold()
        near = [name for name in by_folded if wanted and name.startswith(wanted)]
        near = near or get_close_matches(wanted, by_folded, n=3, cutoff=0.4)
        hint = f"; nearest: {', '.join(by_folded[name] for name in near)}" if near else ""
        return f"{self.kind} = {key!r}: expected one of {', '.join(self._rows)}{hint}"

    def __iter__(self):
        return iter(self._rows)

    def __len__(self):
        return len(self._rows)

    def __repr__(self):
        return f"Table({self.kind!r}, {self._rows!r})"
