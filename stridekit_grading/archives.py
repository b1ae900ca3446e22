"""Archives from a platform, read with care: strangers filled them.

Only notebooks are taken out of them. All else stays inside, and is named.
"""

import filecmp
import io
import re
import shutil
import stat
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from stridekit.errors import CommandError
from stridekit_course.checks.callee import printable
from stridekit_grading.plans import all_inside, is_text
from stridekit_grading.submissions import BYTES_MOST, UnreadableError

MEMBERS_MOST = 50_000
# Of all notebooks in an archive, unpacked; of a zip that a learner handed in, packed and unpacked.
TOTAL_MOST = 4 * 1024**3
INNER_MOST = 64 * 1024**2
INNER_MEMBERS_MOST = 1000
# Of a name with its folders: far more than anybody needs, and far less than what disks refuse.
NAME_BYTES_MOST = 1000
NAME_PARTS_MOST = 50
# What zip programs write where they know no time.
_NO_TIME = (1980, 1, 1)
_FORBIDDEN = re.compile(r'[<>:"|?*]')


@dataclass(slots=True)
class Piece:
    """A file of an archive, or of a learner's own zip in it; and what is found out about it."""

    name: str
    """As the platform named it; what lay in a zip of the learner's has that zip as its folder."""
    given: str
    """The part of it that the platform gave: of what lay in a zip, the zip's own name."""
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


class Archive:
    """A zip, with what is in it; nothing has been unpacked."""

    def __init__(self, path: Path) -> None:
        """Raises CommandError where it is not an archive, or one that nobody should unpack."""
        self.path = path
        try:
            with zipfile.ZipFile(path) as opened:
                self._files = _files(opened, MEMBERS_MOST, TOTAL_MOST)
        except UnreadableError as error:
            raise CommandError(
                f"{path.name} {error}: nothing was unpacked. Take that out, or download it again."
            ) from error
        except FileNotFoundError as error:
            raise CommandError(f"there is no file {path}.") from error
        except PermissionError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        except Exception as error:
            raise CommandError(
                f"{path.name} is not a zip archive, or only a part of one ({_plain(error)}): "
                "nothing was unpacked. Download it again; what is packed in another way, unpack "
                "yourself, and name the folder."
            ) from error
        if not self._files:
            raise CommandError(f"{path.name} holds no file of anybody's. Download it again.")

    def unpack(self, folder: Path) -> Iterator[Piece]:
        """All that is in it; a notebook is written under the name that it has."""
        with zipfile.ZipFile(self.path) as opened:
            for info, given in self._files:
                time = _time(info)
                try:
                    members = _members(opened, info, given)
                except UnreadableError as error:
                    # What is wrong with a learner's zip must not stop the class.
                    yield Piece(given, given, time, problem=f"it {error}")
                    continue
                for holder, member, name in members:
                    piece = Piece(name, given, time, _is_notebook(name))
                    if piece.is_notebook:
                        try:
                            content = _content(holder, member, name)
                            piece.path = _written(folder, self.path.stem, name, content)
                        except UnreadableError as error:
                            piece.problem = str(error)
                    yield piece


def _members(
    opened: zipfile.ZipFile, info: zipfile.ZipInfo, given: str
) -> list[tuple[zipfile.ZipFile, zipfile.ZipInfo, str]]:
    """A file itself, or in place of a learner's own zip its notebooks. Raises UnreadableError."""
    itself = [(opened, info, given)]
    if not given.lower().endswith(".zip"):
        return itself
    if info.file_size > INNER_MOST:
        raise UnreadableError(f"has more than {_size(INNER_MOST)}")
    try:
        inside = zipfile.ZipFile(io.BytesIO(opened.read(info)))
    except Exception as error:
        raise UnreadableError(
            f"is not a zip archive, or a damaged one ({_plain(error)})"
        ) from error
    found = _files(inside, INNER_MEMBERS_MOST, INNER_MOST)
    notebooks = [(each, f"{given[:-4]}/{name}") for each, name in found if _is_notebook(name)]
    return [(inside, each, name) for each, name in notebooks] or itself


def _content(opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> bytes:
    """What is in a notebook. Raises UnreadableError."""
    if len(name.encode()) > NAME_BYTES_MOST or name.count("/") >= NAME_PARTS_MOST:
        raise UnreadableError("its name is too long")
    if info.file_size > BYTES_MOST:
        raise UnreadableError(f"it has more than {_size(BYTES_MOST)}")
    try:
        return opened.read(info)
    # Each way to pack raises something of its own, and so do names, places and lengths.
    except Exception as error:
        raise UnreadableError("it is damaged in the archive") from error


def _is_notebook(name: str) -> bool:
    return name.lower().endswith(".ipynb")


def _files(
    opened: zipfile.ZipFile, most: int, total_most: int
) -> list[tuple[zipfile.ZipInfo, str]]:
    """All but folders and what a system put there by itself. Raises UnreadableError."""
    infos = opened.infolist()
    if len(infos) > most:
        raise UnreadableError(f"holds {len(infos):,} files, and {most:,} are the most")
    found = []
    for info in infos:
        name = _name(info)
        *folders, last = name.split("/")
        of_system = last.startswith("._") or last in (".DS_Store", "Thumbs.db")
        if last and not of_system and not {"__MACOSX", ".ipynb_checkpoints"} & {*folders}:
            found.append((info, name))
    sizes = [info.file_size for info, name in found if _is_notebook(name)]
    if sum(size for size in sizes if size <= BYTES_MOST) > total_most:
        raise UnreadableError(f"would unpack to more than {_size(total_most)} of notebooks")
    return found


def _name(info: zipfile.ZipInfo) -> str:
    """A member's name, with slashes between folders. Raises UnreadableError."""
    name = info.orig_filename
    if not info.flag_bits & 0x800:
        # Many write UTF-8 and do not say so.
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    if has_controls(name):
        raise UnreadableError(f"holds a file whose name is not text ({name!a})")
    name = name.replace("\\", "/")
    parts = name.split("/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        raise UnreadableError(f"holds {name!r}, whose name is absolute")
    if ".." in parts:
        raise UnreadableError(f"holds {name!r}, whose name leads out of its folder")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a link" if kind == stat.S_IFLNK else "no regular file"
        raise UnreadableError(f"holds {name!r}, which is {what}")
    if info.flag_bits & 0x1:
        raise UnreadableError(f"holds {name!r}, which is locked with a password")
    return "/".join([*(part for part in parts[:-1] if part not in ("", ".")), parts[-1]])


def has_controls(name: str) -> bool:
    """Whether a name holds controls, which are not text. Marks of direction and joiners are."""
    return any(unicodedata.category(each) in ("Cc", "Cs") for each in name)


def _size(count: int) -> str:
    return f"{count // 1024**2:,} MiB"


def _time(info: zipfile.ZipInfo) -> datetime | None:
    if info.date_time[:3] == _NO_TIME:
        return None
    try:
        return datetime(*info.date_time)
    except ValueError:
        return None


def _plain(error: BaseException) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


# On disk.


def _written(folder: Path, archive: str, name: str, content: bytes) -> Path:
    """Write a notebook under its own name, or one beside it, where that is taken."""
    # A zip that is called `.zip` is a folder without a name, and may not be that of all folders.
    *folders, last = (part for part in name.split("/") if part)
    first, *rest = map(_on_disk, (archive, *folders, last[: -len(".ipynb")] or "_"))
    rest[-1] += ".ipynb"
    count = 1
    while True:
        path = folder.joinpath(first if count == 1 else f"{first}~{count}", *rest)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                file.write(content)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            # Also where case is all that differs, on disks that see none.
            count += 1
        else:
            return path


def _on_disk(part: str) -> str:
    """A name that every disk takes, with an ending of its own, too."""
    short = _FORBIDDEN.sub("_", part).encode()[:200].decode("utf-8", "ignore")
    return short.rstrip(". ") or "_"


def put_archives(given: Sequence[Path], into: Path) -> list[Archive]:
    """Copy archives to `into/archive`, and empty `into/extracted`; earlier ones are kept.

    A folder is packed: some browsers unpack what they download. Raises CommandError, and OSError.
    """
    for path in given:
        why = ""
        # A pipe would be waited for, without an end, and a zip that is packed into itself grows.
        if path.exists() and not (path.is_file() or path.is_dir()):
            why = "is neither a file nor a folder"
        elif into.resolve().is_relative_to(path.resolve()):
            why = f"is not what a platform gave: {into}, where archives are kept, lies in it"
        if why:
            raise CommandError(
                f"{path} {why}. Name the zip that the platform gave, or a folder of what was in it."
            )
        if not path.is_dir():
            Archive(path)
    incoming, archive, extracted = into / ".incoming", into / "archive", into / "extracted"
    shutil.rmtree(incoming, ignore_errors=True)
    incoming.mkdir(parents=True)
    try:
        for path in given:
            place = free(incoming / (path.resolve().name if path.is_dir() else path.stem), ".zip")
            if path.is_dir():
                _pack(path, place)
                # A folder is as strange as an archive.
                Archive(place)
            else:
                shutil.copyfile(path, place)
        names = {path.name for path in (*archive.glob("*"), *incoming.iterdir())}
        if archive.is_dir() and not hold_the_same(archive, incoming, names):
            earlier = free(into / "earlier")
            earlier.mkdir()
            for folder in (archive, extracted):
                if folder.is_dir():
                    folder.rename(earlier / folder.name)
        for folder in (archive, extracted):
            shutil.rmtree(folder, ignore_errors=True)
        incoming.rename(archive)
    finally:
        shutil.rmtree(incoming, ignore_errors=True)
    return [Archive(path) for path in sorted(archive.glob("*.zip"))]


def hold_the_same(one: Path, other: Path, names: Iterable[str]) -> bool:
    """Whether both have files of these names, byte for byte."""
    return filecmp.cmpfiles(one, other, names, shallow=False)[1:] == ([], [])


def free(path: Path, suffix: str = "") -> Path:
    """A path that nothing has yet."""
    count, unused = 1, path.with_name(path.name + suffix)
    while unused.exists():
        count += 1
        unused = path.with_name(f"{path.name}-{count}{suffix}")
    return unused


def _pack(folder: Path, archive: Path) -> None:
    """A folder as a zip. Links are not followed. Raises CommandError."""

    def refused(error: OSError) -> None:
        raise CommandError(
            f"{printable(str(error.filename))} cannot be read: {error.strerror}. "
            "Nothing was unpacked."
        ) from error

    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
        for path in all_inside(folder, refused):
            if not path.is_file() or path.is_symlink():
                continue
            name = path.relative_to(folder).as_posix()
            if not is_text(name):
                raise CommandError(
                    f"{printable(folder.name)} holds a file whose name is not text ({name!a}): "
                    "nothing was unpacked. Rename it."
                )
            try:
                packed.write(path, name)
            except OSError as error:
                if error.filename != str(path):
                    raise
                refused(error)
