"""release/ is what nbgrader makes of source/, and gives nothing away."""

import shutil

import nbformat
import pytest
from nbgrader.preprocessors import Execute
from nbgrader.validator import Validator
from traitlets.config.loader import PyFileConfigLoader

from tests.course.notebooks.notebooks import RELEASES, ROOT, SOURCES, WarmKernels, name
from tests.grading.small_courses import nbgrader


class WarmExecute(Execute):
    """As nbgrader executes a notebook, but for where its kernel comes from."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, kernel_manager_class=WarmKernels, **options)


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    """A course elsewhere, with every assignment generated anew."""
    course = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    shutil.copytree(ROOT / "source", course / "source")
    for assignment in sorted((course / "source").iterdir()):
        nbgrader(course, "generate_assignment", assignment.name)
    return course / "release"


def files(folder):
    """Every file below, with its bytes."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    }


def test_release_is_generated_from_source(generated):
    """Byte for byte. If this fails: nbgrader generate_assignment psN --force, and commit."""
    assert files(ROOT / "release") == files(generated)


def hidden_lines(path):
    """The lines of a source notebook that learners must not see."""
    lines, inside = set(), False
    for cell in nbformat.read(path, as_version=4).cells:
        for line in cell.source.splitlines():
            if "### BEGIN" in line:
                inside = True
            elif "### END" in line:
                inside = False
            elif inside:
                lines.add(line.strip())
    # What stands in plain sight elsewhere, such as `return True`, gives nothing away.
    return {line for line in lines if len(line) > 12}


@pytest.mark.parametrize("path", RELEASES, ids=name)
def test_nothing_of_solutions_or_hidden_tests_is_in_it(path):
    """Not one line."""
    source = ROOT / "source" / path.parent.name / path.name
    hidden = hidden_lines(source)
    assert len(hidden) > 10
    text = path.read_text("utf-8")
    assert [line for line in hidden if line in text] == []
    assert "hidden=True" not in text
    assert "BEGIN" not in text


def test_every_assignment_is_released():
    """One release for each source."""
    assert [name(path) for path in RELEASES] == [name(path) for path in SOURCES]


@pytest.mark.parametrize("path", RELEASES, ids=name)
def test_functions_are_stubs_and_tests_are_locked(path):
    """What a learner may and may not change."""
    for cell in nbformat.read(path, as_version=4).cells:
        grading = cell.metadata.get("nbgrader")
        if grading and grading.solution:
            assert cell.source.endswith("# YOUR CODE HERE\n    raise NotImplementedError()")
        elif grading:
            assert cell.metadata.editable is False
            assert cell.metadata.deletable is False


@pytest.mark.parametrize("path", RELEASES, ids=name)
def test_validating_an_untouched_release_says_what_is_not_written(path, tmp_path):
    """`nbgrader validate`, as the Validate button calls it: on a copy, in a folder of its own."""
    shutil.copy(path, tmp_path)
    config = PyFileConfigLoader("nbgrader_config.py", path=str(ROOT)).load_config()
    validator = Validator(config=config)
    steps = validator.preprocessors
    assert Execute in steps
    validator.preprocessors = [WarmExecute if each is Execute else each for each in steps]
    failed = validator.validate(str(tmp_path / path.name))["failed"]
    functions = [
        cell.metadata.nbgrader.grade_id
        for cell in nbformat.read(path, as_version=4).cells
        if "nbgrader" in cell.metadata and cell.metadata.nbgrader.solution
    ]
    said = [cell["error"] for cell in failed]
    assert len(said) == len(functions)
    for function, error in zip(functions, said, strict=True):
        assert f"{function} is not written yet" in error
