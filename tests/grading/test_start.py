"""What stands between the command and its first notebook."""

import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from unittest.mock import MagicMock

import nbgrader.api
import pytest
from nbgrader.server_extensions.formgrader.handlers import SubmissionFilesHandler

from stridekit_grading import course, nbgrader_apps
from stridekit_grading.course import Course
from stridekit_grading.sandbox import launch
from tests import warm
from tests.course.notebooks.notebooks import ROOT


def test_the_server_is_started_before_anything_large_is_loaded() -> None:
    code = (
        "import sys, stridekit_grading.commands, stridekit_grading.grade;"
        "import stridekit_grading.sandbox.launch;"
        "print({'IPython', 'torch', 'numpy', 'nbgrader', 'asyncio', 'matplotlib',"
        "'importlib.metadata', 'stridekit_course.checks.engine'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_a_new_gradebook_is_as_nbgrader_makes_it(tmp_path: Path) -> None:
    alone, ours = tmp_path / "alone.db", tmp_path / "ours.db"
    (tmp_path / "makes_one.py").write_text(
        f"from nbgrader.api import Gradebook\nGradebook('sqlite:///{alone}').close()\n"
    )
    subprocess.run(warm.python(warm.GRADING, "-m", "makes_one"), cwd=tmp_path, check=True)
    (tmp_path / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.db_url = 'sqlite:///{ours}'\n"
    )
    with Course(tmp_path).gradebook():
        pass
    made = [*map(tables_and_version, (alone, ours))]
    assert made[0] == made[1]
    assert made[0][1]


def test_formgrader_s_first_page_starts_no_process_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, nbgrader_apps._HANDLERS, MagicMock())
    monkeypatch.setattr(SubmissionFilesHandler, "content_security_policy", "")
    monkeypatch.setattr(nbgrader.api, "get_alembic_version", None)
    nbgrader_apps.install_in_formgrader()
    assert nbgrader.api.get_alembic_version is course._newest_tables


def tables_and_version(gradebook: Path) -> list[list[tuple[str]]]:
    with closing(sqlite3.connect(gradebook)) as database:
        asked = "select sql from sqlite_master order by name", "select * from alembic_version"
        return [database.execute(each).fetchall() for each in asked]


@pytest.mark.parametrize(
    ("said", "cell", "notebook"), [(None, 40, 300), (30, 40, 300), (80, 80, 600)]
)
def test_the_limits_are_those_of_the_docs(
    tmp_path: Path, said: int | None, cell: int, notebook: int
) -> None:
    """Also with the configuration of this course; another may ask for more."""
    config = (ROOT / "nbgrader_config.py").read_text("utf-8")
    more = "" if said is None else f"\nc.Execute.timeout = {said}\n"
    (tmp_path / "nbgrader_config.py").write_text(config + more, "utf-8")
    budgets = Course(tmp_path).budgets()
    assert (budgets["cell"], budgets["check"], budgets["notebook"]) == (cell, 90, notebook)


@pytest.mark.parametrize(
    ("prefix", "package", "kept"),
    [
        ("env", "env/lib/python3/site-packages", ["env"]),
        ("env", "course", ["course/stridekit", "course/stridekit_course", "env"]),
        (
            "course/.venv",
            "course",
            ["course/.venv", "course/stridekit", "course/stridekit_course"],
        ),
        # A file in site-packages may lead anywhere.
        ("env", "env/lib/x/site-packages/y/site-packages", ["env", "more/site-packages"]),
    ],
)
def test_each_folder_of_python_is_there_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, prefix: str, package: str, kept: list[str]
) -> None:
    """Each that lies in /tmp is mounted into an empty one, and none is there twice."""
    more = tmp_path / "more" / "site-packages"
    packages = [tmp_path / package / name for name in ("stridekit", "stridekit_course")]
    for folder in (tmp_path / prefix, *packages):
        folder.mkdir(parents=True)
    if "more/site-packages" in kept:
        more.mkdir(parents=True)
    monkeypatch.setattr(sys, "path", [*sys.path, str(more)])
    monkeypatch.setattr(sys, "prefix", str(tmp_path / prefix))
    monkeypatch.setattr(sys, "exec_prefix", str(tmp_path / prefix))
    monkeypatch.setattr(launch, "PACKAGES", packages)
    there = [Path(each) for each in launch.of_python()]
    in_tmp = [each for each in there if each.is_relative_to(tmp_path)]
    assert [each.relative_to(tmp_path).as_posix() for each in in_tmp] == kept


# In a process of its own, as a guard makes one for a learner's.
IN_TMP = """
import os, sys
from pathlib import Path
from stridekit_grading.sandbox import guard

assert guard._in_namespaces()
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
print(*guard._own_folders((sys.argv[1],)))
for folder in ("/tmp", sys.argv[1]):
    try:
        print((Path(folder) / "written").write_text("written"))
    except OSError as error:
        print(error.strerror)
print(*os.listdir(sys.argv[1]))
"""


def test_a_python_that_lies_in_tmp_is_there_for_reading_alone(tmp_path: Path) -> None:
    """All else of /tmp is the notebook's own, and may be written."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        (Path(folder) / "library").touch()
        command = [sys.executable, "-c", IN_TMP, folder]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    said = ["/tmp /dev/shm", "7", "Read-only file system", "library"]
    assert done.stdout.splitlines() == said, done.stderr
