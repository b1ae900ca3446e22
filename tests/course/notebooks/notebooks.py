"""Where the notebooks lie, and how they are run."""

import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from tests import ROOT, warm

LESSONS = sorted((ROOT / "course").glob("[0-9][0-9]-*.ipynb"))
SOURCES = sorted((ROOT / "source").glob("*/*.ipynb"))
RELEASES = sorted((ROOT / "release").glob("*/*.ipynb"))
EXPLORERS = ROOT / "course" / "explorers.ipynb"
MYTHS = ROOT / "course" / "myths-and-claims.ipynb"
OWN_CODE = ROOT / "course" / "on-your-own-code.ipynb"
GLOSSARY = ROOT / "course" / "glossary.ipynb"
ALL = [
    ROOT / "course" / "index.ipynb",
    EXPLORERS,
    OWN_CODE,
    GLOSSARY,
    MYTHS,
    *LESSONS,
    *SOURCES,
    *RELEASES,
]


class WarmKernels(AsyncKernelManager):
    """Kernels that have imported torch, matplotlib and stridekit.

    They are talked to in a folder: a port that is free is at times somebody else's when they begin.
    """

    def __init__(self, **options: Any) -> None:
        folder = tempfile.mkdtemp(prefix="kernel-")
        super().__init__(transport="ipc", connection_file=f"{folder}/kernel.json", **options)
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)

    def format_kernel_cmd(self, extra_arguments: list[str] | None = None) -> list[str]:
        """The same command, but for the process that it runs in."""
        _, *arguments = super().format_kernel_cmd(extra_arguments)
        # Debugging's options, of which a kernel that is forked is past.
        return warm.python(warm.KERNEL, *arguments[arguments.index("-m") :])


def name(path: Path) -> str:
    """A short name for a test's id."""
    return f"{path.parent.name}/{path.stem}"


STRICT = "import warnings; warnings.simplefilter('error')"
# PNGs are for papers, and take half of a lesson's time.
WITHOUT_PNGS = """
for module, name in ("diagram", "Diagram"), ("pixel_diagram", "PixelDiagram"):
    get_ipython().display_formatter.formatters["image/png"].for_type_by_name(
        "stridekit.diagrams." + module, name, lambda diagram: None
    )
del module, name
"""


def run(path: Path, *, timeout: int = 300, pngs: bool = False) -> nbformat.NotebookNode:
    """The notebook, executed from top to bottom, with warnings as errors.

    Raises nbclient's CellExecutionError at the first cell that fails.
    """
    notebook = nbformat.read(path, as_version=4)
    first = STRICT if pngs else STRICT + WITHOUT_PNGS
    notebook.cells.insert(0, nbformat.v4.new_code_cell(first))
    resources = {"metadata": {"path": path.parent}}
    client = NotebookClient(
        notebook, timeout=timeout, resources=resources, kernel_manager_class=WarmKernels
    )
    client.execute()
    del notebook.cells[0]
    return notebook
