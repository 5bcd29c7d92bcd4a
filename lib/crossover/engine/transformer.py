"""A decoder-only transformer in NumPy: RMSNorm, rotary positions, grouped queries, SwiGLU.

One forward pass takes any number of sequences with any number of new tokens each, packed
one after another. Nothing in a layer loops over sequences.
"""

import math

import numpy as np

from .layout import pack

FIELDS = (
    "layers",
    "width",
    "heads",
    "kv_heads",
    "hidden",
    "vocabulary",
    "window",
    "rope_base",
    "eps",
)


class WeightsError(ValueError):
    """Weights that are missing, of the wrong shape, not finite, or unreadable."""


def shapes(config):
    """Name and shape of every stored weight, matrices as ``(out, in)``."""
    width, head = config["width"], config["width"] // config["heads"]
    found = {"embed.weight": (config["vocabulary"], width), "final_norm.weight": (width,)}
    for i in range(config["layers"]):
        found |= {
            f"layers.{i}.{name}.weight": shape
            for name, shape in {
                "attn_norm": (width,),
                "ffn_norm": (width,),
                "out": (width, width),
                "qkv": ((config["heads"] + 2 * config["kv_heads"]) * head, width),
                "gate_up": (2 * config["hidden"], width),
                "down": (width, config["hidden"]),
            }.items()
        }
    return found


class Transformer:
    """A model ready to run.

    Parameters
    ----------
    config : dict
        ``layers``, ``width``, ``heads``, ``kv_heads``, ``hidden`` (SwiGLU), ``vocabulary``,
        ``window`` (largest number of positions), ``rope_base``, ``eps``.
    weights : dict of str to array
        As `shapes` names them; the embedding is also the output matrix.
    dtype : numpy dtype
        float32 or float64, for the arithmetic.
    tokenizer : Tokenizer, optional
        Lets an engine take and give text.

    Raises `WeightsError` for a missing, surplus, misshapen or non-finite weight.
    """

    def __init__(self, config, weights, dtype=np.float32, tokenizer=None):
        missing = [field for field in FIELDS if field not in config]
        if missing:
            raise WeightsError(f"config lacks {', '.join(missing)}")
        if config["width"] % config["heads"] or config["heads"] % config["kv_heads"]:
            raise WeightsError(
                "width must be a multiple of heads, and heads of kv_heads; got "
                f"{config['width']}, {config['heads']}, {config['kv_heads']}"
            )
        check(weights, shapes(config))
        self.config, self.dtype, self.tokenizer = dict(config), np.dtype(dtype), tokenizer
        for field in ("layers", "heads", "kv_heads", "hidden", "vocabulary", "window", "eps"):
            setattr(self, field, config[field])
        self.head = config["width"] // config["heads"]
        self.params = sum(np.size(weight) for weight in weights.values())
        angle = np.outer(
            np.arange(self.window), config["rope_base"] ** (-np.arange(0, self.head, 2) / self.head)
        )
        # A pair of channels is one complex number, its rotation one multiplication.
        self._turns = np.exp(1j * angle).astype(np.result_type(self.dtype, np.complex64))[:, None]
        self._prepare({name: np.asarray(w, self.dtype) for name, w in weights.items()})

    def _prepare(self, w):
        """Fold each norm's gain, and 1/sqrt(head), into the matrix that follows."""

        def matrix(name, gain=None):
            m = w[f"{name}.weight"] * (1 if gain is None else w[f"{gain}.weight"])
            return np.ascontiguousarray(m.T)

        self.embed = w["embed.weight"]
        self._head = matrix("embed", "final_norm")
        self._layers = []
        for i in range(self.layers):
            at = f"layers.{i}."
            qkv = matrix(at + "qkv", at + "attn_norm")
            qkv[:, : self.heads * self.head] /= math.sqrt(self.head)
            self._layers.append(
                (
                    qkv,
                    matrix(at + "out"),
                    matrix(at + "gate_up", at + "ffn_norm"),
                    matrix(at + "down"),
                )
            )

    def matrices(self):
        """Name and array, ``(in, out)``, of every matrix that a pass multiplies by, once each.

        The embedding is looked up on the way in, one row a token, and multiplied by only on
        the way out, as ``head``. The gains of the norms are folded in.
        """
        for i, layer in enumerate(self._layers):
            for name, matrix in zip(("qkv", "out", "gate_up", "down"), layer, strict=True):
                yield f"layers.{i}.{name}", matrix
        yield "head", self._head

    def forward(self, tokens, layout, cache, rows=slice(None)):
        """Logits ``(rows, vocabulary)`` of one packed pass.

        `tokens` is ``(tokens,)`` in the order of `layout`; `cache` stores this pass's keys
        and values and gives back all of them; `rows` picks the tokens whose logits are
        wanted, None for none of them.
        """
        x, turns = self.embed[tokens], self._turns[layout.positions]
        rotated, heads = self.heads + self.kv_heads, self.heads
        with np.errstate(over="ignore"):  # exp(-gate) may reach inf, where SiLU is 0
            for i, (qkv, out, gate_up, down) in enumerate(self._layers):
                parts = (self._norm(x) @ qkv).reshape(len(x), -1, self.head)
                qk = (parts[:, :rotated].view(turns.dtype) * turns).view(self.dtype)
                keys, values = cache.update(i, layout, qk[:, heads:], parts[:, rotated:])
                x += self._attend(qk[:, :heads], keys, values, layout) @ out
                both = self._norm(x) @ gate_up
                gate, up = both[:, : self.hidden], both[:, self.hidden :]
                up *= gate
                gate = np.exp(np.negative(gate, out=gate), out=gate)
                gate += 1
                up /= gate
                x += up @ down
        return None if rows is None else self._norm(x[rows]) @ self._head

    def _norm(self, x):
        scale = np.vecdot(x, x)
        scale /= x.shape[1]
        scale += self.eps
        return x / np.sqrt(scale, out=scale)[:, None]

    def _attend(self, q, keys, values, layout):
        """Softmax attention of packed `q` ``(tokens, heads, head)`` over the cached entries."""
        batch, width, group = layout.batch, layout.width, self.heads // self.kv_heads
        q = layout.pad(q).reshape(batch, width, self.kv_heads, group, self.head)
        q = q.transpose(0, 2, 3, 1, 4).reshape(batch, self.kv_heads, group * width, self.head)
        scores = q @ keys.transpose(0, 2, 3, 1)
        apart = scores.reshape(batch, self.kv_heads, group, width, -1)
        apart += layout.mask[:, None, None]
        scores -= np.maximum.reduce(scores, -1, keepdims=True)
        np.exp(scores, out=scores)
        mixed = scores @ values.transpose(0, 2, 1, 3)
        mixed /= np.add.reduce(scores, -1, keepdims=True)
        mixed = mixed.reshape(batch, self.kv_heads, group, width, self.head)
        mixed = mixed.transpose(0, 3, 1, 2, 4).reshape(batch, width, -1)
        return layout.unpad(mixed)

    def logits(self, tokens):
        """Logits ``(batch, time, vocabulary)`` of whole texts ``(batch, time)``, no cache."""
        tokens = np.asarray(tokens)
        if tokens.ndim != 2 or not 1 <= tokens.shape[1] <= self.window:
            raise ValueError(
                f"tokens must be (batch, time), time in 1..{self.window}; got shape {tokens.shape}"
            )
        batch, time = tokens.shape
        layout = pack(np.zeros(batch, int), np.full(batch, time))
        layout.mask = np.triu(np.full((1, time, time), -np.inf, self.dtype), 1)
        return self.forward(tokens.ravel(), layout, Recompute()).reshape(batch, time, -1)


class Recompute:
    """Stands in for a cache: a pass sees its own keys and values, nothing is kept."""

    def update(self, layer, layout, k, v):
        """This pass's `k` and `v` as ``(batch, width, kv_heads, head)``."""
        return layout.pad(k), layout.pad(v)


def check(weights, expected):
    """Raise `WeightsError` unless `weights` has exactly the `expected` names and shapes."""
    for name, shape in expected.items():
        if name not in weights:
            raise WeightsError(f"weight {name} is missing; a {len(expected)}-weight model needs it")
        if np.shape(weights[name]) != shape:
            raise WeightsError(f"weight {name} has shape {np.shape(weights[name])}, not {shape}")
        if not np.isfinite(weights[name]).all():
            raise WeightsError(f"weight {name} holds NaN or infinite values")
    surplus = sorted(set(weights) - set(expected))
    if surplus:
        raise WeightsError(f"weights not known to this model: {', '.join(surplus)}")
