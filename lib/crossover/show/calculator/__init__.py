"""The calculator: every input in one place, on the site live, in a notebook a worked table."""

from .page import Calculator

__all__ = ["Calculator"]
