"""Submissions that attack time, resources, answers or the grader, each with its expected row."""

from pathlib import Path
from textwrap import dedent

from .cases import CASES, CELL_SECONDS, Q1_WRONG, before_q2, case
from .sample import RIGHT, answer, changed

ROOT = Path(__file__).resolve().parents[2]
SLEEP = "86399.125"  # how long the daemon sleeps: its mark


# --- hostile: time

@case("timeout", RIGHT, f"cell 3: stopped after {CELL_SECONDS} s")
def endless_loop(student):
    return before_q2(student, "while True:\n    pass")


@case("timeout", [1, 2, 1, 0, None], f"cost: stopped after {CELL_SECONDS} s")
def endless_function(student):
    return changed(student, 4, "def cost(batch, alpha):\n    while True:\n        pass")


@case("timeout", [1, 0, 0, 0, None], "it would not stop, so nothing after that has run")
def swallowed_interrupt(student):
    return before_q2(student, """
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass""")


@case("timeout", [1, 0, 0, 0, None], "it would not stop, so nothing after that has run")
def signals_blocked(student):
    return before_q2(student, """
        import signal, time
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)""")


# --- hostile: resources

@case("ok", RIGHT)
def daemonised_child(student):
    return before_q2(student, f"""
        import os
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execvp("sleep", ["sleep", "{SLEEP}"])
            os._exit(0)
        os.wait()""")


@case("timeout", [1, 0, 0, 0, None], "it would not stop, so nothing after that has run")
def fork_bomb(student):
    """Deaf to the alarm, which might otherwise come between two tries and end it."""
    return before_q2(student, """
        import os, signal
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            try:
                while True:
                    os.fork()
            except BaseException:
                pass""")


@case("crashed", RIGHT, "cell 3: MemoryError")
def six_gigabytes(student):
    return before_q2(student, "block = bytearray(6 << 30)")


@case("crashed", RIGHT, "cell 3: OSError")
def file_of_100_megabytes(student):
    return before_q2(student, "open('/tmp/big', 'wb').write(bytes(100 << 20))")


@case("crashed", RIGHT, "cell 3: OSError")
def many_files(student):
    return before_q2(student, """
        for number in range(20):
            open(f"/tmp/{number}", "wb").write(bytes(10 << 20))""")


# --- hostile: answers

@case("ok", Q1_WRONG)
def shadowed_builtins(student):
    return changed(student, 1, dedent("""
        import builtins, math
        abs = float = isinstance = lambda *args: 0
        builtins.abs = builtins.round = lambda *args: 0
        math.isclose = math.isfinite = lambda *args, **more: True
        q1 = -1.0""").strip())


@case("ok", [0, 0, 0, 0, None])
def equal_to_everything(student):
    return [f"student = {student!r}", dedent("""
        class Same:
            def __eq__(self, other): return True
            def __sub__(self, other): return 0.0
            __rsub__ = __abs__ = __sub__
            def __lt__(self, other): return True
            __le__ = __gt__ = __ge__ = __lt__
            def __float__(self): return 1.0
            def __hash__(self): return 0
            def strip(self): return "b"
            casefold = strip
            def __call__(self, *args): return self
        q1 = q3 = cost = Same()
        q2 = {"one": q1, "two": q1}""").strip()]


ODD_ANSWERS = {
    "nan": "float('nan')",
    "inf": "float('inf')",
    "bool": "True",
    "complex": "complex({right}, 0)",
    "str": "'{right}'",
    "list": "[{right}]",
    "subclass": "type('F', (float,), {{}})({right})",
    "huge": "10 ** 400",
    "huger": "10 ** 5000",
    "nothing": "NotImplemented",
}
for kind, source in ODD_ANSWERS.items():
    def answers_as(student, source=source):
        return changed(student, 1, "q1 = " + source.format(right=answer(1, student)))
    CASES[f"answers-{kind}"] = (answers_as, "ok", Q1_WRONG, "")


# --- hostile: the grader itself

@case("ok", RIGHT)
def patched_imports(student):
    return before_q2(student, """
        import sys
        class Finder:
            def find_spec(self, *args):
                raise SystemExit
        sys.meta_path.insert(0, Finder())
        sys.modules["json"] = sys.modules["numpy"] = None""")


@case("crashed", [1, 0, 0, 0, None], "cell 4: SystemExit")
def no_imports_any_more(student):
    return before_q2(student, """
        import builtins
        def no(*args, **more):
            raise SystemExit
        builtins.__import__ = no""")


FORGE = """
import json, os
def claim(**message):
    for number in range(3, 64):
        try:
            os.write(number, (json.dumps(message) + "\\n").encode())
        except OSError:
            pass
"""


@case("ok", [0, 0, 0, 0, None])
def forged_points(student):
    claims = {"total": 8, "status": "ok", "points": [1, 2, 1, 4], "salt": "x"}
    return [f"student = {student!r}",
            FORGE + f"claim(values={claims!r}, raised=None, late=False)\nclaim(done=True)\n"]


@case("ok", [1, 0, 0, 0, None])
def forged_numbers(student):
    """Whoever forges a right number has computed it, as with `q1 = ...`."""
    claims = {"q1": answer(1, student)}
    return [f"student = {student!r}", FORGE + f"claim(values={claims!r}, raised=None, late=False)"]


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def forged_nonsense(student):
    return before_q2(student, FORGE + "claim(values=[[1]], raised={}, late=3)")


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def forged_depth(student):
    return before_q2(student, FORGE + "for n in range(3, 64):\n    try:\n"
                     "        os.write(n, b'[' * 60_000 + b'\\n')\n    except OSError: pass")


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def forged_deep_number(student):
    """Not too deep for JSON, but for whatever works on it afterwards."""
    return before_q2(student, FORGE + """
for n in range(3, 64):
    try:
        os.write(n, b'{"values": {"q2": ' + b"[" * 700 + b"]" * 700 + b'}, "late": false}\\n')
    except OSError:
        pass""")


@case("crashed", [1, 0, 0, 0, None], "what it sent back makes no sense")
def flooded_channel(student):
    return before_q2(student, """
        import os
        for number in range(3, 64):
            try:
                for _ in range(200):
                    os.write(number, b"x" * 60_000)
            except OSError:
                pass""")


@case("crashed", RIGHT, "cell 3: FloodFlood")
def flooded_notes(student):
    return before_q2(student, """
        import json, os
        line = json.dumps({"values": {}, "raised": "Flood" * 12, "late": False}) + "\\n"
        for number in range(3, 64):
            try:
                for _ in range(10_000):
                    os.write(number, line.encode())
            except OSError:
                pass""")


@case("ok", RIGHT)
def changes_the_library(student):
    cells = before_q2(student, """
        import crossover.theory as theory
        try:
            open(theory.__file__, "a")
        except OSError:
            kept = True""")
    return [*cells, "kept"]


@case("ok", RIGHT)
def kills_all_it_can(student):
    return before_q2(student, """
        import os, signal
        for target in (-1, 1, os.getppid()):
            try:
                os.kill(target, signal.SIGKILL)
            except OSError:
                pass""")


def spy(course, port):
    """Return code that leaves in `seen` whatever of the grader's it can reach."""
    secrets = [course.salt, course.assignment, course.handed_in, ROOT / "exercises" / "bank",
               ROOT / "exercises", ROOT / ".git", ROOT / "tests", Path.home() / ".bashrc",
               Path.home() / ".ssh", "/etc/passwd", "/etc/shadow", "/home", "/var", "/sys"]
    return dedent(f"""
        import glob, os, socket
        seen = [path for path in {list(map(str, secrets))!r} if os.path.exists(path)]
        seen += [name for name in os.environ if "SALT" in name or "SECRET" in name]
        for path in glob.glob("/proc/[0-9]*/environ"):
            try:
                seen += [path] if b"SALT" in open(path, "rb").read() else []
            except OSError:
                pass
        try:
            import exercises.bank
            seen.append("bank")
        except ImportError:
            pass
        for address in (("127.0.0.1", {port}), ("192.0.2.1", 80)):
            try:
                socket.create_connection(address, timeout=0.5)
                seen.append(address)
            except OSError:
                pass
        here = [path for path in os.listdir("/proc") if path.isdigit()]
        seen += here if len(here) > 3 else []""").strip()
