"""A cache without rollback: what rejected drafts wrote stays, and is read.

For showing what breaks. In the target's place it corrupts the output; in the draft's it
only lowers the acceptance rate, since the test is exact for any draft.
"""

import numpy as np

from crossover.engine.kvcache import PagedCache


class StaleCache(PagedCache):
    """A `PagedCache` whose rejected entries stay where the next tokens' entries belong.

    A rollback remembers the positions it should have dropped; later writes there are lost.
    Put it into ``Engine.caches``, the target's place first.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.stale = {row: set() for row in range(len(self.held))}

    def rollback(self, row, length):
        """Shorten the count of entries, and neither free nor replace what lies beyond it."""
        self._check(row)
        self.stale[row] |= set(range(length, int(self.written[row])))
        dropped = int(self.written[row] - length)
        self.written[row] = length  # blocks are kept, so the entries survive
        return dropped

    def free(self, row):
        """Give up `row`; the next sequence there starts clean."""
        self.stale[row] = set()
        super().free(row)

    def extend(self, rows, widths):
        """As in `PagedCache`; the layout also says which of its tokens may be written."""
        layout = super().extend(rows, widths)
        layout.fresh = np.array(
            [
                p not in self.stale[rows[r]]
                for r, p in zip(layout.row, layout.positions.tolist(), strict=True)
            ]
        )
        return layout

    def update(self, layer, layout, k, v):
        """As in `PagedCache`, but stale entries keep the keys and values they have."""
        old = [
            store[layer].reshape(-1, *k.shape[1:])[layout.slots]
            for store in (self.keys, self.values)
        ]
        fresh = layout.fresh[:, None, None]
        return super().update(layer, layout, np.where(fresh, k, old[0]), np.where(fresh, v, old[1]))
