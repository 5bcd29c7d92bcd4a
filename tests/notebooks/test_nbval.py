"""nbval, as the suite's own run of the chapters uses it, tells right from wrong.

The chapters themselves are collected by nbval in the same pytest run (pyproject.toml:
testpaths and addopts), one test per code cell.
"""
import subprocess
import sys
import tomllib

import nbformat
import nbformat.v4 as v4
import pytest

from .pages import ROOT

with open(ROOT / "pyproject.toml", "rb") as file:
    PYTEST = tomllib.load(file)["tool"]["pytest"]["ini_options"]

pytestmark = pytest.mark.xdist_group("nbval's verdicts")

# name -> what the cell is now, what an earlier run stored, how nbval must judge it
CASES = {
    "same": ("print(2 + 2)", "4\n", "PASSED"),
    "other": ("print(2 + 3)", "4\n", "FAILED"),
    "raises": ("print(4); 1 / 0", "4\n", "FAILED"),
    "silent": ("x = 4", "4\n", "FAILED"),
    "address": ("print(object())", "<object object at 0x7f0000000010>\n", "PASSED"),
}


def test_a_plain_run_of_pytest_holds_the_chapters():
    assert "chapters" in PYTEST["testpaths"]
    flags = PYTEST["addopts"].split()
    assert {"--nbval", "--nbval-current-env"} <= set(flags)
    [sanitise] = [flag for flag in flags if flag.startswith("--nbval-sanitize-with=")]
    assert (ROOT / sanitise.partition("=")[2]).is_file()


def test_one_worker_runs_a_whole_notebook(request):
    """xdist names the group in a test's id; some versions of pytest keep it from that."""
    if hasattr(request.config, "workerinput"):
        assert request.node.nodeid.endswith("@nbval's verdicts"), "run with --dist loadgroup"
        cells = [item for item in request.session.items if item.path.suffix == ".ipynb"]
        assert [cell.nodeid for cell in cells if "@nbval " not in cell.nodeid] == []


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory):
    """What a run of nbval with the suite's own flags says of each case."""
    folder = tmp_path_factory.mktemp("nbval")
    for name, (source, stored, _) in CASES.items():
        output = v4.new_output("stream", name="stdout", text=stored)
        cell = v4.new_code_cell(source, execution_count=1, outputs=[output])
        nbformat.write(v4.new_notebook(cells=[cell]), folder / f"{name}.ipynb")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "--color=no", "-p", "no:cacheprovider",
         "-c", ROOT / "pyproject.toml", folder], cwd=ROOT, capture_output=True, text=True)
    return done.stdout


@pytest.mark.parametrize("name", CASES)
def test_nbval_judges(verdicts, name):
    assert f"{name}.ipynb::Cell 0 {CASES[name][2]}" in verdicts, verdicts
