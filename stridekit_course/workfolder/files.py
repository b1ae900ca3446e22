"""Files are laid, replaced and put away so that whatever stops it, each is there whole."""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import EEXIST, ENOLCK, ENOSYS, ENOTSUP, EOPNOTSUPP
from pathlib import Path, PurePosixPath

from stridekit.errors import CommandError
from stridekit_course.workfolder.manifest import HIDDEN, NAME, Manifest, Version, version_of
from stridekit_course.workfolder.plan import Present

_NO_LOCKS = (ENOSYS, ENOLCK, ENOTSUP, EOPNOTSUPP)
# A folder that Windows shows in two places.
_JUNCTION = 0xA0000003


@dataclass(frozen=True, slots=True)
class Files:
    """The files of one working folder, by names with forward slashes."""

    root: Path

    def look(self, name: str) -> Present | None:
        """What stands at a path; None for nothing."""
        parts = PurePosixPath(name).parts
        place = self.root
        for part in parts[:-1]:
            place /= part
            mode = _mode(place)
            if mode is None:
                return None
            if not stat.S_ISDIR(mode):
                what = "a link" if stat.S_ISLNK(mode) else "not a folder"
                return Present(
                    None, f"{place.relative_to(self.root).as_posix()} is {what}", is_shut=True
                )
        path = self.root / name
        mode = _mode(path)
        if mode is None:
            return None
        if not stat.S_ISREG(mode):
            return Present(None, "it is a link" if stat.S_ISLNK(mode) else "it is not a file")
        try:
            version = version_of(name, path.read_bytes())
        except OSError as error:
            return Present(None, f"it cannot be read: {error.strerror}")
        is_writable = mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
        return Present(version, "" if is_writable else "it is read-only")

    def lay(self, name: str, content: bytes) -> None:
        """Write a file where nothing stands. Raises OSError."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._part(content) as part:
            _rename_to_nothing(part, path)

    def replace(self, name: str, content: bytes, seen: Version) -> None:
        """Write a file over one that is still what it was seen to be. Raises OSError."""
        path = self.root / name
        with self._part(content) as part:
            self._insist(name, seen)
            part.replace(path)

    def put_away(self, name: str, seen: Version, version: str) -> str:
        """Move a file that is still what it was seen to be; gives its new name. Raises OSError."""
        self._insist(name, seen)
        kept = self._free_name(name, version)
        (self.root / kept).parent.mkdir(parents=True, exist_ok=True)
        _rename_to_nothing(self.root / name, self.root / kept)
        return kept

    def keep(self, name: str, version: str) -> str:
        """A copy of a file, put away; gives its name. Raises OSError."""
        content = (self.root / name).read_bytes()
        kept = self._free_name(name, version)
        self.lay(kept, content)
        return kept

    def write(self, manifest: Manifest) -> None:
        """Keep what is known. Raises OSError."""
        (self.root / HIDDEN).mkdir(parents=True, exist_ok=True)
        with self._part(manifest.as_text().encode()) as part:
            part.replace(self.root / NAME)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Only one at a time. Raises CommandError, and OSError."""
        from filelock import FileLock

        (self.root / HIDDEN).mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.root / HIDDEN / "lock", timeout=0)
        try:
            lock.acquire()
        except TimeoutError as error:
            raise CommandError(
                f"another stridekit is at work in {self.root}. Wait for it, then try again."
            ) from error
        except (NotImplementedError, OSError) as error:
            # Some network drives have no locks.
            if isinstance(error, OSError) and error.errno not in _NO_LOCKS:
                raise
        try:
            # What one that was stopped has left half-written.
            for part in (self.root / HIDDEN).glob("*.part"):
                with suppress(OSError):
                    part.unlink()
            yield
        finally:
            lock.release()

    @contextmanager
    def _part(self, content: bytes) -> Iterator[Path]:
        """A file with that content, on its way to its place."""
        part = self.root / HIDDEN / f"{os.getpid()}.part"
        try:
            with part.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            yield part
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)

    def _insist(self, name: str, seen: Version) -> None:
        there = self.look(name)
        if there is None or there.version != seen:
            raise OSError(EEXIST, "it was changed at this moment; run the same command again")

    def _free_name(self, name: str, version: str) -> str:
        folder = f"{HIDDEN}/before/{version or 'unknown'}"
        path, number = PurePosixPath(name), 1
        while True:
            ending = f"-{number}" if number > 1 else ""
            kept = f"{folder}/{path.with_name(f'{path.stem}{ending}{path.suffix}')}"
            if _mode(self.root / kept) is None:
                return kept
            number += 1


def _mode(path: Path) -> int | None:
    """What stands there, links not followed; None for nothing."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if getattr(found, "st_reparse_tag", 0) == _JUNCTION:
        return stat.S_IFLNK
    return found.st_mode


def _rename_to_nothing(path: Path, to: Path) -> None:
    """Rename, over nothing that stands there. Raises OSError."""
    if sys.platform != "win32":
        try:
            os.link(path, to)
        except FileExistsError:
            raise
        except OSError:
            # Some file systems have no hard links.
            if _mode(to) is not None:
                raise
        else:
            path.unlink()
            return
    path.rename(to)
