"""The catalogue, handed in as one class: every submission ends as it must."""

import ast
import hmac
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

import stridekit
from stridekit_course.checks import exercise
from stridekit_course.checks.exercise import SEED
from stridekit_course.exercises import find
from tests.course.notebooks.notebooks import ROOT
from tests.grading import catalogue
from tests.grading.catalogue import (
    ALL,
    ASSIGNMENTS,
    BOTH,
    GRADED,
    HUMAN,
    NOTEBOOK,
    PARTLY,
    most,
)
from tests.grading.small_courses import grade, nbgrader, outcomes

# What never ends costs its whole budget, so budgets are small here. `stridekit grade` has no option
# for them: nobody who grades a class should have to know of them.
_USUAL = {
    **dict.fromkeys(("cell", "check"), 0.8),
    # On a busy machine everything takes several times as long.
    "notebook": 20.0,
    **dict.fromkeys(("asleep", "asleep_in_check", "again"), 3.0),
    "asleep_in_all": 5.0,
    "interrupted": 2.0,
    "memory": 700 * 1024**2,
}
BUDGETS = {
    "usual": _USUAL,
    # For who is ended by something else than the time of a cell.
    "sparing": {**_USUAL, "notebook": 1.5},
    # For who searches long, and where a check comes first, which stops a call after 3 s.
    "patient": {**_USUAL, "cell": 3.6, "check": 6.0, "asleep": 20.0},
    # For who is stopped for his memory: where memory is slow, filling it takes long.
    "large": {**_USUAL, **dict.fromkeys(("cell", "check", "notebook", "asleep"), 100.0)},
}
GRADE = """
import json, sys
from pathlib import Path
from stridekit_grading import safe_html
from stridekit_grading.grade import Grader
from stridekit_grading.report import as_json

safe_html.SECONDS_MOST = 2.0
told = []
for assignment, groups in json.loads(sys.argv[1]).items():
    grader = Grader(Path.cwd(), assignment)
    for budgets, learners in groups:
        grader.budgets |= budgets
        told += [as_json(each) for each in grader.grade(learners)]
    grader.close()
print(json.dumps(told))
"""
HALVES_VISIBLE = """\
assert sum(halves([1.0, 3.0])) == 2.0
assert abs(halves([1.0, 3.0])[1] - 1.5) < 1e-9
# Partial credit, as nbgrader has it: the value of the last line.
halves([1.0, 3.0]).size"""
HALVES_HIDDEN = f"""\
# When your work is graded, more is asked here.
### BEGIN HIDDEN TESTS
found = halves([4.0, {catalogue.HIDDEN_INPUT}])
assert found.dtype == np.float64
assert found.shape == (2,)
half = {catalogue.HIDDEN_EXPECTED}
assert torch.equal(torch.from_numpy(found), torch.tensor([2.0, half], dtype=torch.float64))
assert abs(halves([4.0, {catalogue.HIDDEN_INPUT}])[1] - half) < 1e-9
np.testing.assert_array_equal(halves([]), np.zeros(0))
### END HIDDEN TESTS"""


def _grading(name, *, solution=False, points=None):
    said = {
        "grade": points is not None,
        "grade_id": name,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return {"nbgrader": said | ({} if points is None else {"points": points})}


def write_source(path, functions):
    """Exercises of ps3 as they stand there, and one whose tests are plain asserts."""
    notebook = json.loads((ROOT / "source" / "ps3" / "contiguity.ipynb").read_text("utf-8"))
    cells = []
    for cell in notebook["cells"]:
        name = catalogue.grade_id(cell)
        if (
            cell["id"] in ("setup", "is-contiguous-example", "contiguity-trace-example")
            or name.removeprefix("test-").partition("-")[0] in functions
        ):
            cells.append(cell)
    cells[0]["source"] = f"import numpy as np\n{''.join(cells[0]['source'])}"
    stub = "def halves(values):\n    ### BEGIN SOLUTION\n    return np.array(values) / 2\n"
    for name, source, said in (
        ("halves", f"{stub}    ### END SOLUTION", _grading("halves", solution=True)),
        *(
            (f"test-halves-{kind}", source, _grading(f"test-halves-{kind}", points=points))
            for kind, source, points in (
                ("visible", HALVES_VISIBLE, 2),
                ("hidden", HALVES_HIDDEN, 3),
            )
        ),
    ):
        cell = catalogue.code(source, name)
        cell["metadata"] = said
        cells.append(cell)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({**notebook, "cells": cells}), "utf-8")


@dataclass
class Class:
    """The class, graded."""

    course: Path
    outside: Path
    told: dict
    before: dict
    connected: bool
    modes: dict

    def cells(self, learner):
        """The cells of his graded notebook."""
        (path,) = (self.course / "autograded" / learner).glob(f"*/{NOTEBOOK}.ipynb")
        return json.loads(path.read_text("utf-8"))["cells"]

    def texts(self, learner):
        """All that his notebook shows."""
        return "\n".join(
            json.dumps(output) for cell in self.cells(learner) for output in cell.get("outputs", [])
        )


# Of a length that nobody else sleeps for.
DAEMON = f"7654{os.getpid()}"


def hand_in(course, outside, port):
    """Everybody's work."""
    released = {
        name: json.loads((course / "release" / name / f"{NOTEBOOK}.ipynb").read_text("utf-8"))
        for name in ASSIGNMENTS
    }
    marks = {
        "COURSE": str(course),
        "OUTSIDE": str(outside),
        "HOME": str(outside / "home"),
        "PORT": str(port),
        "DAEMON": DAEMON,
        "DIGEST-SEED": sha256(b"seed=3303").hexdigest(),
        "DIGEST-INPUT": sha256(catalogue.HIDDEN_INPUT.encode()).hexdigest(),
        "DIGEST-EXPECTED": sha256(catalogue.HIDDEN_EXPECTED.encode()).hexdigest(),
    }
    for each in ALL:
        folder = course / "submitted" / each.name / each.assignment
        folder.mkdir(parents=True)
        notebook = catalogue.handed_in(each, released[each.assignment], marks)
        (folder / f"{NOTEBOOK}.ipynb").write_bytes(notebook)
        for name, content in each.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(content, "utf-8")
        if each.place is not None:
            each.place(folder)


def contents(*places):
    """Some files, and what lies in some folders, by path."""
    return {
        str(path): sha256(path.read_bytes()).hexdigest()
        for place in places
        for path in (place, *sorted(place.rglob("*")))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The class, graded."""
    course, outside = tmp_path_factory.mktemp("course"), tmp_path_factory.mktemp("outside")
    shutil.copy(ROOT / "nbgrader_config.py", course)
    (course / "other-work.txt").write_text("somebody else's")
    (course / "other-work.txt").chmod(0o640)
    (outside / "home").mkdir()
    (outside / "home" / ".stridekit-private").write_text("private")
    for assignment, functions in ASSIGNMENTS.items():
        write_source(course / "source" / assignment / f"{NOTEBOOK}.ipynb", functions)
        nbgrader(course, "generate_assignment", assignment)
    listener = socket.create_server(("127.0.0.1", 0))
    listener.setblocking(False)
    hand_in(course, outside, listener.getsockname()[1])
    untouched = course / "source", course / "submitted", outside, Path(stridekit.__file__)
    before = contents(*untouched)
    groups = {
        assignment: [
            (budgets, [each.name for each in those if each.budgets == name])
            for name, budgets in BUDGETS.items()
        ]
        for assignment in ASSIGNMENTS
        for those in [[each for each in ALL if each.assignment == assignment]]
    }
    done = subprocess.run(
        [sys.executable, "-c", GRADE, json.dumps(groups)],
        cwd=course,
        env={**os.environ, "HOME": str(outside / "home"), "STRIDEKIT_CANARY": "CANARY"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    try:
        listener.accept()
        connected = True
    except BlockingIOError:
        connected = False
    listener.close()
    told = {each["learner"]: each for each in json.loads(done.stdout)}
    modes = {"other-work.txt": (course / "other-work.txt").stat().st_mode & 0o777}
    return Class(course, outside, told, before, connected, {**modes, "after": contents(*untouched)})


def test_everybody_is_there_once(graded):
    """Nothing stops the class, and nobody is forgotten."""
    assert len({each.name for each in ALL}) == len(ALL) >= 85
    assert sorted(graded.told) == sorted(each.name for each in ALL)
    assert all(each["entered"] for each in graded.told.values())


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.name)
def test_it_ends_as_it_must(graded, entry):
    """Its status, the points of each test, and the reason in words."""
    told = graded.told[entry.name]
    words = "; ".join([*told["reasons"], *told["failures"].values()])
    assert (told["cells"], told["status"]) == (entry.points(), entry.status), words
    assert re.search(entry.said, words)
    if entry.status != GRADED:
        assert told["reasons"]
    assert (told["points"] is None) == (entry.status == HUMAN)


@pytest.mark.parametrize("entry", [each for each in ALL if each.shows], ids=lambda each: each.name)
def test_it_shows_why(graded, entry):
    """In the notebook that the instructor looks at."""
    assert re.search(entry.shows, graded.texts(entry.name))


@pytest.mark.parametrize("entry", [each for each in ALL if each.tried], ids=lambda each: each.name)
def test_it_tried_and_got_nothing(graded, entry):
    """What is outside of a learner's process is not to be had."""
    texts = graded.texts(entry.name)
    assert "TRIED" in texts
    assert "STOLEN" not in texts


def test_what_somebody_tries_to_read_is_there(graded):
    """Else it would be no wonder that it is not to be had."""
    for path in catalogue.READ.values():
        there = path.replace("@COURSE@", str(graded.course))
        assert Path(there.replace("@HOME@", str(graded.outside / "home"))).is_file(), path


def test_no_two_learners_hold_the_same(graded):
    """What one has open is nobody else's: over it he could keep others waiting."""
    one, other = (
        {*re.findall(r"OPEN (\S+)", graded.texts(f"lists-what-is-open-{number}"))}
        for number in (1, 2)
    )
    assert one
    assert other
    assert not one & other


def test_nothing_outside_has_changed(graded):
    """The course, what others handed in, a home, this library: file by file."""
    assert graded.modes["after"] == graded.before
    assert graded.modes["other-work.txt"] == 0o640
    assert not (graded.course / "taken.txt").exists()


def test_nobody_was_connected_to(graded):
    """A server of this machine heard nothing."""
    assert not graded.connected


def test_no_process_is_left(graded):
    """Daemons end with the notebook that started them."""
    lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # It may have ended since it was listed.
            lines.append(path.read_bytes())
    assert [line for line in lines if DAEMON.encode() in line and b"sleep" in line] == []


# --- What is hidden stays hidden.


@pytest.fixture(scope="module")
def hidden(graded):
    """What nobody but the course may know: its secret, and the seeds that come of it."""
    secret = bytes.fromhex((graded.course / ".grading" / "secret").read_text("ascii"))
    exercise = [
        # As `seeds.hidden_seed` makes them: written down here again, so that both must change.
        int.from_bytes(hmac.digest(secret, f"{name} 3303".encode(), "sha256")[:7], "big")
        for name in catalogue.FUNCTIONS[:3]
    ]
    return [
        *(secret.hex(), secret.hex().upper(), repr(secret)[2:-1]),
        *(text for seed in exercise for text in (f"{seed}", f"{seed:,}", f"{seed:x}")),
    ]


def test_the_seeds_are_those_that_checks_take(graded, hidden, monkeypatch):
    """So that the tests below look for what there is."""
    secret = bytes.fromhex((graded.course / ".grading" / "secret").read_text("ascii"))
    monkeypatch.setattr(exercise, "_secret", secret)
    assert str(exercise.hidden_seed("isContiguous", 3303)) in hidden


def test_no_file_for_learners_says_the_secret_or_a_seed(graded, hidden):
    """Not one of the graded notebooks, whole as it is."""
    for path in sorted((graded.course / "autograded").rglob("*.ipynb")):
        text = path.read_text("utf-8")
        assert [each for each in hidden if each in text] == []


@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry.name)
def test_no_output_says_what_hidden_tests_ask_and_expect(graded, entry):
    """Whatever a cell shows, also where a test fails."""
    shown = graded.texts(entry.name)
    assert catalogue.HIDDEN_EXPECTED not in shown
    assert catalogue.HIDDEN_INPUT not in shown
    assert "BEGIN HIDDEN" not in shown
    assert "hidden=True" not in shown


def test_what_a_hidden_check_gave_is_in_no_later_cell(graded):
    """By whatever way a function tells what it was given: only the visible cases are there."""
    batch = find("contiguity_trace").batch(hidden=False, seed=SEED)
    visible = {case.arguments for case in batch.cases}
    told = {
        *re.findall(r"GIVEN (\([\d, ]*\)) (\([\d, ]*\));", graded.texts("tells-later-by-every-way"))
    }
    given = {(ast.literal_eval(size), ast.literal_eval(stride)) for size, stride in told}
    assert len(given) > 100
    assert given <= visible
    assert "119" not in json.dumps(graded.cells("ends-in-a-way-that-tells")[-1]["outputs"])
    shown = graded.texts("tells-by-what-it-says-of-itself")
    assert "contiguity_trace makes a call that is forbidden." in shown
    assert "contiguous is not a function, and a function is asked for." in shown
    assert "GIVEN" not in shown
    # As many as somebody likes: their number would tell.
    assert "answers to" not in graded.texts("too-many-answers")


def test_what_hidden_checks_found_is_kept_for_the_instructor_alone(graded):
    """The counterexample is in the store of the course, and in no graded notebook."""
    details = {
        test["detail"]
        for path in (graded.course / ".grading" / "results").iterdir()
        for name, test in json.loads(path.read_text("utf-8").partition("\n")[2])["tests"].items()
        if name == "test-contiguity_trace-hidden" and test["detail"]
    }
    assert len(details) > 5
    for learner in ("list-that-equals", "walks-frames", "hidden-answers-of-the-source"):
        hidden_cell = next(
            cell
            for cell in graded.cells(learner)
            if catalogue.grade_id(cell) == "test-contiguity_trace-hidden"
        )
        shown = json.dumps(hidden_cell["outputs"], ensure_ascii=False)
        assert "of the hidden test" in shown
        assert [each for each in details if each.split("\n")[0] in shown] == []


FEW = (
    "scripts",
    "searches-memory",
    "list-that-equals",
    "hidden-answers-of-the-source",
    "nan-in-plain-tests",
    "solution-deleted",
    "truncated",
    "exits-in-a-function",
    "prints-in-plain-tests",
    "folder-that-is-called-as-a-notebook",
)


@pytest.fixture(scope="module")
def pages(graded):
    """Pages of feedback, of some."""
    others = ",".join(each.name for each in ALL if each.name not in FEW)
    exclude = f"--CourseDirectory.student_id_exclude={others}"
    for assignment in ASSIGNMENTS:
        nbgrader(graded.course, "generate_feedback", assignment, exclude)
    found = {
        path.parent.parent.name: path.read_text("utf-8")
        for path in (graded.course / "feedback").glob("*/*/*.html")
    }
    assert sorted(found) == sorted(FEW)
    return found


@pytest.mark.parametrize("name", FEW)
def test_feedback_holds_no_line_of_hidden_tests(pages, hidden, name):
    """Nor the secret, nor a seed."""
    text = re.sub(r"<[^>]+>", "", pages[name])
    assert [each for each in hidden if each in text] == []
    for line in (catalogue.HIDDEN_INPUT, catalogue.HIDDEN_EXPECTED, "seed=3303", "BEGIN HIDDEN"):
        assert line not in text


def test_feedback_runs_no_script_of_a_learner(pages):
    """Not one from a note, nor from an output of any kind."""
    page = pages["scripts"]
    assert re.findall(r"<script[^>]*>\s*steal", page) == []
    assert "<script>steal" not in page


def test_feedback_says_why(pages):
    """Of what ended, of what is missing, of what could not be read."""
    assert "exit status 0" in pages["exits-in-a-function"]
    assert "Needs a human" in pages["truncated"]
    assert "not JSON" in pages["truncated"]
    assert "contiguity_trace" in pages["solution-deleted"]


# --- As people use it.


def test_a_resubmission_without_tests_keeps_no_old_score(graded):
    """The command, again: right work first, then a notebook with its cells taken away."""
    learner = "tests-deleted"
    path = graded.course / "submitted" / learner / "odd" / f"{NOTEBOOK}.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    catalogue.cell_of(notebook, "contiguity_trace")["source"] = catalogue.WRONG_TRACE
    notebook["cells"] = [cell for cell in notebook["cells"] if catalogue.grade_id(cell) != "halves"]
    path.write_text(json.dumps(notebook), "utf-8")
    done = grade(graded.course, "odd", "--learner", learner, "--json")
    assert done.returncode == 0, done.stderr
    (told,) = outcomes(done).values()
    lost = {f"test-{name}-{kind}" for name in ("contiguity_trace", "halves") for kind in BOTH}
    assert told["cells"] == {name: 0 if name in lost else n for name, n in most("odd").items()}
    assert told["status"] == PARTLY
    assert (told["points"], told["most"]) == (10, 20)
