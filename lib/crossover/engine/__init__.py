"""A small inference engine: a real transformer pair, paged caches, exact speculation."""

from .engine import Engine, View
from .pair import held_out, load_model, load_pair, openings

__all__ = ["Engine", "View", "held_out", "load_model", "load_pair", "openings"]
