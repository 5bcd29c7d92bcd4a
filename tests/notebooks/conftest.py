"""One parameter per chapter, one worker per notebook."""
import matplotlib.font_manager  # noqa: F401  builds the font cache now; later it would warn in a cell
import pytest

from .pages import CHAPTERS, GOOD, read

collect_ignore = ["fixtures"]


def pytest_generate_tests(metafunc):
    """`chapter_path`: every chapter; `any_path`: the chapters and the good fixture too."""
    for name, paths in [("chapter_path", CHAPTERS), ("any_path", [GOOD, *CHAPTERS])]:
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, [
                pytest.param(path, id=path.stem, marks=pytest.mark.xdist_group(path.stem))
                for path in paths])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Keep the cells that nbval collects from one notebook together, in one kernel."""
    for item in items:
        if item.path.suffix == ".ipynb":
            item.add_marker(pytest.mark.xdist_group(f"nbval {item.path.stem}"))


@pytest.fixture
def any_chapter(any_path):
    return read(any_path)


@pytest.fixture
def good():
    """The chapter in fixtures/ that passes every check, to be spoilt by a test."""
    return read(GOOD)
