"""Every solution of the bank, through its check: right ones pass, wrong ones are told why.

So are the mistakes that the exercises themselves know.
"""

from collections import Counter

import pytest

from stridekit_course import check
from stridekit_course.checks.engine import check as run_check
from stridekit_course.checks.exercise import SEED
from stridekit_course.exercises import ASSIGNMENTS, EXERCISES, CheckFailed
from tests.bank import solutions
from tests.course.checks.ours import OneOfOurs

RIGHT = [each for each in solutions() if each.kind == "right"]
# The visible check of one that goes the long way is the same way, and shorter.
QUICK = [each for each in RIGHT if not each.title.startswith("slow ")]
WRONG = [each for each in solutions() if each.kind != "right"]
MISTAKES = [
    pytest.param(exercise, number, id=f"{name} {number}")
    for name, exercise in EXERCISES.items()
    for number in range(len(exercise.mistakes))
]


def not_written(*arguments):
    """The stub."""
    raise NotImplementedError


def test_there_are_enough_of_each():
    """At least 2 right ones and 4 wrong ones, one of them the usual mistake."""
    right = Counter(each.function for each in RIGHT)
    wrong = Counter(each.function for each in WRONG)
    usual = {each.function for each in WRONG if each.kind == "wrong, usual"}
    for name, exercise in EXERCISES.items():
        assert right[name] >= 2, name
        assert wrong[name] + len(exercise.mistakes) >= 4, name
        assert name in usual
    assert len({*map(str, solutions())}) == len(solutions())
    homes = {each.name: psn for psn, exercises in ASSIGNMENTS.items() for each in exercises}
    assert {each.function: each.assignment for each in solutions()} == homes


@pytest.mark.parametrize(
    ("solution", "hidden"),
    [
        pytest.param(each, hidden, id=f"{'hidden' if hidden else 'visible'}-{each}")
        for those, hidden in ((QUICK, False), (RIGHT, True))
        for each in those
    ],
)
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


class Twofold(OneOfOurs):
    """A known mistake: what it gives as a learner's function, it gives as that mistake too."""

    def __init__(self, mistake, known):
        super().__init__(mistake.function)
        self.known = known

    def run(self, cases, watch, *, closely=False):
        """The first cases of a batch, or all; or one, closely."""
        run = super().run(cases, watch, closely=closely)
        if not closely:
            self.known.update(enumerate(run.outcomes))
        return run


@pytest.mark.parametrize(("exercise", "place"), MISTAKES)
@pytest.mark.parametrize("hidden", [False, True], ids=["visible", "hidden"])
def test_every_known_mistake_draws_its_own_hint(exercise, place, hidden):
    """And none stands in another's light. A visible check runs it twice, and sees that it can."""
    mistake, function = exercise.mistakes[place], None
    if hidden:
        known = exercise.batch(hidden=True, seed=SEED).mistaken.setdefault(place, {})
        function = Twofold(mistake, known)
    with pytest.raises(CheckFailed) as failure:
        run_check(exercise, function or OneOfOurs(mistake.function), hidden=hidden)
    assert str(failure.value).split("hint: ")[1].splitlines()[0] == mistake.hint


@pytest.mark.parametrize("name", EXERCISES)
def test_a_stub_is_not_written_yet(name):
    """Neither wrong nor right."""
    with pytest.raises(CheckFailed, match=f"{name} is not written yet"):
        check(name, not_written)
