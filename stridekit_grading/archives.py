"""Archives from a platform, read with care: strangers filled them.

Only notebooks are taken out of them. All else stays inside, and is named.
"""

import io
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from stridekit.errors import CommandError
from stridekit_grading.submissions import BYTES_MOST

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
# What zipfile raises for what is damaged, locked, or packed in a way that it does not know.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
TOO_LONG = "its name is too long"
_FORBIDDEN = re.compile(r'[<>:"|?*]')


@dataclass(frozen=True, slots=True)
class ArchivedNotebook:
    """A notebook in an archive."""

    name: str
    """As the platform named it; what lay in a zip of the learner's has that zip as its folder."""
    given: str
    """The part of it that the platform gave: of what lay in a zip, the zip's own name."""
    time: datetime | None
    """What the archive says; it does not say of which time zone."""
    outer: zipfile.ZipInfo
    inner: zipfile.ZipInfo | None = None
    inner_path: str = ""
    inner_time: datetime | None = None
    """Both as the learner likes: they say nothing of whose it is, or when it was handed in."""


class UnsafeError(Exception):
    """What an archive may not hold; a sentence without its full stop."""


class Archive:
    """A zip, with what is in it; nothing has been unpacked."""

    def __init__(self, path: Path) -> None:
        """Raises CommandError where it is no archive, or one that nobody should unpack."""
        self.path = path
        self.members: list[ArchivedNotebook] = []
        self.left: list[tuple[str, str]] = []
        """Notebooks that cannot be taken out, and why."""
        self.others: list[str] = []
        """What is no notebook."""
        try:
            with zipfile.ZipFile(path) as opened:
                self._list(opened)
        except UnsafeError as error:
            raise CommandError(
                f"{path.name} {error}: nothing was unpacked. Take that out, or download it again."
            ) from error
        except FileNotFoundError as error:
            raise CommandError(f"there is no file {path}.") from error
        except PermissionError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}.") from error
        except (*DAMAGED, ValueError) as error:
            raise CommandError(
                f"{path.name} is no zip archive, or only a part of one ({_plain(error)}): nothing "
                "was unpacked. Download it again."
            ) from error
        if not (self.members or self.left or self.others):
            raise CommandError(f"{path.name} holds no file of anybody's. Download it again.")

    def _list(self, opened: zipfile.ZipFile) -> None:
        total = 0
        for info, name in _files(opened, MEMBERS_MOST):
            if name.lower().endswith(".zip"):
                self._list_inner(opened, info, name)
            elif not name.lower().endswith(".ipynb"):
                self.others.append(name)
            elif _is_too_long(name):
                self.left.append((name, TOO_LONG))
            elif info.file_size > BYTES_MOST:
                self.left.append((name, f"it has more than {BYTES_MOST // 1024**2} MiB"))
            else:
                total += info.file_size
                self.members.append(ArchivedNotebook(name, name, _time(info), info))
        if total > TOTAL_MOST:
            raise UnsafeError(f"would unpack to {total / 1024**3:.0f} GiB of notebooks")

    def _list_inner(self, opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> None:
        """A learner's own zip. What is wrong with it must not stop the class."""
        found = []
        too_long = []
        total = 0
        try:
            if info.file_size > INNER_MOST:
                raise UnsafeError(f"has more than {INNER_MOST // 1024**2} MiB")
            with zipfile.ZipFile(io.BytesIO(opened.read(info))) as inside:
                for inner, inner_name in _files(inside, INNER_MEMBERS_MOST):
                    whole = f"{name[:-4]}/{inner_name}"
                    if not inner_name.lower().endswith(".ipynb"):
                        continue
                    if _is_too_long(whole):
                        too_long.append((whole, TOO_LONG))
                        continue
                    total += inner.file_size
                    when = _time(info), info, inner, inner_name, _time(inner)
                    found.append(ArchivedNotebook(whole, name, *when))
            if total > INNER_MOST:
                raise UnsafeError(f"would unpack to more than {INNER_MOST // 1024**2} MiB")
        except UnsafeError as error:
            self.left.append((name, f"it {error}"))
        except (*DAMAGED, ValueError) as error:
            self.left.append((name, f"it is no zip archive, or a damaged one ({_plain(error)})"))
        else:
            self.members += found
            self.left += too_long
            if not found and not too_long:
                self.others.append(name)

    def read(self) -> Iterator[tuple[ArchivedNotebook, bytes | None]]:
        """Each notebook with its content, or None where it is damaged."""
        with zipfile.ZipFile(self.path) as opened:
            for member in self.members:
                try:
                    content = opened.read(member.outer)
                    if member.inner is not None:
                        with zipfile.ZipFile(io.BytesIO(content)) as inside:
                            content = inside.read(member.inner)
                except DAMAGED:
                    yield member, None
                else:
                    yield member, content


def _files(opened: zipfile.ZipFile, most: int) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """What is no folder, and nothing that a system put there by itself."""
    infos = opened.infolist()
    if len(infos) > most:
        raise UnsafeError(f"holds {len(infos):,} files, and {most:,} are the most")
    for info in infos:
        name = _name(info)
        if info.is_dir() or name.endswith("/"):
            continue
        parts = name.split("/")
        if "__MACOSX" in parts or ".ipynb_checkpoints" in parts:
            continue
        if parts[-1].startswith("._") or parts[-1] in (".DS_Store", "Thumbs.db"):
            continue
        yield info, name


def _name(info: zipfile.ZipInfo) -> str:
    """A member's name, with slashes between folders. Raises UnsafeError."""
    name = info.orig_filename
    if not info.flag_bits & 0x800:
        # Many write UTF-8 and do not say so.
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    if any(unicodedata.category(each) in ("Cc", "Cs") for each in name):
        raise UnsafeError(f"holds a file whose name is no text ({name!a})")
    name = name.replace("\\", "/")
    parts = name.split("/")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        raise UnsafeError(f"holds {name!r}, whose name is absolute")
    if ".." in parts:
        raise UnsafeError(f"holds {name!r}, whose name leads out of its folder")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        what = "a link" if kind == stat.S_IFLNK else "no regular file"
        raise UnsafeError(f"holds {name!r}, which is {what}")
    if info.flag_bits & 0x1:
        raise UnsafeError(f"holds {name!r}, which is locked with a password")
    return "/".join(part for part in parts[:-1] if part not in ("", ".")) + (
        f"/{parts[-1]}" if len(parts) > 1 else parts[-1]
    )


def _is_too_long(name: str) -> bool:
    return len(name.encode()) > NAME_BYTES_MOST or name.count("/") >= NAME_PARTS_MOST


def _time(info: zipfile.ZipInfo) -> datetime | None:
    if info.date_time[:3] == _NO_TIME:
        return None
    try:
        return datetime(*info.date_time)
    except ValueError:
        return None


def _plain(error: BaseException) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


def printable(text: str) -> str:
    """A text that a terminal can be given: what it would obey, or turn around, is escaped."""
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode() for each in text
    )


class UnpackPaths:
    """Where files of archives are unpacked to: under their own names, as far as disks have them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def of(self, archive: str, name: str) -> Path:
        """A path of its own for each notebook, also where case is all that differs."""
        # nbgrader looks for .ipynb, and would not see .IPYNB.
        parts = PurePosixPath(name).parts
        last = (PurePosixPath(parts[-1]).name[: -len(".ipynb")] or "_") + ".ipynb"
        first, *rest = [_on_disk(part) for part in (archive, *parts[:-1], last)]
        path, count = PurePosixPath(first, *rest), 1
        while self._is_taken(path):
            count += 1
            path = PurePosixPath(f"{first}~{count}", *rest)
        self._files.add(str(path).casefold())
        self._folders |= {str(each).casefold() for each in path.parents}
        return self._root.joinpath(*path.parts)

    def _is_taken(self, path: PurePosixPath) -> bool:
        whole = str(path).casefold()
        above = {str(each).casefold() for each in path.parents}
        return whole in self._files or whole in self._folders or bool(above & self._files)


def _on_disk(part: str) -> str:
    """A name that every disk takes."""
    part = _FORBIDDEN.sub("_", part).rstrip(". ") or "_"
    stem, dot, suffix = part.rpartition(".")
    if not stem or len(suffix) > 8:
        stem, dot, suffix = part, "", ""
    while len((stem + dot + suffix).encode()) > 200:
        stem = stem[:-1]
    return stem + dot + suffix


def pack(folder: Path, archive: Path) -> None:
    """A folder as a zip: some browsers unpack what they download. Links are not followed.

    Raises CommandError.
    """
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.is_symlink():
                continue
            name = path.relative_to(folder).as_posix()
            try:
                packed.write(path, name)
            except UnicodeEncodeError as error:
                raise CommandError(
                    f"{printable(folder.name)} holds a file whose name is no text ({name!a}): "
                    "nothing was unpacked. Rename it."
                ) from error
            except OSError as error:
                if error.filename != str(path):
                    raise
                raise CommandError(
                    f"{printable(str(path))} cannot be read: {error.strerror}. "
                    "Nothing was unpacked."
                ) from error
