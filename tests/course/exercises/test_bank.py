"""Every solution of the bank, through its check: right ones pass, wrong ones are told why."""

from collections import Counter

import pytest

from stridekit_course import check
from stridekit_course.exercises import ASSIGNMENTS, EXERCISES, CheckFailed
from tests.course.exercises.bank import RIGHT, SOLUTIONS, WRONG


def not_written(*arguments):
    """The stub."""
    raise NotImplementedError


def test_there_are_enough_of_each():
    """At least 2 right ones and 4 wrong ones, one of them the usual mistake."""
    right = Counter(each.function for each in RIGHT)
    wrong = Counter(each.function for each in WRONG)
    usual = {each.function for each in WRONG if each.path.stem.startswith("wrong_usual")}
    for name in EXERCISES:
        assert right[name] >= 2, name
        assert wrong[name] >= 4, name
        assert name in usual
    homes = {each.name: psn for psn, exercises in ASSIGNMENTS.items() for each in exercises}
    assert {each.function: each.assignment for each in SOLUTIONS} == homes


@pytest.mark.parametrize("solution", RIGHT, ids=str)
@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
def test_right_work_passes(solution, hidden, capsys):
    """With one line, and nothing on stderr."""
    check(solution.function, solution.load(), hidden=hidden)
    printed = capsys.readouterr()
    assert printed.out.startswith(f"{solution.function}: right on all ")
    assert printed.out.count("\n") == 1
    assert printed.err == ""


@pytest.mark.parametrize("solution", WRONG, ids=str)
def test_wrong_work_is_told_why(solution):
    """With the fragments that it says itself that it must draw."""
    assert solution.draws
    with pytest.raises(CheckFailed) as failure:
        check(solution.function, solution.load())
    for fragment in solution.draws:
        assert fragment in str(failure.value)


@pytest.mark.parametrize("name", EXERCISES)
def test_a_stub_is_not_written_yet(name):
    """Neither wrong nor right."""
    with pytest.raises(CheckFailed, match=f"{name} is not written yet"):
        check(name, not_written)
