"""The same text with and without a K/V cache, token by token, on the small target."""

import time

import numpy as np

from crossover.engine import Engine, held_out, load_model

PROMPT, NEW = 24, 256


def without_cache(model, prompt, new):
    """Decode greedily, each token from the whole text so far.

    Parameters
    ----------
    model : Transformer
    prompt : list of int
    new : int
        Tokens to add; prompt and new tokens must fit in the model's window.

    Returns
    -------
    (list of int, list of float)
        The new tokens, and the seconds that each took.
    """
    text, seconds = list(prompt), []
    for _ in range(new):
        started = time.perf_counter()
        text.append(int(model.logits([text])[0, -1].argmax()))
        seconds.append(time.perf_counter() - started)
    return text[len(prompt) :], seconds


def with_cache(model, prompt, new):
    """Decode the same with the engine and its cache.

    Parameters and result as `without_cache`. The pass over the prompt, all of it but its
    last token, counts to the first new token.
    """
    generation = Engine(model, max_batch=1).generate([prompt], new, stop_at_end=False)
    seconds = [round_.seconds for round_ in generation.trace if round_.kind == "decode"]
    seconds[0] += sum(round_.seconds for round_ in generation.trace if round_.kind == "prefill")
    return generation[0].tokens, seconds


def measure(prompt=PROMPT, new=NEW, turns=3):
    """Time both ways on the opening of a held-out conversation, batch 1, greedy.

    The least time of each token over `turns` counts.

    Returns
    -------
    dict
        ``prompt`` (tokens), ``same`` (whether both ways gave the same text), and seconds
        for each new token, ``without`` and ``with``.
    """
    target = load_model("target")
    opening = [target.tokenizer.end, *target.tokenizer.encode(held_out()[0])][:prompt]
    texts, least = [], {}
    for _ in range(turns):
        for name, decode in (("without", without_cache), ("with", with_cache)):
            tokens, seconds = decode(target, opening, new)
            texts.append(tokens)
            least[name] = np.minimum(seconds, least.get(name, np.inf))
    return {
        "prompt": prompt,
        "same": all(text == texts[0] for text in texts),
        **{name: seconds.tolist() for name, seconds in least.items()},
    }
