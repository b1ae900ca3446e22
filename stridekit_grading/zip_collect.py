"""nbgrader's zip_collect: where it looks for archives, and what it is given of our own.

It unpacks only what `archives` found to be safe, and takes only what was found to be somebody's.
"""

import os
import shutil
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from stridekit.errors import CommandError
from stridekit_grading.archives import Archive, ArchivedNotebook, UnpackPaths, pack


class CarefulExtractor(ExtractorPlugin):  # type: ignore[misc]
    """Unpacks notebooks under the names that the platform gave them."""

    def extract(self, archive_path: str, extracted_path: str) -> None:
        """Unpack all archives. See ExtractorPlugin."""
        places = UnpackPaths(Path(extracted_path))
        self.archives = [Archive(path) for path in sorted(Path(archive_path).glob("*.zip"))]
        self.unpacked: list[tuple[ArchivedNotebook, Path]] = []
        self.damaged: list[str] = []
        for archive in self.archives:
            for member, content in archive.read():
                if content is None:
                    self.damaged.append(member.name)
                    continue
                path = places.of(archive.path.stem, member.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
                self.unpacked.append((member, path))


class KnownOwners(FileNameCollectorPlugin):  # type: ignore[misc]
    """Knows whose each file is, and which notebook."""

    def choose(self, chosen: dict[Path, tuple[str, str, datetime | None]]) -> None:
        """What is to be collected: the learner, the notebook, and when it was handed in (UTC)."""
        self._chosen = {os.path.realpath(path): what for path, what in chosen.items()}

    def collect(self, submitted_file: str) -> dict[str, Any] | None:
        """Whose it is, or None. See FileNameCollectorPlugin."""
        what = self._chosen.get(os.path.realpath(submitted_file))
        if what is None:
            return None
        learner, notebook, time = what
        said = {"student_id": learner, "file_id": f"{notebook}.ipynb"}
        return said if time is None else {**said, "timestamp": f"{time:%Y-%m-%d %H:%M:%S}"}


def put(given: Sequence[Path], archive: Path, extracted: Path) -> None:
    """Put archives where nbgrader looks for them; what is there from before is kept."""
    incoming = archive.parent / ".incoming"
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    for path in given:
        name = path.resolve().name if path.is_dir() else path.stem
        place = free(incoming / name, ".zip")
        if path.is_dir():
            try:
                pack(path, place)
                # A folder is as strange as an archive.
                Archive(place)
            except CommandError:
                shutil.rmtree(incoming)
                raise
        else:
            shutil.copyfile(path, place)
    if _contents(archive) != _contents(incoming):
        earlier = free(archive.parent / "earlier")
        for folder in (archive, extracted):
            if folder.is_dir() and any(folder.iterdir()):
                earlier.mkdir(exist_ok=True)
                folder.rename(earlier / folder.name)
    for folder in (archive, extracted):
        shutil.rmtree(folder, ignore_errors=True)
    incoming.rename(archive)


def _contents(folder: Path) -> dict[str, bytes]:
    from hashlib import file_digest

    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                found[path.relative_to(folder).as_posix()] = file_digest(file, "sha256").digest()
    return found


def free(path: Path, suffix: str = "") -> Path:
    """A path that nothing has yet."""
    count, unused = 1, path.with_name(path.name + suffix)
    while unused.exists():
        count += 1
        unused = path.with_name(f"{path.name}-{count}{suffix}")
    return unused


def in_the_way(folder: Path) -> Path | None:
    """What stands where a folder is to be, or above it."""
    for path in (folder, *folder.parents):
        if path.is_dir():
            return None
        if path.is_symlink() or path.exists():
            return path
    return None


def put_aside(folder: Path, aside: Path) -> Path:
    """Move a folder to where nothing is yet."""
    aside = free(aside)
    aside.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(folder, aside)
    return aside


def carry_over(aside: Path, folder: Path, notebooks: Sequence[str]) -> list[str]:
    """Copy the notebooks that were handed in before, and not now."""
    carried = []
    for notebook in notebooks:
        there, here = aside / f"{notebook}.ipynb", folder / f"{notebook}.ipynb"
        if there.is_file() and not here.exists():
            shutil.copy(there, here)
            carried.append(notebook)
    return carried
