"""The wheel and the sdist: built, put into an empty environment, and used as a learner does."""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import time
import tomllib
import urllib.error
import urllib.request
import zipfile
from pathlib import Path

import pytest

from tests.browser.conftest import free_port

ROOT = Path(__file__).resolve().parents[2]
INSIDE = "stridekit/workfolder/course_files/"
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist, and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (sdist,), (wheel,) = out.glob("*.tar.gz"), out.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """An environment with the wheel alone; what it needs lies where it lies for these tests."""
    root = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / "env"], check=True)
    python = root / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(built[1])], check=True)
    (packages,) = (root / "env" / "lib").glob("python*/site-packages")
    # Links in such a folder, as that to this repository, are not followed from there.
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"))
    home = root / "home"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PY"))}
    return root / "env" / "bin" / "stridekit", {**kept, "HOME": str(home)}, home


def run(installed, *arguments):
    """A command of the installed stridekit: its status, and what it said."""
    command, environment, home = installed
    done = subprocess.run(
        [command, *arguments],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_the_wheel_brings_the_course_without_solutions(built):
    """Byte for byte what the repository has; the library; and nothing else."""
    from stridekit.workfolder.shipped import AROUND, own_source

    assert AROUND == ROOT
    ours = own_source()
    course = {**ours.contents, **ours.theirs}
    with zipfile.ZipFile(built[1]) as wheel:
        names = wheel.namelist()
        inside = {name.removeprefix(INSIDE) for name in names if name.startswith(INSIDE)}
        assert inside == {*course}
        for name, content in course.items():
            assert wheel.read(INSIDE + name) == content, name
        notebooks = [wheel.read(name) for name in names if name.endswith(".ipynb")]
        assert not [each for each in notebooks if b"BEGIN SOLUTION" in each]
    tops = {name.split("/")[0] for name in names}
    assert {top.split("-")[0] for top in tops} == {"stridekit", "stridekit_course"}
    assert built[1].stat().st_size < 2 * 1024**2


def test_the_sdist_is_the_repository(built):
    """All that git keeps, so that tests run from it; and nothing that git ignores."""
    with tarfile.open(built[0]) as sdist:
        there = {name.partition("/")[2] for name in sdist.getnames()}
    for name in ("conftest.py", "constraints.txt", "Makefile", "nbgrader_config.py", ".ci/run"):
        assert name in there
    for folder in ("tests", "tools", "demo", "docs", "source", "release", "course", ".github"):
        kept = {
            path.relative_to(ROOT).as_posix()
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and not {".ipynb_checkpoints", "__pycache__"} & {*path.parts}
        }
        assert not [name for name in kept - there if not name.endswith((".pyc", ".DS_Store"))]
    work = {name for name in there if name.startswith(("work/", ".exchange", "submitted"))}
    assert work == {"work/README.md", "work/nbgrader_config.py"}


def test_what_git_ignores_is_in_neither():
    """hatchling does not always follow .gitignore, so it is told by itself."""
    lines = (ROOT / ".gitignore").read_text("utf-8").splitlines()
    ignored = [line for line in lines if line and not line.startswith("#")]
    assert {*ignored} <= {*CONFIG["tool"]["hatch"]["build"]["exclude"]}


def test_installed_it_lays_the_course_opens_it_and_brings_what_is_newer(installed):
    """As somebody meets it who has only typed `pip install stridekit-course`."""
    command, environment, home = installed
    with subprocess.Popen(
        [command, "lab", "--no-browser", "--port", str(free_port())],
        env=environment,
        cwd=home,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as lab:
        try:
            said = []
            for line in lab.stdout:
                said.append(line)
                if found := re.search(r"(http://127\.0\.0\.1:\d+)/\S*\?(token=\w+)", line):
                    break
            address = f"{found[1]}/api/contents/course/index.ipynb?content=0&{found[2]}"
            # It says its address shortly before it answers there.
            while lab.poll() is None:
                try:
                    with urllib.request.urlopen(address) as answer:
                        assert answer.status == 200
                    break
                except urllib.error.URLError:
                    time.sleep(0.2)
            assert lab.poll() is None, lab.stdout.read()
        finally:
            lab.terminate()
    course = home / "stridekit-course"
    assert f"Laying the course into {course}." in "".join(said)
    assert "Releasing ps6 into the private exchange." in "".join(said)
    for name in ("course", "release", "docs"):
        theirs = {path.name: path.read_bytes() for path in (course / name).rglob("*.*b")}
        ours = {path.name: path.read_bytes() for path in (ROOT / name).glob("**/*.*b")}
        assert theirs == {key: ours[key] for key in theirs}
    for link in re.findall(
        r"\]\((\.\./[^)#\"\\]+)", (course / "course" / "index.ipynb").read_text()
    ):
        assert (course / "course" / link).is_file(), link

    lesson, mine = course / "course" / "01-header-and-storage.ipynb", "my own words"
    lesson.write_text(mine)
    packages = next(command.parent.parent.glob("lib/python*/site-packages"))
    for name in (lesson.name, "glossary.ipynb"):
        newer = packages / INSIDE / "course" / name
        newer.write_text(newer.read_text().replace('"source": [', '"source": [\n    "Newer. ",', 1))
    status, told = run(installed, "update")
    assert status == 0, told
    assert "updated   course/glossary.ipynb" in told
    assert "Newer. " in (course / "course" / "glossary.ipynb").read_text()
    assert lesson.read_text() == mine
    assert "Newer. " in lesson.with_suffix(".new.ipynb").read_text()
