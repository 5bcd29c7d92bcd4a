"""A paged K/V cache: blocks, block tables, committed lengths, shared prefixes.

Kwon et al. (2023), arXiv:2309.06180. A sequence holds a row of the block table; entry
``position`` of it lives in block ``table[position // block_size]``. Entries are first
*written*, then *committed* or rolled back: a draft's entries are written before anybody
knows whether they stay. What lies beyond the written length is stale, never read, and
overwritten before it comes into reach.
"""

import numpy as np

from .layout import pack


class CacheError(ValueError):
    """A use of the cache that would corrupt it."""


class OutOfBlocks(CacheError):
    """No free block is left; the scheduler preempts a sequence and tries again."""


class PagedCache:
    """Keys and values of one model for up to `rows` sequences.

    Parameters
    ----------
    model : Transformer
        Gives ``layers``, ``kv_heads``, ``head``, ``window`` and ``dtype``.
    rows : int
        Sequences held at once.
    blocks, block_size : int
        Blocks in the pool, and entries (token positions) a block holds.
    """

    def __init__(self, model, rows, blocks, block_size):
        for name, value in (("rows", rows), ("blocks", blocks), ("block_size", block_size)):
            if value < 1:
                raise CacheError(f"{name} must be at least 1, got {value}")
        shape = (model.layers, blocks, block_size, model.kv_heads, model.head)
        self.keys, self.values = (np.zeros(shape, model.dtype) for _ in range(2))
        self._slots = [
            store.reshape(model.layers, -1, *shape[3:]) for store in (self.keys, self.values)
        ]
        self.block_size, self.blocks = block_size, blocks
        self.tables = np.zeros((rows, -(-model.window // block_size)), np.int64)
        self.held = np.zeros(rows, np.int64)  # blocks in each row's table
        self.committed = np.zeros(rows, np.int64)  # entries that stay
        self.written = np.zeros(rows, np.int64)  # entries that attention may read
        self.references = np.zeros(blocks, np.int64)
        self._free_blocks = list(range(blocks))[::-1]
        self._free_rows, self._live = list(range(rows))[::-1], set()
        self._scratch = self._entries = None  # where `update` gathers, kept while it fits

    @property
    def free_blocks(self):
        """Blocks that no sequence holds."""
        return len(self._free_blocks)

    def blocks_of(self, row):
        """The block table of `row`, as a list."""
        self._check(row)
        return self.tables[row, : self.held[row]].tolist()

    def _check(self, row):
        if row not in self._live:
            raise CacheError(f"row {row} holds no sequence: it was freed or never added")

    def add(self):
        """Take a row for a new, empty sequence."""
        if not self._free_rows:
            raise CacheError(f"all {len(self.held)} rows are taken; free one first")
        row = self._free_rows.pop()
        self._live.add(row)
        return row

    def fork(self, parent, length):
        """A new row that shares the first `length` entries of `parent`, copying nothing."""
        self._check(parent)
        if not 0 <= length <= self.committed[parent]:
            raise CacheError(
                f"length must be within the {self.committed[parent]} committed "
                f"entries of row {parent}, got {length}"
            )
        row = self.add()
        count = -(-length // self.block_size)
        self.tables[row, :count] = self.tables[parent, :count]
        self.references[self.tables[row, :count]] += 1
        self.held[row] = count
        self.committed[row] = self.written[row] = length
        return row

    def reserve(self, row, length):
        """Make entries ``written .. length - 1`` of `row` writable.

        Adds blocks, and copies a shared block that the sequence is about to write into.
        What was reserved before `OutOfBlocks` stays reserved, so it can be tried again.
        """
        self._check(row)
        if length > self.tables.shape[1] * self.block_size:
            raise CacheError(
                f"length {length} is past the table, which ends at "
                f"{self.tables.shape[1] * self.block_size}"
            )
        table = self.tables[row]
        for i in range(self.written[row] // self.block_size, -(-length // self.block_size)):
            if i >= self.held[row]:
                table[i] = self._take()
                self.held[row] += 1
            elif self.references[table[i]] > 1:
                copy = self._take()
                for store in (self.keys, self.values):
                    store[:, copy] = store[:, table[i]]
                self.references[table[i]] -= 1
                table[i] = copy

    def _take(self):
        if not self._free_blocks:
            raise OutOfBlocks(f"all {self.blocks} blocks are in use")
        block = self._free_blocks.pop()
        self.references[block] = 1
        return block

    def extend(self, rows, widths):
        """Lay out a pass that writes ``widths[i]`` new entries to ``rows[i]``.

        The space must have been reserved. Returns the `Layout` for the transformer.
        """
        rows, widths = np.asarray(rows), np.asarray(widths)
        starts = self.written[rows]
        ends = starts + widths
        if (ends > self.held[rows] * self.block_size).any():
            raise CacheError(
                f"rows {rows.tolist()} would be written to {ends.tolist()}, past "
                f"their blocks, which end at {(self.held[rows] * self.block_size).tolist()}"
            )
        layout = pack(starts, widths)
        layout.tables = self.tables[rows, : -(-int(ends.max()) // self.block_size)]
        block, place = np.divmod(layout.positions, self.block_size)
        layout.slots = layout.tables[layout.row, block] * self.block_size + place
        layout.mask_to(layout.tables.shape[1] * self.block_size, self.keys.dtype)
        self.written[rows] = ends
        return layout

    def update(self, layer, layout, k, v):
        """Write this pass's `k` and `v`; return all of its rows' keys and values.

        `k` and `v` are ``(tokens, kv_heads, head)``, the results ``(rows, entries,
        kv_heads, head)``, entries padded to whole blocks. They are overwritten by the
        next call.
        """
        for slots, new in zip(self._slots, (k, v), strict=True):
            slots[layer][layout.slots] = new
        shape = layout.tables.shape + self.keys.shape[2:]
        if self._scratch is None or self._scratch[0].shape != shape:
            self._scratch = [np.empty(shape, self.keys.dtype) for _ in range(2)]
            self._entries = [out.reshape(shape[0], -1, *shape[3:]) for out in self._scratch]
        for store, out in zip((self.keys, self.values), self._scratch, strict=True):
            store[layer].take(layout.tables, 0, out, "clip")
        return self._entries

    def commit(self, row, count):
        """Declare `count` more written entries of `row` valid for good."""
        self._check(row)
        if not 0 <= count <= self.written[row] - self.committed[row]:
            raise CacheError(
                f"count must be within the {self.written[row] - self.committed[row]} "
                f"uncommitted entries of row {row}, got {count}"
            )
        self.committed[row] += count

    def rollback(self, row, length):
        """Drop the written entries of `row` from `length` on; return how many."""
        self._check(row)
        if not self.committed[row] <= length <= self.written[row]:
            raise CacheError(
                f"length must be in {self.committed[row]}..{self.written[row]} "
                f"(committed..written) for row {row}, got {length}"
            )
        dropped = int(self.written[row] - length)
        self.written[row] = length
        self._release(row, -(-length // self.block_size))
        return dropped

    def free(self, row):
        """Give up `row` and its blocks."""
        self._check(row)
        self._release(row, 0)
        self.committed[row] = self.written[row] = 0
        self._live.remove(row)
        self._free_rows.append(row)

    def _release(self, row, keep):
        for block in self.tables[row, keep : self.held[row]][::-1].tolist():
            self.references[block] -= 1
            if not self.references[block]:
                self._free_blocks.append(block)
        self.held[row] = min(keep, self.held[row])
