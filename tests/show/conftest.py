"""Figures are drawn without a screen, and none outlives its test."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def close_figures():
    """Draw with Agg, close all at the end."""
    plt.switch_backend("agg")
    yield
    plt.close("all")
