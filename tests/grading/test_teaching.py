"""The instructor's guide, docs/teaching.md: its commands, run one after another in a course."""

import json
import re
import shutil
from fnmatch import fnmatch

from stridekit_course.exercises import ASSIGNMENTS
from tests.course.notebooks.notebooks import ROOT
from tests.grading.class_of_demo import demo
from tests.grading.pages_of_docs import blocks, shell
from tests.grading.small_courses import CONFIG, check, hand_in, nbgrader, solution, write_notebook

PAGE = ROOT / "docs" / "teaching.md"


def own_cells(parts):
    """The three cells of the exercise of one's own."""
    return [
        solution("last_position", parts["solution"]),
        check("test-last_position-visible", parts["visible"], 1),
        check("test-last_position-hidden", parts["hidden"], 2),
    ]


def test_the_guide(tmp_path):
    """Every command, in the order of the page."""
    course = tmp_path / "course"
    course.mkdir()
    for name in ("source", "nbgrader_config.py"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, course / name)
    shutil.copytree(ROOT / "release", course / "release")

    def run(command):
        return shell(course, command, HOME=str(tmp_path))

    ran = blocks(PAGE)
    parts = {name: text for language, name, text in ran if language == "python"}
    write_notebook(course / "source" / "own" / "own.ipynb", own_cells(parts))
    for language, name, text in ran:
        if language == "csv":
            (course / name).write_text(text, "utf-8")
    said = {}
    for command in (text.strip() for language, _, text in ran if language == "sh"):
        if command == "nbgrader collect ps3":
            # Whatever way they come: here is what learners have handed in.
            run("nbgrader release_assignment ps3")
            demo.hand_in(course, "ps3", "contiguity", ["ada", "dora"])
            (course / "submitted" / "dora").rename(course / "submitted" / "bert")
        if command.endswith("stridekit grade own"):
            wrong = parts["solution"].replace("(n - 1) * step", "n * step")
            hand_in(course, "ada", "own", "own", {"last_position": parts["solution"]})
            hand_in(course, "bert", "own", "own", {"last_position": wrong})
        said[command] = run(command)
    graded = said["stridekit grade ps3"]
    most = 5 * len(ASSIGNMENTS["ps3"])
    assert re.search(rf"^ps3 total +{most}/{most} +0/{most}$", graded, re.MULTILINE)
    assert "What was not understood" in graded
    reports = next(text for command, text in said.items() if "report" in command)
    assert "Nothing handed in: cleo" in (course / "reports" / "ps3.html").read_text("utf-8")
    assert "As a page: " in reports
    feedback = course / "feedback" / "bert" / "ps3" / "contiguity.html"
    assert "isContiguous" in feedback.read_text("utf-8")
    assert "ps3" in (course / "grades.csv").read_text("utf-8")
    own = " ".join(next(text for command, text in said.items() if "grade own" in command).split())
    assert "own total 3/3 " in own
    assert "1 x: the last index of a dim of size n is n - 1. (bert)" in own


def test_git_ignores_what_lies_there_of_a_class():
    """The lists that the pages have an instructor write, and what comes from a platform."""
    ignored = (ROOT / ".gitignore").read_text("utf-8").split()
    text = "".join(page.read_text("utf-8") for page in (PAGE, PAGE.with_name("collecting.md")))
    names = {*re.findall(r"\b\w+\.(?:csv|zip)\b", text)}
    assert {"students.csv", "worksheet.csv", "points.csv", "moodle.zip"} <= names
    for name in names:
        assert any(fnmatch(f"/{name}", line) for line in ignored), name


def test_what_learners_get_tells_nothing(tmp_path):
    """The hidden part of the page's exercise does not reach a release."""
    parts = {name: text for language, name, text in blocks(PAGE) if language == "python"}
    write_notebook(tmp_path / "source" / "own" / "own.ipynb", own_cells(parts))
    (tmp_path / "nbgrader_config.py").write_text(CONFIG)
    nbgrader(tmp_path, "generate_assignment", "own")
    released = json.loads((tmp_path / "release" / "own" / "own.ipynb").read_text("utf-8"))
    text = json.dumps(released)
    assert "last_position((2, 3), (3, 1)) == 5" in text
    assert "Exercise(" not in text
    assert "n - 1" not in text
