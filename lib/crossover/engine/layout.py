"""Where the tokens of one packed pass belong: which sequence, which position.

Sequences in a pass may be of different widths. Linear layers see the tokens packed, one
after another; attention sees them padded to ``(batch, width)``. The index arrays made
here once a pass replace any loop over sequences inside a layer.
"""

from dataclasses import dataclass

import numpy as np


@dataclass
class Layout:
    """A packed pass of `batch` sequences, the widest of `width` tokens.

    ``row``, ``column``, ``positions``: for each token its sequence in the pass, its place
    among that sequence's new tokens, and its position in the text. ``last``: for each
    sequence the index of its last token. ``tables``, ``slots``: where the cache holds the
    entries. ``mask``: ``(batch or 1, width, entries)``, 0 where a query may look, -inf
    elsewhere.
    """

    batch: int
    width: int
    row: np.ndarray
    column: np.ndarray
    positions: np.ndarray
    last: np.ndarray
    even: bool
    tables: np.ndarray = None
    slots: np.ndarray = None
    mask: np.ndarray = None

    def mask_to(self, entries, dtype):
        """Set the mask over `entries` cached entries: causal, nothing past the query."""
        query = self.pad(self.positions[:, None])[..., 0]
        self.mask = np.where(np.arange(entries) <= query[..., None], 0, -np.inf).astype(dtype)

    def pad(self, packed):
        """``(tokens, ...)`` to ``(batch, width, ...)``, zeros where a sequence is narrower."""
        if self.even:
            return packed.reshape(self.batch, self.width, *packed.shape[1:])
        padded = np.zeros((self.batch, self.width, *packed.shape[1:]), packed.dtype)
        padded[self.row, self.column] = packed
        return padded

    def unpad(self, padded):
        """``(batch, width, ...)`` to ``(tokens, ...)``."""
        if self.even:
            return padded.reshape(-1, *padded.shape[2:])
        return padded[self.row, self.column]


def pack(starts, widths):
    """Lay out sequences that hold `starts` entries and bring `widths` new tokens each."""
    starts, widths = np.asarray(starts), np.asarray(widths)
    if (widths < 1).any():
        raise ValueError(f"widths must be at least 1, got {widths.tolist()}")
    ends = np.cumsum(widths)
    row = np.repeat(np.arange(len(widths)), widths)
    column = np.arange(ends[-1]) - (ends - widths)[row]
    return Layout(
        len(widths),
        int(widths.max()),
        row,
        column,
        starts[row] + column,
        ends - 1,
        bool((widths == widths[0]).all()),
    )
