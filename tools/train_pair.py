"""Train the target and the draft, and write `lib/crossover/data/pair`.

    python tools/train_pair.py            # everything, 23 minutes of one core
    python tools/train_pair.py draft      # one model again, the corpus being the same

Needs the extra ``train`` (PyTorch). Seeds, steps and sizes are fixed here, so a second
run on the same machine gives the same weights.
"""

import json
import sys
import time

import numpy as np
import torch
from bpe import learn
from corpus import conversations
from pair_report import write_report
from safetensors.numpy import save_file
from torch.nn import functional as F
from torch_model import Reference
from tqdm import trange

from crossover.engine.pair import PAIR
from crossover.engine.tokenizer import Tokenizer

SEED = 7
TRAINING, HELD_OUT = 30_000, 256  # conversations; no training one is seen twice
LENGTH = 384  # tokens a row; the longest conversation has 360
COMMON = {"vocabulary": 512, "window": 384, "rope_base": 10_000.0, "eps": 1e-5}
MODELS = {
    "target": COMMON | {"layers": 6, "width": 192, "heads": 6, "kv_heads": 2, "hidden": 512},
    "draft": COMMON | {"layers": 1, "width": 128, "heads": 4, "kv_heads": 1, "hidden": 320},
}
# Cosine cycles, (steps, rate) each. The draft stops early: this text is easy, and a draft
# trained to the end has 19 of 20 tokens accepted, which would leave gamma nothing to decide.
CYCLES = {"target": ((800, 3e-3), (1000, 3e-3)), "draft": ((160, 5e-3),)}
ROWS = {"target": 6, "draft": 8}  # texts a step


def corpus():
    """Training and held-out conversations, the tokenizer, and the training tokens."""
    texts = conversations(TRAINING + HELD_OUT, SEED)
    training, held_out = texts[:TRAINING], texts[TRAINING:]
    tokenizer = Tokenizer(learn(training, COMMON["vocabulary"]))
    stream = [t for text in training for t in (tokenizer.end, *tokenizer.encode(text))]
    return training, held_out, tokenizer, np.array(stream)


def optimisers(model, rate, first):
    """AdamW for everything; after the first cycle Muon for the matrices, which learns faster."""
    matrices = [w for name, w in model.named_parameters() if w.ndim == 2 and "embed" not in name]
    others = [w for name, w in model.named_parameters() if w.ndim != 2 or "embed" in name]
    if first:
        return [torch.optim.AdamW(model.parameters(), rate, betas=(0.9, 0.95), weight_decay=0.1)]
    return [
        torch.optim.Muon(matrices, rate, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, rate, betas=(0.9, 0.95), weight_decay=0.1),
    ]


def train(name, stream):
    """Next-token cross entropy in cosine cycles with warm-up, and bfloat16 products."""
    torch.manual_seed(SEED)
    model, rows = Reference(MODELS[name]), ROWS[name]
    count = len(stream) // (LENGTH + 1)
    texts = torch.from_numpy(stream[: count * (LENGTH + 1)].reshape(count, LENGTH + 1))
    order = iter(torch.randperm(count).split(rows))
    for cycle, (steps, rate) in enumerate(CYCLES[name]):
        parts = optimisers(model, rate, first=cycle == 0)
        schedules = [
            torch.optim.lr_scheduler.OneCycleLR(
                part, rate, total_steps=steps, pct_start=0.08, cycle_momentum=False
            )
            for part in parts
        ]
        bar = trange(steps, mininterval=10, desc=f"{name}, cycle {cycle + 1}")
        for step in bar:
            batch = texts[next(order)]
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(batch[:, :-1])
            loss = F.cross_entropy(logits.float().flatten(0, 1), batch[:, 1:].flatten())
            model.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            for part in (*parts, *schedules):
                part.step()
            if step % 25 == 24:
                bar.set_postfix_str(f"loss {loss.item():.3f}")
        for weight in model.parameters():  # a cycle goes on from what would be stored
            weight.data = weight.data.half().float()
    return model


def save(model, path):
    """Store the weights as float16; the pair is defined by the stored values."""
    save_file(
        {
            name: weight.detach().numpy().astype(np.float16)
            for name, weight in model.named_parameters()
        },
        path,
    )


def main(names):
    """Train the models in `names`, then measure the pair and write its card."""
    training, held_out, tokenizer, stream = corpus()
    PAIR.mkdir(parents=True, exist_ok=True)
    tokenizer.save(PAIR / "tokenizer.json")
    (PAIR / "config.json").write_text(json.dumps(MODELS, indent=1) + "\n")
    (PAIR / "heldout.json").write_text(json.dumps(held_out, indent=0) + "\n")
    for name in names:
        started = time.perf_counter()
        model = train(name, stream)
        save(model, PAIR / f"{name}.safetensors")
        print(f"{name}: {(time.perf_counter() - started) / 60:.1f} minutes")
    share = {
        name: sum(steps for steps, _ in CYCLES[name]) * ROWS[name] * LENGTH / len(stream)
        for name in MODELS
    }
    write_report(PAIR, training, held_out, tokenizer, len(stream), SEED, share)


if __name__ == "__main__":
    main(sys.argv[1:] or list(MODELS))
