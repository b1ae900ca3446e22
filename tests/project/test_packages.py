"""The three packages: built, put into empty environments, and used as somebody does there."""

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

from stridekit import __version__
from tests import ROOT
from tests.browser.conftest import free_port

INSIDE = "stridekit_course/workfolder/course_files/"
CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


LIBRARY, COURSE, GRADING = "stridekit_library", "stridekit_course", "stridekit_grading"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The sdist of each package, and the wheel that is built from it."""
    out = tmp_path_factory.mktemp("dist")
    for folder in ("stridekit", ".", "stridekit_grading"):
        command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), folder]
        subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return {
        name: (next(out.glob(f"{name}-*.tar.gz")), next(out.glob(f"{name}-*.whl")))
        for name in (LIBRARY, COURSE, GRADING)
    }


def environment(root, wheels, others=None):
    """A virtual environment with these wheels alone, and `others`, a folder of packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", root / "env"], check=True)
    python = root / "env" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q"]
    subprocess.run([*pip, "--no-deps", "--no-index", *map(str, wheels)], check=True)
    if others is not None:
        (packages,) = (root / "env" / "lib").glob("python*/site-packages")
        # Links in such a folder, as that to this repository, are not followed from there.
        (packages / "needed.pth").write_text(str(others))
    home = root / "home"
    home.mkdir()
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("JUPYTER", "PY"))}
    return root / "env" / "bin" / "stridekit", {**kept, "HOME": str(home)}, home


@pytest.fixture(scope="module")
def alone(built, tmp_path_factory):
    """The library, and nothing else."""
    return environment(tmp_path_factory.mktemp("library"), [built[LIBRARY][1]])


@pytest.fixture(scope="module")
def installed(built, tmp_path_factory):
    """Library and course, and what these tests have, but for what only the grader asks for."""
    root = tmp_path_factory.mktemp("course")
    (root / "needed").mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match(r"_?stridekit|nbgrader|bubblewrap|.*\.pth$", each.name):
            (root / "needed" / each.name).symlink_to(each)
    return environment(root, [built[LIBRARY][1], built[COURSE][1]], root / "needed")


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
    """Byte for byte what the repository has, and nothing else."""
    from stridekit_course.workfolder.shipped import AROUND, own_source

    assert AROUND == ROOT
    ours = own_source()
    course = {**ours.contents, **ours.theirs}
    path = built[COURSE][1]
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        inside = {name.removeprefix(INSIDE) for name in names if name.startswith(INSIDE)}
        assert inside == {*course}
        for name, content in course.items():
            assert wheel.read(INSIDE + name) == content, name
        notebooks = [wheel.read(name) for name in names if name.endswith(".ipynb")]
        assert not [each for each in notebooks if b"BEGIN SOLUTION" in each]
    tops = {name.split("/")[0] for name in names}
    assert {top.split("-")[0] for top in tops} == {"stridekit_course"}
    assert path.stat().st_size < 2 * 1024**2


@pytest.mark.parametrize(("name", "package"), [(LIBRARY, "stridekit"), (GRADING, GRADING)])
def test_the_other_wheels_bring_their_package_alone(built, name, package):
    """All that git keeps of it; what builds it stays behind."""
    with zipfile.ZipFile(built[name][1]) as wheel:
        there = {each for each in wheel.namelist() if not each.startswith(f"{name}-")}
    beside = {"pyproject.toml", "README.md", "LICENSE"}
    kept = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and path.name not in beside
    }
    assert there == kept


def test_each_asks_for_the_one_below_it_in_its_own_version(built):
    """So that a mix of versions is refused."""
    from email.parser import Parser

    asked = {}
    for name, (_, path) in built.items():
        with zipfile.ZipFile(path) as wheel:
            (about,) = [each for each in wheel.namelist() if each.endswith("/METADATA")]
            said = Parser().parsestr(wheel.read(about).decode())
        assert said["Version"] == __version__
        asked[name] = [each for each in said.get_all("Requires-Dist", []) if "stridekit" in each]
    assert asked == {
        LIBRARY: [],
        COURSE: [f"stridekit-library[figures,notebook]=={__version__}"],
        GRADING: [f"stridekit-course=={__version__}"],
    }


WITHOUT = """
import importlib, pkgutil, sys
import stridekit as sk

x = sk.arange(12).view(3, 4)
diagram = sk.draw({"x": x, "x.t()": x.t()})
assert "<svg " in diagram.svg() and "stride (1, 4)" in diagram.text()
assert sk.draw_pixels(sk.face()).svg() and sk.draw_view(x.t(), 12).text()
assert "No: dim 1" in str(sk.explain.contiguity(x.t()))
assert not {each.partition(".")[0] for each in sys.modules} & {"stridekit_course", "numpy"}
missing = set()
for each in pkgutil.walk_packages(sk.__path__, "stridekit."):
    if each.name != "stridekit.__main__":
        try:
            importlib.import_module(each.name)
        except ModuleNotFoundError as error:
            missing.add(error.name.partition(".")[0])
print(sorted(missing))
"""


def test_the_library_draws_and_explains_on_python_alone(alone):
    """And what of it asks for more, asks for a library of tensors, or for the page's."""
    command, environment, home = alone
    python = command.with_name("python")
    done = subprocess.run(
        [python, "-c", WITHOUT],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "['IPython', 'numpy', 'torch', 'traitlets']", done


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lab"], "pip install stridekit-course"),
        (["doctor", "--json"], "pip install stridekit-course"),
        (["grade", "ps3"], "pip install stridekit-grading"),
        (["report"], "pip install stridekit-grading"),
        ([], "pip install stridekit-course"),
    ],
)
def test_a_word_of_another_package_says_what_to_install(alone, words, said):
    """In one sentence."""
    status, told = run(alone, *words)
    assert status == 1
    assert told.startswith("stridekit: ")
    assert told.rstrip().endswith(said)
    assert told.count("\n") == 1


def test_with_the_course_alone_the_grader_is_named(installed):
    """And its words are not among those that there are."""
    status, told = run(installed, "grade", "ps3")
    assert (status, told.count("\n")) == (1, 1)
    assert "pip install stridekit-grading" in told
    status, told = run(installed, "--help")
    assert status == 0
    assert "lab" in told
    assert "grade " not in told


def test_a_mix_of_versions_is_said_by_doctor(built, tmp_path):
    """Where pip was told to install it all the same."""
    command, environment_of, home = environment(tmp_path, [built[LIBRARY][1], built[COURSE][1]])
    package = next(command.parent.parent.glob("lib/python*/site-packages/stridekit/__init__.py"))
    # Of another length, for what is compiled is known by the source's second and its length.
    package.write_text(package.read_text("utf-8").replace(__version__, "0.0.99"), "utf-8")
    code = "from stridekit_course import doctor; print(doctor.packages().line('ascii'))"
    done = subprocess.run(
        [command.with_name("python"), "-c", code], env=environment_of, cwd=home,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "x fails   packages: its packages are not of one version" in done.stdout, done.stderr
    assert "stridekit-library 0.0.99" in done.stdout
    assert f'pip install "stridekit-library=={__version__}"' in done.stdout


def test_the_sdist_is_the_repository(built):
    """All that git keeps, so that tests run from it; and nothing that git ignores."""
    with tarfile.open(built[COURSE][0]) as sdist:
        there = {name.partition("/")[2] for name in sdist.getnames()}
    for name in ("conftest.py", "constraints.txt", "Makefile", "nbgrader_config.py", ".ci/run"):
        assert name in there
    for folder in ("tests", "tools", "demo", "docs", "source", "release", "course", ".github",
                   "stridekit", "stridekit_course", "stridekit_grading"):  # fmt: skip
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
            # It has nothing to put away, and now and then it does not hear a request to end.
            lab.kill()
    course = home / "stridekit-course"
    assert f"Laying the course into {course}." in "".join(said)
    assert "The exercises lie in work/ now, as copies that are yours: ps1, " in "".join(said)
    assert not (course / ".exchange" / "exchange" / "stridekit").exists()
    for path in (ROOT / "release").glob("*/*.ipynb"):
        assert (course / "work" / path.parent.name / path.name).read_bytes() == path.read_bytes()
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
