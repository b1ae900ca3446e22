"""Which folder a command is about, what JupyterLab shows of it, and what can be written."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from stridekit.errors import CommandError
from stridekit_course.workfolder import manifest
from stridekit_course.workfolder.files import Files
from stridekit_course.workfolder.shipped import (
    AROUND,
    LESSONS,
    START,
    Source,
    is_course,
    is_in_git,
    own_source,
    source,
)

NAME = "stridekit-course"


@dataclass(frozen=True, slots=True)
class WorkingFolder:
    """A course that can be opened."""

    root: Path
    """The nbgrader course, which JupyterLab shows."""
    folder: Path | None
    """Where the copies lie that learners work on; None where the course itself is opened."""
    is_made: bool = True
    """Whether it is there already, whole: what was stopped while it was made is to be made."""

    @property
    def start(self) -> str:
        """The page to begin with, by its name in the course."""
        folder = self.folder or self.root
        return (folder / START).relative_to(self.root).as_posix()

    @property
    def files(self) -> Files:
        """What lies there, of a place that has copies."""
        return Files(self.folder or self.root)

    def source(self) -> Source:
        """What is laid there. Raises CommandError, and OSError."""
        if self.folder is not None and self.folder != self.root:
            return source(self.root, LESSONS)
        found = own_source()
        if found.root == self.root:
            raise CommandError(
                f"{self.root} is where this stridekit itself lies, so there is nothing newer to "
                "bring. Copies come with: stridekit lab FOLDER"
            )
        return found


def find(given: Path | None, here: Path) -> WorkingFolder:
    """The course in the folder that is given, or else around `here`, or in the home folder.

    One that is not made yet is to be made there. In a clone git's files stay as they are, so its
    copies lie in work/, of which git knows nothing. Raises CommandError.
    """
    if given is not None:
        folder = _resolved(given)
        return _at(folder) or _new(folder)
    for folder in (here, *here.parents, AROUND):
        if found := _at(folder):
            return found
    try:
        home = Path.home()
    except RuntimeError as error:
        raise CommandError("which is your home folder? Say: stridekit lab FOLDER") from error
    folder = home / NAME
    return _at(folder) or _new(folder)


def _resolved(given: Path) -> Path:
    try:
        return given.expanduser().resolve()
    except (OSError, RuntimeError) as error:
        raise CommandError(f"{given} cannot be a folder: {error}") from error


def _at(folder: Path) -> WorkingFolder | None:
    """The course that a folder is."""
    if manifest.is_there(folder):
        around = folder.parent
        in_clone = folder.name == "work" and is_course(around) and is_in_git(around)
        known = manifest.read(folder)
        is_made = bool(known.version) or known.is_damaged
        return WorkingFolder(around if in_clone else folder, folder, is_made=is_made)
    if not is_course(folder):
        return None
    if not is_in_git(folder):
        return WorkingFolder(folder, None)
    work = folder / "work"
    return _at(work) or WorkingFolder(folder, work, is_made=False)


def _new(folder: Path) -> WorkingFolder:
    """A folder for a course that is to be made. Raises CommandError where that cannot be."""
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is a file. Name a folder: stridekit lab FOLDER")
    try:
        others = [each.name for each in folder.iterdir() if not each.name.startswith(".")]
    except FileNotFoundError:
        others = []
    if others:
        raise CommandError(
            f"{folder} holds other things ({sorted(others)[0]}, for one) and no course. For a "
            f"folder of its own: stridekit lab {as_typed(folder / NAME)}"
        )
    return WorkingFolder(folder, folder, is_made=False)


def as_typed(folder: Path) -> str:
    """A folder as one types it behind a command.

    >>> print(as_typed(Path("course")), as_typed(Path("my course")), as_typed(Path("course(2)")))
    course "my course" "course(2)"
    """
    is_plain = all(letter.isalnum() or letter in "/\\:.-_~" for letter in str(folder))
    return str(folder) if is_plain else f'"{folder}"'


def typed(command: str, folder: Path) -> str:
    """A command about a course's folder, as one types it where one is."""
    with suppress(CommandError):
        here = find(None, Path.cwd())
        if folder in (here.root, here.folder):
            return command
    return f"{command} {as_typed(folder)}"


def require_runtime_folder() -> None:
    """Raise CommandError where JupyterLab cannot write down who serves on which port."""
    from jupyter_core.paths import jupyter_runtime_dir

    folder = Path(jupyter_runtime_dir())
    if not is_writable(folder):
        raise CommandError(
            f"JupyterLab would keep its connections in {folder}, which cannot be written. Name a "
            "folder that can: JUPYTER_RUNTIME_DIR=FOLDER stridekit lab"
        )


def is_writable(folder: Path) -> bool:
    """Whether one may write there, or make it there."""
    there = next((each for each in (folder, *folder.parents) if each.exists()), folder)
    return os.access(there, os.W_OK)
