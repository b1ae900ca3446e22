"""Exercises are found by themselves: a module in an assignment's folder is one."""

import re
import sys
from math import prod
from pathlib import Path
from types import ModuleType

import pytest

from stridekit_course.checks.engine import check as run_check
from stridekit_course.exercises import ASSIGNMENTS, EXERCISES, CheckFailed, find

FOLDER = Path(sys.modules["stridekit_course.exercises"].__file__).parent


def test_each_module_with_an_exercise_is_found_in_its_place():
    """Their places are 1, 2, 3, ... and each module is called as its function."""
    for psn, exercises in ASSIGNMENTS.items():
        assert [each.place for each in exercises] == [*range(1, len(exercises) + 1)]
        modules = {re.sub("([A-Z])", r"_\1", each.name).lower() for each in exercises}
        holding = {
            path.stem
            for path in (FOLDER / psn).glob("*.py")
            if "\nEXERCISE = " in path.read_text("utf-8")
        }
        assert modules == holding


@pytest.mark.parametrize(
    "name", ["views", "headers", "is_contiguous", "", "ps1", "C_strides", "a.b"]
)
def test_what_is_no_exercise_is_not_found(name):
    """Modules that exercises share, and names in another spelling."""
    assert find(name) is None
    assert name not in EXERCISES


def test_the_exercise_in_contributing_works_as_it_is_printed(capsys):
    """It takes right work, and draws its hints for the mistakes that it knows."""
    guide = (FOLDER.parents[1] / "CONTRIBUTING.md").read_text("utf-8")
    code = re.search(r"^## Exercises\n.*?^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    printed = ModuleType("printed_exercise")
    exec(code[1], vars(printed))
    exercise = printed.EXERCISE
    for hidden in (False, True):
        run_check(exercise, lambda size: prod(size), hidden=hidden)
    assert capsys.readouterr().out.count("numel: right on all ") == 2
    for mistake in exercise.mistakes:
        with pytest.raises(CheckFailed) as failure:
            run_check(exercise, lambda size, wrong=mistake.function: wrong(size))
        assert mistake.hint in str(failure.value)
