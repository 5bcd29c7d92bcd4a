"""Bad input gets an error that names it, and leaves the engine usable."""

import json
import shutil

import numpy as np
import pytest
import tokenizers
from safetensors.numpy import load_file, save_file

from crossover.engine import Engine, load_model, load_pair
from crossover.engine.pair import PAIR
from crossover.engine.transformer import WeightsError


@pytest.fixture(scope="module")
def engine(pair):
    return Engine(*pair, gamma=2, max_batch=2)


PROMPT = "Customer: Hello"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (([""], 4), "prompt 0 is empty; give at least one character"),
        (([PROMPT, []], 4), "prompt 1 is empty; give at least one token"),
        (
            ([PROMPT, "5 " * 300], 4),
            "prompt 1 has 601 tokens, the context window 384; .* at most 383",
        ),
        (([PROMPT], 0), "max_tokens must be at least 1, got 0"),
        (([PROMPT], 2.5), "max_tokens must be an integer, got 2.5"),
        ((["Zahlung für"], 4), "'ü' .* at position 9"),
        (([[1, 512]], 4), r"a token of prompt 0 must be in 0\.\.511, got 512"),
        (([[1, -1]], 4), r"must be in 0\.\.511, got -1"),
        ((PROMPT, 4), "put it in a list"),
        (([PROMPT], 4, -0.5), "temperature must be a finite number >= 0, got -0.5"),
        (([PROMPT], 4, 1.0, 0.0), r"top_p must be in \(0, 1\], got 0.0"),
    ],
)
def test_a_bad_call_is_named_and_the_next_call_works(engine, arguments, message):
    with pytest.raises(ValueError, match=message):
        engine.generate(*arguments)
    assert len(engine.generate([PROMPT], 3)[0].tokens) == 3


@pytest.mark.parametrize(
    "options, message",
    [
        ({"gamma": 384}, r"gamma must be in 0\.\.383, got 384"),
        ({"gamma": -1}, r"gamma must be in 0\.\.383, got -1"),
        ({"gamma": 1.5}, "gamma must be an integer, got 1.5"),
        ({"draft": None, "gamma": 2}, "gamma must be 0 without a draft model, got 2"),
        ({"max_batch": 0}, "max_batch must be at least 1"),
        ({"block_size": 0}, "block_size must be at least 1"),
        ({"blocks": 0}, "blocks must be at least 1"),
        ({"batching": "dynamic"}, "batching must be 'continuous' or 'static', got 'dynamic'"),
    ],
)
def test_a_bad_engine_is_refused(pair, options, message):
    with pytest.raises(ValueError, match=message):
        Engine(pair[0], **({"draft": pair[1]} | options))


def test_a_draft_of_another_vocabulary_is_refused(pair, tiny):
    with pytest.raises(ValueError, match="vocabulary of 512 tokens, got 12"):
        Engine(pair[0], tiny(1))


def test_text_without_a_tokenizer_is_refused(tiny):
    with pytest.raises(ValueError, match="has no tokenizer"):
        Engine(tiny(1)).generate([PROMPT], 2)


def test_a_pool_too_small_for_one_completion_is_named_before_any_work(pair):
    engine = Engine(pair[0], blocks=2, block_size=8)
    with pytest.raises(ValueError, match="2 blocks of 8 hold fewer"):
        engine.generate([PROMPT], 20)
    assert engine.generate([PROMPT], 2)[0].finish_reason == "length"


def test_a_policy_that_asks_too_much_is_named_and_the_engine_stays_usable(pair):
    asked = iter([1, 1, 500, 2, 2, 2, 2, 2, 2, 2])
    engine = Engine(*pair, gamma=lambda view: next(asked))
    with pytest.raises(ValueError, match=r"gamma must be in 0\.\.383, got 500"):
        engine.generate([PROMPT], 12)
    assert len(engine.generate([PROMPT], 4)[0].tokens) == 4


@pytest.fixture
def folder(tmp_path):
    """A copy of the pair's files, to be damaged."""
    for name in ("config.json", "tokenizer.json", "target.safetensors", "draft.safetensors"):
        shutil.copy(PAIR / name, tmp_path)
    return tmp_path


def truncate(folder):
    path = folder / "target.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])


def not_a_number(folder):
    weights = load_file(folder / "target.safetensors")
    weights["layers.2.qkv.weight"][7, 7] = np.nan
    save_file(weights, folder / "target.safetensors")


@pytest.mark.parametrize(
    "damage, message",
    [
        (truncate, "target.safetensors or its config is damaged"),
        (not_a_number, "layers.2.qkv.weight holds NaN"),
        (
            lambda f: shutil.copy(f / "draft.safetensors", f / "target.safetensors"),
            "target.safetensors: weight .* (missing|shape)",
        ),
        (lambda f: (f / "target.safetensors").write_text("not weights"), "is damaged"),
        (lambda f: (f / "target.safetensors").unlink(), "cannot read .*target.safetensors"),
        (lambda f: (f / "config.json").write_text("{"), "is damaged"),
        (lambda f: (f / "config.json").write_text('{"draft": {}}'), "describes no model 'target'"),
        (
            lambda f: tokenizers.Tokenizer(tokenizers.models.BPE({"a": 0, "b": 1}, [])).save(
                str(f / "tokenizer.json")
            ),
            "tokenizer of 2 tokens .* vocabulary of 512",
        ),
        (lambda f: (f / "tokenizer.json").write_text("{}"), "tokenizer.json is no tokenizer file"),
        (lambda f: (f / "tokenizer.json").unlink(), "tokenizer.json is no tokenizer file"),
    ],
)
def test_damaged_files_are_named(folder, damage, message):
    damage(folder)
    with pytest.raises(WeightsError, match=message):
        load_pair(folder)


def test_an_undamaged_copy_loads(folder):
    assert (
        load_model("draft", folder).params
        == json.loads((PAIR / "measured.json").read_text())["draft"]["parameters"]
    )
