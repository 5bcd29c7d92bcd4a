"""The sandbox of one submission: what it sees, and what it may use.

`bubblewrap` gives it namespaces of its own (no network, no other process), a file
system with Python, the course's library and `child.py`, all read-only, and a small
`/tmp`. Hard resource limits and a filter of system calls hold inside it.
"""

import os
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .syscalls import seccomp_filter

CHILD = Path(__file__).with_name("child.py")
SEEN = "/submission"  # where the sandbox has child.py
LOST = """Without the sandbox a notebook runs as you: it can read the question bank, the salt,
the other submissions and your files, use the network, and leave processes behind.
Only its memory, the size of its files and its time are limited."""


class NoSandbox(RuntimeError):
    """Nothing can be run safely here; the message says why and what to do."""


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Parameters
    ----------
    seconds : float
        For the whole notebook, by the clock.
    cell_seconds : float
        For one cell, and for one function on all its hidden inputs.
    memory : int
        Bytes of address space of a process; together its processes may hold as much.
    file_size, scratch : int
        Bytes of one file, and of all files in /tmp.
    processes : int
        Processes and threads.
    """

    seconds: float = 60
    cell_seconds: float = 10
    memory: int = 3 << 30
    file_size: int = 32 << 20
    scratch: int = 128 << 20
    processes: int = 32

    def __post_init__(self):
        for name, value in vars(self).items():
            if not value > 0:
                raise ValueError(f"{name} = {value!r}: expected a number above 0")

    def rlimits(self, sandboxed):
        """Return the hard limits by their name in `resource`."""
        found = {"AS": self.memory, "FSIZE": self.file_size, "CORE": 0, "NOFILE": 256}
        if sandboxed:  # outside it would count all that this user runs
            found |= {"NPROC": self.processes, "MSGQUEUE": 0}
        return found


def environment(home="/tmp"):
    """Return the only variables that a submission sees."""
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    return dict.fromkeys(names, "1") | {
        "HOME": home,
        "IPYTHONDIR": f"{home}/.ipython",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": f"{home}/.matplotlib",
        "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
        "USER": "student",
    } | {name: os.environ[name] for name in ("OPENBLAS_CORETYPE",) if name in os.environ}


def library():
    """Return the folder of the installed `crossover`."""
    import crossover

    return Path(crossover.__file__).resolve().parent


def visible():
    """Return the folders of this machine that the sandbox sees, read-only."""
    return [Path("/usr"), Path(sys.prefix), Path(sys.base_prefix), library()]


@cache
def fonts():
    """Return matplotlib's list of this machine's fonts: making it can take a cell's whole time."""
    import matplotlib.font_manager  # makes it where it is missing

    return sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))


def command(limits, seccomp=None):
    """Return the words that start `child.py` in a sandbox of its own.

    Started by root, bubblewrap keeps root's identity for the set-up and `child.py`
    takes another; started by a user, it makes a user namespace.
    """
    root = os.geteuid() == 0
    words = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
             "--unshare-cgroup-try", "--die-with-parent", "--new-session", "--hostname", "sandbox",
             "--cap-drop", "ALL"]
    words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if root else ["--unshare-user"]
    if seccomp is not None:
        words += ["--seccomp", str(seccomp)]
    words += ["--proc", "/proc", "--dev", "/dev"]
    for folder in ("/tmp", "/dev/shm"):  # first, for Python may live below /tmp
        words += ["--perms", "1777", "--size", str(limits.scratch), "--tmpfs", folder]
    for folder in visible():
        for above in reversed(folder.parents[:-1]):  # of itself it makes them closed to others
            words += ["--perms", "0755", "--dir", str(above)]
        words += ["--ro-bind", str(folder), str(folder)]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), str(path)]
        else:
            words += ["--ro-bind-try", str(path), str(path)]
    for folder in ("/etc", SEEN):
        words += ["--perms", "0755", "--dir", folder]
    for path in ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts"):
        words += ["--ro-bind-try", path, path]
    words += ["--ro-bind", str(CHILD), SEEN + "/child.py"]
    words += ["--perms", "1777", "--dir", "/tmp/.matplotlib"]
    for path in fonts():
        words += ["--ro-bind", str(path), f"/tmp/.matplotlib/{path.name}"]
    words += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/tmp"]
    return [*words, sys.executable, "-P", "-s", SEEN + "/child.py"]


def identity():
    """Return a user number for one submission when root grades, else None.

    Root is above the limit on processes, and the limit counts per user.
    """
    return random.randrange(50_000, 60_000) if os.geteuid() == 0 else None


def start(job, limits, home=None):
    """Start `child.py` on a job; return its process, with pipes for what it says.

    Parameters
    ----------
    job : bytes
        JSON, see `child.py`.
    limits : Limits
    home : str, optional
        A folder to run in as a plain process of this user; None: in the sandbox.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as rules:
        given.write(job)
        given.seek(0)
        pipes = {"stdin": given, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if home is not None:
            return subprocess.Popen([sys.executable, "-P", "-s", str(CHILD)], **pipes,
                                    env=environment(home), cwd=home, start_new_session=True)
        seccomp = None
        if found := seccomp_filter():
            rules.write(found)
            rules.seek(0)
            seccomp = rules.fileno()
        # bubblewrap's own environment can be read from inside, so it gets no other
        return subprocess.Popen(command(limits, seccomp), **pipes, env=environment(),
                                pass_fds=() if seccomp is None else (seccomp,))
