"""What an update does to each file, as data: from what is known, what is there and what comes."""

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from pathlib import PurePosixPath

from stridekit_course.workfolder.manifest import Manifest, ManifestEntry, Version


@dataclass(frozen=True, slots=True)
class Present:
    """What stands at a path. `version` is None where that is not a file that can be read."""

    version: Version | None = None
    reason: str = ""
    """Why it stays, apart from what it says: a link, a folder, read-only."""
    is_shut: bool = False
    """Whether nothing can be laid beside it either: its folder is a link, or no folder."""


class Kind(Enum):
    """What is done."""

    LAY = "new"
    REPLACE = "updated"
    BESIDE = "yours"
    GONE = "deleted"
    RETIRE = "put away"
    SHUT = "not done"
    LEAVE = "left"
    """Nothing happens, and nothing is to be said."""


@dataclass(frozen=True, slots=True)
class Step:
    """What is done to one path."""

    kind: Kind
    path: str
    entry: ManifestEntry | None = None
    """What is known of the path afterwards; None forgets it."""
    to: str = ""
    """Where the new version is laid, if that is not the path itself."""
    seen: Version | None = None
    """What stands where something is laid or put away; None where nothing does."""
    keeps: bool = False
    """Whether what is replaced has bytes that stridekit never laid: they are kept."""
    reason: str = ""
    """Why the file stays, apart from what it says."""


Look = Callable[[str], Present | None]


def plan(
    manifest: Manifest,
    look: Look,
    coming: Mapping[str, Version],
    *,
    fresh: Container[str] = (),
    is_certain: bool = True,
) -> list[Step]:
    """A step for each path that is known or comes, in order.

    `look` says what stands at a path of the folder, None for nothing; `coming` has what this
    stridekit ships. What is in `fresh` is asked for: it is laid also where it was deleted, or
    offered before. Where it is not certain that `coming` is free of a learner's work, nothing of
    it is ever replaced later.

    Laws: a file is replaced or put away only if it says what stridekit laid there; nothing is
    laid where something else stands; where nothing comes that was not there, nothing is done.

    >>> old, new = Version("o", "old"), Version("n", "new")
    >>> known = Manifest("1", {"a": ManifestEntry(frozenset({old}))})
    >>> [step.kind.name for step in plan(known, {"a": Present(old)}.get, {"a": new})]
    ['REPLACE']
    >>> edited = Present(Version("e", "edited"))
    >>> [(step.kind.name, step.to) for step in plan(known, {"a": edited}.get, {"a": new})]
    [('BESIDE', 'a.new')]
    >>> [step.kind.name for step in plan(known, {}.get, {"a": new})]
    ['GONE']
    """
    taken = {*manifest.entries, *coming, *(each.beside for each in manifest.entries.values())}
    steps = []
    for path in sorted({*manifest.entries, *coming}):
        there, entry = look(path), manifest.entry(path)
        if path not in coming:
            steps.append(_without(path, entry, there))
            continue
        new = coming[path]
        step = _step(path, entry, there, new, path in fresh, is_certain)
        if step.kind is Kind.BESIDE:
            step = _beside(step, entry, look, new, taken)
            taken.add(step.to)
        steps.append(step)
    return steps


def _step(
    path: str,
    entry: ManifestEntry,
    there: Present | None,
    new: Version,
    is_fresh: bool,
    is_certain: bool,
) -> Step:
    laid = entry.laid | {new} if is_certain else entry.laid
    known = replace(entry, laid=laid, arrived=True)
    if there is None:
        if entry.arrived and not is_fresh:
            # Of a version that is known already, it was told.
            return Step(Kind.LEAVE if _says(entry, new) else Kind.GONE, path, known)
        return Step(Kind.LAY, path, known)
    if there.is_shut:
        return Step(Kind.SHUT, path, entry if entry.laid else None, reason=there.reason)
    version = there.version
    if version is not None and version.words == new.words:
        return Step(Kind.LEAVE, path, known)
    if version is not None and not there.reason and _says(entry, version):
        return Step(Kind.REPLACE, path, known, seen=version, keeps=version not in entry.laid)
    is_offered = entry.offered is not None and entry.offered.words == new.words
    if (is_offered or (entry.arrived and _says(entry, new))) and not is_fresh:
        return Step(Kind.LEAVE, path, entry)
    return Step(Kind.BESIDE, path, reason=there.reason)


def _beside(step: Step, entry: ManifestEntry, look: Look, new: Version, taken: set[str]) -> Step:
    """With a place for what is laid beside: that of an older one, or the first that is free."""
    place, seen = entry.beside, None
    older = look(place) if place else None
    if older is not None and older.version is not None and entry.offered is not None:
        is_theirs = bool(older.reason) or older.version.words != entry.offered.words
        seen = None if is_theirs else older.version
    if seen is None:
        others = taken - {entry.beside}
        place = next(name for name in _names(step.path) if _is_free(name, look, new, others))
        there = look(place)
        seen = there.version if there else None
    after = replace(entry, arrived=True, offered=new, beside=place)
    return replace(
        step, entry=after, to=place, seen=seen, keeps=seen not in (None, entry.offered, new)
    )


def _is_free(name: str, look: Look, new: Version, taken: Container[str]) -> bool:
    """Whether nothing stands there, or the very thing that is to be laid there."""
    there = look(name)
    return there.version == new if there is not None else name not in taken


def _names(path: str) -> Iterator[str]:
    """Names beside a path.

    >>> names = _names("course/a.ipynb")
    >>> next(names), next(names)
    ('course/a.new.ipynb', 'course/a.new-2.ipynb')
    """
    whole = PurePosixPath(path)
    for number in count(1):
        ending = f"-{number}" if number > 1 else ""
        yield str(whole.with_name(f"{whole.stem}.new{ending}{whole.suffix}"))


def _without(path: str, entry: ManifestEntry, there: Present | None) -> Step:
    """A path that this stridekit does not ship."""
    if there is None:
        return Step(Kind.LEAVE, path)
    if there.version is not None and not there.reason and _says(entry, there.version):
        return Step(Kind.RETIRE, path, seen=there.version)
    return Step(Kind.LEAVE, path, entry)


def _says(entry: ManifestEntry, version: Version) -> bool:
    return any(version.words == laid.words for laid in entry.laid)
