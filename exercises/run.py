"""Run one submission in a process of its own and take down what it says.

`run` never raises for what a submission does. It listens until the child says that it
is done, ends by itself, or must be stopped; what was heard until then counts.
"""

import json
import os
import re
import selectors
import signal
import threading
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from tempfile import TemporaryDirectory
from time import monotonic

from . import machine, sandbox

TICK = 0.1  # seconds between looks at the clock
LOOK = 0.5  # seconds between looks at the memory of all processes
GRACE = 3  # seconds for a step to stop by itself once its time is up
STARTS = 3  # tries until a child says anything; before that nothing of the student's runs
HEARD = 4 << 20  # bytes a child may say in all
DEPTH = 20  # lists in lists in what it says
NOTES = 20  # notes of a run: more tell nobody anything, and a CSV field has its limits
stopping = threading.Event()  # set by whoever wants every run to end now


class Stopped(Exception):
    """The grader is being stopped; this run has no outcome."""


@dataclass(frozen=True)
class Work:
    """A notebook's cells and what to collect from it.

    Parameters
    ----------
    cells : list of str
        The source of its code cells.
    names : list of str
        Variables to collect.
    functions : list of dict
        ``{"name": ..., "inputs": [[...], ...]}``: functions to call, and their arguments.
    """

    cells: list
    names: list
    functions: list = field(default_factory=list)


@dataclass
class Outcome:
    """What became of a run.

    Parameters
    ----------
    status : str
        "ok", "timeout" or "crashed".
    notes : list of str
        At most NOTES: the first ones and the last.
    values : dict
        Name to value, as plain JSON.
    results : dict
        A function's name to a list of ``{"value": ...}`` or ``{"raised": type}``, one an
        input; fewer when it was stopped.
    """

    status: str = "ok"
    notes: list = field(default_factory=list)
    values: dict = field(default_factory=dict)
    results: dict = field(default_factory=dict)

    def fail(self, status, note):
        """Note a failure; a timeout outweighs what it leads to."""
        self.status = self.status if self.status == "timeout" else status
        self.note(note)

    def note(self, words):
        """Keep a note; of too many the first ones and the last."""
        self.notes[NOTES - 1:] = [words[:300]]


class _Listener:
    """Takes down the lines of one child, and says how long its present step may last."""

    def __init__(self, work, limits):
        self.work, self.limits = work, limits
        self.outcome, self.at, self.done = Outcome(), None, False
        self.rest, self.total = b"", 0
        self.names = {"cell": set(work.names), "function": {f["name"] for f in work.functions}}

    def hear(self, chunk):
        """Take down the whole lines; raise ValueError on what is no line of ours."""
        self.total += len(chunk)
        if self.total > HEARD:
            raise ValueError("it says too much")
        *lines, self.rest = (self.rest + chunk).split(b"\n")
        for line in lines:
            if not self.done:
                message = json.loads(line)
                check_depth(message)
                self._take(message)

    def _take(self, message):
        outcome = self.outcome
        if message.get("done") is True:
            self.done = True
        elif "at" in message:
            self.at = re.sub(r"[^\w ]", "", str(message["at"]))[:60]
        elif "values" in message:
            outcome.values |= {name: value for name, value in message["values"].items()
                               if name in self.names["cell"]}
            if message["late"]:
                self.late()
            elif message["raised"] is not None:
                outcome.fail("crashed", f"{self.at}: {word(message['raised'])}")
        elif message["function"] in self.names["function"]:
            if message["results"] is not None:
                outcome.results[message["function"]] = list(message["results"])
            if message["late"]:
                self.late()

    def late(self):
        self.outcome.fail("timeout", f"{self.at}: stopped after {self.limits.cell_seconds:g} s")


def check_depth(value, left=DEPTH):
    """Raise ValueError if JSON goes deeper than any answer: others would choke on it."""
    if not left:
        raise ValueError("too deep")
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, (dict, list)):
            check_depth(item, left - 1)


def word(name):
    """Return a name from the child as a short plain word."""
    return re.sub(r"\W", "", str(name))[:60] or "unnamed"


def run(work, limits, sandboxed=True, pin=False):
    """Run a notebook's cells and functions; return an `Outcome`.

    Parameters
    ----------
    work : Work
    limits : sandbox.Limits
    sandboxed : bool
        False: as a plain process of this user, see `sandbox.LOST`.
    pin : bool
        Keep it to one core of this machine, so that it cannot slow the others.

    Raises
    ------
    Stopped
        `stopping` was set.
    """
    job = json.dumps(asdict(work) | {
        "cell_seconds": limits.cell_seconds,
        "limits": limits.rlimits(sandboxed),
        "uid": sandbox.identity() if sandboxed else None,
        "library": [str(sandbox.library().parent)],
    }).encode()
    try:
        with machine.core(pin):
            for _ in range(STARTS):
                with _started(job, limits, sandboxed) as child:
                    listener = _listen(child, work, limits)
                if listener.at is not None or listener.outcome.status == "timeout":
                    break
            return listener.outcome
    except Exception as error:  # one submission never stops the others
        if isinstance(error, Stopped):
            raise
        return Outcome("crashed", [f"not started: {error}"])


def _listen(child, work, limits):
    listener = _Listener(work, limits)
    start = step = look = monotonic()
    with selectors.DefaultSelector() as streams:
        streams.register(child.stdout, selectors.EVENT_READ)
        while not listener.done:
            ended = child.poll() is not None  # before listening, so its last words are heard
            heard = _read(child.stdout) if streams.select(TICK) else b""
            now = monotonic()
            if heard:
                before = listener.at
                try:
                    listener.hear(heard)
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    listener.outcome.fail("crashed", "what it sent back makes no sense")
                    break
                step = now if listener.at != before else step
            elif ended:
                _ended(child, listener)
                break
            if stopping.is_set():
                raise Stopped
            if now - start > limits.seconds:
                listener.outcome.fail("timeout", f"stopped after {limits.seconds:g} s in all, "
                                                 f"at {listener.at or 'the start'}")
                break
            if listener.at not in (None, "start") and now - step > limits.cell_seconds + GRACE:
                listener.late()
                listener.outcome.note("it would not stop, so nothing after that has run")
                break
            if now - look > LOOK:
                look = now
                if machine.held(child.pid) > limits.memory:
                    listener.outcome.fail("crashed", f"{listener.at}: all its processes together "
                                                     "hold more memory than allowed")
                    break
    return listener


def _read(stream):
    try:
        return os.read(stream.fileno(), 1 << 16)
    except BlockingIOError:
        return b""


def _ended(child, listener):
    """Note that the child ended before it was done, and how."""
    outcome, code = listener.outcome, child.returncode
    code = 128 - code if code < 0 else code  # as bubblewrap reports a signal
    how = f"signal {signal.Signals(code - 128).name}" if 128 < code < 128 + 32 else f"code {code}"
    if listener.at is None:
        said = _read(child.stderr).decode(errors="replace").strip()
        return outcome.fail("crashed", f"not started ({how}): {said[-200:] or 'no word why'}")
    outcome.fail("crashed", f"{listener.at} ended the process ({how})")


@contextmanager
def _started(job, limits, sandboxed):
    with TemporaryDirectory(ignore_cleanup_errors=True) as home:
        child = sandbox.start(job, limits, None if sandboxed else home)
        os.set_blocking(child.stdout.fileno(), False)
        os.set_blocking(child.stderr.fileno(), False)
        try:
            yield child
        finally:
            # the end of bubblewrap ends its process namespace
            with suppress(ProcessLookupError):
                child.kill() if sandboxed else os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            child.stdout.close()
            child.stderr.close()
