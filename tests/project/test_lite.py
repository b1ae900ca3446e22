"""What the browser's Python is made of: its lock, stridekit's wheel, and the notebooks."""

import hashlib
import importlib
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import nbformat
import pytest

from stridekit_course import check
from stridekit_course.exercises import ASSIGNMENTS, CheckFailed
from tests.bank import solutions
from tests.course.notebooks.notebooks import ROOT

# Nothing but the standard library and both wheels, as in the browser; each notebook by itself.
RUN = """
import contextlib, io, json, sys
sys.path[:0] = sys.argv[1:]
for name, cells in json.load(sys.stdin).items():
    printed, space = io.StringIO(), {"__name__": "__main__"}
    with contextlib.redirect_stdout(printed):
        for cell in cells:
            exec(cell, space)
    print(name, printed.getvalue().count(": right on all "))
print(sorted({"torch", "numpy", "matplotlib", "IPython"} & {*sys.modules}))
"""


@pytest.fixture(scope="module")
def site() -> dict[str, ModuleType]:
    """The modules under site/, which is not a package."""
    before = [*sys.path]
    sys.path.insert(0, str(ROOT / "site"))
    try:
        return {name: importlib.import_module(name) for name in ("carried", "lock", "solve")}
    finally:
        sys.path[:] = before


def test_what_the_browser_is_to_say_of_wrong_work_is_said_here(site):
    """`make site-check` asks for these words, and runs where somebody makes the site."""
    for task in site["solve"].TASKS:
        bank = {f"{each.kind}: {each.title}": each for each in solutions("ps*", task.name)}
        check(task.name, bank[task.right].load())
        with pytest.raises(CheckFailed) as failure:
            check(task.name, bank[task.wrong].load())
        assert re.search(task.why, " ".join(str(failure.value).split()))


def test_what_is_loaded_lies_beside_the_runtime_with_all_that_it_needs(site, tmp_path: Path):
    """The rest leads to its public place, and keeps its digest."""
    lock = site["lock"]
    theirs = ("micropip", "ipython", "jedi", "typing-extensions", "traitlets", "numpy")
    packages = {
        name: {"name": name, "file_name": f"{name}-1.whl", "sha256": "theirs", "depends": []}
        for name in theirs
    }
    packages["ipython"]["depends"] = ["Traitlets", "typing_extensions"]
    kernel = lock.needed(lock.KERNEL, packages)
    assert kernel == {*theirs} - {"numpy"}
    near = {}
    for name in (*kernel, *lock.OURS, *lock.LITE, *lock.STRIDEKIT):
        near[name] = tmp_path / f"{name.replace('-', '_')}-7-py3-none-any.whl"
        near[name].write_bytes(name.encode())
    lock.led(packages, near, "https://public.example")
    # The course comes once a cell imports it.
    assert lock.needed(lock.LOADED, packages) == {*near} - {"stridekit-course"}
    assert packages["stridekit-course"]["imports"] == ["stridekit_course"]
    for name in near:
        wheel = tmp_path / packages[name]["file_name"]
        assert packages[name]["sha256"] == hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert packages["pyodide-kernel"]["imports"] == ["pyodide_kernel"]
    assert packages["anywidget"]["version"] == "7"
    assert packages["numpy"]["file_name"] == "https://public.example/numpy-1.whl"
    assert packages["numpy"]["sha256"] == "theirs"


def test_the_notebooks_run_on_the_wheels_alone(site, tmp_path: Path):
    """With the solutions: every example is drawn, and every check says that all is right."""
    carried = site["carried"]
    notebooks, code = carried.notebooks(), {}
    for release in carried.ASSIGNMENTS:
        name = f"{release.parent.name}-{release.name}"
        source = nbformat.read(ROOT / "source" / release.parent.name / release.name, as_version=4)
        solutions = {each.id: each.source for each in source.cells if each.id.endswith("-solution")}
        assert len(solutions) == len(ASSIGNMENTS[release.parent.name])
        cells = [each for each in notebooks[name].cells if each.cell_type == "code"]
        code[name] = [solutions.get(each.id, each.source) for each in cells]
    told = subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN,
         *(str(carried.wheel(tmp_path, name)) for name in ("stridekit", "stridekit_course"))],
        input=json.dumps(code), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert not told.stderr
    assert told.stdout.splitlines() == [*(f"{name} 7" for name in code), "[]"]


def test_notebooks_ask_for_nothing_that_is_not_there(site):
    """No library that the browser lacks, no button that it lacks; the explorers are among them."""
    carried = site["carried"]
    made = carried.notebooks()
    assert set(made) == {"explorers.ipynb", "ps1-storage-and-order.ipynb", "ps2-headers.ipynb",
                         "ps5-broadcast-and-overlap.ipynb"}  # fmt: skip
    for notebook in made.values():
        text = "\n".join(each.source for each in notebook.cells)
        assert "Submit" not in text
        assert "import torch" not in text.replace("import stridekit as torch", "")
        assert "import numpy" not in text
        assert notebook.metadata.kernelspec["name"] == "python"
    assert carried.without_torch("import torch.nn\n  import torch") == (
        "import torch.nn\n  import torch"
    )
    page = (ROOT / "site" / "try.md").read_text("utf-8")
    assert all(f"path={name}" in page for name in made)
