"""The floors of the house: who may import whom, and that a wrong import is seen."""

import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import ROOT

# What the library is held against, and what tests are written with.
ORACLES = {"numpy", "torch"}
WRITTEN_WITH = {"pytest", "hypothesis", "tests"}
PACKAGES = ("stridekit", "stridekit_course", "stridekit_grading")


def copied(folder):
    """A copy of what the contracts are about."""
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    (folder / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "contracts.py", folder / "tools")
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


@pytest.fixture
def house(tmp_path):
    """See copied."""
    return copied(tmp_path)


def lint(folder):
    """What `make lint` says of imports: its exit status, and the text in one line."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--no-logo"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def test_every_contract_is_kept(house):
    """In the copy, so that the tests below fail for what they change."""
    status, said = lint(house)
    assert status == 0, said
    assert "0 broken" in said


# What leaves a floor: the module, the line, and the contract that it breaks.
WRONG = [
    (
        "stridekit/explorers/index",
        "from stridekit_course.checks import engine",
        "Three packages",
    ),
    ("stridekit/command", "import stridekit_grading", "Three packages"),
    ("stridekit_course/doctor", "from stridekit_grading import runners", "Three packages"),
    ("stridekit/layouts/dims", "from stridekit.tensors import dtypes", "Floors of the library"),
    ("stridekit/tensors/storage", "from stridekit import explain", "Floors of the library"),
    ("stridekit/diagrams/scenes/scene", "import stridekit.command", "Floors of the library"),
    (
        "stridekit/own_code/places",
        "from stridekit.explorers import index",
        "Floors of the library",
    ),
    (
        "stridekit_course/checks/rules",
        "from stridekit_course.exercises import EXERCISES",
        "Floors of the course",
    ),
    (
        "stridekit_course/progress/record",
        "from stridekit_course import questions",
        "Floors of the course",
    ),
    ("stridekit_grading/plans", "from stridekit_grading import course", "Floors of the grader"),
    ("stridekit/tensors/header", "from stridekit.tensors.tensor import Tensor", "Storeys"),
    (
        "stridekit/tensors/interop/numpy",
        "from stridekit.tensors.tensor import Tensor",
        "Storeys",
    ),
    (
        "stridekit/diagrams/scenes/cells",
        "from stridekit.diagrams.pages import colours",
        "A diagram",
    ),
    (
        "stridekit/diagrams/pages/legend",
        "from stridekit.diagrams.renderers import svg",
        "A diagram",
    ),
    (
        "stridekit/explorers/controller",
        "from stridekit.explorers import index",
        "An explorer",
    ),
    (
        "stridekit/own_code/copies",
        "from stridekit.own_code import watching",
        "On somebody's own code",
    ),
    (
        "stridekit_grading/sandbox/channel",
        "from stridekit_grading.sandbox import referee",
        "A sandbox",
    ),
    (
        "stridekit/diagrams/pages/page",
        "from stridekit.diagrams.pages import arrows",
        "No circles",
    ),
    ("stridekit/errors", "import numpy", "The standard library"),
    ("stridekit/diagrams/renderers/svg", "import PIL", "The standard library"),
    ("stridekit_course/checks/strategies", "import parsimonious", "The standard library"),
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory):
    """What is said of a house with all wrong imports, each inside of a function: by contracts."""
    house = copied(tmp_path_factory.mktemp("house"))
    for module, line, _ in WRONG:
        path = house / f"{module}.py"
        path.write_text(f"{path.read_text('utf-8')}\n\ndef late():\n    {line}\n", "utf-8")
    status, said = lint(house)
    assert status != 0
    names = "|".join({contract for *_, contract in WRONG})
    parts = re.split(f"({names})", said.partition("Broken contracts")[2])
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize(("module", "line", "contract"), WRONG)
def test_a_wrong_import_is_seen(broken, module, line, contract):
    """Whichever floor it leaves: with the module, by that floor's contract."""
    words = line.split()
    target = f"({words[-1]}|{words[1].rpartition('.')[2]})"
    assert re.search(rf"\.{Path(module).name} -> \S*\b{target}\b", broken[contract])


def test_a_new_module_needs_its_floor(house):
    """One that no layer names is seen, in the folders whose modules are all in layers."""
    (house / "stridekit" / "tensors" / "extra.py").write_text('"""New."""\n')
    status, said = lint(house)
    assert status != 0
    assert "stridekit.tensors.extra" in said


@pytest.mark.parametrize(
    "path", sorted((ROOT / "tests" / "stridekit").rglob("*.py")), ids=lambda path: path.stem
)
def test_the_librarys_tests_need_the_library_and_its_oracles_alone(path):
    """So that they run where nothing of Jupyter is, nor what draws figures."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    packages = {name.partition(".")[0] for name in imported} - set(sys.stdlib_module_names)
    assert packages <= {"stridekit", *ORACLES, *WRITTEN_WITH}
    ours = {name for name in imported if name.startswith("tests.")}
    assert all(name.startswith("tests.stridekit.") for name in ours)
    assert "stridekit.explorers.widgets" not in imported


def test_the_walk_through_the_library_names_modules_that_are_there():
    """And leaves no module of diagrams out: whoever adds one says where it stands on the way."""
    page = (ROOT / "docs" / "how-it-works.md").read_text("utf-8")
    named = set(re.findall(r"`((?:layouts|tensors|diagrams)/[\w/]+)`", page))
    library = ROOT / "stridekit"
    assert len(named) > 40
    assert not {
        name for name in named
        if not (library / f"{name}.py").is_file() and not (library / name).is_dir()
    }  # fmt: skip
    there = (each.relative_to(library) for each in (library / "diagrams").rglob("*.py"))
    assert {str(each.with_suffix("")) for each in there if each.stem != "__init__"} <= named
