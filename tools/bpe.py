"""Learn the tokenizer's merges from a corpus: the most frequent pair first, again and again."""

from collections import Counter
from itertools import pairwise

from crossover.engine.tokenizer import ALPHABET, PIECE


def learn_merges(texts, vocabulary_size):
    """The merges that fill a vocabulary of `vocabulary_size` tokens."""
    pieces = Counter(piece for text in texts for piece in PIECE.findall(text))
    words = {piece: list(piece) for piece in pieces}
    merges = []
    while len(merges) < vocabulary_size - 1 - len(ALPHABET):
        pairs = Counter()
        for piece, parts in words.items():
            for pair in pairwise(parts):
                pairs[pair] += pieces[piece]
        if not pairs:
            break
        # Ties go to the alphabet, so that the same corpus always gives the same merges.
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append(best)
        for piece, parts in words.items():
            joined, i = [], 0
            while i < len(parts):
                take = 2 if tuple(parts[i : i + 2]) == best else 1
                joined.append("".join(parts[i : i + take]))
                i += take
            words[piece] = joined
    return merges
