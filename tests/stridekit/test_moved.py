"""What was in this package before 0.2: whoever asks for it is told where it is now."""

import importlib
import sys

import pytest

import stridekit
from stridekit.moved import MovedError, place_now


@pytest.mark.parametrize(
    ("line", "place", "install"),
    [
        ("from stridekit import check", "stridekit_course.check", "stridekit-course"),
        ("from stridekit import draw, check", "stridekit_course.check", "stridekit-course"),
        ("from stridekit import my_progress", "stridekit_course.my_progress", "stridekit-course"),
        ("from stridekit.questions import ask, five", "stridekit_course", "stridekit-course"),
        ("from stridekit.exercises.quiz import answer", "stridekit_course", "stridekit-course"),
        ("import stridekit.checks.engine", "stridekit_course.checks", "stridekit-course"),
        ("import stridekit.records", "stridekit_course.progress", "stridekit-course"),
        ("from stridekit.exporting import for_a_page", "stridekit_course.exporting", ""),
    ],
)
def test_an_old_import_says_what_to_write(line, place, install):
    """As an ImportError with a sentence, and not as a bare one."""
    with pytest.raises(ImportError) as failure:
        exec(line, {})
    assert isinstance(failure.value, MovedError)
    assert f"is {place}" in str(failure.value)
    assert f"pip install {install}" in str(failure.value)


@pytest.mark.parametrize("name", ["check", "my_progress"])
def test_an_old_attribute_is_none_and_says_the_same(name):
    """So that hasattr answers, as it does of every module."""
    assert not hasattr(stridekit, name)
    assert name not in dir(stridekit)
    with pytest.raises(AttributeError, match=rf"stridekit_course\.{name} now: import it from"):
        getattr(stridekit, name)


def test_settings_that_make_do_without_the_grader_are_warned():
    """An nbgrader_config.py of 0.1 lets the import fail, and would grade unsealed."""
    with (
        pytest.warns(FutureWarning, match="stridekit.grading is stridekit_grading now"),
        pytest.raises(MovedError),
    ):
        importlib.import_module("stridekit.grading.autograde")


@pytest.mark.parametrize("name", ["stridekit.draw", "stridekit.nothing", "torch.check", "check"])
def test_nothing_is_said_of_anything_else(name):
    """What is still here, what never was, and what belongs to others."""
    assert place_now(name) == ""


def test_a_module_that_never_was_is_not_found():
    """As Python says it, and without a warning."""
    with pytest.raises(ModuleNotFoundError) as failure:
        importlib.import_module("stridekit.nothing")
    assert not isinstance(failure.value, MovedError)


def test_imported_again_it_answers_once():
    """A finder for each import of the package would stay for good."""
    before = len(sys.meta_path)
    importlib.reload(stridekit)
    assert len(sys.meta_path) == before
