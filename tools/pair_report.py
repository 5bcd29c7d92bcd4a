"""Measure the trained pair from its stored weights, and write its card and its fixture."""

import json
from collections import defaultdict

import numpy as np
import torch
from losses import bigram_loss, loss
from safetensors.numpy import load_file, save_file
from torch_model import Reference

from crossover.engine import Engine, load_pair, openings

CARD = """# Model card: the target and the draft

Two decoder-only transformers of one family, small enough to run in NumPy on any laptop,
trained for this course and good for nothing else. They continue conversations between a
customer and a UPI dispute assistant. All people, banks and merchants are invented.

| | target | draft |
|---|---|---|
{rows}

- **Architecture**: RMSNorm, rotary positions, grouped-query attention, SwiGLU, tied
  embeddings. Weights are stored as float16; arithmetic is float32.
- **Data**: {training} conversations ({tokens} tokens) from the grammar in
  `tools/corpus.py`, seed {seed}; the target reads {share[target]:.0%} of it and the draft
  {share[draft]:.0%}, each part once. {held} further ones are kept out, in `heldout.json`.
- **Tokenizer**: byte-pair encoding over printable ASCII, {vocabulary} tokens, by the
  `tokenizers` library.
- **Training**: `tools/train_pair.py`: AdamW, for the target a second cosine cycle with Muon,
  bfloat16 products, fixed seed; 23 minutes of one core, all told. The draft stops early
  on purpose, so that it errs often enough for gamma to matter.
- **Bigram model** on the same corpus, for comparison: held-out loss {bigram:.3f}.
- **Not memorised**: of {sampled} conversations that the target writes at T = 1 from
  ``Customer:`` alone, {copied} stand in the training corpus.
- **Acceptance** (gamma 4, {prompts} held-out openings, 64 new tokens, drafts judged at
  each position): {acceptance}.
- **Licence**: MIT, as the rest of the project.
"""


def fixture(folder, names, held_out, tokenizer):
    """PyTorch's logits on held-out text, from the stored weights, every eighth position."""
    tokens = np.array([tokenizer.encode(text)[:128] for text in held_out[:2]])
    stored = {"tokens": tokens.astype(np.int64)}
    for name, config in names.items():
        model = Reference(config)
        model.load_state_dict(
            {
                k: torch.from_numpy(v.astype(np.float32))
                for k, v in load_file(folder / f"{name}.safetensors").items()
            }
        )
        with torch.no_grad():
            stored[name] = model(torch.from_numpy(tokens)).numpy()[:, ::8].copy()
    save_file(stored, folder / "reference.safetensors")


def write_report(folder, training, held_out, tokenizer, tokens, seed, share):
    """Write ``reference.safetensors``, ``measured.json`` and the model card.

    `tokens` counts the training corpus, of which each model read the fraction `share`.
    """
    configs = json.loads((folder / "config.json").read_text())
    fixture(folder, configs, held_out, tokenizer)
    target, draft = load_pair(folder)
    written = Engine(target, max_batch=64).generate(["Customer:"] * 64, 380, 1.0)
    copied = set(training) & {"Customer:" + completion.text for completion in written}
    measured = {
        "seed": seed,
        "training": len(training),
        "sampled": len(written),
        "copied": len(copied),
        "bigram": bigram_loss(tokenizer, training, held_out),
    }
    rows = defaultdict(list)
    for name, model in (("target", target), ("draft", draft)):
        size = (folder / f"{name}.safetensors").stat().st_size
        measured[name] = {"parameters": model.params, "held_out": loss(model, held_out)}
        c = configs[name]
        for row, value in {
            "parameters": f"{model.params:,}",
            "stored bytes": f"{size:,}",
            "layers × width": f"{c['layers']} × {c['width']}",
            "heads, K/V heads": f"{c['heads']}, {c['kv_heads']}",
            "context window": c["window"],
            "loss held out, nats a token": f"{measured[name]['held_out']:.3f}",
        }.items():
            rows[row].append(value)
    prompts = openings(folder)
    lines = []
    for temperature in (0.0, 1.0):
        out = Engine(target, draft, 4).generate(prompts, 64, temperature)
        reached, passed = out.acceptance()
        measured[f"acceptance at T={temperature:g}"] = (np.array(passed) / reached).tolist()
        lines.append(
            f"T = {temperature:g}: overall {sum(passed) / sum(reached):.3f}, by position "
            + ", ".join(f"{p / r:.3f}" for p, r in zip(passed, reached, strict=True))
        )
    (folder / "measured.json").write_text(json.dumps(measured, indent=1) + "\n")
    (folder / "README.md").write_text(
        CARD.format(
            rows="\n".join(f"| {name} | {a} | {b} |" for name, (a, b) in rows.items()),
            training=f"{len(training):,}",
            tokens=f"{tokens:,}",
            seed=seed,
            held=len(held_out),
            vocabulary=len(tokenizer),
            share=share,
            sampled=len(written),
            copied=len(copied),
            bigram=measured["bigram"],
            prompts=len(prompts),
            acceptance="; ".join(lines),
        )
    )
    print((folder / "README.md").read_text())
