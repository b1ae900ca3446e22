"""The class of the demo, graded by nbgrader itself: all six assignments."""

import re
import subprocess
import sys

import pytest

from stridekit_course.exercises import ASSIGNMENTS
from tests import warm
from tests.course.notebooks.notebooks import ROOT
from tests.grading.class_of_demo import demo

MOST = {name: 5 * len(exercises) for name, exercises in ASSIGNMENTS.items()}


# The same, but for the commands that it calls.
WARM = f"""
import sys
sys.path.insert(0, {str(ROOT / "demo")!r})
import demo
demo.NBGRADER, demo.STRIDEKIT = ["nbgrader"], ["stridekit"]
sys.exit(demo.main())
"""


def run_demo(*arguments, how=(str(ROOT / "demo" / "demo.py"),)):
    """`python demo/demo.py` with these."""
    return subprocess.run(
        [sys.executable, *how, *map(str, arguments)],
        env=warm.environment(),
        capture_output=True,
        text=True,
        check=False,
    )


# The whole class takes its time, so it hands in one assignment; of the others there is right
# work and wrong work.
WHOLE_CLASS = "ps3"
FEW = ["ada", "dora"]


def class_of(assignment):
    """Who hands it in."""
    return [*demo.CLASS] if assignment == WHOLE_CLASS else FEW


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What `make demo` prints, and for each assignment the course that it made."""
    whole, few = (tmp_path_factory.mktemp("demo") / "course" for _ in range(2))
    others = [name for name in ASSIGNMENTS if name != WHOLE_CLASS]
    runs = [
        run_demo("--into", whole, WHOLE_CLASS, how=("-c", WARM)),
        run_demo("--into", few, "--learners", ",".join(FEW), *others, how=("-c", WARM)),
    ]
    for done in runs:
        assert done.returncode == 0, done.stdout + done.stderr
    courses = {name: whole if name == WHOLE_CLASS else few for name in ASSIGNMENTS}
    return courses, "".join(done.stdout for done in runs)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_who_got_what(graded, assignment):
    """Right work gets full marks, whatever its style; wrong work gets none."""
    head = re.search(rf"^{assignment}  .*$", graded[1], re.MULTILINE)[0].split()
    total = re.search(rf"^{assignment} total .*$", graded[1], re.MULTILINE)[0].split()
    points = dict(zip(head[1:], total[2:], strict=True))
    most = MOST[assignment]
    right = {"ada": most, "chen": most, "fatima": 15}
    assert points == {name: f"{right.get(name, 0)}/{most}" for name in class_of(assignment)}


def test_every_function_has_its_line(graded):
    """In the order of the notebook."""
    for name, exercises in ASSIGNMENTS.items():
        rest = " +5/5 +0/5 +0/5 +[05]/5 +0/5" if name == WHOLE_CLASS else " +0/5"
        text = graded[1][graded[1].index(f"\n{name}  ") :]
        lines = re.findall(rf"^(\w+) +5/5{rest}$", text, re.MULTILINE)
        assert lines[: len(exercises)] == [each.name for each in exercises]


@pytest.mark.parametrize(
    "reason",
    [
        "dora: - c_strides(",
        "not written yet: isContiguous",
        "isContiguous(tensor), with tensor of size",
        "- contiguous(tensor), with tensor of size",
    ],
)
def test_and_why(graded, reason):
    """In the learner's words, not in nbgrader's."""
    assert reason in " ".join(graded[1].split())


def test_feedback_pages_show_the_counterexample(graded):
    """Every learner gets one for each assignment, with the message and the picture."""
    courses, printed = graded
    for assignment, course in courses.items():
        pages = {
            path.parent.parent.name: path.read_text("utf-8")
            for path in course.glob(f"feedback/*/{assignment}/*.html")
        }
        assert sorted(pages) == sorted(class_of(assignment))
        assert "<dt>Rule</dt>" in pages["dora"]
        pictures = {name: page.count('src="data:image/svg') for name, page in pages.items()}
        assert re.search(r'alt="[^"]{60,}"[^>]* src="data:image/svg', pages["dora"])
        # Those of what went wrong.
        assert pictures["dora"] > pictures["ada"]
        assert pages["ada"].count("right on all") == 2 * len(ASSIGNMENTS[assignment])
        assert f"Feedback pages: {course}" in printed
        if "chen" in pages:
            assert "(What it printed is not shown.)" in pages["chen"]


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    """Exit status 1, one sentence, nothing lost."""
    (tmp_path / "thesis.txt").write_text("mine")
    done = run_demo("--into", tmp_path)
    assert done.returncode == 1
    assert "is not empty, and nothing in it is overwritten" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_an_unknown_assignment_is_named():
    """With those that there are."""
    done = run_demo("ps7")
    assert done.returncode == 1
    assert "there is no assignment 'ps7'. There are: ps1, ps2, ps3, ps4, ps5, ps6." in done.stderr


def test_an_unknown_learner_is_named():
    """With those that there are."""
    done = run_demo("--learners", "ada,zoe")
    assert done.returncode == 1
    assert "there is no learner 'zoe'. There are: ada, chen," in done.stderr


def test_a_failing_nbgrader_is_shown(tmp_path, capsys):
    """What it said, and which command it was."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    with pytest.raises(SystemExit, match="nbgrader autograde ps9 failed"):
        demo.nbgrader(tmp_path, "autograde", "ps9")
    assert "ERROR" in capsys.readouterr().out
