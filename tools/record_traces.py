"""Record runs of the engine for the page that steps through them.

Run as ``.venv/bin/python tools/record_traces.py``; it writes
``lib/crossover/data/traces.json`` from the trained pair and its held-out conversations.
Run it, and ``make notebooks``, whenever the pair changes: a test compares the file with
a fresh recording.
"""

from stale_cache import StaleCache

from crossover.engine import Engine, held_out, load_pair
from crossover.engine.kvcache import PagedCache
from crossover.engine.rounds import Decoder
from crossover.engine.sampling import distribution, verify
from crossover.evidence.traces import RUNS, TRACES, Recording, Run, dump

BATCH, BLOCK_SIZE, MAX_TOKENS, SEED = 4, 16, 32, 1
CACHES = {
    "rollback": (PagedCache, PagedCache),
    "target": (StaleCache, PagedCache),
    "draft": (PagedCache, StaleCache),
}
# Opening: the agent is about to speak first; closing: for the last time, so that it ends soon.
TRACES_MADE = [
    {"name": "greedy", "label": "greedy, γ = 4", "temperature": 0.0, "gamma": 4},
    {"name": "sampled", "label": "sampled, γ = 4", "temperature": 1.0, "gamma": 4},
    {"name": "narrow", "label": "sampled, γ = 2", "temperature": 1.0, "gamma": 2},
    {"name": "wide", "label": "sampled, γ = 8", "temperature": 1.0, "gamma": 8},
    {
        "name": "endings",
        "label": "sampled, γ = 4, conversations that end",
        "temperature": 1.0,
        "gamma": 4,
        "closing": True,
    },
    {
        "name": "scarce",
        "label": "sampled, γ = 4, too few blocks",
        "temperature": 1.0,
        "gamma": 4,
        "first": BATCH,
        "scarce": True,
    },
]


class Witness(Decoder):
    """Keeps the target's distributions as each round used them, ``(rows, width, vocabulary)``."""

    def verify(self, p, q, drafts, gammas, uniform):
        """As `sampling.verify`."""
        self.seen.append(p)
        return verify(p, q, drafts, gammas, uniform)


def prompts(tokenizer, first, closing):
    """`BATCH` held-out conversations, up to where the agent speaks, as tokens."""
    mark = "\nAgent:"
    found = []
    for text in held_out()[first : first + BATCH]:
        place = text.rindex(mark) if closing else text.index(mark)
        found.append((tokenizer.end, *tokenizer.encode(text[: place + len(mark)])))
    return found


def errors(target, temperature, texts, trace, seen):
    """For each round and step, how far the judged distributions were off; see `Run`.

    What a judged position stands behind is text for good, so one pass over the finished
    texts, right-padded, gives every distribution as it should have been.
    """
    longest = max(map(len, texts))
    clean = target.logits([[*text, *[0] * (longest - len(text))] for text in texts])
    clean, used = distribution(clean, temperature), iter(seen)

    def error(step, p):
        count = len(step.emitted)
        right = clean[step.request, step.position : step.position + count]
        return round(float(abs(p[:count] - right).sum(-1).max()) / 2, 3)

    return tuple(
        tuple(map(error, each.steps, next(used))) if each.kind == "decode" else () for each in trace
    )


def record(name, label, temperature, gamma, first=0, closing=False, scarce=False):
    """One `Recording`; if `scarce`, with the most blocks that still lead to two preemptions."""
    pair = load_pair()
    given = prompts(pair[0].tokenizer, first, closing)
    blocks = sum(-(-(len(prompt) + MAX_TOKENS) // BLOCK_SIZE) for prompt in given)

    def run(caches):
        engine = Engine(*pair, gamma, BATCH, blocks, BLOCK_SIZE)
        engine.caches = caches
        engine.decoder = type("Recorder", (Witness,), {"seen": []})
        out = engine.generate(given, MAX_TOKENS, temperature, seed=SEED, progress=False)
        texts = tuple(
            (*prompt, *map(int, each.tokens)) for prompt, each in zip(given, out, strict=True)
        )
        off = errors(pair[0], temperature, texts, out.trace, engine.decoder.seen)
        return Run(texts, tuple(each.finish_reason for each in out), tuple(out.trace), off)

    runs = {"rollback": run(CACHES["rollback"])}
    while scarce and sum(len(each.preempted) for each in runs["rollback"].rounds) < 2:
        blocks -= 1
        runs["rollback"] = run(CACHES["rollback"])
    runs |= {each: run(CACHES[each]) for each in RUNS if each not in runs}
    lengths = tuple(map(len, given))
    return Recording(name, label, temperature, gamma, blocks, BLOCK_SIZE, lengths, runs)


def main():
    """Record every trace and store them."""
    TRACES.write_text(dump([record(**settings) for settings in TRACES_MADE]), encoding="utf-8")
    print(f"{TRACES.name}: {len(TRACES_MADE)} traces, {TRACES.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
