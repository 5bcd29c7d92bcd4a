"""Questions of the bank, answered for values that are given by name."""

from importlib import import_module

from exercises.bank import load

BANK = load()
TABLES = {"chip": "CHIPS", "card": "CHIPS", "model": "MODELS", "target": "TARGETS",
          "draft": "DRAFTS"}


def module(question_id):
    return import_module(f"exercises.bank.{question_id.replace('-', '_')}")


def answer(question_id, **values):
    """A question's answer; a chip or model may be given by name alone."""
    for parameter, value in values.items():
        if isinstance(value, str) and parameter in TABLES:
            table = getattr(module(question_id), TABLES[parameter])
            values[parameter] = next(key for key in table if key.split(" (")[0] == value)
    return BANK[question_id].answer(**values)
