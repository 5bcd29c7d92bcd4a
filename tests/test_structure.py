"""The repository's shape: what imports what, how long a file is, what the book holds."""
import ast
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "lib" / "crossover"
LONGEST = 300
# A room imports from itself and from rooms of a lower rank, not from one beside it.
RANK = {"theory": 0, "engine": 1, "evidence": 2, "serving": 2, "show": 3}
OUTSIDE = {"chapters", "exercises", "tests", "tools", "bench"}
# Written so that this file does not hold what it forbids.
BUILD_MACHINE = re.compile(r"(?<![\w.~-])(?:/(?:home|root|Users|work|private)/[\w.]"
                           r"|/t[m]p/ipykernel|[A-Z]:\\+Users)")
TEXT = {".py", ".md", ".ipynb", ".toml", ".yml", ".yaml", ".txt", ".css", ".js", ".json",
        ".csv", ".html", ".svg", ".cfg", ".cff", ".bib", ""}


def repository_files():
    """Every file that is, or could be, committed."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
        paths = [ROOT / name for name in listed if name]
    except (FileNotFoundError, subprocess.CalledProcessError):  # a copy without its history
        made = {".venv", "_build", "__pycache__", ".git"}
        paths = [path for path in ROOT.rglob("*") if not made & set(path.relative_to(ROOT).parts)]
    return sorted(path for path in paths if path.is_file())


FILES = repository_files()
MODULES = [path for path in FILES if path.suffix == ".py"]


def imported(source, package=""):
    """The dotted names that `source` imports anywhere in it; `package` resolves relative ones."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[:len(package.split(".")) - node.level + 1]
            module = ".".join([*parts, *filter(None, [node.module])]) if node.level else node.module
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def wrong_imports(source, room, package):
    """What a module in `room` (None: the package itself) imports against the order."""
    wrong = []
    for name in sorted(imported(source, package)):
        first, *rest = name.split(".")
        ours = first == "crossover" and rest and rest[0] in RANK and rest[0] != room
        if first in OUTSIDE or (ours and (room is None or RANK[rest[0]] >= RANK[room])):
            wrong.append(name)
    return wrong


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(LIBRARY)))
                                  for path in MODULES if path.is_relative_to(LIBRARY)])
def test_imports_point_one_way(path):
    parts = path.relative_to(LIBRARY).parts
    room = parts[0] if len(parts) > 1 else None
    package = ".".join(["crossover", *parts[:-1]])
    assert wrong_imports(path.read_text(encoding="utf-8"), room, package) == []


def test_the_rooms_are_known():
    rooms = {path.name for path in LIBRARY.iterdir() if (path / "__init__.py").exists()}
    assert "theory" in rooms
    assert rooms <= set(RANK)


@pytest.mark.parametrize("source, room, wrong", [
    ("from crossover.engine import kvcache", "theory", ["crossover.engine.kvcache"]),
    ("from crossover import show", "evidence", ["crossover.show"]),
    ("import crossover.serving.traffic", "evidence", ["crossover.serving.traffic"]),
    ("def f():\n    from ..show import figures", "engine", ["crossover.show.figures"]),
    ("import exercises.bank", "show", ["exercises.bank"]),
    ("from crossover.theory import Roofline", None, ["crossover.theory.Roofline"]),
    ("from ..theory import Roofline\nfrom .gemm import load\nimport numpy", "evidence", []),
    ("from crossover.evidence import gemm\nfrom crossover.serving import simulate", "show", []),
])
def test_a_wrong_import_is_caught(source, room, wrong):
    package = f"crossover.{room}" if room else "crossover"
    assert wrong_imports(source, room, package) == wrong


def test_files_are_short():
    lengths = {str(path.relative_to(ROOT)): len(path.read_text(encoding="utf-8").splitlines())
               for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
    assert max(lengths.values()) > 50  # the count counts


def build_paths(text):
    """Every place in `text` that names a folder of the machine it was made on."""
    here = str(ROOT)
    return [match[0] for match in BUILD_MACHINE.finditer(text)] + ([here] if here in text else [])


def test_no_file_names_a_build_machine():
    found = {}
    for path in FILES:
        if path.suffix in TEXT:
            places = build_paths(path.read_text(encoding="utf-8", errors="replace"))
            if places:
                found[str(path.relative_to(ROOT))] = places
    assert found == {}


def test_a_build_machines_path_is_caught():
    for text in ['"/ho' + 'me/someone/x"', "see /ro" + "ot/.cache", str(ROOT / "intro.md"),
                 "/t" + "mp/ipykernel_12/3.py:1: UserWarning", "C:" + "\\Users\\x"]:
        assert build_paths(text), text
    for text in ["/usr/bin/chromium", "https://example.org/ho" + "me/page", "a/wo" + "rk/b"]:
        assert build_paths(text) == [], text


def toc_files(entry):
    """Every file that `_toc.yml`, or a part of it, names."""
    if isinstance(entry, list):
        return [name for item in entry for name in toc_files(item)]
    if not isinstance(entry, dict):
        return []
    own = [entry[key] for key in ("root", "file") if key in entry]
    return own + [name for value in entry.values() for name in toc_files(value)]


def toc_faults(toc, root):
    """Entries of `toc` without a file below `root`, and chapters without an entry."""
    named = toc_files(toc)
    missing = [name for name in named
               if not any((root / f"{name}{ending}").is_file() for ending in ("", ".md", ".ipynb"))]
    listed = {str(Path(name).with_suffix("")) if name.endswith((".md", ".ipynb")) else name
              for name in named}
    forgotten = [f"chapters/{path.stem}" for path in sorted((root / "chapters").glob("*.ipynb"))]
    return ([f"{name}: no such file" for name in missing]
            + [f"{name}: not in _toc.yml" for name in forgotten if name not in listed]
            + [f"{name}: twice" for name in sorted(listed) if named.count(name) > 1])


def test_the_toc_names_every_chapter_and_nothing_else():
    """Fails on a branch that has no book yet."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    assert len(toc_files(toc)) > 1
    assert toc_faults(toc, ROOT) == []


def test_a_wrong_toc_is_caught(tmp_path):
    (tmp_path / "chapters").mkdir()
    for name in ["intro.md", "chapters/00_a.ipynb", "chapters/01_b.ipynb"]:
        (tmp_path / name).touch()
    toc = {"root": "intro", "parts": [{"chapters": [{"file": "chapters/00_a"}]}]}
    assert toc_faults(toc, tmp_path) == ["chapters/01_b: not in _toc.yml"]
    toc["parts"][0]["chapters"] += [{"file": "chapters/01_b"}, {"file": "chapters/02_c"}]
    assert toc_faults(toc, tmp_path) == ["chapters/02_c: no such file"]
