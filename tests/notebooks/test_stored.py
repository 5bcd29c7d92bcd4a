"""What is stored is complete, in order, and what a fresh run stores again."""
import asyncio
import re
import shutil
import subprocess
import sys

import nbformat
import nbformat.v4 as v4
import notebooks
import pytest
from stored_form import WIDGET_VIEW, normalise, text_of

from .fresh import in_a_thread, run
from .pages import CHAPTERS, GOOD, ROOT, lines


def incomplete(chapter):
    """What a reader of the site would miss: a line for every fault in the stored outputs."""
    found = []
    for number, cell in enumerate(chapter.code, start=1):
        where = f"code cell {number}"
        if not cell.source.strip():
            found.append(f"{where} is empty")
        if cell.execution_count is None:
            found.append(f"{where} has no execution count")
        elif cell.execution_count != number:
            found.append(f"{where} is counted [{cell.execution_count}]")
        for output in cell.outputs:
            if output.output_type == "error":
                found.append(f"{where} holds an error: {output.ename}")
            if output.get("name") == "stderr":
                found.append(f"{where} writes to stderr: {output.text.strip()[:60]}")
            if WIDGET_VIEW in output.get("data", {}):
                found.append(f"{where} holds a widget view, which shows nothing on the site")
        if not cell.outputs and re.search(r"^(print|display|plt\.show)\(", cell.source, re.M):
            found.append(f"{where} shows something but has no output")
    if chapter.code and not any(cell.outputs for cell in chapter.code):
        found.append("no output is stored")
    return found


def test_there_are_chapters():
    """Without chapters every check below would pass on nothing.

    Fails on a branch that has none yet; never skip it.
    """
    assert CHAPTERS, "chapters/*.ipynb: none found"


def test_outputs_are_complete(any_chapter):
    faults = incomplete(any_chapter)
    assert not faults, lines(faults)


def test_a_fresh_run_changes_no_byte(any_path):
    fresh = run(any_path)
    text = notebooks.text_to_store(fresh.stored, fresh.fresh)
    assert text == any_path.read_text(encoding="utf-8"), "run `make notebooks` and look at the diff"


def clear(chapter):
    for cell in chapter.code:
        cell.outputs, cell.execution_count = [], None


def skip_a_count(chapter):
    chapter.code[1].execution_count += 1


def clear_one(chapter):
    chapter.code[1].outputs = []


def add(output):
    return lambda chapter: chapter.code[1].outputs.append(output)


@pytest.mark.parametrize("spoil, said", [
    (clear, "no output is stored"), (clear, "code cell 1 has no execution count"),
    (skip_a_count, "counted [3]"), (clear_one, "shows something but has no output"),
    (add(v4.new_output("error", ename="ZeroDivisionError", evalue="")), "ZeroDivisionError"),
    (add(v4.new_output("stream", name="stderr", text="Warning: slow")), "Warning: slow"),
    (add(v4.new_output("display_data", {WIDGET_VIEW: {"model_id": "1"}})), "widget view"),
])
def test_incomplete_outputs_are_caught(good, spoil, said):
    spoil(good)
    assert said in "\n".join(incomplete(good))


# -- tools/notebooks.py -------------------------------------------------------------

@pytest.fixture
def copy(tmp_path):
    """A copy of the good chapter to run the command on."""
    return shutil.copy(GOOD, tmp_path / "copy.ipynb")


def test_command_leaves_an_unchanged_notebook_alone(copy, capsys):
    before, written = copy.read_bytes(), copy.stat().st_mtime_ns
    assert in_a_thread(notebooks.main, [str(copy)]) == 0
    assert "copy.ipynb: unchanged" in capsys.readouterr().out
    assert copy.read_bytes() == before
    assert copy.stat().st_mtime_ns == written


def test_command_brings_a_notebook_from_an_editor_into_stored_form(copy, capsys):
    """Random ids, counts out of order, widget views, timings and old text are put right."""
    notebook = nbformat.read(copy, as_version=4)
    notebook.metadata.language_info.version = "3.99"
    for number, cell in enumerate(notebook.cells):
        cell.id = f"{number:08x}"
        cell.metadata["execution"] = {"iopub.execute_input": "2020-01-01T00:00:00Z"}
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code[1].execution_count, code[1].outputs[0].text = 7, "one pass: 1.00 ms\n"
    code[3].outputs[0].data[WIDGET_VIEW] = {"model_id": "0123"}
    nbformat.write(notebook, copy)
    before = copy.read_bytes()
    assert in_a_thread(notebooks.main, ["--check", str(copy)]) == 1
    assert "would change" in capsys.readouterr().out
    assert copy.read_bytes() == before
    assert in_a_thread(notebooks.main, [str(copy)]) == 0
    assert copy.read_bytes() == GOOD.read_bytes()


def test_a_cell_is_folded_in_jupyterlab_where_the_site_folds_it(good):
    folded, shown = good.code[:2]
    folded.metadata.tags = ["hide-cell"]
    shown.metadata.jupyter = {"source_hidden": True}  # folded by whoever edited last
    normalise(good.notebook)
    assert folded.metadata.jupyter == {"outputs_hidden": True, "source_hidden": True}
    assert "jupyter" not in shown.metadata


def test_a_raising_cell_stops_with_its_place_and_leaves_the_file(tmp_path):
    """The command as a reader runs it, with its exit status and what it says."""
    path = tmp_path / "raises.ipynb"
    nbformat.write(v4.new_notebook(cells=[
        v4.new_code_cell("print('stored')"), v4.new_markdown_cell("Text."),
        v4.new_code_cell("batch = 0\n1 / batch")]), path)
    before = path.read_bytes()
    done = subprocess.run([sys.executable, ROOT / "tools" / "notebooks.py", path],
                          capture_output=True, text=True)
    assert done.returncode == 1
    for part in ("raises.ipynb", "cell 3 (code cell 2)", "ZeroDivisionError", "----> 2 1 / batch"):
        assert part in done.stderr
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["raises.ipynb"]


def test_after_a_failure_no_other_notebook_starts(tmp_path):
    names = ["a.ipynb", "b.ipynb", "c.ipynb"]
    for name in names:
        source = "raise SystemError" if name == "a.ipynb" else "x = 1"
        nbformat.write(v4.new_notebook(cells=[v4.new_code_cell(source)]), tmp_path / name)
    with pytest.raises(notebooks.NotebookFailed, match=r"(?s)a.ipynb: cell 1 .*SystemError"):
        paths = [tmp_path / name for name in names]
        in_a_thread(asyncio.run, notebooks.refresh_all(paths, jobs=1))
    assert nbformat.read(tmp_path / "c.ipynb", as_version=4).cells[0].execution_count is None


def test_no_such_notebook_is_a_usage_error(tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        notebooks.main([str(tmp_path / "absent.ipynb")])
    assert stop.value.code == 2
    assert "absent.ipynb: no such notebook" in capsys.readouterr().err


def test_ids_of_hand_made_cells_last():
    """An id given by hand stays; a random one becomes one that follows from the source."""
    def cells():
        return [v4.new_code_cell("x = 1", id="setup"), v4.new_code_cell("x = 1"),
                v4.new_code_cell("x = 1")]
    first, second = (normalise(v4.new_notebook(cells=cells())) for _ in range(2))
    assert text_of(first) == text_of(second)
    ids = [cell.id for cell in first.cells]
    assert ids[0] == "setup" and ids[2] == ids[1] + "-2"
    first.cells[1].source = "x = 2"
    assert [cell.id for cell in normalise(first).cells] == ids


def test_nothing_of_an_interrupted_write_is_left(tmp_path, monkeypatch):
    path = tmp_path / "kept.ipynb"
    path.write_text("old")

    def interrupt(*_):
        raise KeyboardInterrupt
    monkeypatch.setattr("stored_form.os.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        notebooks.store(path, "new")
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]
