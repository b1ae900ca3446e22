"""The floors of the house: who may import whom, and that a wrong import is seen."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def house(tmp_path):
    """A copy of what the contracts are about."""
    shutil.copytree(
        ROOT / "stridekit", tmp_path / "stridekit", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools" / "contracts.py", tmp_path / "tools")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


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


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("layouts/dims", "from stridekit.tensors import dtypes", "Floors"),
        ("tensors/storage", "from stridekit import explain", "Floors"),
        ("checks/rules", "from stridekit.exercises import EXERCISES", "Floors"),
        ("explorers/index", "from stridekit.checks import engine", "Floors"),
        ("diagrams/scenes/scene", "import stridekit.cli", "Floors"),
        ("tensors/views", "from stridekit.tensors.tensor import Tensor", "Storeys"),
        ("tensors/interop/numpy", "from stridekit.tensors.tensor import Tensor", "Storeys"),
        ("diagrams/scenes/cells", "from stridekit.diagrams.pages import palette", "A diagram"),
        ("diagrams/pages/legend", "from stridekit.diagrams.renderers import svg", "A diagram"),
        ("explorers/controller", "from stridekit.explorers import index", "An explorer"),
        ("own_code/moves", "from stridekit.own_code import watching", "On somebody's own code"),
        ("own_code/places", "from stridekit.explorers import index", "Floors"),
        ("exercises/ps4/views", "from stridekit.exercises.ps4 import seams", "No circles"),
        ("diagrams/pages/page", "from stridekit.diagrams.pages import arrows", "No circles"),
        ("errors", "import numpy", "The standard library"),
        ("diagrams/renderers/svg", "import PIL", "The standard library"),
        ("explorers/parsing", "import parsimonious", "The standard library"),
    ],
)
def test_a_wrong_import_is_seen(house, module, line, contract):
    """Whichever floor it leaves, be it inside of a function."""
    path = house / "stridekit" / f"{module}.py"
    path.write_text(f"{path.read_text('utf-8')}\n\ndef late():\n    {line}\n", "utf-8")
    status, said = lint(house)
    assert status != 0
    assert f"{contract}" in said.partition("Broken contracts")[2]


def test_a_new_module_needs_its_floor(house):
    """One that no layer names is seen, in the folders whose modules are all in layers."""
    (house / "stridekit" / "tensors" / "extra.py").write_text('"""New."""\n')
    status, said = lint(house)
    assert status != 0
    assert "stridekit.tensors.extra" in said
