"""What runs inside the sandbox: a notebook's cells, then the functions it defines.

It reads one job (JSON) from standard input and writes JSON lines to standard output:
``{"at": "cell 3"}`` before each step, ``{"values": ...}`` or ``{"function": ...}``
after it, ``{"done": true}`` at the end. It knows names and inputs, never an answer, and
it lives in the same process as the student's code: whatever it says may be forged, and
a forged line can only claim what `q1 = 5` claims. It imports nothing of this project.
"""

import json
import os
import signal
import sys

import numpy as np  # here, before a cell's time runs

TEXT, ITEMS, DEPTH, BITS = 20_000, 10_000, 6, 1100


class Late(BaseException):
    """A step's time is up."""


def confine(limits, uid):
    """Set hard limits on this process and all it starts, and leave root."""
    import resource

    for name, value in limits.items():
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
        except (AttributeError, ValueError, OSError):
            if uid is not None or sys.platform == "linux":
                raise
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def open_channel():
    """Return a function that sends a message; the cells' own output goes nowhere."""
    channel, owner = os.dup(1), os.getpid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        os.dup2(null, stream.fileno())
    encode = json.JSONEncoder().encode

    def send(**message):
        if os.getpid() != owner:
            os._exit(0)  # a fork of the student's that came back here
        line = (encode(message) + "\n").encode()
        while line:
            line = line[os.write(channel, line):]

    return send


def open_shell():
    """Return an IPython shell without history, colours or a kernel."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    class Shell(InteractiveShell):
        def enable_gui(self, gui=None):
            """`%matplotlib inline` asks for it; there is no window here."""

        def showtraceback(self, *_, **__):
            """Nobody sees it, and drawing a deep one takes seconds."""

        showsyntaxerror = showtraceback

    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    return Shell.instance(config=config)


def plain(value, depth=0):
    """Return `value` as JSON can hold it; what is no plain value becomes its type's name."""
    kind = type(value)
    if depth <= DEPTH:
        if value is None or kind in (bool, float) or (kind is str and len(value) <= TEXT):
            return value
        if kind is int and value.bit_length() <= BITS:
            return value
        if kind in (list, tuple) and len(value) <= ITEMS:
            return [plain(item, depth + 1) for item in value]
        if kind is dict and len(value) <= ITEMS and all(type(key) is str for key in value):
            return {key: plain(item, depth + 1) for key, item in value.items()}
        if isinstance(value, np.generic):
            return plain(value.item(), depth + 1)
        if kind is np.ndarray and value.size <= ITEMS:
            return plain(value.tolist(), depth + 1)
    return {"not plain": kind.__name__}


def within(seconds, step):
    """Return what `step()` returns and None, or None and what it raised, late or not."""
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            return step(), None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except BaseException as error:
        return None, error


def run_cells(shell, job, send):
    """Run each cell, whatever the ones before it did; after each, tell what values changed."""
    known = {}
    for number, source in enumerate(job["cells"], 1):
        send(at=f"cell {number}")

        def cell(source=source):
            result = shell.run_cell(source, store_history=False, silent=True)
            error = result.error_before_exec or result.error_in_exec
            held = shell.user_ns
            return error, {name: plain(held[name]) for name in job["names"] if name in held}

        told, raised = within(job["cell_seconds"], cell)
        error, values = told or (raised, {})
        changed = {name: value for name, value in values.items() if value != known.get(name)}
        known |= values
        send(values=changed, raised=None if error is None else type(error).__name__,
             late=isinstance(error, Late))


def try_function(shell, name, inputs, seconds, send):
    """Call the student's function on each of the hidden inputs, all within `seconds`."""
    send(at=name)
    results, late = [], False
    held = shell.user_ns.get(name)

    def calls():
        for args in inputs:
            try:
                results.append({"value": plain(held(*args))})
            except Exception as error:
                results.append({"raised": type(error).__name__})

    if callable(held):
        _, error = within(seconds, calls)
        late = isinstance(error, Late)
        if error is not None and not late:
            results.append({"raised": type(error).__name__})
    send(function=name, results=results if callable(held) else None, late=late)


def main():
    job = json.load(sys.stdin.buffer)
    confine(job["limits"], job["uid"])
    sys.path.extend(job["library"])
    shell = open_shell()
    send = open_channel()

    def late(*_):
        raise Late

    signal.signal(signal.SIGALRM, late)
    send(at="start")
    run_cells(shell, job, send)
    for function in job["functions"]:
        try_function(shell, function["name"], function["inputs"], job["cell_seconds"], send)
    send(done=True)


if __name__ == "__main__":
    main()
