"""Text to token numbers and back: byte-pair encoding over printable ASCII.

The `tokenizers` library does the work; this file says what our texts may hold. Token 0
is the end mark: it starts every prompt and ends every conversation, and no text encodes
to it. Byte-pair encoding: Sennrich, Haddow and Birch (2016), arXiv:1508.07909.
"""

import tokenizers

END = "<|end|>"
ALPHABET = "\n" + "".join(map(chr, range(32, 127)))


class TokenizerError(ValueError):
    """Text that holds a character outside the tokenizer's alphabet, or an unknown token."""


class Tokenizer:
    """Byte-pair encoding that refuses what it cannot encode.

    Parameters
    ----------
    pieces : tokenizers.Tokenizer
        Its token 0 is the end mark. `load` reads one, ``tools/train_pair.py`` learns one.
    """

    def __init__(self, pieces: tokenizers.Tokenizer):
        pieces.encode_special_tokens = True  # "<|end|>" typed by a user is only text
        self._pieces = pieces
        self.vocabulary = [pieces.id_to_token(i) for i in range(pieces.get_vocab_size())]
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
            if char not in ALPHABET:
                raise TokenizerError(
                    f"text holds {char!r} (U+{ord(char):04X}) at position {place}; allowed are "
                    "printable ASCII characters and newline"
                )
        return self._pieces.encode(text, add_special_tokens=False).ids

    def decode(self, tokens):
        """The text of `tokens`; the end mark shows as ``<|end|>``."""
        tokens = list(tokens)
        for token in tokens:
            if not 0 <= token < len(self.vocabulary):
                raise TokenizerError(f"token {token} is outside 0..{len(self.vocabulary) - 1}")
        return "".join(self.vocabulary[token] for token in tokens)

    def save(self, path):
        """Write vocabulary, merges and the rule for words as JSON."""
        self._pieces.save(str(path))

    @classmethod
    def load(cls, path):
        """Read a file that `save` wrote.

        Raises `TokenizerError`, which names the file, if the library cannot read it.
        """
        try:
            return cls(tokenizers.Tokenizer.from_file(str(path)))
        except Exception as error:  # the library raises no narrower class
            raise TokenizerError(f"{path} is no tokenizer file: {error}") from error
