"""Re-execute the chapters and store their outputs, touching only what changed.

Run as ``python tools/notebooks.py [paths...]``; ``make notebooks`` runs it on
``chapters/`` and ``appendices/``. Each notebook runs in a fresh kernel whose working directory is
the notebook's folder. What is stored is decided in `stored_form`, so that a second
run changes no byte. A notebook with a cell that raises is left as it was.
"""
import argparse
import asyncio
import contextlib
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbval.plugin import get_sanitize_patterns
from stored_form import keep_stored, normalise, store, text_of, with_palettes

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = [ROOT / "chapters", ROOT / "calculator.ipynb", ROOT / "appendices"]
SANITISE = ROOT / "tests" / "notebooks" / "sanitise.cfg"


class NotebookFailed(Exception):
    """A cell raised, timed out or killed its kernel, or the file is no notebook."""


def kernel_environment(folder):
    """The environment a chapter runs in: nothing of the user's own Python set-up."""
    env = {k: v for k, v in os.environ.items() if k not in ("MPLBACKEND", "MATPLOTLIBRC")}
    return env | {"IPYTHONDIR": str(folder)}


async def execute(notebook, path, *, timeout=300, extension=None, env=None):
    """Run every cell of `notebook` in a new kernel, in place, and return it.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
    path : pathlib.Path
        Where it is stored; the kernel works in this folder.
    timeout : float
        Seconds allowed per cell.
    extension : str, optional
        IPython extension (a module name) to load in the kernel first.
    env : dict of str, optional
        Added to the kernel's environment.

    Raises
    ------
    NotebookFailed
        A cell raised, ran out of time or killed the kernel.
    """
    # A traceback without colours can be read in a log; the kernel's own log
    # lines concern nobody here.
    arguments = ["--InteractiveShell.colors=nocolor", "--IPKernelApp.log_level=50"]
    if extension:
        arguments.append(f"--IPKernelApp.extensions={extension}")
    client = NotebookClient(
        notebook, timeout=timeout, kernel_name="python3", extra_arguments=arguments,
        resources={"metadata": {"path": str(path.parent)}}, force_raise_errors=True,
        record_timing=False, store_widget_state=False, coalesce_streams=True)
    running = 0

    def note(cell_index, **_):
        nonlocal running
        running = cell_index

    def leave_interrupts_to_python(**_):
        # nbclient's own handler swallows Ctrl-C and reports a dead kernel.
        with contextlib.suppress(NotImplementedError):  # no such handlers on Windows
            asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)

    client.on_cell_start = note
    client.on_notebook_start = leave_interrupts_to_python
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        try:
            await client.async_execute(env=kernel_environment(folder) | (env or {}))
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            code = sum(cell.cell_type == "code" for cell in notebook.cells[:running + 1])
            raise NotebookFailed(
                f"{path}: cell {running + 1} (code cell {code}) failed, "
                f"{type(error).__name__}:\n{error}") from None
    return notebook


async def rerun(path, **options):
    """The notebook stored at `path` and a fresh run of it, both normalised.

    Options as for `execute`, which says what is raised.
    """
    try:
        stored = normalise(nbformat.read(path, as_version=4))
    except nbformat.reader.NotJSONError:
        raise NotebookFailed(f"{path}: not a notebook, its JSON cannot be read") from None
    fresh = nbformat.from_dict(stored)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    return stored, normalise(await execute(fresh, path, **options))


def text_to_store(stored, fresh):
    """What the file should hold after `rerun`: `fresh`, with the stored bytes where equal.

    A picture that is not gets a palette; what is stored already stays as it is.
    """
    patterns = get_sanitize_patterns(SANITISE.read_text(encoding="utf-8"))
    fresh = with_palettes(nbformat.from_dict(fresh))
    return text_of(keep_stored(fresh, stored, patterns))


async def refresh(path, *, check=False, timeout=300):
    """Re-execute one notebook; store it unless `check`. True if it (would) change."""
    begin = time.perf_counter()
    text = text_to_store(*await rerun(path, timeout=timeout))
    changed = text.encode() != path.read_bytes()
    if changed and not check:
        store(path, text)
    state = "unchanged" if not changed else "would change" if check else "updated"
    print(f"{os.path.relpath(path)}: {state} ({time.perf_counter() - begin:.1f} s)", flush=True)
    return changed


async def refresh_all(paths, *, jobs=2, check=False, timeout=300):
    """`refresh` each path, `jobs` at a time. After a failure no other one starts.

    Returns the list of what `refresh` returned; raises the first failure.
    """
    waiting, changed, failures = list(paths), [], []

    async def work():
        while waiting and not failures:
            path = waiting.pop(0)
            try:
                changed.append(await refresh(path, check=check, timeout=timeout))
            except NotebookFailed as failure:
                failures.append(failure)

    await asyncio.gather(*(work() for _ in range(jobs)))
    if failures:
        raise failures[0]
    return changed


def notebooks_in(arguments):
    """The notebooks named by `arguments`: files, or folders searched one level deep."""
    found = []
    for argument in arguments:
        path = Path(argument).resolve()
        if path.is_dir():
            found += sorted(path.glob("*.ipynb"))
        elif path.is_file() and path.suffix == ".ipynb":
            found.append(path)
        else:
            raise ValueError(f"{argument}: no such notebook or folder")
    return found


def main(arguments=None):
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", default=FOLDERS,
                        help="notebooks or folders; default: chapters/, the calculator "
                             "and appendices/")
    parser.add_argument("--check", action="store_true",
                        help="write nothing; exit 1 if a notebook would change")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="notebooks at a time (2)")
    parser.add_argument("--timeout", type=float, default=300, help="seconds per cell (300)")
    options = parser.parse_args(arguments)
    if options.jobs < 1:
        parser.error(f"--jobs must be at least 1, got {options.jobs}")
    try:
        paths = notebooks_in(options.paths)
    except ValueError as error:
        parser.error(str(error))
    if not paths:
        parser.error("no notebooks found")
    try:
        changed = asyncio.run(refresh_all(
            paths, jobs=options.jobs, check=options.check, timeout=options.timeout))
    except NotebookFailed as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the notebooks that were running are as before.", file=sys.stderr)
        return 130
    return int(options.check and any(changed))


if __name__ == "__main__":
    sys.exit(main())
