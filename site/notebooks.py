"""The course's notebooks with their outputs: run once, and kept until they or the library change.

Sphinx's own way, MyST-NB with jupyter-cache, keeps outputs until the notebook changes. Here a
picture changes with the library, so the library is part of the key.
"""

import hashlib
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path

import nbformat

ROOT = Path(__file__).resolve().parent.parent
COURSE = ROOT / "course"
KEPT = ROOT / "build" / "site" / "executed"
LESSONS = sorted(COURSE.glob("[0-9][0-9]-*.ipynb"))
NOTEBOOKS = [*LESSONS, *sorted(set(COURSE.glob("*.ipynb")) - set(LESSONS))]
CELL_SECONDS = 120


def executed(paths: Iterable[Path], *, workers: int = 2) -> dict[Path, nbformat.NotebookNode]:
    """Each notebook with its outputs. Raises nbclient's CellExecutionError at a cell that fails."""
    library = _library()
    kept = {path: KEPT / f"{path.stem}-{_key(path, library)}.ipynb" for path in paths}
    missing = [path for path in kept if not kept[path].exists()]
    KEPT.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(workers) as pool:
        for path, notebook in zip(missing, pool.map(_run, missing), strict=True):
            for old in KEPT.glob(f"{path.stem}-*.ipynb"):
                old.unlink()
            nbformat.write(notebook, kept[path])
    return {path: nbformat.read(kept[path], as_version=4) for path in kept}


def _run(path: Path) -> nbformat.NotebookNode:
    """A notebook, run as if a page looked on: so its pictures come with their places."""
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        # Every kernel would warn that it talks to this machine in plain text.
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": path.parent}},
    )
    client.execute(env={**os.environ, "JPY_SESSION_NAME": path.name})
    return notebook


def _library() -> bytes:
    """What all notebooks depend on: the library's files, and the libraries below it."""
    digest = hashlib.sha256()
    for each in sorted(
        path for name in ("stridekit", "stridekit_course") for path in (ROOT / name).rglob("*")
    ):
        if each.suffix in (".py", ".js", ".css"):
            digest.update(each.read_bytes())
    digest.update(Path(__file__).read_bytes())
    digest.update(f"{version('torch')} {version('numpy')}".encode())
    return digest.digest()


def _key(path: Path, library: bytes) -> str:
    return hashlib.sha256(library + path.read_bytes()).hexdigest()[:12]
