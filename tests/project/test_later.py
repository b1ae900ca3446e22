"""What of Python comes to the browser at once, what later, and how that is found when wanted."""

import importlib
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from stridekit.errors import ViewError
from stridekit_course.checks.engine import CheckFailed
from tests import ROOT

WHOLE = {
    "python_stdlib.zip": ("base.py", "few/__init__.py", "few/at_first.py", "few/at_last.py"),
    "sk_pack-1-py3-none-any.whl": (
        "sk_pack/__init__.py", "sk_pack/rare.py", "sk_pack/rare.txt", "sk_pack/read.txt",
        "sk_pack-1.dist-info/METADATA", "sk_pack-1.dist-info/RECORD",
    ),
    "sk_whole-1-py3-none-any.whl": ("sk_whole/__init__.py", "sk_whole-1.dist-info/METADATA"),
}  # fmt: skip
# What a start reads, as it is told.
USED = ("zip/base.py", "zip/few/__init__.py", "zip/few/at_first.py",
        "lib/site-packages/sk_pack/__init__.py", "lib/site-packages/sk_pack/read.txt")  # fmt: skip


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Modules under site/, which is not a package; what is imported goes with the test."""
    monkeypatch.syspath_prepend(str(ROOT / "site"))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    before = dict(sys.modules)
    names = ("bytecode", "division", "later")
    yield SimpleNamespace(**{name: importlib.import_module(name) for name in names})
    for name in {*sys.modules} - {*before}:
        del sys.modules[name]
    sys.modules.update(before)


@pytest.fixture
def runtime(site: SimpleNamespace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A runtime whose zips were divided."""
    for name, files in WHOLE.items():
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for each in files:
                archive.writestr(each, f"NAME = {each!r}\n")
    places = f"{tmp_path}/zip/", f"{tmp_path}/lib/site-packages/"

    def run(command: list[str], **options: Any) -> Any:
        trial, later = ROOT / "site" / "trial.mjs", ROOT / "site" / "later.py"
        assert command == ["node", str(trial), str(tmp_path), '["sk-pack"]']
        assert options["input"] == later.read_text("utf-8")
        return SimpleNamespace(stdout=json.dumps([f"{tmp_path}/{each}" for each in USED]))

    monkeypatch.setattr(site.bytecode, "places", lambda _runtime: places)
    monkeypatch.setattr(site.division.subprocess, "run", run)
    site.division.divided([tmp_path / name for name in WHOLE], tmp_path, ["sk-pack"])
    return tmp_path


def inside(path: Path) -> list[str]:
    """The names in a zip."""
    with zipfile.ZipFile(path) as archive:
        return sorted(archive.namelist())


def test_nothing_is_lost_and_what_a_start_reads_is_there(runtime: Path) -> None:
    """Each file is in one of two zips. The first says which package it is."""
    rest = {}
    for name, files in WHOLE.items():
        rest[name] = inside(runtime / f"{Path(name).stem}-later.zip")
        assert sorted([*{*inside(runtime / name)} - {"later.py"}, *rest[name]]) == sorted(files)
    assert [*rest.values()] == [
        ["few/at_last.py"],
        ["sk_pack-1.dist-info/RECORD", "sk_pack/rare.py", "sk_pack/rare.txt"],
        ["sk_whole/__init__.py"],
    ]


class Bytes:
    """Bytes as JavaScript has them."""

    def __init__(self, content: bytes) -> None:
        self.to_bytes = lambda: content


@pytest.fixture
def started(runtime: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What came at once is laid where it goes, and the finder asks for the rest."""
    packages = runtime / "lib" / "site-packages"
    for name in WHOLE:
        shutil.unpack_archive(
            runtime / name, runtime / "zip" if "stdlib" in name else packages, "zip"
        )
    monkeypatch.syspath_prepend(str(runtime / "zip"))
    monkeypatch.syspath_prepend(str(packages))
    later = ModuleType("later")
    exec((runtime / "zip" / "later.py").read_text("utf-8"), vars(later))
    state = SimpleNamespace(asked=[], offline=False, later=later)

    def fetched(name: str) -> Bytes:
        state.asked.append(name)
        if state.offline:
            raise OSError("NetworkError")
        return Bytes((runtime / name).read_bytes())

    later.begin(fetched)
    return state


def test_the_rest_comes_once_with_the_first_module_that_is_missing(started) -> None:
    """Into the place where it would have been: data that goes with it is there, too."""
    assert importlib.import_module("few.at_first").NAME == "few/at_first.py"
    assert importlib.import_module("sk_pack").NAME == "sk_pack/__init__.py"
    assert started.asked == []
    rare = importlib.import_module("sk_pack.rare")
    assert Path(rare.__file__).with_name("rare.txt").is_file()
    assert importlib.import_module("few.at_last").NAME == "few/at_last.py"
    assert importlib.import_module("sk_whole").NAME == "sk_whole/__init__.py"
    assert started.asked == [f"{Path(name).stem}-later.zip" for name in (
        "sk_pack-1-py3-none-any.whl", "python_stdlib.zip", "sk_whole-1-py3-none-any.whl",
    )]  # fmt: skip


def test_what_there_is_not_is_not_asked_for(started) -> None:
    """People try whether something is installed."""
    for name in ("sk_nothing", "sk_pack.nothing", "few.nothing"):
        with pytest.raises(ModuleNotFoundError, match="No module named"):
            importlib.import_module(name)
    assert started.asked == []


def test_offline_it_says_so_and_works_once_one_is_online(started) -> None:
    """With the name of what was imported, and a way out."""
    started.offline = True
    with pytest.raises(ImportError, match=r"^import sk_pack.rare: .* Go online, and run the same"):
        importlib.import_module("sk_pack.rare")
    started.offline = False
    assert importlib.import_module("sk_pack.rare").NAME == "sk_pack/rare.py"


def test_jedi_waits_until_it_is_asked_for_something(started, tmp_path, monkeypatch) -> None:
    """As IPython imports it, with a setting that is kept. To look at all modules does not count."""
    import jedi

    assert isinstance(jedi, started.later.Waiting)
    jedi.settings.case_insensitive_completion = False
    import jedi.api.classes
    import jedi.api.helpers

    assert not any(hasattr(jedi, name) for name in ("__file__", "__path__", "__wrapped__"))
    assert isinstance(sys.modules["jedi"], started.later.Waiting)
    (tmp_path / "jedi" / "api").mkdir(parents=True)
    for name, text in {
        "__init__": "from jedi import api, settings\nInterpreter = 'the real one'\n",
        "settings": "case_insensitive_completion = True\n",
        "api/__init__": "from jedi.api import classes, helpers\n",
        "api/classes": "",
        "api/helpers": "",
    }.items():
        (tmp_path / "jedi" / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert jedi.Interpreter == "the real one"
    assert not isinstance(sys.modules["jedi"], started.later.Waiting)
    assert sys.modules["jedi.settings"].case_insensitive_completion is False
    assert jedi.api.classes is sys.modules["jedi.api.classes"]


def test_a_shell_in_a_terminal_is_not_asked_for_by_ipython_itself(started) -> None:
    """`from .terminal.embed import embed` brings no terminal along."""
    from IPython.terminal.embed import embed

    assert isinstance(sys.modules["IPython.terminal.embed"], started.later.Waiting)
    assert callable(embed)


def test_what_a_start_runs_ends_as_it_says() -> None:
    """The site is made by a run of these cells; a name that is gone would stop that."""
    text = (ROOT / "site" / "trial.mjs").read_text("utf-8")
    cells = re.search(r'CELLS = """(.*?)"""', text, re.DOTALL)[1].split("---")
    ends = re.findall('"(ok|error)"', re.search(r"went == (.*)", text)[1])
    known: dict[str, object] = {}
    for cell, end in zip(cells, ends, strict=True):
        if end == "ok":
            exec(cell, known)
            continue
        with pytest.raises((ViewError, CheckFailed)):
            exec(cell, known)
