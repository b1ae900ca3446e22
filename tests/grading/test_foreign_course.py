"""An assignment of another course, with plain asserts, and nothing of stridekit in it.

Right work gets full marks, or a human looks, with a clear sentence; it is never a plain 0.
Wrong work gets 0, or a human looks; it never gets full marks.
"""

import pytest

from tests.grading.foreign_topics import ALWAYS, ASKED, DATA, SETUP, TOPICS
from tests.grading.small_courses import (
    cell,
    check,
    grade,
    graded_cells,
    hand_in,
    make_course,
    outcomes,
    read_only,
    solution,
)

AGREEABLE = [(kind, asked) for kind in ALWAYS for asked in ASKED]


# What each way of asking takes for right: without it, tests that fail for all would pass below.
ANSWERS = {"plain": "9", "in-a-list": "[9]", "in-a-tensor": "torch.tensor(9.0)"}
RIGHT = {**dict.fromkeys(ASKED, "plain"), "close": "in-a-tensor", "has": "in-a-list"}


def cells_of_topics():
    """One notebook with all of them."""
    cells = [cell("# Exercises", "markdown"), read_only("setup", SETUP)]
    for topic in TOPICS:
        cells += [
            solution(topic.name, topic.right),
            check(f"test-{topic.name}", topic.test, topic.points),
        ]
    return cells


def cells_of_agreement():
    """One notebook with one function, asked in many ways."""
    cells = [read_only("setup", SETUP), solution("nine", "def nine():\n    return 9")]
    return [*cells, *(check(name, source) for name, source in ASKED.items())]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The course after `stridekit grade`, and what it told of each learner."""
    root = make_course(tmp_path_factory.mktemp("foreign"), "hw", {"topics": cells_of_topics()})
    (root / "source" / "hw" / "data.csv").write_text(DATA)
    for learner in ("right", "wrong"):
        answers = {topic.name: getattr(topic, learner) for topic in TOPICS}
        hand_in(root, learner, "hw", "topics", answers)
    hand_in(root, "nothing", "hw", "topics", {})
    done = grade(root, "hw", "--json")
    assert done.returncode == 0, done.stderr
    return root, outcomes(done)


@pytest.fixture(scope="module")
def agreeable(tmp_path_factory):
    """What was told of those whose answers agree with everything."""
    root = make_course(tmp_path_factory.mktemp("agreeable"), "hw", {"nine": cells_of_agreement()})
    for kind, answer in ANSWERS.items():
        hand_in(root, kind, "hw", "nine", {"nine": f"def nine():\n    return {answer}"})
    for kind, source in ALWAYS.items():
        hand_in(root, kind, "hw", "nine", {"nine": f"{source}\ndef nine():\n    return Yes()"})
    done = grade(root, "hw", "--json")
    assert done.returncode == 0, done.stderr
    return outcomes(done)


def said_by(course, learner, topic):
    """What the test cell of a graded notebook shows."""
    outputs = graded_cells(course[0], learner, "hw", "topics")[f"test-{topic.name}"]["outputs"]
    return "\n".join(each.get("evalue", each.get("text", "")) for each in outputs)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_right_work(course, topic):
    """Full marks; or a sentence for the human who must look."""
    points = course[1]["right"]["cells"][f"test-{topic.name}"]
    said = said_by(course, "right", topic)
    if topic.human:
        assert points is None, said
        assert said.startswith("A human must look at this test: ")
        assert topic.human in said
    else:
        assert points == topic.points, said


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_wrong_work(course, topic):
    """Nothing; only where right work needs a human, wrong work may need one."""
    points = course[1]["wrong"]["cells"][f"test-{topic.name}"]
    may_need_human = topic.human or topic.wrong_needs_human
    assert points == 0 or (may_need_human and points is None), said_by(course, "wrong", topic)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_no_work(course, topic):
    """A notebook that nobody touched is a plain 0."""
    assert course[1]["nothing"]["cells"][f"test-{topic.name}"] == 0


def test_statuses(course):
    """Only who needs a human is said to."""
    assert course[1]["nothing"]["status"] == "graded"
    assert course[1]["nothing"]["points"] == 0
    assert course[1]["right"]["status"] == "needs a human"
    undecided = [topic.name for topic in TOPICS if topic.human]
    reasons = [f"test-{name} cannot be decided by a machine" for name in undecided]
    assert course[1]["right"]["reasons"] == reasons


def test_hidden_tests_are_not_shown(course):
    """Neither what they ask, nor what they expect."""
    (hidden,) = (topic for topic in TOPICS if topic.name == "hidden")
    assert said_by(course, "wrong", hidden) == "AssertionError: a hidden test fails."
    outputs = graded_cells(course[0], "wrong", "hw", "topics")["test-hidden"]["outputs"]
    assert "27000" not in str(outputs)


@pytest.mark.parametrize("asked", ASKED)
def test_answers_that_are_right(agreeable, asked):
    """They get points from the same tests."""
    assert agreeable[RIGHT[asked]]["cells"][asked] == 1


@pytest.mark.parametrize(("kind", "asked"), AGREEABLE)
def test_answers_that_agree_with_everything(agreeable, kind, asked):
    """They never get points."""
    assert not agreeable[kind]["cells"][asked]
