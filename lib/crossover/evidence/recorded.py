"""Timings that a chapter prints: read from the last recording, or measured now.

Stored outputs must not change from run to run, and timings do. So a chapter reads what
``tools/record_timings.py`` stored, with the machine it was stored on, unless its reader
asks for a live measurement.
"""

import json
from pathlib import Path

from .machine import describe, this_machine

TIMINGS = Path(__file__).parent.parent / "data" / "timings"


def recorded(name, measure, live=False, folder=TIMINGS):
    """Return the figures of `measure`, as stored or as measured now.

    Parameters
    ----------
    name : str
        Under which ``tools/record_timings.py`` stores them.
    measure : callable
        Takes nothing, returns a dict of what JSON can hold: text, numbers, lists, dicts.
    live : bool
        Measure now instead of reading.
    folder : Path
        Where recordings are.

    Returns
    -------
    dict
        What `measure` returned (tuples as lists, all keys text), and under ``machine``
        one line on the machine that it ran on.

    Raises
    ------
    ValueError
        There is no recording, or it is damaged: the message names the tool to run. Live:
        `measure` returned what cannot be stored.
    """
    recording = _take(name, measure) if live else _read(name, folder)
    return recording["figures"] | {"machine": describe(recording["machine"])}


def record(name, measure, folder=TIMINGS):
    """Measure and store under `name`; return the path.

    Parameters and errors as `recorded`.
    """
    path = folder / f"{name}.json"
    path.write_text(json.dumps(_take(name, measure), indent=1) + "\n", encoding="utf-8")
    return path


def _take(name, measure):
    figures = measure()
    try:
        # what a live run gives must be what a stored one gives
        figures = json.loads(json.dumps(figures, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ValueError(f"measure for {name!r} returned what JSON cannot hold: {error}") from None
    if not isinstance(figures, dict) or "machine" in figures:
        raise ValueError(f"measure for {name!r} must return a dict without the key 'machine'")
    return {"machine": this_machine(), "figures": figures}


def _read(name, folder):
    remedy = f"run python tools/record_timings.py {name}, or measure here with live=True"
    try:
        recording = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        describe(recording["machine"])
        dict(recording["figures"])
    except FileNotFoundError:
        raise ValueError(f"name = {name!r}: no such recording; {remedy}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"name = {name!r}: damaged recording ({error!r}); {remedy}") from None
    return recording
