"""Which K/V entries a round of speculative decoding writes, and which still hold.

The last committed token of a sequence has no K/V entry when a round begins: the
round before sampled it last and fed it to no model. A model writes the entry of
a token when it takes that token in, so an entry's position is its token's.
"""

from dataclasses import dataclass

from .validation import check_number


@dataclass(frozen=True)
class CacheEntries:
    """Positions of one cache in one round.

    Attributes
    ----------
    written : range
        Entries the round wrote.
    kept : range
        Those computed from tokens that are now committed.
    committed_length : int
        How many entries of the cache, counted from position 0, hold.
    dropped : range
        The other written entries. Computed from a rejected token, they must not be read.
    """

    written: range
    kept: range

    @property
    def committed_length(self):
        return self.kept.stop

    @property
    def dropped(self):
        return range(self.committed_length, self.written.stop)


@dataclass(frozen=True)
class RoundEntries:
    """What one round did to one sequence.

    Attributes
    ----------
    target, draft : CacheEntries
    emitted : range
        Positions of the accepted + 1 new tokens. The last, ``emitted[-1]``, is the
        correction, or the bonus after full acceptance; it has no entry in any cache.
    owed : range
        Committed positions before the last that the draft has not taken in: that of
        its own last proposal after full acceptance, else none. The draft takes these
        in before it proposes again.
    """

    target: CacheEntries
    draft: CacheEntries
    emitted: range
    owed: range


def round_entries(position, gamma, accepted):
    """Return which entries one round writes, keeps and drops for one sequence.

    The gamma draft steps take in the token at `position` and drafts 1 to gamma - 1;
    verification takes in that token and all gamma drafts. The target then keeps
    accepted + 1 entries and the draft min(accepted + 1, gamma); the text grows by
    accepted + 1 tokens (Leviathan et al. 2023, algorithm 1, with its caches spelt out).

    Parameters
    ----------
    position : int
        Where the last committed token stands, counted from 0, at least 0.
    gamma : int
        Drafted tokens, at least 0; 0 is a plain decoding step, which leaves the
        draft one token behind.
    accepted : int
        K, drafts accepted, 0 to `gamma`.

    Returns
    -------
    RoundEntries

    Raises
    ------
    ValueError
        A parameter out of range, fractional, or not a single number.

    Examples
    --------
    >>> sequence_d = round_entries(position=100, gamma=4, accepted=0)
    >>> list(sequence_d.target.dropped), list(sequence_d.draft.dropped)
    ([101, 102, 103, 104], [101, 102, 103])
    """
    position = _whole_number("position", position)
    gamma = _whole_number("gamma", gamma)
    accepted = _whole_number("accepted", accepted, gamma)

    first, last = position, position + accepted + 1
    return RoundEntries(
        target=CacheEntries(written=range(first, first + gamma + 1), kept=range(first, last)),
        draft=CacheEntries(
            written=range(first, first + gamma), kept=range(first, min(last, first + gamma))
        ),
        emitted=range(first + 1, last + 1),
        owed=range(min(last, first + gamma), last),
    )


def _whole_number(name, value, high=None):
    checked = check_number(name, value, 0, high, whole=True)
    if not isinstance(checked, float):
        raise ValueError(f"{name} = {value!r}: expected one whole number, not an array")
    return int(checked)
