"""Any course's tests: each cell gets the points that stock nbgrader gives it.

One assignment in all the styles that were found, and the one that `nbgrader quickstart` makes;
right work, wrong work, and what nobody touched.
"""

import json
import re
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.grading.small_courses import (
    CONFIG,
    check,
    grade,
    graded_cells,
    hand_in,
    manual,
    nbgrader,
    outcomes,
    read_only,
    rows,
    solution,
    task,
    write_notebook,
)
from tests.grading.styles import DATA, HELPER, PROGRAM, SETUP, STYLES, TOPICS

UNTOUCHED = "# YOUR CODE HERE\nraise NotImplementedError()"
QUICKLY_WRONG = {
    "squares": "def squares(n):\n    return [i ** 2 for i in range(n)]",
    "sum_of_squares": "def sum_of_squares(n):\n    return sum(i ** 2 for i in range(n + 1))",
}
LEARNERS = ("right", "wrong", "untouched")
SHORT_TRACEBACKS = "get_config().InteractiveShell.xmode = 'Minimal'\n"


def in_all_styles(root):
    """Two notebooks."""
    source = root / "source" / "styles"
    for name, topics in STYLES.items():
        cells = [read_only("setup", SETUP)]
        for topic in topics:
            cells.append(solution(topic.name, topic.right))
            cells.append(check(f"test-{topic.name}", topic.test, topic.points))
        cells += [manual(f"why-{name}"), task(f"survey-{name}")]
        write_notebook(source / f"{name}.ipynb", cells)
    (source / "data.csv").write_text(DATA)
    (source / "helper.py").write_text(HELPER)
    (source / "tell.sh").write_text(PROGRAM)
    (source / "tell.sh").chmod(0o755)
    nbgrader(root, "generate_assignment", "styles")
    for name, topics in STYLES.items():
        for learner in LEARNERS:
            answers = {topic.name: getattr(topic, learner, UNTOUCHED) for topic in topics}
            hand_in(root, learner, "styles", name, answers)


def quickstart(root):
    """What nbgrader makes for who begins: its model solution, mistakes, and the release."""
    # The command copies it, and then starts nbgrader five times, for names and a configuration.
    there = find_spec("nbgrader").submodule_search_locations[0]
    source = Path(there) / "docs" / "source" / "user_guide" / "source" / "ps1"
    shutil.copytree(source, root / "source" / "ps1")
    nbgrader(root, "generate_assignment", "ps1")
    for path in sorted((root / "release" / "ps1").glob("*.ipynb")):
        released = json.loads(path.read_text("utf-8"))["cells"]
        source = json.loads((root / "source" / "ps1" / path.name).read_text("utf-8"))["cells"]
        wrong = [{**cell, "source": QUICKLY_WRONG.get(name_of(cell), "")} for cell in released]
        for learner, cells in zip(LEARNERS, (source, wrong, released), strict=True):
            write_notebook(root / "submitted" / learner / "ps1" / path.name, cells)


def name_of(cell):
    """What nbgrader calls it."""
    return cell["metadata"].get("nbgrader", {}).get("grade_id")


@pytest.fixture(scope="module")
def courses(tmp_path_factory):
    """The course as stock nbgrader leaves it, and as `stridekit grade` does; what that told."""
    folder = tmp_path_factory.mktemp("styles")
    theirs, ours = folder / "theirs", folder / "ours"
    theirs.mkdir()
    (theirs / "nbgrader_config.py").write_text(CONFIG)
    in_all_styles(theirs)
    quickstart(theirs)
    shutil.copytree(theirs, ours)
    # Only points are compared: stock nbgrader need not colour a thousand lines of tracebacks.
    profile = folder / "ipython" / "profile_default"
    profile.mkdir(parents=True)
    (profile / "ipython_kernel_config.py").write_text(SHORT_TRACEBACKS)
    told = {}
    for assignment in ("styles", "ps1"):
        nbgrader(theirs, "autograde", assignment, IPYTHONDIR=str(profile.parent))
        done = grade(ours, assignment, "--json")
        assert done.returncode == 0, done.stderr
        told[assignment] = outcomes(done)
    return theirs, ours, told


def points(course):
    """By learner, assignment and cell."""
    found = {}
    for row in rows(course)["grade"]:
        learner, assignment = re.match(r"(\w+)'s (\w+),", row["notebook_id"]).groups()
        name = re.match(r"cell (\S+) of", row["cell_id"])[1]
        found[learner, assignment, name] = row["auto_score"]
    return found


def test_every_cell_gets_the_same_points(courses):
    """But where right work warns on stderr: that is no failure here."""
    expected, found = map(points, courses[:2])
    for topic in TOPICS:
        if topic.writes_to_stderr:
            key = "right", "styles", f"test-{topic.name}"
            assert (expected.pop(key), found.pop(key)) == (0, topic.points)
    assert len(expected) > 350
    assert found == expected


def test_they_are_worth_comparing(courses):
    """Right work gets all there is, wrong work does not."""
    found = points(courses[1])
    for topic in TOPICS:
        name = f"test-{topic.name}"
        assert found["right", "styles", name] == topic.points, name
        assert found["wrong", "styles", name] < topic.points, name
    assert found["right", "ps1", "sum_of_squares_uses_squares"] == 0.5
    assert found["wrong", "ps1", "sum_of_squares_uses_squares"] == 0
    assert {value for key, value in found.items() if key[:2] == ("untouched", "ps1")} <= {0, None}


def test_nobody_needs_a_human_for_a_test(courses):
    """Only for what a human grades in any case."""
    statuses = {each["status"] for told in courses[2].values() for each in told.values()}
    assert statuses == {"graded"}


HIDDEN = ("27000", "68921", "squared(61", "hidden_value", "7.5")


@pytest.mark.parametrize("learner", LEARNERS)
def test_hidden_parts_are_not_shown(courses, learner):
    """Neither what they ask, nor what they expect: in no output of a graded notebook."""
    for name in STYLES:
        cells = graded_cells(courses[1], learner, "styles", name).values()
        outputs = json.dumps([cell.get("outputs") for cell in cells])
        assert [each for each in HIDDEN if each in outputs] == []
    said = graded_cells(courses[1], "wrong", "styles", "judged")
    texts = {
        each: said[f"test-{each}"]["outputs"][0]["evalue"] for each in ("all-hidden", "no-function")
    }
    assert texts == {
        "all-hidden": "a hidden test fails.",
        "no-function": "name 'there' is not defined",
    }
