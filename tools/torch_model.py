"""The model of `crossover.engine.transformer` in PyTorch: what is trained, and the reference.

Kept apart from the NumPy one on purpose: rotary positions are written with sines and
cosines and attention comes from PyTorch, so that agreement of the two means something.
"""

import torch
from torch import nn
from torch.nn import functional as F


def rotate(x, base):
    """Rotary positions on ``(batch, heads, time, head size)``, pairs ``(2i, 2i+1)``."""
    size = x.shape[-1]
    turn = base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = torch.outer(torch.arange(x.shape[-2], dtype=torch.float64), turn)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)


class Block(nn.Module):
    """Grouped-query attention, then SwiGLU, each after RMSNorm and added to the stream."""

    def __init__(self, c):
        super().__init__()
        self.c, self.head = c, c["width"] // c["heads"]
        rows = (c["heads"] + 2 * c["kv_heads"]) * self.head
        self.attn_norm = nn.RMSNorm(c["width"], eps=c["eps"])
        self.qkv = nn.Linear(c["width"], rows, bias=False)
        self.out = nn.Linear(c["width"], c["width"], bias=False)
        self.ffn_norm = nn.RMSNorm(c["width"], eps=c["eps"])
        self.gate_up = nn.Linear(c["width"], 2 * c["hidden"], bias=False)
        self.down = nn.Linear(c["hidden"], c["width"], bias=False)

    def forward(self, x):
        c, (batch, time, _) = self.c, x.shape
        parts = self.qkv(self.attn_norm(x)).view(batch, time, -1, self.head).transpose(1, 2)
        q, k, v = parts.split([c["heads"], c["kv_heads"], c["kv_heads"]], 1)
        y = F.scaled_dot_product_attention(
            rotate(q, c["rope_base"]), rotate(k, c["rope_base"]), v, is_causal=True, enable_gqa=True
        )
        x = x + self.out(y.transpose(1, 2).reshape(batch, time, -1))
        gate, up = self.gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class Reference(nn.Module):
    """Tokens ``(batch, time)`` to logits ``(batch, time, vocabulary)``; embeddings tied."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embed = nn.Embedding(config["vocabulary"], config["width"])
        self.layers = nn.ModuleList(Block(config) for _ in range(config["layers"]))
        self.final_norm = nn.RMSNorm(config["width"], eps=config["eps"])
        for name, weight in self.named_parameters():
            if weight.ndim == 2:
                scale = 0.02 if name.startswith("embed") else weight.shape[1] ** -0.5
                if name.endswith(("out.weight", "down.weight")):
                    scale /= (2 * config["layers"]) ** 0.5
                nn.init.normal_(weight, std=scale)

    def forward(self, tokens):
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x)
        return F.linear(self.final_norm(x), self.embed.weight)
