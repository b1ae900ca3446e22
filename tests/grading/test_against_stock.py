"""What is entered is what nbgrader by itself would enter: every row of every table, every file.

One honest class is graded by stock nbgrader, by `stridekit grade`, by `nbgrader autograde` through
this engine, and by what Formgrader's button calls, each on a copy of the same course.
"""

import json
import re
import shutil
import subprocess

import pytest

from tests import warm
from tests.course.notebooks.notebooks import ROOT
from tests.grading.small_courses import (
    BEGIN,
    END,
    cell,
    check,
    grade,
    hand_in,
    manual,
    nbgrader,
    read_only,
    rows,
    solution,
    task,
    write_notebook,
)

OURS = "# `nbgrader autograde` and Formgrader's button grade as"
PENALTIES = """
from nbgrader.plugins import BasePlugin


class ADayAPoint(BasePlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late / 86400
"""
OWN_CONFIG = """
sys.path.insert(0, str(ROOT))
c.AssignLatePenalties.plugin_class = 'penalties.ADayAPoint'
c.IncludeHeaderFooter.header = 'source/header.ipynb'
c.IncludeHeaderFooter.footer = 'source/footer.ipynb'
c.Autograde.exclude_overwriting = {'hw': ['theirs.py']}
c.CourseDirectory.ignore = ['*.big', 'drafts']
"""
HEADER = [cell("NAME = ''"), read_only("of-header", "from theirs import FOUND\nHEAD = FOUND")]
FOOTER = [manual("last-words", 1), check("test-header", "assert HEAD == 2", 1)]
ONE = [
    cell("# One", "markdown"),
    read_only("setup", "LIMIT = 10"),
    solution("half", "def half(x):\n    return x / 2"),
    check("test-half", "assert half(4) == 2", 2),
    check("test-half-more", f"assert half(0) == 0\n{BEGIN}\nassert half(LIMIT) == 5\n{END}", 3),
    check("test-half-partly", "score = 0.5 * (half(2) == 1) + 0.25\nscore", 1),
    check("test-nothing", "assert half", 0),
    read_only("words", "Now in words.", "markdown"),
    manual("why", 4),
    manual("code-by-hand", 3, "code", "# Draw it."),
    manual("unanswered", 2),
    task("survey", 5),
]
STRIDES = """\
def c_strides(size):
    found, step = [], 1
    for n in reversed(size):
        found.insert(0, step)
        step *= max(n, 1)
    return tuple(found)
"""
TWO = [
    cell("from stridekit_course import check"),
    solution("c_strides", STRIDES),
    check("test-c_strides-visible", "check.c_strides(c_strides)", 2),
    check("test-c_strides-hidden", f"{BEGIN}\ncheck.c_strides(c_strides, hidden=True)\n{END}", 3),
]
ANSWERS = {
    # Right, with more than was asked for.
    "ada": {
        "half": "print('half')\ndef half(x):\n    return x / 2",
        "why": "Because.",
        "code-by-hand": "1 + 1",
        "c_strides": f"import math\n{STRIDES}",
    },
    # Wrong, and late.
    "bert": {
        "half": "def half(x):\n    return 2",
        "why": "YOUR ANSWER HERE",
        "code-by-hand": "# YOUR CODE HERE\nraise NotImplementedError()",
        "c_strides": "def c_strides(size):\n    return tuple(size)",
    },
    # Graded by hand before; now handed in again.
    "cleo": {
        "half": "half = lambda x: x * 0.5",
        "why": "A second answer.",
        "c_strides": "def c_strides(size):\n    raise NotImplementedError",
    },
}
LATE = {"bert": "2024-01-03 12:00:00 UTC", "cleo": "2023-12-31 12:00:00 UTC"}


def make(root):
    """The course before anybody grades it, with our configuration."""
    root.mkdir()
    (root / "penalties.py").write_text(PENALTIES)
    config = (ROOT / "nbgrader_config.py").read_text("utf-8")
    assert OURS in config
    (root / "nbgrader_config.py").write_text(config + OWN_CONFIG)
    for name, cells in {"hw/one": ONE, "hw/two": TWO, "header": HEADER, "footer": FOOTER}.items():
        write_notebook(root / "source" / f"{name}.ipynb", cells)
    beside = {"data.csv": "1,2\n", "theirs.py": "FOUND = 1", "much.big": "", "drafts/x.txt": ""}
    for name, content in beside.items():
        path = root / "source" / "hw" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    nbgrader(root, "generate_assignment", "hw")
    for learner, answers in ANSWERS.items():
        of_task = cell("I was asked, and say.", "markdown")
        folder = hand_in(root, learner, "hw", "one", answers, [of_task])
        hand_in(root, learner, "hw", "two", answers)
        (folder / "theirs.py").write_text("FOUND = 2" if learner == "ada" else "FOUND = 3")
        if learner in LATE:
            (folder / "timestamp.txt").write_text(LATE[learner])
    more = root / "submitted" / "ada" / "hw" / "pictures"
    more.mkdir()
    (more / "mine.txt").write_text("a picture")
    (more.parent / "data.csv").write_text("changed")
    graded_before(root)
    return root


def graded_before(root):
    """Due dates, and what a human has entered about an earlier work of Cleo's."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{root / 'gradebook.db'}", "stridekit") as gradebook:
        gradebook.update_or_create_assignment("hw", duedate="2024-01-01 12:00:00 UTC")
        gradebook.add_student("cleo", first_name="Cleo", email="cleo@example.org")
        gradebook.add_student("zoe", first_name="Zoe")
        with gradebook.db.no_autoflush:
            gradebook.add_submission("hw", "cleo", timestamp="2023-12-30 00:00:00 UTC")
        for name, manual_score in {"why": 1.5, "test-half": 0.5}.items():
            entry = gradebook.find_grade(name, "one", "hw", "cleo")
            entry.auto_score, entry.manual_score = 0, manual_score
            entry.needs_manual_grade = False
        gradebook.find_grade("test-half-more", "one", "hw", "cleo").auto_score = 3
        gradebook.find_grade("survey", "one", "hw", "cleo").extra_credit = 2
        comment = gradebook.find_comment("why", "one", "hw", "cleo")
        comment.auto_comment, comment.manual_comment = "No response.", "Say more."
        gradebook.db.commit()


def stock(course):
    """Without the lines that install this engine."""
    path = course / "nbgrader_config.py"
    config = path.read_text("utf-8")
    path.write_text(config[: config.index(OURS)] + OWN_CONFIG)
    # What Python compiles for itself on the way would stay beside the notebooks.
    nbgrader(course, "autograde", "hw", PYTHONDONTWRITEBYTECODE="1")


def command(course):
    """`stridekit grade`."""
    done = grade(course, "hw")
    assert done.returncode == 0, done.stderr


def through_nbgrader(course):
    """`nbgrader autograde`, of the configuration as it is."""
    nbgrader(course, "autograde", "hw")


BUTTON = """
from nbgrader.apps import NbGraderAPI
from nbgrader.apps.baseapp import NbGrader

app = NbGrader()
app.initialize([])
api = NbGraderAPI(config=app.config)
for learner in ("ada", "bert", "cleo"):
    told = api.autograde("hw", learner)
    assert told["success"], told
"""


def button(course):
    """What Formgrader's button calls, for one learner after another."""
    (course / "press_button.py").write_text(BUTTON)
    pressed = warm.python(warm.GRADING, "-m", "press_button")
    done = subprocess.run(pressed, cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


OTHERS = (command, through_nbgrader, button)


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The course as each of them leaves it."""
    folder = tmp_path_factory.mktemp("against-stock")
    before = make(folder / "before")
    courses = {}
    for does in (stock, *OTHERS):
        courses[does] = folder / does.__name__
        shutil.copytree(before, courses[does])
        does(courses[does])
    return courses


@pytest.mark.parametrize("does", OTHERS)
def test_every_row_of_every_table(graded, does):
    """As stock nbgrader has entered it."""
    expected, found = rows(graded[stock]), rows(graded[does])
    assert found.keys() == expected.keys()
    for table, those in expected.items():
        assert found[table] == those, table


def test_the_rows_are_worth_comparing(graded):
    """Points, partial points, nothing, what is undecided, penalties, and what a human entered."""
    found = rows(graded[stock])
    scores = {row["auto_score"] for row in found["grade"]}
    assert scores >= {0, 0.25, 0.75, 2, 3, None}
    assert {row["manual_score"] for row in found["grade"]} == {None, 0.5, 1.5}
    penalties = {row["late_submission_penalty"] for row in found["submitted_notebook"]}
    assert len(penalties) >= 2
    assert {row["auto_comment"] for row in found["comment"]} == {None, "No response."}
    assert "Say more." in {row["manual_comment"] for row in found["comment"]}


def files(course):
    """What lies in autograded/, and who may read and write it."""
    top = course / "autograded"
    return {path.relative_to(top).as_posix(): oct(path.stat().st_mode) for path in top.rglob("*")}


@pytest.mark.parametrize("does", OTHERS)
def test_files(graded, does):
    """The same, with the same permissions; beside the notebooks, with the same content."""
    assert files(graded[does]) == files(graded[stock])
    for name in files(graded[stock]):
        paths = [graded[each] / "autograded" / name for each in (does, stock)]
        if paths[0].is_file() and paths[0].suffix != ".ipynb":
            assert paths[0].read_bytes() == paths[1].read_bytes(), name


def notebooks(course):
    """The graded ones."""
    return {
        path.relative_to(course).as_posix(): json.loads(path.read_text("utf-8"))
        for path in sorted((course / "autograded").rglob("*.ipynb"))
    }


def plain(each):
    """What of a cell is the same whoever grades it."""
    source = each["source"]
    said = each["metadata"].get("nbgrader")
    if said:
        # Stock leaves it out where a source was written by an older toolbar.
        said = {key: value for key, value in said.items() if key != "cell_type"}
    return {
        "id": each["id"],
        "kind": each["cell_type"],
        "source": source if isinstance(source, str) else "".join(source),
        "nbgrader": said,
    }


@pytest.mark.parametrize("does", OTHERS)
def test_cells(graded, does):
    """The same ids, sources and metadata, in the same order."""
    expected, found = notebooks(graded[stock]), notebooks(graded[does])
    assert [*found] == [*expected]
    for name in expected:
        pairs = zip(found[name]["cells"], expected[name]["cells"], strict=True)
        for mine, theirs in pairs:
            assert plain(mine) == plain(theirs), name
        assert found[name]["metadata"]["kernelspec"] == expected[name]["metadata"]["kernelspec"]


def shown(each):
    """Outputs, without what may differ: tracebacks, counts, and what hidden tests say."""
    source = "".join(each["source"])
    hidden = BEGIN in source
    told = []
    for output in each.get("outputs", []):
        kind = output["output_type"]
        # Of a check that fails a kernel shows a card, a graded notebook at most its picture.
        if kind == "display_data" and "check.c_strides" in source:
            continue
        if kind == "error":
            told.append((kind, "" if hidden else output["ename"]))
        elif kind == "stream":
            # Hidden cases come from a secret, and so does how many there are.
            said = re.sub(r"[\d,]+ cases", "cases" if hidden else r"\g<0>", "".join(output["text"]))
            told.append((output["name"], said))
        else:
            text = output["data"].get("text/plain", "")
            told.append((kind, text if isinstance(text, str) else "".join(text)))
    return told


@pytest.mark.parametrize("does", OTHERS)
def test_outputs(graded, does):
    """The same prints, values and exceptions."""
    expected, found = notebooks(graded[stock]), notebooks(graded[does])
    for name in expected:
        for mine, theirs in zip(found[name]["cells"], expected[name]["cells"], strict=True):
            assert shown(mine) == shown(theirs), (name, mine["id"])
