"""Shared fixtures: the pair of the source chapter on its chip."""

import pytest
from hypothesis import settings

from crossover.theory import ACCELERATORS, Model, Roofline

# a busy machine is no reason for a property to fail
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(scope="session")
def a100():
    return ACCELERATORS["A100-80GB-SXM"]


@pytest.fixture(scope="session")
def target(a100):
    return Roofline(Model("target", 70e9), a100)


@pytest.fixture(scope="session")
def draft(a100):
    return Roofline(Model("draft", 7e9), a100)
