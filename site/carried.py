"""What of stridekit goes to the browser: the library, the course's checks, and notebooks."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import nbformat

import stridekit

ROOT = Path(__file__).resolve().parent.parent
# What asks for torch, for a terminal, or for a folder to work in.
ELSEWHERE_ONLY = {
    "own_code",
    "command.py",
    "doctor.py",
    "lab.py",
    "update.py",
    "workfolder",
    "jupyter",
}
# What a package's folder holds beside the package.
BESIDE = {"pyproject.toml", "README.md", "LICENSE"}
EXPLORERS = ROOT / "course" / "explorers.ipynb"
# What works without torch, from the first cell to the last.
ASSIGNMENTS = tuple(
    ROOT / "release" / name
    for name in (
        "ps1/storage-and-order.ipynb", "ps2/headers.ipynb", "ps5/broadcast-and-overlap.ipynb",
    )
)  # fmt: skip
# There is no exchange, and nobody grades.
END = (
    "## Done?\n\nIf all test cells print their line, you are. This browser alone keeps what you "
    "wrote: *File → Download* gives it to you as a file."
)


def wheel(folder: Path, name: str) -> Path:
    """The library, or the course, as a wheel for the browser: without torch, without commands."""
    version = stridekit.__version__
    made = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    left_out = {"__pycache__", *ELSEWHERE_ONLY, *BESIDE}
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((ROOT / name).rglob("*")):
            inside = path.relative_to(ROOT)
            if path.is_file() and not left_out & set(inside.parts):
                archive.writestr(zipfile.ZipInfo(inside.as_posix()), path.read_bytes())
        about = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        archive.writestr(f"{info}/METADATA", about)
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{info}/RECORD", "")
    return made


def notebooks() -> Mapping[str, nbformat.NotebookNode]:
    """The explorers and the assignments by the names of their files, with stridekit for torch."""
    made = {EXPLORERS.name: EXPLORERS}
    made |= {f"{path.parent.name}-{path.name}": path for path in ASSIGNMENTS}
    return {name: for_browser(nbformat.read(path, as_version=4)) for name, path in made.items()}


def for_browser(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """A notebook of the course as it runs where torch is not, and where nobody grades."""
    notebook.metadata.kernelspec = {"name": "python", "display_name": "Python (Pyodide)"}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.source = without_torch(cell.source)
        elif cell.id == "end":
            cell.source = END
    return notebook


def without_torch(source: str) -> str:
    """Code of the course as it runs where torch is not: stridekit has torch's words.

    >>> without_torch("import torch")
    'import stridekit as torch'
    """
    return "\n".join(
        "import stridekit as torch" if line == "import torch" else line
        for line in source.split("\n")
    )
