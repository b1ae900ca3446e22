"""The zips for the browser: what is compiled anew, what is kept, and under which names."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests import ROOT


@pytest.fixture
def bytecode(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "site"))
    return importlib.import_module("bytecode")


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """As much of Pyodide as is read before node starts."""
    folder = tmp_path / "runtime"
    folder.mkdir()
    lock = {"info": {"python": "3.14.2"}}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")
    (folder / "pyodide.asm.wasm").write_bytes(b"one runtime")
    for name in ("python_stdlib.zip", "stridekit-1-py3-none-any.whl", "comm-1-py3-none-any.whl"):
        (folder / name).write_bytes(name.encode())
    return folder


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, bytecode: ModuleType) -> list[list[dict[str, Any]]]:
    """What node is asked to do, each time; what it makes says from what."""
    calls: list[list[dict[str, Any]]] = []

    def run(command: list[str], **options: Any) -> None:
        assert command[:2] == ["node", str(ROOT / "site" / "compile.mjs")]
        assert options["check"]
        calls.append(json.loads(options["input"]))
        for each in calls[-1]:
            Path(each["to"]).write_bytes(b"compiled " + Path(each["from"]).read_bytes())

    monkeypatch.setattr(bytecode.subprocess, "run", run)
    return calls


def put(bytecode: ModuleType, runtime: Path, kept: Path) -> None:
    zips = [*sorted(runtime.glob("*.whl")), runtime / "python_stdlib.zip"]
    bytecode.put(zips, runtime, kept, frozenset({"stridekit"}))


def test_each_zip_is_replaced_and_told_where_it_will_be(
    bytecode: ModuleType, runtime: Path, asked: list[list[dict[str, Any]]], tmp_path: Path
) -> None:
    put(bytecode, runtime, tmp_path / "kept")
    ((comm, own, stdlib),) = asked
    assert stdlib["root"] == "/lib/python314.zip/"
    assert comm["root"] == own["root"] == "/lib/python3.14/site-packages/"
    assert [each["withSources"] for each in (comm, own, stdlib)] == [False, True, False]
    for each in (comm, own, stdlib):
        path = Path(each["from"])
        assert path.read_bytes() == b"compiled " + path.name.encode()


def test_what_was_compiled_is_kept_until_the_zip_or_the_runtime_changes(
    bytecode: ModuleType, runtime: Path, asked: list[list[dict[str, Any]]], tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    before = {path: path.read_bytes() for path in runtime.iterdir()}

    def anew() -> None:
        for path, body in before.items():
            path.write_bytes(body)
        put(bytecode, runtime, kept)

    anew()
    anew()
    assert len(asked) == 1
    wheel = runtime / "comm-1-py3-none-any.whl"
    assert wheel.read_bytes() == b"compiled " + wheel.name.encode()
    before[wheel] = b"another"
    anew()
    assert [Path(each["from"]).name for each in asked[1]] == [wheel.name]
    assert wheel.read_bytes() == b"compiled another"
    before[runtime / "pyodide.asm.wasm"] = b"another runtime"
    anew()
    assert len(asked[2]) == 3


def test_a_compiler_that_fails_stops_it_and_leaves_the_zips(
    bytecode: ModuleType, runtime: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = {path: path.read_bytes() for path in runtime.iterdir()}
    real = subprocess.run

    def run(_command: list[str], **options: Any) -> Any:
        return real([sys.executable, "-c", "raise SystemExit(3)"], **options)

    monkeypatch.setattr(bytecode.subprocess, "run", run)
    with pytest.raises(subprocess.CalledProcessError):
        put(bytecode, runtime, tmp_path / "kept")
    assert {path: path.read_bytes() for path in runtime.iterdir()} == before
    assert not list((tmp_path / "kept").iterdir())
