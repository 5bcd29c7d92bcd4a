"""One sequence's round as the engine would report it, for the tests of what is shown of it."""

from crossover.engine.trace import Entries, Step
from crossover.theory import round_entries


def step(position, gamma, accepted, owed=0, block_size=8):
    """A step by the theory's account of the round; a draft that owes writes one entry more."""
    told = round_entries(position, gamma, accepted)
    caches = [
        Entries(
            each.written.start - late,
            len(each.written) + late,
            len(each.kept) + late,
            tuple(range(50, 50 + -(-each.committed_length // block_size))),
        )
        for each, late in ((told.target, 0), (told.draft, owed))
    ]
    proposed = tuple(range(1, gamma + 1))
    return Step(0, position, proposed, accepted, (*proposed[:accepted], 9), *caches)
