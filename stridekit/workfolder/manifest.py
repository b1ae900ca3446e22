"""What stridekit has laid into a working folder, written down in the folder itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

from stridekit.errors import CommandError
from stridekit.workfolder.readings import Version

HIDDEN = ".stridekit"
NAME = f"{HIDDEN}/manifest.json"
_FORM = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one path."""

    laid: frozenset[Version] = frozenset()
    """Every version that was laid there, or was about to be. A file that says what one of them
    says is not a learner's work."""
    arrived: bool = True
    """Whether it was there once, so that a file that is missing was deleted or renamed."""
    offered: Version | None = None
    """The version that was last laid beside it."""
    beside: str = ""
    """Where that was."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is known of a folder."""

    version: str = ""
    """The stridekit that was here last."""
    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    is_damaged: bool = False

    def entry(self, path: str) -> Entry:
        """What is known of a path; nothing, of a path that stridekit never had."""
        return self.entries.get(path, Entry(arrived=False))

    def with_entries(self, changed: Mapping[str, Entry | None]) -> "Manifest":
        """With these in the place of what was known; None forgets."""
        merged = {**self.entries, **changed}
        kept = {path: entry for path, entry in merged.items() if entry is not None}
        return replace(self, entries=kept)

    def as_text(self) -> str:
        """As it is kept."""
        files = {
            path: {
                "laid": sorted(map(list, entry.laid)),
                "arrived": entry.arrived,
                "offered": entry.offered,
                "beside": entry.beside,
            }
            for path, entry in sorted(self.entries.items())
        }
        whole = {"form": _FORM, "stridekit": self.version, "files": files}
        return json.dumps(whole, indent=1) + "\n"


def is_there(folder: Path) -> bool:
    """Whether this is a working folder."""
    return (folder / NAME).is_file()


def read(folder: Path) -> Manifest:
    """What a folder says of itself. What is damaged says nothing. Raises CommandError."""
    try:
        content = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return Manifest()
    except OSError as error:
        raise CommandError(f"{folder / NAME} cannot be read: {error.strerror}.") from error
    try:
        told = json.loads(content)
        form, version = told["form"], str(told["stridekit"])
        if isinstance(form, int) and form > _FORM:
            raise CommandError(
                f"{folder} was made by stridekit {version}, which keeps its list in another way. "
                "Nothing was changed. Install the newer one: pip install --upgrade stridekit-course"
            )
        entries = {path: _entry(each) for path, each in told["files"].items() if is_inside(path)}
        return Manifest(version, entries)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Manifest(is_damaged=True)


def _entry(told: Any) -> Entry:
    laid = frozenset(_version(each) for each in told["laid"])
    offered = _version(told["offered"]) if told["offered"] else None
    beside = str(told["beside"])
    return Entry(laid, bool(told["arrived"]), offered, beside if is_inside(beside) else "")


def _version(told: Any) -> Version:
    exact, words = told
    return Version(str(exact), str(words))


def is_inside(path: str) -> bool:
    """Whether a name leads to somewhere in the folder, on every system.

    >>> is_inside("course/01.ipynb"), is_inside("../a"), is_inside("C:/a"), is_inside("a/CON:x")
    (True, False, False, False)
    """
    parts = PurePosixPath(path).parts
    return bool(parts) and not any(
        part in ("..", "/", "") or set(part) & {"\\", ":", "\0"} for part in parts
    )
