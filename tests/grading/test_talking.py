"""Right work that talks while it is checked, in the sealed grader: it is right all the same."""

import inspect

from stridekit_course.exercises import EXERCISES
from stridekit_grading.grade import Grader
from tests.bank import solutions
from tests.course.checks import talking
from tests.grading.small_courses import check, hand_in, make_course, solution

# That it is so for each exercise, tests/course/checks/test_talking.py says. In a notebook other
# streams are there, and a hidden check is asked in a second run.
SOME = [*EXERCISES][::5]
BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"


def test_exercises_are_passed_in_all_styles_of_talking(tmp_path):
    """By their first right solutions, in one notebook: visible checks and hidden ones."""
    cells = [solution("imports", "from stridekit_course import check"), solution("talking", "")]
    answers = {"imports": cells[0]["source"], "talking": inspect.getsource(talking)}
    for name in SOME:
        right = next(each for each in solutions(function=name) if each.kind == "right")
        hidden = f"{BEGIN}\ncheck.{name}({name}, hidden=True, seed=5)\n{END}"
        cells += [
            solution(name, f"def {name}(): pass"),
            check(f"{name}-hidden", hidden),
            check(f"{name}-visible", f"check.{name}({name})"),
        ]
        answers[name] = f"{right.code}\n\n{name} = talking({name}, *STYLES)"
    course = make_course(tmp_path / "course", "talk", {"all": cells})
    hand_in(course, "ada", "talk", "all", answers)
    grader = Grader(course, "talk", jobs=1)
    try:
        (graded,) = grader.grade(grader.learners())
    finally:
        grader.close()
    assert not [each for each in graded.tests.values() if each.detail]
    assert graded.status == "graded"
    assert {*graded.points.values()} == {1.0}
    assert len(graded.points) == 2 * len(SOME)
