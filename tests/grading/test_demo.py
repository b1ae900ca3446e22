"""The class of the demo, graded by nbgrader itself: all six assignments."""

import re
import subprocess
import sys

import pytest

from stridekit.exercises import ASSIGNMENTS
from tests.notebooks.notebooks import ROOT

sys.path.insert(0, str(ROOT / "demo"))
import demo

MOST = {name: 5 * len(exercises) for name, exercises in ASSIGNMENTS.items()}


def run_demo(*arguments):
    """`python demo/demo.py` with these."""
    return subprocess.run(
        [sys.executable, str(ROOT / "demo" / "demo.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What `make demo` prints, and the course that it made."""
    course = tmp_path_factory.mktemp("demo") / "course"
    done = run_demo("--into", course)
    assert done.returncode == 0, done.stdout + done.stderr
    return course, done.stdout


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_who_got_what(graded, assignment):
    """Right work gets full marks, whatever its style; wrong work gets none."""
    head = re.search(rf"^{assignment}  .*$", graded[1], re.MULTILINE)[0].split()
    total = re.search(rf"^{assignment} total .*$", graded[1], re.MULTILINE)[0].split()
    points = dict(zip(head[1:], total[2:], strict=True))
    most = MOST[assignment]
    assert points == {
        "ada": f"{most}/{most}",
        "chen": f"{most}/{most}",
        "dora": f"0/{most}",
        "emil": f"0/{most}",
        "fatima": f"15/{most}",
        "hana": f"0/{most}",
    }


def test_every_function_has_its_line(graded):
    """In the order of the notebook."""
    lines = re.findall(r"^(\w+) +5/5 +5/5 +0/5 +0/5 +[05]/5 +0/5$", graded[1], re.MULTILINE)
    assert lines == [each.name for exercises in ASSIGNMENTS.values() for each in exercises]


@pytest.mark.parametrize(
    "reason",
    [
        "dora: - c_strides(",
        "not written yet: select, slice_dim, transpose, permute, unsqueeze, squeeze, diagonal",
        "isContiguous(t), with t of size",
        "- contiguous(t), with t of size",
    ],
)
def test_and_why(graded, reason):
    """In the learner's words, not in nbgrader's."""
    assert reason in " ".join(graded[1].split())


def test_feedback_pages_show_the_counterexample(graded):
    """Every learner gets one for each assignment, with the message and the picture."""
    course, printed = graded
    for assignment in ASSIGNMENTS:
        pages = {
            path.parent.parent.name: path.read_text("utf-8")
            for path in course.glob(f"feedback/*/{assignment}/*.html")
        }
        assert sorted(pages) == sorted(demo.CLASS)
        assert "rule: " in pages["dora"]
        assert re.search(r'alt="[^"]{60,}" src="data:image/svg', pages["dora"])
        assert pages["ada"].count("right on all") == 2 * len(ASSIGNMENTS[assignment])
        assert "(What it printed is not shown.)" in pages["chen"]
    assert f"Feedback pages: {course}" in printed


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


def test_a_failing_nbgrader_is_shown(tmp_path, capsys):
    """What it said, and which command it was."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    with pytest.raises(SystemExit, match="nbgrader autograde ps9 failed"):
        demo.nbgrader(tmp_path, "autograde", "ps9")
    assert "ERROR" in capsys.readouterr().out
