"""`stridekit update`: a working folder is made, and brought up to date."""

import argparse
import os
import sys
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from stridekit import __version__
from stridekit.errors import CommandError
from stridekit_course.workfolder import manifest as manifests
from stridekit_course.workfolder.files import Files
from stridekit_course.workfolder.folder import as_typed, find, typed
from stridekit_course.workfolder.manifest import Manifest, ManifestEntry, read
from stridekit_course.workfolder.old_places import old_places
from stridekit_course.workfolder.plan import Kind, Step, plan
from stridekit_course.workfolder.shipped import Source

# What an update takes away, or lays anew.
_GOING = (Kind.REPLACE, Kind.RETIRE)


@dataclass
class UpdateResult:
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
    gone: list[str] = field(default_factory=list)
    """What the learner deleted or renamed before."""
    is_damaged: bool = False


def make(files: Files, source: Source) -> UpdateResult:
    """Lay the course into a new folder, or go on where that was stopped. Raises CommandError.

    What somebody changed in a clone comes along, as their own.
    """
    known = manifests.read(files.root)
    with _alone(files):
        outcome = UpdateResult()
        entries = {
            name: ManifestEntry(frozenset({source.versions[name]}), True, source.versions[name])
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
) -> UpdateResult:
    """Bring what is new; keep what was touched. Raises CommandError.

    Whatever fails, each file is there whole, as it was or new, and the same call goes on.
    """
    with _alone(files):
        known = manifests.read(files.root)
        refuse_older(files, known, to_older=to_older)
        return _bring(files, source, known, UpdateResult(), fresh)


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
            "or say stridekit update --to-older if you mean it"
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
    files: Files, source: Source, known: Manifest, outcome: UpdateResult, fresh: Collection[str]
) -> UpdateResult:
    steps = planned(files, source, fresh=fresh, known=known)
    outcome.before, outcome.is_damaged = known.version, known.is_damaged
    _note_what_stays(outcome, steps, files, source)
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
    failed: dict[str, ManifestEntry | None] = {}
    for step in steps:
        try:
            _carry_out(files, source.contents, step, known.version, outcome)
        except OSError as error:
            outcome.failed.append((step.path, error.strerror or str(error)))
            failed[step.path] = announced.get(step.path, known.entries.get(step.path))
    try:
        if after != known:
            version = known.version if failed else __version__
            files.write(replace(after.with_entries(failed), version=version))
    except OSError as error:
        outcome.failed.append((manifests.NAME, error.strerror or str(error)))
    return outcome


def _announced(steps: list[Step]) -> dict[str, ManifestEntry]:
    """What is known before anything is laid: what is new has not arrived yet."""
    return {
        step.path: replace(step.entry, arrived=step.kind is Kind.REPLACE)
        for step in steps
        if step.entry is not None and step.kind in (Kind.LAY, Kind.REPLACE)
    }


def _carry_out(
    files: Files, contents: Mapping[str, bytes], step: Step, version: str, outcome: UpdateResult
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


def _note_what_stays(
    outcome: UpdateResult, steps: Iterable[Step], files: Files, source: Source
) -> None:
    """What stands there that is neither this version nor one that is replaced, or does not."""
    for step in steps:
        new = source.versions.get(step.path)
        there = files.look(step.path) if step.kind in (Kind.LEAVE, Kind.BESIDE) else None
        if there is not None:
            if there.version is None or new is None or there.version.words != new.words:
                outcome.own.append(step.path)
        elif step.kind is Kind.LEAVE and new is not None:
            outcome.gone.append(step.path)


def _refusal(files: Files, error: OSError) -> CommandError:
    return CommandError(
        f"nothing was changed, for {files.root} cannot be written: {error.strerror or error}. "
        "Mend that, and run the same command again"
    )


# The command.


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this command to the others."""
    command = commands.add_parser(
        "update",
        help="bring new versions of the course, and keep what is yours",
        description="Bring the course in a working folder to this stridekit's version. What you "
        "have not touched becomes new. What you wrote stays, and the new version is laid beside "
        "it. A notebook that was only run counts as untouched; a copy with its outputs is kept.",
    )
    command.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="the folder (as for stridekit lab)"
    )
    command.add_argument(
        "--fresh",
        action="append",
        default=[],
        metavar="FILE",
        help="lay this file anew, even if you deleted or changed it (repeatable)",
    )
    command.add_argument(
        "--to-older", action="store_true", help="even if the folder is of a newer stridekit"
    )
    command.add_argument("--dry-run", action="store_true", help="only say what would be done")
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Bring it, and say what was done. Raises CommandError."""
    place = find(given.folder, Path.cwd())
    folder = place.folder or place.root
    if not place.is_made:
        raise CommandError(
            f"there is no course in {folder} yet. To have one laid there: stridekit lab"
            + (f" {as_typed(given.folder)}" if given.folder else "")
        )
    source = place.source()
    fresh = [_file(name, folder, source) for name in given.fresh]
    if given.dry_run:
        refuse_older(place.files, read(folder), to_older=given.to_older)
        steps = planned(place.files, source, fresh=fresh)
        print(f"In {folder}, this would be done:")
        outcome = UpdateResult([step for step in steps if step.kind is not Kind.LEAVE])
        _note_what_stays(outcome, steps, place.files, source)
        _tell(folder, outcome)
        _tell_work(folder, outcome, fresh)
        _tell_old_places(folder, {step.path for step in steps if step.kind in _GOING})
        return 0
    before = read(folder).version
    outcome = update(place.files, source, fresh=fresh, to_older=given.to_older)
    change = f" (it was of {before})" if before not in ("", __version__) else ""
    which, when = ("Not all of the", "yet") if outcome.failed else ("The", "now")
    print(f"{which} course in {folder} is of stridekit {__version__} {when}{change}.")
    if outcome.is_damaged:
        print("Its list of files was damaged, so whatever differs counts as yours.")
    elif not before:
        # Clouds and archives may leave out what is hidden.
        print("Its list of files was missing, so whatever differs counts as yours.")
    status = _tell(folder, outcome)
    _tell_work(folder, outcome, fresh)
    _tell_old_places(folder)
    return status


def _file(name: str, folder: Path, source: Source) -> str:
    """A file of the course, by its name there, its path, or its last part. Raises CommandError."""
    wanted = Path(name).as_posix()
    # As a shell completes it: from where one stands.
    here = Path(os.path.normpath(Path.cwd() / name))
    if wanted not in source.contents and here.is_relative_to(folder):
        at = here.relative_to(folder).as_posix()
        wanted = at if at in source.contents else wanted
    found = [each for each in source.contents if wanted in (each, PurePosixPath(each).name)]
    if wanted in found:
        return wanted
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(f"there are several {name}. Say which: {', '.join(found)}.")
    raise CommandError(
        f"the course has no file {name!r}. Say it as in course/index.ipynb; `stridekit update "
        "--dry-run` says what is missing. To start an assignment over, rename its folder in work/, "
        "then: stridekit lab"
    )


def _tell(folder: Path, outcome: UpdateResult) -> int:
    """Print a line for each file; gives the exit status."""
    for step in sorted(outcome.steps, key=lambda step: [*Kind].index(step.kind)):
        print(f"  {step.kind.value:<9} {_sentence(step, outcome, folder)}")
    if not outcome.steps and not outcome.failed:
        print("  Nothing is newer.")
    told = {step.path for step in outcome.steps}
    if own := [name for name in outcome.own if name not in told]:
        print(f"  Yours, and kept as before: {_some(own)}.")
    if outcome.gone:
        print(
            f"  Deleted or renamed before: {_some(outcome.gone)}. To have one: "
            + typed(f"stridekit update --fresh {outcome.gone[0]}", folder)
        )
    for name, reason in outcome.failed:
        print(f"stridekit: {name}: {reason}. It is as it was.", file=sys.stderr)
    if outcome.failed:
        print("stridekit: mend that, and run the same command again.", file=sys.stderr)
    return 1 if outcome.failed else 0


def _tell_work(folder: Path, outcome: UpdateResult, fresh: Iterable[str]) -> None:
    """What was asked for and stands there, and copies of assignments, which no update touches."""
    done = {step.path for step in outcome.steps if step.kind is not Kind.RETIRE}
    paths = [PurePosixPath(name).parts for name in sorted({*done, *fresh})]
    copies = {f"work/{parts[1]}": None for parts in paths if parts[0] == "release"}
    if theirs := [copy for copy in copies if (folder / copy).is_dir()]:
        print(
            f"  Yours, and not changed: {', '.join(theirs)}. To have a new one, rename yours, "
            "then: " + typed("stridekit lab", folder)
        )
    for name in fresh:
        if name not in {*done, *dict(outcome.failed)} and not name.startswith("release/"):
            print(f"  {name} says what the new one says: nothing but outputs may differ.")


def _tell_old_places(folder: Path, going: Container[str] = ()) -> None:
    """What is the learner's stays as it is, and may import from where nothing is any more."""
    for name, changes in old_places(folder):
        if name not in going:
            told = ", and ".join(f"`{new}` in place of `{old}`" for old, new in changes.items())
            print(f"  {name} is yours, and names an old place. Write {told}.")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"


def _sentence(step: Step, outcome: UpdateResult, folder: Path) -> str:
    kept = outcome.kept.get(step.path)
    if step.kind is Kind.REPLACE:
        return step.path + (f" (you had run it; that copy is {kept})" if kept else "")
    if step.kind is Kind.BESIDE:
        why = f" ({step.reason})" if step.reason else ""
        return f"{step.path} stays as it is{why}. The new version is beside it: {step.to}"
    if step.kind is Kind.GONE:
        command = typed(f"stridekit update --fresh {step.path}", folder)
        return f"{step.path} stays away. To have it: {command}"
    if step.kind is Kind.RETIRE:
        where = f" It lies in {kept}" if kept else ""
        return f"{step.path} is no longer part of the course.{where}"
    return step.path + (f": {step.reason}" if step.reason else "")
