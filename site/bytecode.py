"""Bytecode for the browser: what Python would else compile anew, seconds long, at every start.

npm's `pyodide` has the standard library as sources, and wheels of pure Python have nothing else.
Bytecode is of one version of Python, so the runtime itself makes it, in node. It goes without the
sources' dates: its header says that nobody need look whether they changed.
"""

import hashlib
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path

SCRIPT = Path(__file__).with_name("compile.mjs")
STDLIB = "python_stdlib.zip"


def put(paths: Iterable[Path], runtime: Path, kept: Path, with_sources: frozenset[str]) -> None:
    """Replace zips by compiled ones, which are kept in a folder: most never change.

    Sources stay in those whose name begins with one of `with_sources`.
    """
    kept.mkdir(parents=True, exist_ok=True)
    zipped, site = places(runtime)
    wanted = {path: kept / f"{_key(path)}-{path.name}" for path in paths}
    work = [
        {
            "from": str(path),
            "to": str(to),
            "root": zipped if path.name == STDLIB else site,
            "withSources": path.name.partition("-")[0] in with_sources,
        }
        for path, to in wanted.items()
        if not to.exists()
    ]
    if work:
        subprocess.run(
            ["node", str(SCRIPT), str(runtime)], input=json.dumps(work), text=True, check=True
        )
    for path, to in wanted.items():
        path.write_bytes(to.read_bytes())


def places(runtime: Path) -> tuple[str, str]:
    """Where Pyodide has the standard library and packages, as tracebacks tell it."""
    lock = json.loads((runtime / "pyodide-lock.json").read_text("utf-8"))
    major, minor, *_ = lock["info"]["python"].split(".")
    return f"/lib/python{major}{minor}.zip/", f"/lib/python{major}.{minor}/site-packages/"


def _key(path: Path) -> str:
    """The same for the same zip, compiled by the same script and the same runtime."""
    digest = hashlib.sha256(SCRIPT.read_bytes())
    digest.update(Path(__file__).read_bytes())
    digest.update(path.with_name("pyodide.asm.wasm").read_bytes())
    digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
