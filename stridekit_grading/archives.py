"""What a platform gave for download, read with care: strangers filled it.

It is a zip, or a folder of what was in one. Notebooks are taken out of it, each into a file that is
called by no name of theirs. All else stays inside, and is named.
"""

import io
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError
from stridekit_grading.plans import all_inside
from stridekit_grading.submissions import BYTES_MOST, UnreadableError

MEMBERS_MOST = 50_000
# Of all notebooks in an archive, unpacked; of a zip that a learner handed in, packed and unpacked.
TOTAL_MOST = 4 * 1024**3
INNER_MOST = 64 * 1024**2
INNER_MEMBERS_MOST = 1000
# Of a name with its folders: far more than anybody needs, and soon looked through.
NAME_MOST = 1000
# What zip programs write where they know no time.
_NO_TIME = (1980, 1, 1)


@dataclass(slots=True)
class Piece:
    """A file of an archive, or of a learner's own zip in it; and what is found out about it."""

    name: str
    """As the platform named it; what lay in a zip of the learner's has that zip as its folder."""
    given: str
    """The part of it that the platform gave: of what lay in a zip, the zip's own name."""
    archive: str
    """Which of the archives it is of."""
    time: datetime | None
    """What the archive says, of a zip or a notebook; it does not say of which time zone."""
    is_notebook: bool = True
    """Or a zip that may have held one."""
    problem: str = ""
    """Why it is not collected."""
    path: Path = Path()
    """Where a notebook lies now."""
    learner: str = ""
    """Whose it is."""
    called: str = ""
    """What the learner called it."""
    order: int = 0
    """Canvas counts what is uploaded."""
    is_late: bool = False
    notebook: str = ""
    """Which one of the assignment it is."""
    copy: int = 0
    """What the learner's system counts, where it had one of that name."""


@dataclass(frozen=True, slots=True)
class _Member:
    """A file, be it packed or not."""

    name: str
    """With its folders."""
    size: int
    time: datetime | None
    read: Callable[[], bytes]

    @property
    def is_notebook(self) -> bool:
        return self.name.lower().endswith(".ipynb")


class Archive:
    """A zip or a folder, with what is in it; nothing has been unpacked."""

    def __init__(self, path: Path) -> None:
        """Raises CommandError where it is not an archive, or one that nobody should unpack."""
        self.path = path
        try:
            inside = _lying_in(path) if path.is_dir() else _packed_in(zipfile.ZipFile(path))
            self._members = _of_people([*inside], MEMBERS_MOST, TOTAL_MOST)
        except UnreadableError as error:
            raise CommandError(
                f"{path.name} {error}: nothing was unpacked. Take that out, or download it again."
            ) from error
        except FileNotFoundError as error:
            raise CommandError(f"there is no file {path}.") from error
        except PermissionError as error:
            raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from error
        except Exception as error:
            raise CommandError(
                f"{path.name} is not a zip archive, or only a part of one ({_plain(error)}): "
                "nothing was unpacked. Download it again; what is packed in another way, unpack "
                "yourself, and name the folder."
            ) from error
        if not self._members:
            raise CommandError(f"{path.name} holds no file of anybody's. Download it again.")

    def unpack(self, folder: Path) -> Iterator[Piece]:
        """All that is in it; of each notebook there is a file in the folder."""
        for given in self._members:
            try:
                members = _within(given)
            except UnreadableError as error:
                # What is wrong with a learner's zip must not stop the class.
                problem = f"it {error}"
                yield Piece(given.name, given.name, self.path.stem, given.time, problem=problem)
                continue
            for each in members:
                piece = Piece(each.name, given.name, self.path.stem, given.time, each.is_notebook)
                if each.is_notebook:
                    try:
                        piece.path = _unpacked(each, folder)
                    except UnreadableError as error:
                        piece.problem = str(error)
                yield piece


def _packed_in(archive: zipfile.ZipFile) -> Iterator[_Member]:
    for info in archive.infolist():
        name = info.orig_filename
        if not info.flag_bits & 0x800:
            # Many write UTF-8 and do not say so.
            with suppress(UnicodeError):
                name = name.encode("cp437").decode("utf-8")
        read = partial(archive.read, info)
        yield _Member(name.replace("\\", "/"), info.file_size, _time(info.date_time), read)


def _lying_in(folder: Path) -> Iterator[_Member]:
    """Some browsers unpack what they download. Links are not followed."""
    for path in all_inside(folder):
        if path.is_file() and not path.is_symlink():
            known = path.stat()
            when = _time(time.localtime(known.st_mtime)[:6])
            # Some programs leave backslashes, too.
            name = str(path.relative_to(folder)).replace("\\", "/")
            yield _Member(name, known.st_size, when, path.read_bytes)


def _of_people(members: Sequence[_Member], most: int, total_most: int) -> list[_Member]:
    """All but folders and what a system put there by itself. Raises UnreadableError."""
    if len(members) > most:
        raise UnreadableError(f"holds {len(members):,} files, and {most:,} are the most")
    found = []
    for each in members:
        *folders, last = each.name.split("/")
        of_system = last.startswith("._") or last in (".DS_Store", "Thumbs.db")
        if last and not of_system and not {"__MACOSX", ".ipynb_checkpoints"} & {*folders}:
            found.append(each)
    sizes = [each.size for each in found if each.is_notebook]
    if sum(size for size in sizes if size <= BYTES_MOST) > total_most:
        raise UnreadableError(f"would unpack to more than {_size(total_most)} of notebooks")
    return found


def _within(given: _Member) -> Iterable[_Member]:
    """A file itself, or in place of a learner's own zip its notebooks. Raises UnreadableError."""
    if not given.name.lower().endswith(".zip"):
        return [given]
    if given.size > INNER_MOST:
        raise UnreadableError(f"has more than {_size(INNER_MOST)}")
    try:
        inside = zipfile.ZipFile(io.BytesIO(given.read()))
    except Exception as error:
        raise UnreadableError(
            f"is not a zip archive, or a damaged one ({_plain(error)})"
        ) from error
    found = _of_people([*_packed_in(inside)], INNER_MEMBERS_MOST, INNER_MOST)
    around = given.name[: -len(".zip")]
    return [replace(each, name=f"{around}/{each.name}") for each in found if each.is_notebook] or [
        given
    ]


def _unpacked(notebook: _Member, folder: Path) -> Path:
    """Where it lies now. Raises UnreadableError."""
    if len(notebook.name) > NAME_MOST:
        raise UnreadableError("its name is too long")
    if notebook.size > BYTES_MOST:
        raise UnreadableError(f"it has more than {_size(BYTES_MOST)}")
    try:
        content = notebook.read()
    # Each way to pack raises something of its own, and so do names, places and lengths.
    except Exception as error:
        raise UnreadableError("it cannot be read: it is damaged, or locked") from error
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
        file.write(content)
    return Path(file.name)


def _time(told: Any) -> datetime | None:
    """A time as a zip tells it: year, month, day, and so on."""
    with suppress(ValueError):
        if tuple(told[:3]) != _NO_TIME:
            return datetime(*told)
    return None


def _size(count: int) -> str:
    return f"{count // 1024**2:,} MiB"


def _plain(error: BaseException) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__
