"""What one submission sees and may use, started by root and by a plain user."""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from textwrap import dedent

import psutil
import pytest

from exercises import machine, sandbox, workload
from exercises import run as runs
from exercises.run import Outcome, Work, run
from exercises.sandbox import Limits, NoSandbox

from .sample import PLENTY, left_in, needs_bubblewrap

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def bubblewrap():
    needs_bubblewrap()


SEEN = """
    import os, subprocess, sys
    def words(command):
        return subprocess.run(command, shell=True, capture_output=True, text=True).stdout.split()
    seen = {
        "user": os.getuid(), "effective": os.geteuid(), "groups": os.getgroups(),
        "root": sorted(os.listdir("/")), "etc": sorted(os.listdir("/etc")),
        "around the library": sorted(os.listdir(HERE)),
        "home": os.path.expanduser("~"), "tmp": sorted(os.listdir("/tmp")),
        "variables": sorted(os.environ), "processes": len(words("ls -d /proc/[0-9]*")),
        "capabilities": words("grep -E 'Cap(Prm|Eff|Amb)' /proc/self/status")[1::2],
        "interfaces": [line.split(":")[0].strip()
                       for line in open("/proc/net/dev").read().splitlines()[2:]],
        "mounted to write": [words[4] for words in map(str.split, open("/proc/self/mountinfo"))
                             if "rw" in words[5].split(",")],
    }
    writable = []
    for path in ("/", "/usr", "/etc", "/dev", "/proc/sys/kernel/hostname", sys.prefix):
        try:
            open(path + "/x" if os.path.isdir(path) else path, "w")
            writable.append(path)
        except OSError:
            pass
    seen["writable"] = writable"""


def look_around():
    """Run that in the sandbox and return `seen`."""
    return left_in("seen", f"HERE = {str(ROOT)!r}\n" + dedent(SEEN))


def check_seen(seen, user):
    assert seen["user"] == seen["effective"] != 0
    assert seen["user"] == user or user == 0
    assert set(seen["groups"]) <= {seen["user"], 65534}
    assert set(seen["root"]) <= {"bin", "dev", "etc", "lib", "lib32", "lib64", "proc", "sbin",
                                 "submission", "tmp", "usr", *ROOT.parts,
                                 *Path(sys.base_prefix).parts}
    assert set(seen["etc"]) <= {"alternatives", "fonts", "ld.so.cache"}
    assert set(seen["around the library"]) <= {".venv", "lib"}
    assert seen["home"] == "/tmp"
    assert set(seen["tmp"]) <= {".ipython", ".matplotlib", *ROOT.parts}  # it may be below /tmp
    assert not {name for name in seen["variables"] if "SALT" in name}
    assert seen["processes"] <= 5  # itself, bubblewrap, and the commands that count
    assert set(seen["capabilities"]) == {"0000000000000000"}
    assert seen["interfaces"] == ["lo"]
    assert seen["writable"] == []
    assert "/tmp" in seen["mounted to write"]
    assert {path.split("/")[1] for path in seen["mounted to write"]} <= {"tmp", "dev", "proc"}


def test_what_it_sees(monkeypatch):
    monkeypatch.setenv("EXERCISES_SALT", "secret")
    check_seen(look_around(), os.geteuid())


@pytest.mark.skipif(os.geteuid() != 0, reason="every other test is run by a plain user")
def test_what_it_sees_when_a_plain_user_grades():
    """Root becomes a plain user, who cannot see into root's home, where Python may be."""
    script = ("import json; from tests.exercises import test_sandbox; "
              "print(json.dumps(test_sandbox.look_around()))")
    opened = ["--bind", str(ROOT), str(ROOT), "--bind", sys.base_prefix, sys.base_prefix]
    above = sorted({path for shown in (ROOT, Path(sys.base_prefix))
                    for path in shown.parents[:-1]} - {Path("/usr"), Path("/tmp")})
    covered = [word for path in above for word in ("--perms", "0755", "--tmpfs", str(path))]
    words = ["bwrap", "--dev-bind", "/", "/", *covered, *opened, "--chdir", str(ROOT),
             "setpriv", "--reuid", "1500", "--regid", "1500", "--clear-groups",
             sys.executable, "-B", "-c", script]
    told = subprocess.run(words, capture_output=True, text=True, check=False,
                          env={"PATH": os.environ["PATH"], "HOME": "/tmp", "EXERCISES_SALT": "x"})
    assert told.returncode == 0, told.stderr
    check_seen(json.loads(told.stdout.splitlines()[-1]), 1500)


def test_limits_cannot_be_raised():
    limits = Limits(seconds=120, cell_seconds=60, processes=20)
    raised = left_in("raised", """
        import resource
        raised = []
        for name in ("AS", "FSIZE", "NPROC", "NOFILE", "CORE"):
            kind = getattr(resource, "RLIMIT_" + name)
            before = resource.getrlimit(kind)
            try:
                resource.setrlimit(kind, (before[0] + 1, before[1] + 1))
            except (ValueError, OSError):
                raised.append([name, *before])""", limits)
    assert raised == [["AS", limits.memory, limits.memory],
                      ["FSIZE", limits.file_size, limits.file_size],
                      ["NPROC", 20, 20], ["NOFILE", 256, 256], ["CORE", 0, 0]]


def test_processes_are_limited():
    started = left_in("started", """
        import subprocess
        started = []
        try:
            while len(started) < 100:
                started.append(subprocess.Popen(["sleep", "60"]))
        except OSError:
            pass
        started = len(started)""", Limits(seconds=120, cell_seconds=60, processes=12))
    assert 5 <= started < 12


@pytest.mark.parametrize("hold", [
    "bytearray(os.urandom(1 << 20)) * 300",
    "mmap.mmap(-1, 300 << 20)\n[held.write(bytes(1 << 20)) for _ in range(300)]",
], ids=["own", "shared"])
def test_memory_of_all_processes_together_is_limited(hold):
    source = f"""
        import mmap, os, time
        for _ in range(6):
            if os.fork() == 0:
                exec({"held = " + hold!r})
                time.sleep(100)
                os._exit(0)
        time.sleep(100)"""
    limits = Limits(seconds=120, cell_seconds=110, memory=1 << 30)
    outcome = run(Work([dedent(source)], []), limits)
    assert outcome == Outcome("crashed", [
        "cell 1: all its processes together hold more memory than allowed"], {}, {})


def test_a_bank_beside_the_library_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(ROOT))
    with pytest.raises(NoSandbox, match=f"must see {ROOT}, and .*exercises is inside it"):
        workload.require_sandbox()


def test_submissions_beside_the_library_are_refused():
    with pytest.raises(NoSandbox, match="must see /usr, and /usr/share/handed-in is inside it"):
        workload.require_sandbox(Path("/usr/share/handed-in"))


def test_missing_bubblewrap_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoSandbox, match="apt-get install bubblewrap"):
        workload.require_sandbox()


def test_bubblewrap_that_fails_is_reported(monkeypatch, tmp_path):
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho no namespaces for you >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setattr(sandbox, "environment", lambda: {"PATH": str(tmp_path)})
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(NoSandbox, match="no namespaces for you"):
        workload.require_sandbox()


def test_a_start_that_fails_is_tried_again(monkeypatch, tmp_path):
    fake, failed = tmp_path / "bwrap", tmp_path / "failed"
    fake.write_text(f"#!/bin/sh\n[ -e {failed} ] && exec {shutil.which('bwrap')} \"$@\"\n"
                    f"touch {failed}\nexit 1\n")
    fake.chmod(0o755)
    real = sandbox.environment()
    monkeypatch.setattr(sandbox, "environment",
                        lambda: real | {"PATH": f"{tmp_path}:{real['PATH']}"})
    assert left_in("q1", "q1 = 1") == 1
    assert failed.exists()


@pytest.mark.parametrize("field", ["seconds", "cell_seconds", "memory", "processes"])
def test_limits_are_above_0(field):
    with pytest.raises(ValueError, match=f"{field} = 0: expected a number above 0"):
        Limits(**{field: 0})


def test_a_plot_takes_no_time_for_fonts():
    """The list of fonts is this machine's: matplotlib makes none of its own."""
    plot = """
        %matplotlib inline
        import os
        import matplotlib.pyplot as plt
        plt.plot([1, 2])
        plt.show()
        made = [name for name in os.listdir("/tmp/.matplotlib")
                if os.access("/tmp/.matplotlib/" + name, os.W_OK)]"""
    assert left_in("made", plot) == []


def test_pinned_runs_keep_to_one_core_and_give_it_back():
    before = os.sched_getaffinity(0)
    assert len(left_in("cores", "import os\ncores = sorted(os.sched_getaffinity(0))",
                       pin=True)) == 1
    assert os.sched_getaffinity(0) == before


def test_the_last_words_of_a_child_are_heard():
    """It says them and ends between a look at its pipe and a look at the process."""
    class Child:
        returncode, words = 0, [b"", b'{"at": "cell 1"}\n{"done": true}\n']

        def poll(self):
            os.write(ending, self.words.pop(0))
            return None if self.words else 0

    reading, ending = os.pipe()
    os.set_blocking(reading, False)
    child = Child()
    with open(reading, "rb", buffering=0) as child.stdout, open(ending, "wb"):
        listener = runs._listen(child, Work([], []), PLENTY)
    assert (listener.done, listener.outcome) == (True, Outcome())


def test_memory_is_that_of_the_process_too():
    held = os.urandom(1 << 20) * 64
    assert machine.held(os.getpid()) > len(held)


def test_stopping_ends_a_run():
    runs.stopping.set()
    try:
        with pytest.raises(runs.Stopped):
            run(Work(["import time\ntime.sleep(100)"], []), PLENTY)
    finally:
        runs.stopping.clear()


@pytest.mark.long
def test_without_a_sandbox_time_memory_and_files_are_limited():
    outcome = run(Work([
        "import os\nq1 = 1",
        "x = bytearray(6 << 30)",
        "open('big', 'wb').write(bytes(100 << 20))",
        "import subprocess\nq2 = subprocess.Popen(['sleep', '100']).pid",
        "while True: pass",
    ], ["q1", "q2"]), Limits(seconds=120, cell_seconds=4), sandboxed=False)
    assert outcome.status == "timeout" and outcome.values["q1"] == 1
    assert outcome.notes == ["cell 2: MemoryError", "cell 3: OSError", "cell 5: stopped after 4 s"]
    with suppress(psutil.NoSuchProcess):  # its process group goes with it, if not at once
        left = psutil.Process(outcome.values["q2"])
        for _ in range(100):
            if left.status() == psutil.STATUS_ZOMBIE:
                break
            time.sleep(0.1)
        assert left.status() == psutil.STATUS_ZOMBIE
