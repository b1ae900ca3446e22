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
from stridekit.grading.submissions import BYTES_MOST

MEMBERS_MOST = 50_000
# Of all notebooks in an archive, unpacked; of a zip that a learner handed in, packed and unpacked.
TOTAL_MOST = 4 * 1024**3
INNER_MOST = 64 * 1024**2
INNER_MEMBERS_MOST = 1000
# What zipfile raises for what is damaged, locked, or packed in a way that it does not know.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
_FORBIDDEN = re.compile(r'[<>:"|?*]')


@dataclass(frozen=True, slots=True)
class Member:
    """A notebook in an archive."""

    name: str
    """As the platform named it; what lay in a zip of the learner's has that zip as its folder."""
    time: datetime | None
    """What the archive says; it does not say of which time zone."""
    outer: zipfile.ZipInfo
    inner: zipfile.ZipInfo | None = None


class UnsafeError(Exception):
    """What an archive may not hold; a sentence without its full stop."""


class Archive:
    """A zip, with what is in it; nothing has been unpacked."""

    def __init__(self, path: Path) -> None:
        """Raises CommandError where it is no archive, or one that nobody should unpack."""
        self.path = path
        self.members: list[Member] = []
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

    def _list(self, opened: zipfile.ZipFile) -> None:
        total = 0
        for info, name in _files(opened, MEMBERS_MOST):
            if name.lower().endswith(".zip"):
                self._list_inner(opened, info, name)
            elif not name.lower().endswith(".ipynb"):
                self.others.append(name)
            elif info.file_size > BYTES_MOST:
                self.left.append((name, f"it has more than {BYTES_MOST // 1024**2} MiB"))
            else:
                total += info.file_size
                self.members.append(Member(name, _time(info), info))
        if total > TOTAL_MOST:
            raise UnsafeError(f"would unpack to {total / 1024**3:.0f} GiB of notebooks")

    def _list_inner(self, opened: zipfile.ZipFile, info: zipfile.ZipInfo, name: str) -> None:
        """A learner's own zip. What is wrong with it must not stop the class."""
        found = []
        total = 0
        try:
            if info.file_size > INNER_MOST:
                raise UnsafeError(f"has more than {INNER_MOST // 1024**2} MiB")
            with zipfile.ZipFile(io.BytesIO(opened.read(info))) as inside:
                for inner, inner_name in _files(inside, INNER_MEMBERS_MOST):
                    if inner_name.lower().endswith(".ipynb"):
                        total += inner.file_size
                        found.append(Member(f"{name[:-4]}/{inner_name}", _time(inner), info, inner))
            if total > INNER_MOST:
                raise UnsafeError(f"would unpack to more than {INNER_MOST // 1024**2} MiB")
        except UnsafeError as error:
            self.left.append((name, f"it {error}"))
        except (*DAMAGED, ValueError) as error:
            self.left.append((name, f"it is no zip archive, or a damaged one ({_plain(error)})"))
        else:
            self.members += found
            if not found:
                self.others.append(name)

    def read(self) -> Iterator[tuple[Member, bytes | None]]:
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


def _time(info: zipfile.ZipInfo) -> datetime | None:
    try:
        return datetime(*info.date_time)
    except ValueError:
        return None


def _plain(error: BaseException) -> str:
    return str(error).strip().rstrip(".") or type(error).__name__


class Places:
    """Where files of archives are unpacked to: under their own names, as far as disks have them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def of(self, archive: str, name: str) -> Path:
        """A path of its own for each file, also where case is all that differs."""
        first, *rest = [_on_disk(part) for part in (archive, *PurePosixPath(name).parts)]
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
    """A folder as a zip: some browsers unpack what they download. Links are not followed."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink():
                packed.write(path, path.relative_to(folder).as_posix())
