"""The trained pair that comes with the library: files to models."""

import json
from pathlib import Path

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from .tokenizer import Tokenizer, TokenizerError
from .transformer import Transformer, WeightsError

PAIR = Path(__file__).parent.parent / "data" / "pair"


def load_model(name, folder=PAIR, dtype=np.float32):
    """The model `name` (``target`` or ``draft``) from `folder`, ready to run.

    Raises `WeightsError`, naming the file, where a file is missing, truncated or does not
    hold this model's weights.
    """
    path = Path(folder) / f"{name}.safetensors"
    try:
        config = json.loads((Path(folder) / "config.json").read_text())[name]
        tokenizer = Tokenizer.load(Path(folder) / "tokenizer.json")
        weights = load_file(path)
    except KeyError:
        raise WeightsError(f"config.json in {folder} describes no model {name!r}") from None
    except OSError as error:
        raise WeightsError(
            f"cannot read {error.filename or path}: {error.strerror or error}"
        ) from error
    except TokenizerError as error:
        raise WeightsError(str(error)) from error
    except (SafetensorError, json.JSONDecodeError) as error:
        raise WeightsError(f"{path.name} or its config is damaged: {error}") from error
    if len(tokenizer) != config.get("vocabulary"):
        raise WeightsError(
            f"tokenizer of {len(tokenizer)} tokens does not fit {name}, which has "
            f"a vocabulary of {config.get('vocabulary')}"
        )
    try:
        return Transformer(config, weights, dtype, tokenizer)
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from None


def load_pair(folder=PAIR, dtype=np.float32):
    """The target and the draft. Arithmetic is in `dtype`; storage is float16."""
    return load_model("target", folder, dtype), load_model("draft", folder, dtype)


def openings(folder=PAIR):
    """The held-out conversations up to where the agent first speaks, as prompts."""
    mark = "\nAgent:"
    return [text[: text.index(mark) + len(mark)] for text in held_out(folder)]


def held_out(folder=PAIR):
    """Conversations that no training step saw, as a list of texts."""
    return json.loads((Path(folder) / "heldout.json").read_text())
