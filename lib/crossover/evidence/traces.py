"""Recorded runs of the engine: the rounds of four sequences, with rollback and without.

``tools/record_traces.py`` makes ``data/traces.json``; `load` reads it back as the engine's
own `Round` objects. A recording holds three runs from the same prompts and seed: with
rollback in both caches, without it in the target's, without it in the draft's.
"""

import json
from dataclasses import asdict, astuple, dataclass, replace
from pathlib import Path

from crossover.engine.trace import Entries, Round, Step

TRACES = Path(__file__).parent.parent / "data" / "traces.json"
RUNS = ("rollback", "target", "draft")  # the last two: the cache that is not rolled back


@dataclass(frozen=True)
class Run:
    """What one call of ``Engine.generate`` did.

    Parameters
    ----------
    tokens : tuple of tuple of int
        For each sequence its prompt and completion.
    reasons : tuple of str
        For each sequence why it ended: stop, length or window.
    rounds : tuple of Round
        Without their seconds, which no two runs share.
    errors : tuple of tuple of float
        For each round and each of its steps: the largest total variation distance, over
        the judged positions, between the target's distribution as the engine used it and
        the one after the same tokens from a clean cache. 0 unless stale entries acted.
    """

    tokens: tuple
    reasons: tuple
    rounds: tuple
    errors: tuple


@dataclass(frozen=True)
class Recording:
    """Runs from the same prompts and seed.

    `prompts` are the prompts' lengths in tokens, `blocks` the blocks in each cache,
    `block_size` the entries a block holds, `runs` the `Run` for each name in `RUNS`.
    """

    name: str
    label: str
    temperature: float
    gamma: int
    blocks: int
    block_size: int
    prompts: tuple
    runs: dict


def load(path=TRACES):
    """The recordings in `path`, as a list.

    Raises ValueError, naming the file, where it is missing or not a recording.
    """
    try:
        recorded = json.loads(Path(path).read_text(encoding="utf-8"))
        return [_recording(stored) for stored in recorded["traces"]]
    except OSError as error:
        raise ValueError(f"path = {path}: {error.strerror}; run tools/record_traces.py") from None
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"path = {path}: not a recording ({error!r})") from None


def dump(recordings):
    """The text of the file that `load` reads: compact, one round a line."""
    stored = [asdict(each) | {"runs": _stored_runs(each.runs)} for each in recordings]
    text = json.dumps({"traces": stored}, ensure_ascii=False, separators=(",", ":"))
    for kind in ("prefill", "decode"):
        text = text.replace(f'["{kind}"', f'\n["{kind}"')
    return text + "\n"


def _stored_runs(runs):
    """Each run with its rounds as lists, in the order of the engine's own fields."""
    return {
        name: {
            "tokens": run.tokens,
            "reasons": run.reasons,
            "errors": run.errors,
            "rounds": [astuple(each)[:-1] for each in run.rounds],  # seconds come last
        }
        for name, run in runs.items()
    }


def _recording(stored):
    runs = {name: _run(stored["runs"][name]) for name in RUNS}
    return Recording(**stored | {"prompts": tuple(stored["prompts"]), "runs": runs})


def _run(stored):
    rounds = (Round(*map(_frozen, each), seconds=0.0) for each in stored["rounds"])
    return Run(
        _frozen(stored["tokens"]),
        tuple(stored["reasons"]),
        tuple(replace(each, steps=tuple(map(_step, each.steps))) for each in rounds),
        _frozen(stored["errors"]),
    )


def _step(stored):
    *plain, target, draft = stored
    return Step(*plain, Entries(*target), Entries(*draft))


def _frozen(value):
    """Lists, however deep, as the tuples they were."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
