"""In which course somebody is working in this process, if somebody is."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

# The course map: the folder above it is a course.
MARK = Path("course", "index.ipynb")


def course_folder() -> Path | None:
    """The folder of the course whose notebook somebody runs here; None where nobody does.

    A page of JupyterLab, Notebook or VS Code says which cell of which notebook it runs. What runs
    notebooks by itself says nothing of the kind: a grader, *Validate*, nbconvert, a test. Then
    there is nobody whose progress it would be.

    >>> course_folder()  # in a script
    """
    notebook = _notebook()
    if notebook is None:
        return None
    # A folder further up may be closed to whoever runs this.
    with suppress(OSError):
        for folder in (notebook, *notebook.parents):
            if (folder / MARK).is_file():
                return folder
    return None


def _notebook() -> Path | None:
    """The notebook that somebody runs in this process, from a page."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    if not hasattr(shell, "kernel"):
        return None
    # Not every kernel is IPython's own, with all that its shell has.
    told = getattr(shell, "user_ns", {}).get("__vsc_ipynb_file__")
    # A server says it to each kernel that it starts. Whatever that kernel starts inherits it, so
    # it counts only where a page has sent this very cell.
    if not told and _cell_of_a_page(shell):
        told = os.environ.get("JPY_SESSION_NAME")
    return Path(told) if isinstance(told, str) and os.path.isabs(told) else None  # noqa: PTH117


def _cell_of_a_page(shell: Any) -> bool:
    """Whether what runs now is a cell that a page has sent, under its id."""
    asked = shell.get_parent() if hasattr(shell, "get_parent") else None
    return isinstance(asked, dict) and bool((asked.get("metadata") or {}).get("cellId"))
