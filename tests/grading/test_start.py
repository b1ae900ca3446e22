"""What stands between the command and its first notebook."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from stridekit_grading.course import Course
from stridekit_grading.sandbox import guard
from tests import warm


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
    asked = f"from nbgrader.api import Gradebook; Gradebook('sqlite:///{alone}').close()"
    subprocess.run([sys.executable, "-c", asked], check=True, env=warm.environment())
    (tmp_path / "nbgrader_config.py").write_text(
        f"c = get_config()\nc.CourseDirectory.db_url = 'sqlite:///{ours}'\n"
    )
    with Course(tmp_path).gradebook():
        pass
    made = [*map(tables_and_version, (alone, ours))]
    assert made[0] == made[1]
    assert made[0][1]


def tables_and_version(gradebook: Path) -> list[list[tuple[str]]]:
    with closing(sqlite3.connect(gradebook)) as database:
        asked = "select sql from sqlite_master order by name", "select * from alembic_version"
        return [database.execute(each).fetchall() for each in asked]


@pytest.mark.parametrize(
    ("prefix", "package", "kept"),
    [
        ("/tmp/env", "/tmp/env/lib/python3/site-packages", ["/tmp/env"]),
        (
            "/tmp/env",
            "/tmp/course",
            ["/tmp/course/stridekit", "/tmp/course/stridekit_course", "/tmp/env"],
        ),
        (
            "/tmp/course/.venv",
            "/tmp/course",
            ["/tmp/course/.venv", "/tmp/course/stridekit", "/tmp/course/stridekit_course"],
        ),
        ("/opt/env", "/opt/env/lib/python3/site-packages", []),
    ],
)
def test_a_python_in_tmp_is_there_once(
    monkeypatch: pytest.MonkeyPatch, prefix: str, package: str, kept: list[str]
) -> None:
    """Each folder is mounted into an empty /tmp, and none is there twice."""
    monkeypatch.setattr(sys, "prefix", prefix)
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    packages = [Path(package) / name for name in ("stridekit", "stridekit_course")]
    monkeypatch.setattr(guard, "PACKAGES", packages)
    assert guard._of_python_in_tmp() == kept
