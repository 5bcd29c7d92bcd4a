"""The NumPy transformer against PyTorch, against itself in pieces, and against bad weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from crossover.engine.kvcache import PagedCache
from crossover.engine.pair import PAIR
from crossover.engine.transformer import Transformer, WeightsError, shapes

REFERENCE = load_file(PAIR / "reference.safetensors")


@pytest.mark.parametrize("which", [0, 1], ids=["target", "draft"])
def test_logits_agree_with_the_stored_pytorch_reference(pair, which):
    expected = REFERENCE[("target", "draft")[which]]
    got = pair[which].logits(REFERENCE["tokens"])[:, ::8]
    np.testing.assert_allclose(got, expected, atol=1e-4)


def test_logits_agree_with_pytorch_live(tiny, torch):
    from torch_model import Reference

    model = tiny(3, layers=3, width=48, vocabulary=40)
    reference = Reference(model.config).double()
    weights = draw(model.config, seed=3)
    reference.load_state_dict({name: torch.from_numpy(w) for name, w in weights.items()})
    tokens = np.random.default_rng(0).integers(0, 40, (3, 50))
    with torch.no_grad():
        expected = reference(torch.from_numpy(tokens)).numpy()
    np.testing.assert_allclose(
        Transformer(model.config, weights, np.float64).logits(tokens), expected, atol=1e-9
    )


def draw(config, seed):
    """Random weights for `config`."""
    rng = np.random.default_rng(seed)
    return {
        name: rng.normal(size=shape) * shape[-1] ** -0.5 for name, shape in shapes(config).items()
    }


class Watched(np.ndarray):
    """A matrix that writes down each product it takes part in: its name, and the rows."""

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        assert ufunc is np.matmul
        self.seen.append((self.name, len(inputs[0])))
        return ufunc(inputs[0], self.view(np.ndarray), **keywords)


def test_a_pass_multiplies_by_each_matrix_once_and_by_nothing_else(tiny):
    model, seen, watched = tiny(3), [], {}
    for name, matrix in model.matrices():
        watched[name] = matrix.view(Watched)
        watched[name].name, watched[name].seen = name, seen
    parts = iter(watched.values())
    model._layers = [tuple(next(parts) for _ in layer) for layer in model._layers]
    model._head = next(parts)
    cache = PagedCache(model, 1, 4, 16)
    row = cache.add()
    cache.reserve(row, 5)
    layout = cache.extend([row], [5])
    model.forward(np.arange(5), layout, cache, layout.last)
    assert seen == [(name, 1 if name == "head" else 5) for name in watched]
    # All parameters but the gains of the norms are in them, the embedding as head.
    gains = sum(np.prod(shape) for shape in shapes(model.config).values() if len(shape) == 1)
    assert sum(matrix.size for matrix in watched.values()) == model.params - gains


@given(data=st.data(), size=st.integers(1, 9))
@settings(max_examples=25, deadline=None)
def test_packed_passes_of_any_widths_give_the_logits_of_whole_texts(tiny, data, size):
    model = tiny(5)
    lengths = data.draw(st.lists(st.integers(1, 30), min_size=1, max_size=4))
    texts = [np.random.default_rng(n).integers(0, 12, n) for n in lengths]
    cache = PagedCache(model, len(texts), 120, size)
    rows, done = [cache.add() for _ in texts], [0] * len(texts)
    while left := [i for i in range(len(texts)) if done[i] < lengths[i]]:
        widths = [data.draw(st.integers(1, lengths[i] - done[i])) for i in left]
        for i, width in zip(left, widths, strict=True):
            cache.reserve(rows[i], done[i] + width)
        layout = cache.extend([rows[i] for i in left], widths)
        tokens = np.concatenate(
            [texts[i][done[i] : done[i] + w] for i, w in zip(left, widths, strict=True)]
        )
        logits = model.forward(tokens, layout, cache)
        for part, i, width in zip(
            np.split(logits, np.cumsum(widths)[:-1]), left, widths, strict=True
        ):
            whole = model.logits(texts[i][None])[0, done[i] : done[i] + width]
            np.testing.assert_allclose(part, whole, atol=1e-9)
            done[i] += width


def test_a_token_changes_later_logits_and_no_earlier_ones(tiny):
    model = tiny(5)
    tokens = np.zeros((2, 20), int)
    tokens[1, 12] = 1
    first, second = model.logits(tokens)
    np.testing.assert_array_equal(first[:12], second[:12])
    assert (abs(first[12:] - second[12:]).max(-1) > 1e-6).all()


def test_one_long_step_saturates_silu_without_a_warning(tiny):
    model = tiny(5, scale=60.0, dtype=np.float32)
    with np.errstate(all="raise", under="ignore", over="warn"):
        assert np.isfinite(model.logits([[1, 2, 3]])).all()


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda w: w.pop("layers.1.down.weight"), "layers.1.down.weight is missing"),
        (lambda w: w.update({"extra": np.zeros(3)}), "not known to this model: extra"),
        (lambda w: w.update({"final_norm.weight": np.ones(5)}), r"has shape \(5,\), not \(24,\)"),
        (lambda w: w["embed.weight"].__setitem__((3, 3), np.nan), "embed.weight holds NaN"),
    ],
)
def test_bad_weights_are_named(tiny, change, message):
    config = tiny(5).config
    weights = draw(config, seed=1)
    change(weights)
    with pytest.raises(WeightsError, match=message):
        Transformer(config, weights)


@pytest.mark.parametrize(
    "change, message", [({"heads": 5}, "multiple of heads"), ({"kv_heads": 3}, "heads of kv_heads")]
)
def test_heads_that_do_not_divide_are_refused(tiny, change, message):
    config = tiny(5).config | change
    with pytest.raises(WeightsError, match=message):
        Transformer(config, {})


def test_a_text_longer_than_the_window_is_refused(tiny):
    with pytest.raises(ValueError, match=r"time in 1\.\.64"):
        tiny(5).logits(np.zeros((1, 65), int))
