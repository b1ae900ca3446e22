"""Work that writes to stderr is graded by what it does, not by what it says.

nbgrader gives 0 to a test cell with anything on stderr. The configuration moves it.
"""

import nbformat
import pytest
from nbgrader.validator import Validator
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

from tests.course.notebooks.notebooks import ROOT

LOUD = {
    "warns": "import warnings; warnings.warn('slow')",
    "logs": "import logging; logging.warning('slow')",
    # A thread of the kernel reads it: what it reads after the end of the cell is not a cell's.
    "writes-like-c": "import os, time; os.write(2, b'slow'); time.sleep(1)",
}
WRONG = "assert 1 == 2, 'a mistake is still a mistake'"


def graded(name, source):
    """A test cell worth a point."""
    cell = nbformat.v4.new_code_cell(source, id=name)
    cell.metadata.nbgrader = {
        "grade": True,
        "grade_id": name,
        "locked": True,
        "points": 1,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return cell


def failed(path, config):
    """The sources of the cells that nbgrader's validation counts as failed."""
    with pytest.MonkeyPatch.context() as patch:
        # A kernel that sees this variable does not listen to what C libraries write.
        patch.delenv("PYTEST_CURRENT_TEST")
        results = Validator(config=config).validate(str(path))
    return [cell["source"] for cell in results.get("failed", [])]


@pytest.fixture
def notebook(tmp_path):
    """Three loud cells that are right, and a quiet one that is wrong."""
    path = tmp_path / "loud.ipynb"
    cells = [graded(name, source) for name, source in {**LOUD, "wrong": WRONG}.items()]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_loud_right_work_passes_and_wrong_work_does_not(notebook):
    """With the configuration that every course of ours has."""
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    assert failed(notebook, config) == [WRONG]


def test_without_the_configuration_it_gets_nothing(notebook):
    """So that the test above can fail."""
    assert failed(notebook, Config()) == [*LOUD.values(), WRONG]
