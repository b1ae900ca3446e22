"""A working folder is made, and brought up to date."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace

from stridekit import __version__
from stridekit.errors import CommandError
from stridekit.workfolder import manifest as manifests
from stridekit.workfolder.laying import Files
from stridekit.workfolder.manifest import Entry, Manifest
from stridekit.workfolder.plan import Kind, Step, plan
from stridekit.workfolder.shipped import Source


@dataclass
class Outcome:
    """What came of an update."""

    steps: list[Step] = field(default_factory=list)
    """Done, but for those that leave everything as it is."""
    kept: dict[str, str] = field(default_factory=dict)
    """Where bytes lie that were replaced, or put away."""
    failed: list[tuple[str, str]] = field(default_factory=list)
    """What could not be done, and why."""
    before: str = ""
    """The version that was here."""
    own: list[str] = field(default_factory=list)
    """What the learner has a version of their own of."""
    is_damaged: bool = False


def make(files: Files, source: Source) -> Outcome:
    """Lay the course into a new folder, or go on where that was stopped. Raises CommandError.

    What somebody changed in a clone comes along, as their own.
    """
    known = manifests.read(files.root)
    with _alone(files):
        outcome = Outcome()
        entries = {
            name: Entry(frozenset({source.versions[name]}), True, source.versions[name])
            for name in source.theirs
            if name in source.contents and files.look(name) is None
        }
        start = known.with_entries(entries)
        for name, content in source.theirs.items():
            if name not in known.entries and files.look(name) is None:
                try:
                    files.lay(name, content)
                except OSError as error:
                    # Without it the published version would take its place.
                    raise _refusal(files, error) from error
        return _bring(files, source, start, outcome, ())


def update(
    files: Files, source: Source, *, fresh: Collection[str] = (), to_older: bool = False
) -> Outcome:
    """Bring what is new; keep what was touched. Raises CommandError.

    Whatever fails, each file is there whole, as it was or new, and the same call goes on.
    """
    with _alone(files):
        known = manifests.read(files.root)
        refuse_older(files, known, to_older=to_older)
        return _bring(files, source, known, Outcome(), fresh)


def planned(
    files: Files, source: Source, *, fresh: Collection[str] = (), known: Manifest | None = None
) -> list[Step]:
    """What an update would do. Raises CommandError."""
    known = manifests.read(files.root) if known is None else known
    return plan(known, files.look, source.versions, fresh=fresh, is_certain=source.is_certain)


def refuse_older(files: Files, known: Manifest, *, to_older: bool) -> None:
    """Raise CommandError where a folder is of a newer stridekit than this one."""
    from packaging.version import InvalidVersion, Version

    try:
        is_older = Version(__version__) < Version(known.version or "0")
    except InvalidVersion:
        is_older = False
    if is_older and not to_older:
        raise CommandError(
            f"{files.root} is of stridekit {known.version}, and this is the older {__version__}. "
            "Nothing was changed. Install the newer one (pip install --upgrade stridekit-course), "
            "or say --to-older if you mean it"
        )


@contextmanager
def _alone(files: Files) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            stack.enter_context(files.alone())
        except OSError as error:
            raise _refusal(files, error) from error
        yield


def _bring(
    files: Files,
    source: Source,
    known: Manifest,
    outcome: Outcome,
    fresh: Collection[str],
) -> Outcome:
    steps = planned(files, source, fresh=fresh, known=known)
    outcome.before, outcome.is_damaged = known.version, known.is_damaged
    outcome.own = [step.path for step in steps if _is_own(step, files, source)]
    after = replace(
        known.with_entries({step.path: step.entry for step in steps}),
        version=__version__,
        is_damaged=False,
    )
    # What is about to be laid is written down first: stopped anywhere, it is still known whose
    # each file is.
    announced = _announced(steps) if after != known else {}
    try:
        if announced:
            files.write(known.with_entries(announced))
    except OSError as error:
        raise _refusal(files, error) from error
    failed: dict[str, Entry | None] = {}
    for step in steps:
        try:
            _carry_out(files, source.contents, step, known.version, outcome)
        except OSError as error:
            outcome.failed.append((step.path, error.strerror or str(error)))
            failed[step.path] = announced.get(step.path, known.entries.get(step.path))
    try:
        if after != known:
            files.write(after.with_entries(failed))
    except OSError as error:
        outcome.failed.append((manifests.NAME, error.strerror or str(error)))
    return outcome


def _announced(steps: list[Step]) -> dict[str, Entry]:
    """What is known before anything is laid: what is new has not arrived yet."""
    return {
        step.path: replace(step.entry, arrived=step.kind is Kind.REPLACE)
        for step in steps
        if step.entry is not None and step.kind in (Kind.LAY, Kind.REPLACE)
    }


def _carry_out(
    files: Files, contents: Mapping[str, bytes], step: Step, version: str, outcome: Outcome
) -> None:
    place = step.to or step.path
    if step.keeps:
        outcome.kept[step.path] = files.keep(place, version)
    if step.kind is Kind.RETIRE and step.seen is not None:
        outcome.kept[step.path] = files.put_away(step.path, step.seen, version)
    elif step.kind in (Kind.LAY, Kind.REPLACE, Kind.BESIDE):
        content = contents[step.path]
        if step.seen is None:
            files.lay(place, content)
        else:
            files.replace(place, content, step.seen)
    elif step.kind is Kind.SHUT:
        outcome.failed.append((step.path, step.reason))
        return
    if step.kind is not Kind.LEAVE:
        outcome.steps.append(step)


def _is_own(step: Step, files: Files, source: Source) -> bool:
    """Whether something stands there that is neither this version nor one that is replaced."""
    if step.kind is Kind.BESIDE:
        return True
    there = files.look(step.path) if step.kind is Kind.LEAVE else None
    new = source.versions.get(step.path)
    if there is None or new is None:
        return there is not None
    return there.version is None or there.version.words != new.words


def _refusal(files: Files, error: OSError) -> CommandError:
    return CommandError(
        f"nothing was changed, for {files.root} cannot be written: {error.strerror or error}. "
        "Mend that, and run the same command again"
    )
