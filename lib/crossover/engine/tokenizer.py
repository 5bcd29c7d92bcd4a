"""Text to token numbers and back: byte-pair encoding over printable ASCII.

Sennrich, Haddow and Birch (2016), arXiv:1508.07909. Token 0 is the end mark: it starts
every prompt and ends every conversation, and no text encodes to it.
"""

import json
import re
from functools import lru_cache
from itertools import pairwise

END = "<|end|>"
ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
# Words keep their leading space; digits stay single, so that numbers can be copied.
PIECE = re.compile(r" ?[A-Za-z]+|.", re.DOTALL)


class TokenizerError(ValueError):
    """Text that holds a character outside the tokenizer's alphabet."""


class Tokenizer:
    """Byte-pair encoding with a fixed list of merges.

    Parameters
    ----------
    merges : list of (str, str)
        Pairs to join, the most urgent first. The vocabulary is the end mark, the
        alphabet, then one token for each merge, in this order.
    """

    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        self.vocabulary = [END, *ALPHABET, *(a + b for a, b in self.merges)]
        self._number = {text: i for i, text in enumerate(self.vocabulary)}
        self._rank = {pair: i for i, pair in enumerate(self.merges)}
        self._piece = lru_cache(maxsize=10_000)(self._encode_piece)
        self.end = 0

    def __len__(self):
        return len(self.vocabulary)

    def encode(self, text):
        """The token numbers of `text`, without the end mark.

        Raises `TokenizerError`, which names the character and its place.
        """
        if not isinstance(text, str):
            raise TokenizerError(f"text must be a str, got {type(text).__name__}")
        for place, char in enumerate(text):
            if char not in self._number:
                raise TokenizerError(
                    f"text holds {char!r} (U+{ord(char):04X}) at position {place}; allowed are "
                    "printable ASCII characters and newline"
                )
        return [token for piece in PIECE.findall(text) for token in self._piece(piece)]

    def _encode_piece(self, piece):
        parts = list(piece)
        while len(parts) > 1:
            ranks = [self._rank.get(pair, len(self.merges)) for pair in pairwise(parts)]
            best = min(range(len(ranks)), key=ranks.__getitem__)
            if ranks[best] == len(self.merges):
                break
            parts[best : best + 2] = [parts[best] + parts[best + 1]]
        return tuple(self._number[part] for part in parts)

    def decode(self, tokens):
        """The text of `tokens`; the end mark shows as ``<|end|>``."""
        tokens = list(tokens)
        for token in tokens:
            if not 0 <= token < len(self.vocabulary):
                raise TokenizerError(f"token {token} is outside 0..{len(self.vocabulary) - 1}")
        return "".join(self.vocabulary[token] for token in tokens)

    def save(self, path):
        """Write the merges as JSON."""
        with open(path, "w", encoding="ascii") as file:
            json.dump({"merges": self.merges}, file, indent=0)

    @classmethod
    def load(cls, path):
        """Read a file that `save` wrote."""
        with open(path, encoding="ascii") as file:
            return cls(json.load(file)["merges"])
