"""How much of a K/V pool holds tokens, under requests of known lengths.

The engine's own scheduler and cache run; in the model's place stands a countdown, since
what is asked is where entries lie and not what is in them.
"""

import numpy as np

from crossover.engine import Engine


class Countdown:
    """Stands in for a transformer: the next token is the last one less one; 0 is the end.

    Parameters
    ----------
    window : int
        Largest number of positions of a sequence.
    requests : int
        How many first tokens of their own there are, beyond the window's numbers.
    """

    layers = kv_heads = head = 1
    dtype = np.dtype(np.float32)
    end = 0

    def __init__(self, window, requests):
        self.window, self.vocabulary = window, window + requests
        self.tokenizer = self  # the engine asks it for the end mark and the text

    def decode(self, tokens):
        """Return no text: the tokens are numbers."""
        return ""

    def forward(self, tokens, layout, cache, rows=slice(None)):
        """Logits that leave no choice, as `Transformer.forward`."""
        if rows is None:
            return None
        logits = np.zeros((len(tokens[rows]), self.vocabulary), self.dtype)
        logits[np.arange(len(logits)), tokens[rows] - 1] = 1
        return logits


def fill_pool(prompts, lengths, window, entries, block_size, max_batch=64):
    """Run requests of known lengths through the engine's scheduler and paged cache.

    Parameters
    ----------
    prompts, lengths : sequence of int
        Tokens that each request brings, at least 2, and ends with, at most `window`.
    window : int
        What a request could grow to for all the engine knows. A block of that size holds
        a whole request, and reserves for it all it might need.
    entries : int
        Size of the pool, a multiple of `block_size`.
    block_size, max_batch : int

    Returns
    -------
    Generation
        Its trace says which blocks each sequence held after each round.

    Raises
    ------
    ValueError
        A length out of range, or a pool that is not whole blocks.
    """
    for prompt, length in zip(prompts, lengths, strict=True):
        if not 2 <= prompt < length <= window:
            raise ValueError(
                f"prompt = {prompt}, length = {length}: expected 2 <= prompt < length <= {window}"
            )
    if entries % block_size:
        raise ValueError(f"entries = {entries}: expected a multiple of block_size = {block_size}")
    model = Countdown(window, len(prompts))
    # A first token of its own keeps each from sharing another's blocks.
    asked = [
        [window + i, *[length - prompt] * (prompt - 1)]
        for i, (prompt, length) in enumerate(zip(prompts, lengths, strict=True))
    ]
    engine = Engine(
        model, max_batch=max_batch, blocks=entries // block_size, block_size=block_size
    )
    return engine.generate(asked, window, progress=False)


def filled(round_, block_size):
    """Return how many entries of each block hold a token after a decode round.

    Parameters
    ----------
    round_ : Round
    block_size : int

    Returns
    -------
    dict of int to int
        Every block that a sequence of the round holds. A shared block counts once.
    """
    found = {}
    for step in round_.steps:
        length = step.target.first + step.target.kept
        for i, block in enumerate(step.target.blocks):
            held = min(max(length - i * block_size, 0), block_size)
            found[block] = max(found.get(block, 0), held)
    return found


def contended(generation):
    """Return the decode rounds with requests waiting: the pool, not the load, is the limit."""
    return [r for r in generation.trace if r.kind == "decode" and r.waiting]


def used_share(generation, entries, block_size):
    """Return the share of the pool that held tokens, mean of the contended rounds, 0 to 1.

    Raises
    ------
    ValueError
        No request ever waited.
    """
    rounds = contended(generation)
    if not rounds:
        raise ValueError("generation: expected a round with requests waiting; give more requests")
    return float(np.mean([sum(filled(r, block_size).values()) for r in rounds])) / entries
