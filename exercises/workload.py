"""The submissions' runs: try the sandbox, run several at once, keep a journal of what is done."""

import json
import shutil
import warnings
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import joblib

from . import run as runs
from . import sandbox

ROUND = 8  # submissions a core of a Dask cluster gets at once


class Journal:
    """Outcomes by what was run, kept beside the marks until all are there.

    Parameters
    ----------
    output : Path
        The file of the marks.
    resume : bool
        Keep what a run before this one has finished; otherwise begin anew.
    """

    def __init__(self, output, resume):
        self.path = output.with_name(output.name + ".journal")
        self.known = {}
        if not resume:
            self.remove()
        elif self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                try:
                    key, outcome = json.loads(line)
                    self.known[key] = runs.Outcome(**outcome)
                except (ValueError, TypeError):
                    continue  # the line that was being written when the machine stopped

    @staticmethod
    def key(work, limits, sandboxed):
        """Return the name of a run: the same cells, inputs and limits have the same."""
        return sha256(json.dumps([asdict(work), asdict(limits), sandboxed]).encode()).hexdigest()

    def keep(self, key, outcome):
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", encoding="utf-8") as handle:
            handle.write("\n" + json.dumps([key, asdict(outcome)]))

    def remove(self):
        self.path.unlink(missing_ok=True)


@contextmanager
def cluster(address):
    """Connect to a Dask scheduler; None for no address.

    Raises
    ------
    ValueError
        Dask is not installed, or nobody answers at the address.
    """
    if not address:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise ValueError(f"--dask {address}: pip install dask distributed first") from None
    try:
        client = Client(address, timeout=5)
    except (OSError, ValueError) as error:
        raise ValueError(f"--dask {address}: {error}") from None
    with client:
        yield client


def require_sandbox(*secret):
    """Return after a submission has run in the sandbox here.

    Parameters
    ----------
    *secret : Path
        What it must not see, besides the bank.

    Raises
    ------
    NoSandbox
        bubblewrap is missing, forbidden, or Python does not start in it; or something
        secret lies in a folder that it must see.
    """
    if shutil.which("bwrap") is None:
        raise sandbox.NoSandbox("bubblewrap is not installed: apt-get install bubblewrap, or grade "
                                "in the container (exercises/container/README.md)")
    for path in (Path(__file__).parent, *secret):
        for folder in sandbox.visible():
            if Path(path).resolve().is_relative_to(folder.resolve()):
                raise sandbox.NoSandbox(
                    f"the sandbox must see {folder}, and {path} is inside it: move it, or make "
                    "the virtual environment in a folder of its own")
    outcome = runs.run(runs.Work(cells=["q1 = 6 * 7"], names=["q1"]), sandbox.Limits())
    if outcome != runs.Outcome("ok", [], {"q1": 42}, {}):
        raise sandbox.NoSandbox(f"the sandbox does not work here: {'; '.join(outcome.notes)}\n"
                                "Grade in the container, with all the options that "
                                "exercises/container/README.md gives it.")


def work_off(number, work, limits, sandboxed, pin):
    """Run one submission, here or on a worker of a cluster."""
    return number, runs.run(work, limits, sandboxed, pin)


def outcomes(works, limits, sandboxed, jobs, journal, client=None):
    """Yield (number, outcome) of every run, as they finish; those in the journal come first.

    Parameters
    ----------
    works : dict
        Number to `run.Work`.
    limits : sandbox.Limits
    sandboxed : bool
    jobs : int
        Runs at once on this machine.
    journal : Journal
    client : distributed.Client, optional
        Run on its cluster, as many at once as that has threads.
    """
    keys = {number: journal.key(work, limits, sandboxed) for number, work in works.items()}
    known = {number: journal.known[key] for number, key in keys.items() if key in journal.known}
    yield from known.items()
    calls = [joblib.delayed(work_off)(number, work, limits, sandboxed, client is None)
             for number, work in works.items() if number not in known]
    for number, outcome in _on_cluster(calls, client) if client else _here(calls, jobs):
        journal.keep(keys[number], outcome)
        yield number, outcome


def _here(calls, jobs):
    """Threads will do: each waits for a process."""
    runs.stopping.clear()
    # After an interrupt joblib counts what was lost; `grade` says it in the user's words.
    warnings.filterwarnings("ignore", r"\d+ tasks", UserWarning, "joblib")
    try:
        yield from joblib.Parallel(jobs, backend="threading", batch_size=1,
                                   return_as="generator_unordered")(calls)
    except BaseException:
        runs.stopping.set()
        raise


def _on_cluster(calls, client):
    """In rounds, for joblib gives a cluster's results back only all at once."""
    step = ROUND * max(1, sum(client.ncores().values()))
    with joblib.parallel_config(backend="dask", client=client):
        for start in range(0, len(calls), step):
            yield from joblib.Parallel(batch_size=1)(calls[start:start + step])
