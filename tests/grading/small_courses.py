"""Small courses of nbgrader's, made from a few lines, and `stridekit grade` run in them."""

import json
import os
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests import warm

# On a busy machine stock nbgrader loses what a kernel says later than in 4 s.
CONFIG = (
    "c = get_config()\nc.CourseDirectory.course_id = 'small'\nc.Execute.iopub_timeout = 120\n"
    "c.Execute.startup_timeout = 300\n"
)
BEGIN, END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
SCHEME, SCHEME_ENDS = "### BEGIN MARK SCHEME", "### END MARK SCHEME"


def cell(source, cell_type="code", **said):
    """A cell; with `grade_id` it is one of nbgrader's."""
    made = {"cell_type": cell_type, "metadata": {}, "source": source}
    made["id"] = said.get("grade_id", f"c{abs(hash(source)) % 10**9}")
    if cell_type == "code":
        made.update(execution_count=None, outputs=[])
    if said:
        plain = {"grade": False, "solution": False, "locked": False, "task": False}
        made["metadata"]["nbgrader"] = {**plain, "schema_version": 3, **said}
    return made


def solution(name, source):
    """A learner's cell; what nbgrader takes out of it is all of it."""
    wrapped = f"### BEGIN SOLUTION\n{source}\n### END SOLUTION"
    return cell(wrapped, grade_id=name, solution=True)


def check(name, source, points=1.0):
    """A test cell."""
    return cell(source, grade_id=name, grade=True, locked=True, points=points)


def manual(name, points=3.0, cell_type="markdown", source="Say why."):
    """A cell that a human grades."""
    return cell(source, cell_type, grade_id=name, grade=True, solution=True, points=points)


def task(name, points=2.0):
    """A task, whose answer is in cells of the learner's own; how it is graded stands in it."""
    source = f"Do this.\n{SCHEME}\n1 for blue\n{SCHEME_ENDS}"
    return cell(source, "markdown", grade_id=name, task=True, locked=True, points=points)


def read_only(name, source, cell_type="code"):
    """A cell that nobody may change."""
    return cell(source, cell_type, grade_id=name, locked=True)


def notebook(cells):
    """A whole one."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def write_notebook(path, cells):
    """Where no folder is yet, too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook(cells)), "utf-8")


def make_course(root, assignment, notebooks, config=CONFIG):
    """A course with one assignment; `notebooks` are lists of cells, by name."""
    root.mkdir(parents=True, exist_ok=True)
    (root / "nbgrader_config.py").write_text(config, "utf-8")
    for name, cells in notebooks.items():
        write_notebook(root / "source" / assignment / f"{name}.ipynb", cells)
    return root


def hand_in(root, learner, assignment, name, answers, more=()):
    """The released notebook of an assignment, with a learner's answers by grade_id."""
    places = (root / kind / assignment / f"{name}.ipynb" for kind in ("release", "source"))
    path = next(path for path in places if path.is_file())
    cells = []
    for each in json.loads(path.read_text("utf-8"))["cells"]:
        said = each["metadata"].get("nbgrader", {})
        each["source"] = "".join(each["source"])
        if said.get("solution"):
            each["source"] = answers.get(said["grade_id"], "# nothing yet")
        for begin, end in ((BEGIN, END), (SCHEME, SCHEME_ENDS)):
            before, _, rest = each["source"].partition(begin)
            each["source"] = before.rstrip() + rest.partition(end)[2] if rest else each["source"]
        cells.append(each)
    folder = root / "submitted" / learner / assignment
    write_notebook(folder / f"{name}.ipynb", [*cells, *more])
    return folder


def grade(root, assignment, *arguments, env=None, **how):
    """`stridekit grade`, in a fork of a process that has imported it.

    With an environment or other arguments of `subprocess.run`, it is a new one.
    """
    is_new = bool(env or how)
    command = ("-m", "stridekit", "grade", assignment, *map(str, arguments))
    return subprocess.run(
        [sys.executable, *command] if is_new else warm.python(warm.GRADING, *command),
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env=None if env is None else {**os.environ, **env},
        **how,
    )


def nbgrader(root, *arguments, **more):
    """An nbgrader command in the course, which must go well; with more in its environment.

    Gives what it says.
    """
    done = subprocess.run(
        warm.python(warm.GRADING, "-m", "nbgrader", *arguments),
        cwd=root,
        env={**warm.environment(), **more},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


def outcomes(done):
    """What `--json` printed, by learner."""
    assert done.stdout, done.stderr
    return {each["learner"]: each for each in json.loads(done.stdout)}


def graded_cells(root, learner, assignment, name):
    """The cells of a graded notebook, by grade_id; those without are left out."""
    path = Path(root) / "autograded" / learner / assignment / f"{name}.ipynb"
    cells = json.loads(path.read_text("utf-8"))["cells"]
    known = [(each["metadata"].get("nbgrader", {}).get("grade_id"), each) for each in cells]
    return {name: each for name, each in known if name}


def rows(course):
    """All rows of all tables; what is known by a random id has a name in its place."""
    base = sqlite3.connect(course / "gradebook.db")
    base.row_factory = sqlite3.Row
    asked = "SELECT name FROM sqlite_master WHERE type = 'table'"
    tables = {
        name: [dict(row) for row in base.execute(f"SELECT * FROM {name}")]
        for (name,) in base.execute(asked).fetchall()
    }
    base.close()
    names = {row["id"]: row["name"] for row in tables["assignment"]}
    names |= {row["id"]: f"notebook {row['name']}" for row in tables["notebook"]}
    for row in tables["submitted_assignment"]:
        names[row["id"]] = f"{row['student_id']}'s {names[row['assignment_id']]}"
    for row in tables["submitted_notebook"]:
        names[row["id"]] = f"{names[row['assignment_id']]}, {names[row['notebook_id']]}"
    for row in tables["base_cell"]:
        names[row["id"]] = f"cell {row['name']} of {names[row['notebook_id']]}"
    for row in tables["source_cell"]:
        names[row["id"]] = f"source of {row['name']} of {names[row['notebook_id']]}"
    for table in ("grade", "comment"):
        for row in tables[table]:
            names[row["id"]] = f"{table} of {names[row['cell_id']]} in {names[row['notebook_id']]}"
    return {
        table: sorted(
            ({key: names.get(value, value) for key, value in row.items()} for row in those),
            key=lambda row: str([*row.values()]),
        )
        for table, those in tables.items()
    }


@dataclass(frozen=True)
class Topic:
    """An exercise: right work, wrong work, and the test."""

    name: str
    right: str
    wrong: str
    test: str
    writes_to_stderr: bool = False
    """Whether right work does, which costs it all points with stock nbgrader, and none here."""
    points: float = 1.0
