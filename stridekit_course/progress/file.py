"""The file of a course folder, in which what a learner has done is kept.

It is one hidden file, and nothing stands elsewhere. It is read, changed by several kernels at once,
cleared; it is never half written, and what cannot be read is kept aside. Where a folder cannot be
written, nothing is kept, and nothing is said of it to somebody who only runs a lesson.

Only a notebook of the course that somebody runs, cell by cell or all at once, writes to it: no
grader, no export, no test, no script.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from stridekit_course.progress.record import (
    BrokenRecordError,
    NewerRecordError,
    ProgressRecord,
    read,
    spelled,
)

NAME = ".stridekit-progress.json"
LOCK = ".stridekit-progress.lock"
ASIDE = ".stridekit-progress.unread-*.json"
# As clouds call it where two machines wrote: "… 2.json", "… (conflicted copy).json".
BESIDE = ".stridekit-progress?*.json"
# So many bytes are far more than a course can fill.
LARGEST = 1 << 20
# So long one kernel waits for another, which needs some milliseconds.
PATIENCE_S = 2.0

Change: TypeAlias = Callable[[ProgressRecord], ProgressRecord]


class StoredProgress(NamedTuple):
    """What a folder remembers, and a sentence where something is in the way of that."""

    record: ProgressRecord
    problem: str = ""


class ProgressFile(NamedTuple):
    """Where the record of one course folder lies."""

    folder: Path

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / NAME

    def look(self) -> StoredProgress:
        """What is remembered. Changes nothing."""
        try:
            record = self._read()
        except NewerRecordError as error:
            return StoredProgress(
                ProgressRecord(),
                f"{NAME} was written by a newer stridekit ({error}). It is left as it is, and "
                "nothing is added to it: update stridekit here, too.",
            )
        except BrokenRecordError:
            return StoredProgress(
                ProgressRecord(),
                f"{NAME} cannot be read. It will be kept aside under another name as soon as "
                "there is something new to remember.",
            )
        except OSError as error:
            return StoredProgress(
                ProgressRecord(), f"{NAME} cannot be opened ({_why(error)}): nothing is kept."
            )
        if not os.access(self.folder, os.W_OK):
            return StoredProgress(record, "This folder cannot be written: nothing new is kept.")
        if aside := _listed(self.set_aside()):
            return StoredProgress(
                record,
                f"A file of your progress could not be read. It is kept aside as {aside}; what "
                "you have done since then counts.",
            )
        if copies := _listed(self.copies()):
            return StoredProgress(
                record,
                f"Beside {NAME} lies {copies}, as clouds keep it where two machines wrote. What "
                f"stands there does not count. Call the one that you want {NAME}, and delete the "
                "other.",
            )
        return StoredProgress(record)

    def change(self, change: Change) -> None:
        """Remember what is new. Where that cannot be done, nothing happens."""
        with suppress(OSError, NewerRecordError), self._alone():
            try:
                before = self._read()
            except BrokenRecordError:
                self._put_aside()
                before = ProgressRecord()
            after = change(before)
            if after != before:
                self._write(spelled(after))

    def clear(self) -> None:
        """Forget everything. Raises OSError where that cannot be done."""
        # Whoever asks for it gets it, even where another kernel never lets go.
        with suppress(TimeoutError), self._alone():
            self._remove()
            return
        self._remove()

    def is_there(self) -> bool:
        """Whether there is anything to forget."""
        return os.path.lexists(self.path) or bool(self.set_aside() or self.copies())

    def set_aside(self) -> list[Path]:
        """Files that could not be read, and are kept."""
        return sorted(self.folder.glob(ASIDE))

    def copies(self) -> list[Path]:
        """Files that something else made of it."""
        return sorted({*self.folder.glob(BESIDE)} - {*self.set_aside()})

    def _remove(self) -> None:
        # A kernel that was killed while it wrote has left its half behind.
        for path in (self.path, *self.folder.glob(BESIDE), *self.folder.glob(f"{NAME}.*.tmp")):
            path.unlink(missing_ok=True)

    def _read(self) -> ProgressRecord:
        """Raises what `read` raises, and OSError where there is a file that cannot be opened."""
        try:
            with self.path.open("rb") as file:
                text = file.read(LARGEST + 1)
        except FileNotFoundError:
            return ProgressRecord()
        if len(text) > LARGEST:
            raise BrokenRecordError(f"more than {LARGEST:,} bytes")
        try:
            return read(text.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise BrokenRecordError(str(error)) from error

    def _put_aside(self) -> None:
        stem = f"{ASIDE.partition('*')[0]}{time.strftime('%Y-%m-%d')}"
        number = 1
        while (aside := self.folder / f"{stem}-{number}.json").exists():
            number += 1
        self.path.replace(aside)

    def _write(self, text: str) -> None:
        """Replace the file at once: whoever reads meanwhile sees the old one or the new one."""
        handle, name = tempfile.mkstemp(prefix=f"{NAME}.", suffix=".tmp", dir=self.folder)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                # A machine that stops now must not leave an empty file under the new name.
                os.fsync(file.fileno())
            Path(name).replace(self.path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other kernels out. Raises TimeoutError if one does not let go."""
        from filelock import FileLock

        lock = FileLock(self.folder / LOCK, timeout=PATIENCE_S, mode=0o600)
        try:
            lock.acquire()
        except TimeoutError:
            raise
        except OSError:
            # Some network folders know no locks. Then the last one wins, and no file is broken.
            yield
            return
        try:
            yield
        finally:
            lock.release()


def _listed(paths: list[Path]) -> str:
    return " and ".join(path.name for path in paths)


def _why(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


# In which course somebody is working in this process, if somebody is.


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


# Notes of what somebody does.


__all__ = ["note_check", "note_stop"]


def note_stop(lesson: int, stop: str) -> None:
    """A learner has come to a stop of a lesson: its "begun" or its "end".

    Does nothing where nothing is to be kept, and never raises.

    >>> note_stop(3, "begun")  # in a script
    """
    _note(lambda record: record.reached(lesson, stop))


def note_check(exercise: str, *, passes: bool) -> None:
    """A learner's function passes the check of that exercise, or does not.

    Does nothing where nothing is to be kept, and never raises.
    """
    _note(lambda record: record.checked(exercise, passes=passes))


def _note(change: Change) -> None:
    folder = course_folder()
    if folder is not None:
        ProgressFile(folder).change(change)
