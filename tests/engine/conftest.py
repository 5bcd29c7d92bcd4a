"""Small random models for fast tests, and the trained pair for the real ones."""

import os

import numpy as np
import pytest

from crossover import engine
from crossover.engine.transformer import Transformer, shapes


@pytest.fixture(scope="session")
def tiny():
    """A factory of random models: ``tiny(seed, layers, width, ...)``."""

    def make(seed, layers=2, width=24, vocabulary=12, window=64, scale=1.0, dtype=np.float64):
        config = {
            "layers": layers,
            "width": width,
            "heads": 4,
            "kv_heads": 2,
            "hidden": 2 * width,
            "vocabulary": vocabulary,
            "window": window,
            "rope_base": 10_000.0,
            "eps": 1e-5,
        }
        rng = np.random.default_rng(seed)
        weights = {
            name: rng.normal(size=shape) * scale * shape[-1] ** -0.5
            if len(shape) > 1
            else rng.normal(1, 0.1, shape)
            for name, shape in shapes(config).items()
        }
        return Transformer(config, weights, dtype)

    return make


@pytest.fixture(scope="session")
def pair():
    """The trained target and draft."""
    return engine.load_pair()


@pytest.fixture(scope="session")
def openings():
    """Openings of held-out conversations, up to where the agent first speaks."""
    return engine.openings()


@pytest.fixture(scope="session")
def torch():
    """PyTorch; where it is missing the test is skipped by hand, and fails in CI."""
    try:
        import torch
    except ImportError:
        if os.environ.get("CI") == "true":
            pytest.fail("PyTorch is missing in CI: pip install '.[train]'")
        pytest.skip("PyTorch is not installed: the live comparison did not run")
    return torch
