"""tools/build_site.py: what it publishes, and what stops it from publishing anything."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("build")
ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "build_site.py"


@pytest.fixture(scope="module")
def tool():
    """tools/build_site.py as a module."""
    spec = importlib.util.spec_from_file_location("build_site", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cell(source="1 + 1", count=1, outputs=None):
    """A stored code cell."""
    result = {
        "output_type": "execute_result",
        "execution_count": count,
        "metadata": {},
        "data": {"text/plain": "2"},
    }
    return {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": source,
        "execution_count": count,
        "outputs": [result] if outputs is None else outputs,
    }


def notebook(path, *cells):
    """Write a notebook with a title and the cells given."""
    title = {"cell_type": "markdown", "id": "t", "metadata": {}, "source": f"# {path.stem}"}
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    path.write_text(
        json.dumps(
            {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": [title, *cells]}
        )
    )


@pytest.fixture
def book(tmp_path):
    """A small book with this book's configuration, extensions and static files."""
    for name in ("_ext", "_static"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "_config.yml", tmp_path)
    if (vega := ROOT / "_build" / "vega").exists():  # saves bundling it again
        shutil.copytree(vega, tmp_path / "_build" / "vega")
    (tmp_path / "intro.md").write_text("# Intro\n\n$a^2$\n")
    notebook(tmp_path / "good.ipynb", cell())
    contents(tmp_path, "good")
    return tmp_path


def contents(book, *chapters):
    """Write the book's table of contents."""
    files = [{"file": name} for name in chapters]
    (book / "_toc.yml").write_text(
        json.dumps({"format": "jb-book", "root": "intro", "chapters": files})
    )


def run(book):
    """Build as `make site` does; the exit code and what was said."""
    done = subprocess.run([sys.executable, TOOL, book], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def published(site):
    """The pages and the downloads of a built site."""
    pages = {
        path.relative_to(site).with_suffix("").as_posix()
        for path in site.glob("**/*.html")
        if "_static" not in path.parts
    }
    sources = {
        path.relative_to(site / "_sources").with_suffix("").as_posix()
        for path in (site / "_sources").rglob("*")
        if path.is_file()
    }
    return pages, sources


def test_only_the_contents_are_published(tool, site):
    """Of this book: its pages, the search and the way in; to download, its pages' sources."""
    listed = set(tool.pages(ROOT))
    assert published(ROOT / "_build" / "html") == (listed | {"search", "index"}, listed)


@pytest.mark.long
def test_a_page_taken_out_is_gone(book):
    notebook(book / "solution.ipynb", cell("the answer"))
    notebook(book / "second.ipynb", cell())
    contents(book, "good", "second")
    code, said = run(book)
    assert code == 0, said
    assert "index.html" in said and "make serve" in said
    assert published(book / "_build" / "html")[1] == {"intro", "good", "second"}
    contents(book, "good")
    code, said = run(book)
    assert code == 0, said
    pages, sources = published(book / "_build" / "html")
    assert (pages, sources) == ({"intro", "good", "search", "index"}, {"intro", "good"})
    everything = [path for path in (book / "_build" / "html").rglob("*") if path.is_file()]
    assert not [path for path in everything if b"the answer" in path.read_bytes()]
    assert "second.html" not in (book / "_build" / "html" / "good.html").read_text()


@pytest.mark.long
def test_a_warning_stops_it_and_goes_on_stopping_it(book):
    """All that is wrong is said; and the second try fails too, though no page has changed."""
    (book / "intro.md").write_text(
        "# Intro\n\n[there](nowhere.md)\n\n$\\unknown$ and $\\frac{1}{$\n"
    )
    for _ in range(2):
        code, said = run(book)
        assert code != 0
        for reason in ("nowhere", "\\unknown", "in the formula: \\frac{1}{", "intro.md"):
            assert reason in said, said
        assert not (book / "_build" / "html").exists()


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "alpha=2", "traceback": []}
STDERR = {"output_type": "stream", "name": "stderr", "text": ["a warning"]}


@pytest.mark.parametrize(
    "cells, reason",
    [
        ([cell(), cell("raise", 2, [ERROR])], "cell 2: raises ValueError: alpha=2"),
        ([cell(), cell("1 + 1", None, [])], "cell 2: never run"),
        ([cell("x = 1", 1, []), cell("x + 1", 2, [])], "no code cell has a stored output"),
        ([cell("warn()", 1, [STDERR])], "writes to stderr: a warning"),
    ],
)
def test_a_faulty_notebook_stops_it(tool, book, capsys, cells, reason):
    notebook(book / "good.ipynb", *cells)
    assert tool.build(book) == 1
    assert reason in capsys.readouterr().err
    assert not (book / "_build" / "html").exists()


def test_a_faulty_notebook_gives_a_failing_command(book):
    notebook(book / "good.ipynb", cell("raise", 1, [ERROR]))
    code, said = run(book)
    assert code == 1 and "good.ipynb, code cell 1: raises ValueError" in said


def test_a_missing_page_is_named(tool, book):
    contents(book, "good", "lost")
    with pytest.raises(FileNotFoundError, match="lists lost"):
        tool.build(book)
