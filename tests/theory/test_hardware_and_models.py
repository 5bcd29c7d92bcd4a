"""The tables and what they refuse."""

import math

import pytest

from crossover.theory import ACCELERATORS, MODELS, Accelerator, Model, Roofline, UnknownName

# hidden size, feed-forward size, vocabulary of each published checkpoint
CONFIGS = {
    "Llama-2-7B": (4096, 11008, 32000),
    "Llama-2-70B": (8192, 28672, 32000),
    "Llama-3-8B": (4096, 14336, 128256),
    "Llama-3-70B": (8192, 28672, 128256),
    "Llama-3.1-405B": (16384, 53248, 128256),
}


@pytest.mark.parametrize("name", MODELS)
def test_parameter_count_follows_from_the_published_shape(name):
    model = MODELS[name]
    hidden, ffn, vocabulary = CONFIGS[name]
    attention = 2 * hidden * model.head_dim * (model.heads + model.kv_heads)
    layer = attention + 3 * hidden * ffn + 2 * hidden
    assert model.params == model.layers * layer + 2 * vocabulary * hidden + hidden


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Llama-2-7B", 524_288),
        ("Llama-2-70B", 327_680),
        ("Llama-3-8B", 131_072),
        ("Llama-3-70B", 327_680),
        ("Llama-3.1-405B", 516_096),
    ],
)
def test_kv_bytes_per_token(name, expected):
    assert MODELS[name].kv_bytes_per_token == expected


def test_kv_bytes_name_what_is_missing():
    with pytest.raises(ValueError, match="kv_bytes_per_token needs layers, head_dim of mine"):
        _ = Model("mine", 7e9, kv_heads=8).kv_bytes_per_token


def test_weight_bytes():
    assert Model("target", 70e9).weight_bytes == 140e9
    assert Model("int4", 70e9, 0.5).weight_bytes == 35e9


@pytest.mark.parametrize("name", ACCELERATORS)
def test_every_chip_is_complete(name):
    chip = ACCELERATORS[name]
    assert chip.name == name and chip.source
    assert chip.ridge_point() == chip.peak_flops["fp16"] / chip.bandwidth
    assert set(chip.peak_flops) <= {"fp16", "int8", "fp8"}
    assert 16e9 <= chip.memory <= 200e9


def test_a_chip_given_one_rate_has_it_as_fp16():
    assert Accelerator("mine", 200e12, 3e12).ridge_point() == pytest.approx(200 / 3)


@pytest.mark.parametrize("bad", [0, -1.0, math.nan, math.inf, "fast", None, True, 1j])
@pytest.mark.parametrize("field", ["peak_flops", "bandwidth"])
def test_hardware_refuses(field, bad):
    figures = {"peak_flops": 312e12, "bandwidth": 2039e9} | {field: bad}
    with pytest.raises(ValueError, match=field):
        Accelerator("mine", **figures)


@pytest.mark.parametrize("bad", [0, -7e9, math.nan, math.inf])
@pytest.mark.parametrize("field", ["params", "bytes_per_param", "kv_bytes_per_value"])
def test_model_refuses(field, bad):
    with pytest.raises(ValueError, match=field):
        Model(**{"name": "mine", "params": 7e9, field: bad})


def test_model_refuses_half_a_layer():
    with pytest.raises(ValueError, match="layers = 1.5: expected a whole number"):
        Model("mine", 7e9, layers=1.5)


@pytest.mark.parametrize("name", ["a100", "A100", "A100-80GB"])
def test_unknown_chip_names_the_nearest(name):
    with pytest.raises(ValueError, match="nearest: .*A100-80GB-SXM") as caught:
        ACCELERATORS[name]
    assert isinstance(caught.value, UnknownName) and repr(name) in str(caught.value)


def test_unknown_precision_names_those_there_are(a100):
    for use in (lambda: a100.ridge_point("fp8"), lambda: Roofline(Model("m", 7e9), a100, "fp8")):
        with pytest.raises(ValueError, match="precision of A100-80GB-SXM = 'fp8'.*fp16, int8"):
            use()


def test_tables_stay_mappings():
    assert "A100" not in ACCELERATORS and ACCELERATORS.get("A100") is None
    with pytest.raises(TypeError):
        ACCELERATORS["mine"] = 1
