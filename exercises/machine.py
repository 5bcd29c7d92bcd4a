"""What a run takes of the machine: the memory it holds, the core it keeps to."""

import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import psutil


def held(pid):
    """Return the bytes of memory that a process and all below it hold."""
    total = 0
    with suppress(psutil.Error):
        parent = psutil.Process(pid)
        for process in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.Error):
                total += _own(process)
    return total


def _own(process):
    """Return the bytes of memory that no file backs and a process has in use.

    What several share counts once for each of them: a fork's memory, a shared map. Where
    the system does not tell it apart, all the memory in use.
    """
    try:
        status = Path(f"/proc/{process.pid}/status").read_bytes()  # a name there may be anything
    except OSError:
        status = b""
    found = re.findall(rb"^Rss(?:Anon|Shmem):\s*(\d+) kB$", status, re.MULTILINE)
    return sum(map(int, found)) << 10 if found else process.memory_info().rss


_cores = SimpleQueue()
for _number in sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else ():
    _cores.put(_number)


@contextmanager
def core(pin):
    """Keep this thread, and what it starts, to a core that no other run has, if there is one."""
    if not pin:
        yield
        return
    try:
        number = _cores.get_nowait()
    except Empty:
        yield
        return
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {number})
        yield
    finally:
        os.sched_setaffinity(0, before)
        _cores.put(number)
