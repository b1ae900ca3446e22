"""What is the same to the letter is run once, and entered for everybody who handed it in."""

import json

import pytest

from stridekit_grading.grade import Grader
from stridekit_grading.machine import Answer
from tests.grading.small_courses import check, hand_in, make_course, solution

NAMES = ["ada", "bert", "cleo", "dora", "emil"]
# Each run of it prints something else.
RIGHT = "import os\nprint(os.urandom(8).hex())\ndef double(x):\n    return 2 * x"
WRONG = RIGHT.replace("2 * x", "x")


@pytest.fixture
def course(tmp_path):
    """Two notebooks each: all but dora have the same first one, and nobody else's second."""
    root = make_course(
        tmp_path / "course",
        "hw",
        {
            each: [solution("double", RIGHT), check("test-double", "assert double(2) == 4", 2)]
            for each in ("one", "two")
        },
    )
    for name in NAMES:
        hand_in(root, name, "hw", "one", {"double": WRONG if name == "dora" else RIGHT})
        hand_in(root, name, "hw", "two", {"double": f"# {name}\n{RIGHT}"})
    return root


def printed(root, name, notebook):
    path = root / "autograded" / name / "hw" / f"{notebook}.ipynb"
    cell = json.loads(path.read_text("utf-8"))["cells"][0]
    return "".join(cell["outputs"][0]["text"])


def graded(root, change=lambda runner: runner, **how):
    grader = Grader(root, "hw", jobs=2, **how)
    try:
        grader._runner = change(grader._runner)
        outcomes = {each.learner: each for each in grader.grade(grader.learners())}
        return outcomes, grader.facts.ran
    finally:
        grader.close()


def test_the_same_work_is_run_once(course):
    outcomes, ran = graded(course)
    assert sorted(outcomes) == NAMES
    assert {each.status for each in outcomes.values()} == {"graded"}
    assert ran == 2 + len(NAMES)
    same = {printed(course, name, "one") for name in NAMES if name != "dora"}
    assert len(same) == 1
    assert printed(course, "dora", "one") not in same
    assert len({printed(course, name, "two") for name in NAMES}) == len(NAMES)
    scores = {name: outcome.score for name, outcome in outcomes.items()}
    assert scores == {name: 2.0 if name == "dora" else 4.0 for name in NAMES}
    assert graded(course)[1] == 0
    outcomes, ran = graded(course, again=True)
    assert ran == 2 + len(NAMES)
    assert printed(course, "ada", "one") == printed(course, "emil", "one")
    assert printed(course, "ada", "one") not in same


class Losing:
    """A runner of whose answers some never come."""

    def __init__(self, runner, lost):
        self._runner, self._lost = runner, lost

    def __getattr__(self, name):
        return getattr(self._runner, name)

    def ended(self):
        """As its own, but for what is lost."""
        for task, answer in self._runner.ended():
            is_lost = (task.submission.learner, task.plan.name) == self._lost
            yield task, Answer(None) if is_lost else answer


def test_where_nothing_came_of_it_everybody_else_s_is_run(course):
    outcomes, ran = graded(course, lambda runner: Losing(runner, ("ada", "one")))
    assert outcomes["ada"].status == "needs a human"
    assert {outcomes[name].status for name in NAMES if name != "ada"} == {"graded"}
    assert ran == 2 + len(NAMES)
    # Next time it is run again, or rather known by now.
    outcomes, ran = graded(course)
    assert outcomes["ada"].status == "graded"
    assert ran == 0
