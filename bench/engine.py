"""Speed of the engine: plain, speculative, without a cache, and eager PyTorch with one.

One run, ratios within the run. Decoding is greedy over 256 new tokens from prompts of 24;
every figure is the best of several runs that take turns. The loop without a cache is
timed at five lengths and summed over the 256 steps, since a whole one takes minutes.
OPENBLAS_NUM_THREADS and OMP_NUM_THREADS set the threads; one each is fair on a busy machine.
"""

import time
from functools import partial

import numpy as np

from crossover.engine import Engine, held_out, load_pair, openings
from crossover.engine.acceptance import tokens_per_round

PROMPT, NEW, GAMMA, TURNS = 24, 256, 4, 3
BATCHES = (1, 8, 32)


def best(calls, turns=TURNS):
    """Least seconds of each callable in `calls`, taking turns so that all see the same machine."""
    least = dict.fromkeys(calls, np.inf)
    for _ in range(turns):
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            least[name] = min(least[name], time.perf_counter() - started)
    return least


def recompute_seconds(model, prompts):
    """Seconds of a greedy loop that runs the whole text through the model for each token."""
    lengths = np.linspace(PROMPT, PROMPT + NEW - 1, 5).astype(int)
    texts = {n: np.resize(prompts, (len(prompts), n)) for n in lengths}
    least = best(
        {n: lambda text=text: model.logits(text)[:, -1].argmax(-1) for n, text in texts.items()}, 2
    )
    return np.interp(np.arange(PROMPT, PROMPT + NEW), lengths, list(least.values())).sum()


def torch_decoder(model):
    """A greedy loop in eager PyTorch with a K/V cache, on the weights of `model`; or None."""
    try:
        import torch
        from torch.nn import functional as F
    except ImportError:
        return None
    layers = [[torch.from_numpy(w) for w in layer] for layer in model._layers]
    embed, head = torch.from_numpy(model.embed), torch.from_numpy(model._head)
    turns = torch.from_numpy(model._turns)
    heads, kv, size = model.heads, model.kv_heads, model.head

    def norm(x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + model.eps)

    def step(tokens, at, cache):
        x, (batch, width) = embed[tokens], tokens.shape
        for (qkv, out, gate_up, down), (keys, values) in zip(layers, cache, strict=True):
            parts = (norm(x) @ qkv).view(batch, width, -1, size)
            qk = torch.view_as_complex(parts[:, :, : heads + kv].unflatten(-1, (-1, 2)))
            qk = torch.view_as_real(qk * turns[at : at + width]).flatten(-2)
            keys[:, :, at : at + width] = qk[:, :, heads:].transpose(1, 2)
            values[:, :, at : at + width] = parts[:, :, heads + kv :].transpose(1, 2)
            y = F.scaled_dot_product_attention(
                qk[:, :, :heads].transpose(1, 2),
                keys[:, :, : at + width],
                values[:, :, : at + width],
                is_causal=width > 1,
                scale=1.0,
                enable_gqa=True,
            )
            x = x + y.transpose(1, 2).reshape(batch, width, -1) @ out
            gate, up = (norm(x) @ gate_up).chunk(2, -1)
            x = x + (F.silu(gate) * up) @ down
        return (norm(x[:, -1:]) @ head).argmax(-1)

    @torch.inference_mode()
    def decode(prompts):
        cache = [torch.zeros(2, len(prompts), kv, PROMPT + NEW, size) for _ in layers]
        last, text = step(torch.from_numpy(prompts), 0, cache), []
        for at in range(PROMPT, PROMPT + NEW):
            text.append(last)
            if at < PROMPT + NEW - 1:
                last = step(last, at, cache)
        return torch.cat(text, 1).numpy()

    return decode


def speeds(target, draft, prompts, decoder):
    """Print tokens a second, and their ratios, for each batch."""
    print(
        "batch | plain tok/s | speculative | ratio | no cache | plain/no cache | "
        "eager PyTorch | plain/PyTorch"
    )
    for batch in BATCHES:
        some = prompts[:batch]
        asked = some.tolist()
        engines = {
            "plain": Engine(target, max_batch=batch),
            "speculative": Engine(target, draft, GAMMA, max_batch=batch),
        }
        calls = {
            name: partial(engine.generate, asked, NEW, stop_at_end=False)
            for name, engine in engines.items()
        }
        if decoder:
            calls["torch"] = partial(decoder, some)
        rate = {name: batch * NEW / seconds for name, seconds in best(calls).items()}
        rate["no cache"] = batch * NEW / recompute_seconds(target, some)
        torch = (
            f"{rate['torch']:13.0f} | {rate['plain'] / rate['torch']:.2f}"
            if decoder
            else "not installed | -"
        )
        print(
            f"{batch:5} | {rate['plain']:11.0f} | {rate['speculative']:11.0f} | "
            f"{rate['speculative'] / rate['plain']:5.2f} | {rate['no cache']:8.1f} | "
            f"{rate['plain'] / rate['no cache']:14.1f} | {torch}"
        )


def passes(target, draft, prompts):
    """Print what one pass costs; return how many cached passes one recomputation costs."""
    worth = {}
    print(
        "\nms a pass at 128 cached tokens: batch | draft | target | target, 5 wide | "
        "no cache, 128 long"
    )
    for batch in BATCHES:
        text = np.resize(prompts, (batch, 128))
        cells = {}
        for name, model, width in (
            ("draft", draft, 1),
            ("target", target, 1),
            ("verify", target, GAMMA + 1),
        ):
            cells[name] = one_pass(model, text, width)
        cells["no cache"] = lambda text=text: target.logits(text)
        ms = {name: 1000 * s for name, s in best(cells, 20 if batch < 32 else 5).items()}
        print(
            f"{batch:37} | {ms['draft']:5.2f} | {ms['target']:6.2f} | {ms['verify']:14.2f} | "
            f"{ms['no cache']:.1f}"
        )
        worth[batch] = ms["no cache"] / ms["target"]
    return worth


def one_pass(model, text, width):
    """A callable that runs one cached pass of `width` new tokens a sequence, again and again."""
    cache = Engine.caches[0](model, len(text), len(text) * 9, 16)
    rows = [cache.add() for _ in text]
    for row in rows:
        cache.reserve(row, text.shape[1] + width)
    model.forward(text.ravel(), cache.extend(rows, [text.shape[1]] * len(rows)), cache, None)

    def call():
        model.forward(text[:, :width].ravel(), cache.extend(rows, [width] * len(rows)), cache)
        for row in rows:
            cache.rollback(row, text.shape[1])
            cache.reserve(row, text.shape[1] + width)

    return call


def acceptance(target, draft):
    """Print acceptance by draft position and tokens a round against the formula."""
    prompts = openings()[:128]
    print("\nacceptance given all before passed, and tokens a round against one alpha:")
    for temperature in (0.0, 1.0):
        found = tokens_per_round(
            Engine(target, draft, GAMMA).generate(prompts, 64, temperature), GAMMA
        )
        print(
            f"T = {temperature:g}: {' '.join(f'{a:.3f}' for a in found.by_position)}; alpha "
            f"{found.alpha:.3f}; measured {found.measured:.3f}, formula {found.expected:.3f}, "
            f"difference {found.low:+.3f} to {found.high:+.3f}: independence "
            f"{'not refuted' if found.independent else 'fails'}"
        )


def main():
    """Print all tables."""
    target, draft = load_pair()
    tokens = [target.tokenizer.encode(text) for text in held_out()]
    prompts = np.array([[0, *text[: PROMPT - 1]] for text in tokens[: max(BATCHES)]])
    decoder = torch_decoder(target)
    if decoder:
        plain = Engine(target).generate(prompts[:4].tolist(), NEW, stop_at_end=False)
        same = (decoder(prompts[:4]) == [c.tokens for c in plain]).mean()
        print(f"eager PyTorch and the engine emit the same tokens: {same:.1%}\n")
    speeds(target, draft, prompts, decoder)
    worth = passes(target, draft, prompts)
    print(
        f"Recomputing 128 positions costs {worth[1]:.1f} cached passes at batch 1 and "
        f"{worth[32]:.1f} at batch 32.\nA pass reads all weights and makes all its calls however "
        "few positions it has: at batch 1\none new token pays for that alone, while 128 positions "
        "share it, so the cache saves least."
    )
    acceptance(target, draft)


if __name__ == "__main__":
    main()
