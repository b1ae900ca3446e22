"""The class of the demo, graded by nbgrader itself."""

import re
import subprocess
import sys

import pytest

from tests.notebooks.notebooks import ROOT

sys.path.insert(0, str(ROOT / "demo"))
import demo


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What `make demo` prints, and the course that it made."""
    course = tmp_path_factory.mktemp("demo") / "course"
    done = subprocess.run(
        [sys.executable, str(ROOT / "demo" / "demo.py"), "--into", str(course)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return course, done.stdout


@pytest.mark.parametrize(
    ("learner", "points"),
    [
        ("ada", "5/5 5/5 10/10"),
        ("blaise", "5/5 5/5 10/10"),
        ("chen", "5/5 5/5 10/10"),
        ("dora", "0/5 0/5 0/10"),
        ("emil", "0/5 0/5 0/10"),
        ("fatima", "0/5 0/5 0/10"),
        ("goro", "0/5 0/5 0/10"),
        ("hana", "0/5 0/5 0/10"),
    ],
)
def test_who_got_what(graded, learner, points):
    """Right work gets full marks, whatever its style; wrong work gets none."""
    line = re.search(rf"^{learner} .*$", graded[1], re.MULTILINE)[0]
    assert line.split() == [learner, *points.split()]


@pytest.mark.parametrize(
    "reason",
    [
        "isContiguous(t), with t of size (1,), stride (0,), returned False; expected True.",
        "called Tensor.is_contiguous",
        "isContiguous is not written yet",
        "returned another tensor; expected t itself",
    ],
)
def test_and_why(graded, reason):
    """In the learner's words, not in nbgrader's."""
    assert reason in " ".join(graded[1].split())


def test_feedback_pages_show_the_counterexample(graded):
    """Every learner gets one, with the message and the picture."""
    course, printed = graded
    pages = {path.parent.parent.name: path for path in course.glob("feedback/*/ps3/*.html")}
    assert sorted(pages) == ["ada", "blaise", "chen", "dora", "emil", "fatima", "goro", "hana"]
    assert f"Feedback pages: {course}" in printed
    dora = pages["dora"].read_text("utf-8")
    assert "a dim of size 1 is never stepped along" in dora
    assert 'alt="Tensor t, size (1,), stride (0,)' in dora
    assert "isContiguous: right on all" in pages["ada"].read_text("utf-8")
    assert "(What it printed is not shown.)" in pages["chen"].read_text("utf-8")


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path):
    """Exit status 1, one sentence, nothing lost."""
    (tmp_path / "thesis.txt").write_text("mine")
    done = subprocess.run(
        [sys.executable, str(ROOT / "demo" / "demo.py"), "--into", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "is not empty, and nothing in it is overwritten" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_failing_nbgrader_is_shown(tmp_path, capsys):
    """What it said, and which command it was."""
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    with pytest.raises(SystemExit, match="nbgrader autograde ps9 failed"):
        demo.nbgrader(tmp_path, "autograde", "ps9")
    assert "ERROR" in capsys.readouterr().out


def test_solutions_must_answer_what_was_asked(tmp_path, monkeypatch):
    """A misspelt name in the class would otherwise be graded as untouched."""
    course = tmp_path / "course"
    released = course / "release" / "ps3" / "contiguity.ipynb"
    released.parent.mkdir(parents=True)
    released.write_text((ROOT / "release" / "ps3" / "contiguity.ipynb").read_text("utf-8"))
    learner = tmp_path / "class" / "ps3" / "ina.py"
    learner.parent.mkdir(parents=True)
    learner.write_text("# %% isContigous\npass\n")
    monkeypatch.setattr(demo, "CLASS", tmp_path / "class")
    with pytest.raises(SystemExit, match="isContigous, which nobody asked"):
        demo.hand_in(course, "ps3", "contiguity")
