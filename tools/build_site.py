"""Build the book into _build/html, or say what is wrong with it and publish nothing.

Every chapter is looked at first: a stored error, a code cell that was never run, or
one without its outputs stops the build, since the site shows what is stored. Then
Jupyter Book builds with warnings as errors and every reference checked, into a folder
beside the site, which replaces it only when all went well. Pages that have not changed
are not read again, but every page is written, so nothing of an earlier build remains.

usage: python tools/build_site.py [the book's folder]
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
from pathlib import Path

from jupyter_book.sphinx import build_sphinx
from sphinx_external_toc.parsing import parse_toc_yaml

ROOT = Path(__file__).resolve().parents[1]


def pages(book: Path) -> list[str]:
    """The pages of ``_toc.yml``, as paths without an ending, in reading order."""
    site_map = parse_toc_yaml(book / "_toc.yml")
    return list(site_map)


def source(book: Path, page: str) -> Path:
    """The notebook or Markdown file of a page; FileNotFoundError if there is none."""
    for ending in (".ipynb", ".md"):
        path = book / (page + ending)
        if path.exists():
            return path
    raise FileNotFoundError(f"_toc.yml lists {page}, but there is no {page}.ipynb or .md")


def faults(notebook: Path) -> list[str]:
    """What is wrong with a notebook's stored outputs, a line each."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    code = [
        cell for cell in cells if cell["cell_type"] == "code" and "".join(cell["source"]).strip()
    ]
    found = []
    for number, cell in enumerate(code, start=1):
        where = f"{notebook.name}, code cell {number}"
        if cell["execution_count"] is None:
            found.append(f"{where}: never run; run `make notebooks`")
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                found.append(f"{where}: raises {output['ename']}: {output['evalue']}")
            if output["output_type"] == "stream" and output["name"] == "stderr":
                found.append(f"{where}: writes to stderr: {''.join(output['text']).strip()[:200]}")
    if code and not any(cell["outputs"] for cell in code):
        found.append(f"{notebook.name}: no code cell has a stored output; run `make notebooks`")
    return found


def machinery(book: Path) -> str:
    """A digest of all that shapes every page: configuration, extensions, pins."""
    digest = hashlib.sha256()
    shapes = [book / "_config.yml", book / "_toc.yml"]
    shapes += sorted(
        path for path in (book / "_ext").rglob("*") if path.suffix in (".py", ".js", ".html")
    )
    shapes += [ROOT / "requirements.txt", ROOT / "constraints.txt"]
    for path in shapes:
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


FRONT = """<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="refresh" content="0; url={first}">
  <link rel="icon" href="_static/favicon.svg">
  <title>{first}</title>
</head>
<body><main><a href="{first}">The book begins here.</a></main></body>
</html>
"""


def build(book: Path) -> int:
    """Build the site of the book in ``book``; 0 if it is published, 1 if not."""
    wrong = [
        line
        for page in pages(book)
        if (path := source(book, page)).suffix == ".ipynb"
        for line in faults(path)
    ]
    if wrong:
        print("Not built. Stored outputs are wrong:", *wrong, sep="\n  ", file=sys.stderr)
        return 1

    out, new, doctrees = (book / "_build" / name for name in ("html", "next", ".doctrees"))
    stamp = book / "_build" / "machinery"
    digest = machinery(book)
    if not stamp.exists() or stamp.read_text() != digest:
        shutil.rmtree(doctrees, ignore_errors=True)
    shutil.rmtree(new, ignore_errors=True)
    result = build_sphinx(
        book,
        new,
        path_config=book / "_config.yml",
        noconfig=True,
        doctreedir=doctrees,
        confoverrides={
            "external_toc_path": str(book / "_toc.yml"),
            "latex_individualpages": False,
            "nitpicky": True,
        },
        force_all=True,
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    if result != 0:
        # A warning is given once, on reading: read again next time, or it would pass.
        shutil.rmtree(doctrees, ignore_errors=True)
        print("Not built: see the warnings above.", file=sys.stderr)
        return 1
    # jupyter-book's own index.html has no title, language or icon.
    (new / "index.html").write_text(FRONT.format(first=pages(book)[0] + ".html"), encoding="utf-8")
    stamp.write_text(digest)
    shutil.rmtree(out, ignore_errors=True)
    new.rename(out)
    print(
        f"The book is built. Open {out / 'index.html'},\n"
        "or run `make serve` (search needs a server)."
    )
    return 0


if __name__ == "__main__":
    sys.exit(build(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT))
