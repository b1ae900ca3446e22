"""What of Python comes to the browser at once, and what later: it is tried which is needed.

In node the runtime starts as in the browser, shows what one begins with, and says which files
that took. They stay in their zips. The rest of each zip goes into another one beside it, which
`later.py` fetches once something in it is imported.
"""

import json
import subprocess
import zipfile
from collections.abc import Iterable
from pathlib import Path

import bytecode

HERE = Path(__file__).resolve().parent
SCRIPT, LATER = HERE / "trial.mjs", HERE / "later.py"
# What says which package it is.
KEPT = (".dist-info/METADATA", ".dist-info/WHEEL", ".dist-info/entry_points.txt")


def divided(paths: Iterable[Path], runtime: Path, packages: Iterable[str]) -> None:
    """Divide zips of the runtime, given what is loaded before the first cell."""
    zipped, site = bytecode.places(runtime)
    command = ["node", str(SCRIPT), str(runtime), json.dumps([*packages])]
    told = subprocess.run(
        command, input=LATER.read_text("utf-8"), capture_output=True, text=True, check=True
    )
    used = set(json.loads(told.stdout))
    table: dict[str, tuple[str, list[str]]] = {}
    stdlib = runtime / bytecode.STDLIB
    for path in paths:
        root = zipped if path == stdlib else site
        rest = path.with_name(f"{path.stem}-later.zip")
        with zipfile.ZipFile(path) as whole:
            names = [each for each in whole.namelist() if not each.endswith("/")]
            late = [each for each in names if root + each not in used and not each.endswith(KEPT)]
            _write(rest, whole, late)
            first = _write(path.with_name("first.zip"), whole, sorted({*names} - {*late}))
        first.replace(path)
        laid = site.rpartition("/site-packages")[0] if path == stdlib else site
        table[rest.name] = laid, sorted(map(_module, filter(_is_module, late)))
    with zipfile.ZipFile(stdlib, "a", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        source = f"{LATER.read_text('utf-8')}\n\nTABLE = {table!r}\n"
        archive.writestr(zipfile.ZipInfo(LATER.name), source, zipfile.ZIP_DEFLATED, 9)


def _write(path: Path, whole: zipfile.ZipFile, names: Iterable[str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), whole.read(name), zipfile.ZIP_DEFLATED, 9)
    return path


def _is_module(name: str) -> bool:
    return name.endswith((".py", ".pyc")) and "-" not in name


def _module(name: str) -> str:
    """The module in a file of a zip.

    >>> _module("a/__init__.pyc"), _module("a/b.py")
    ('a', 'a.b')
    """
    return name.rpartition(".")[0].removesuffix("/__init__").replace("/", ".")
