"""What stridekit has laid into a working folder, written down there, and what counts as an edit."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, NamedTuple

from stridekit.errors import CommandError

# What JupyterLab, Colab, Kaggle, editors and timers write into a cell by themselves.
_VOLATILE = frozenset(
    {"ExecuteTime", "_cell_guid", "_uuid", "collapsed", "colab", "colab_type",
     "execution", "executionInfo", "heading_collapsed", "id", "is_executing", "jupyter",
     "outputId", "papermill", "pycharm", "scrolled", "slideshow", "trusted", "vscode"}
)  # fmt: skip


class Version(NamedTuple):
    """A file as it was at one time."""

    exact: str
    """A hash of its bytes."""
    words: str
    """A hash of what it says. Two notebooks that differ by outputs alone say the same."""


def version_of(name: str, content: bytes) -> Version:
    """The version that a file's bytes are.

    Of a notebook what counts are its cells: their kind, text, attachments and metadata such as
    tags. Outputs, execution counts, cell ids, and what programs write by themselves do not.

    >>> plain = b'{"cells": [{"cell_type": "code", "source": ["1 + 1"], "outputs": []}]}'
    >>> run = plain.replace(b'[]}', b'[{"data": 2}], "execution_count": 1}')
    >>> first, second = version_of("a.ipynb", plain), version_of("a.ipynb", run)
    >>> first.exact == second.exact, first.words == second.words
    (False, True)
    """
    exact = hashlib.sha256(content).hexdigest()
    said = _cells(content) if name.endswith(".ipynb") else None
    return Version(exact, exact if said is None else hashlib.sha256(said).hexdigest())


def _cells(content: bytes) -> bytes | None:
    """What a notebook says; None of what is not a notebook."""
    try:
        cells = json.loads(content)["cells"]
        said = [_cell(cell) for cell in cells]
        return json.dumps(said, sort_keys=True).encode("ascii")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _cell(cell: Any) -> list[Any]:
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    metadata = {
        name: value
        for name, value in cell.get("metadata", {}).items()
        if name not in _VOLATILE
        and value not in ([], {}, "", None)
        # It says what holds anyway; that a cell cannot be edited is nbgrader's word.
        and (name, value) != ("editable", True)
    }
    return [cell["cell_type"], text, metadata, cell.get("attachments") or {}]


# What was laid.


HIDDEN = ".stridekit"
NAME = f"{HIDDEN}/manifest.json"
_FORM = 1


@dataclass(frozen=True, slots=True)
class ManifestEntry:
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
    """The stridekit that was here last; none while the folder is made."""
    entries: Mapping[str, ManifestEntry] = field(default_factory=lambda: MappingProxyType({}))
    is_damaged: bool = False

    def entry(self, path: str) -> ManifestEntry:
        """What is known of a path; nothing, of a path that stridekit never had."""
        return self.entries.get(path, ManifestEntry(arrived=False))

    def with_entries(self, changed: Mapping[str, ManifestEntry | None]) -> "Manifest":
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
    """What a folder says of itself. What is damaged says nothing.

    Raises CommandError for what a newer stridekit keeps, and OSError.
    """
    try:
        content = (folder / NAME).read_bytes()
    except FileNotFoundError:
        return Manifest()
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


def _entry(told: Any) -> ManifestEntry:
    laid = frozenset(_version(each) for each in told["laid"])
    offered = _version(told["offered"]) if told["offered"] else None
    beside = str(told["beside"])
    return ManifestEntry(laid, bool(told["arrived"]), offered, beside if is_inside(beside) else "")


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
