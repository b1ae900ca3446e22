"""Where one works: the folder, the exchange, the port, and what opens a page."""

import os
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path

from stridekit.doctor.finding import Finding
from stridekit.errors import CommandError
from stridekit.workfolder.places import Place, find
from stridekit.workfolder.plan import Kind
from stridekit.workfolder.updating import planned


def folder(given: Path | None, here: Path) -> Finding:
    """The course that `stridekit lab` opens."""
    try:
        place = find(given, here)
        if not place.is_made:
            if not _is_writable(place.root):
                return _unwritable(place)
            says = f"`stridekit lab` makes {place.folder} at its first start"
            return Finding("folder", "works", says)
        if not _is_writable(place.root):
            return _unwritable(place)
        where = place.folder or place.root
        if place.folder is None:
            return Finding("folder", "works", f"{where}, opened as it is")
        newer = sum(step.kind is not Kind.LEAVE for step in planned(place.files, place.source()))
    except CommandError as error:
        return Finding("folder", "fails", str(error).rstrip("."), "stridekit lab FOLDER")
    if newer:
        do = "stridekit update" + (f" {given}" if given else "")
        return Finding("folder", "partly", f"{where}; {newer} files are newer in stridekit", do)
    return Finding("folder", "works", f"{where}, up to date")


def _unwritable(place: Place) -> Finding:
    says = f"{place.root} cannot be written, so nothing can be saved there"
    return Finding("folder", "partly", says, "stridekit lab FOLDER, with a folder of yours")


def _is_writable(folder: Path) -> bool:
    """Whether one may write there, or make it there."""
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    return os.access(there, os.W_OK)


def exchange(given: Path | None, here: Path, platform: str = sys.platform) -> Finding:
    """Where assignments are fetched from."""
    if platform == "win32":
        says = "nbgrader has none on Windows"
        return Finding("exchange", "partly", says, "copy a folder from release/ into work/")
    try:
        from traitlets.config.loader import PyFileConfigLoader

        place = find(given, here)
        if not (place.root / "nbgrader_config.py").is_file():
            return Finding("exchange", "works", "it is made with the folder")
        config = PyFileConfigLoader("nbgrader_config.py", path=str(place.root)).load_config()
        root = Path(str(config.Exchange.root))
    except CommandError as error:
        return Finding("exchange", "partly", str(error).rstrip("."))
    except Exception as error:  # noqa: BLE001 - somebody's own configuration may raise anything
        says = f"nbgrader_config.py does not load ({type(error).__name__}: {error})"
        return Finding("exchange", "partly", says, "put it right, or take it anew from the course")
    whose = "your own" if place.root in root.parents else "shared"
    if not _is_writable(root):
        do = f"make it writable for all who use it: chmod a+rwx {root}"
        return Finding("exchange", "partly", f"{root} cannot be written", do)
    return Finding("exchange", "works", f"{whose}, {root}")


def browser(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Finding:
    """What opens JupyterLab's page."""
    shows = (
        platform in ("win32", "darwin")
        or environment.get("DISPLAY")
        or environment.get("WAYLAND_DISPLAY")
    )
    try:
        webbrowser.get()
    except webbrowser.Error:
        shows = None
    if shows:
        return Finding("browser", "works", "the system opens pages")
    says = "nothing here opens a page"
    do = "open the address that `stridekit lab` prints, in a browser of your own"
    return Finding("browser", "partly", says, do)
