"""How fast the small engine decodes at several batches, on the machine it runs on."""

from statistics import median

from crossover.engine import Engine, load_model, openings

BATCHES = (1, 2, 4, 8, 16, 32, 64)
NEW = 64  # tokens a request


def measure(batches=BATCHES, repeats=3):
    """Decode the same openings at each batch, and take the time of a round.

    Parameters
    ----------
    batches : sequence of int
        Sequences that run at once.
    repeats : int
        Runs of each; the quickest counts, as the others were disturbed.

    Returns
    -------
    dict
        ``batch``, and beside it ``seconds``: the median decode round of the quickest
        run, one token for each sequence.
    """
    target = load_model("target")
    prompts = openings()
    seconds = []
    for batch in batches:
        engine = Engine(target, max_batch=batch)
        runs = [
            engine.generate(prompts[:batch], NEW, stop_at_end=False).trace for _ in range(repeats)
        ]
        seconds.append(min(median(r.seconds for r in t if r.kind == "decode") for t in runs))
    return {"batch": list(batches), "seconds": seconds}
