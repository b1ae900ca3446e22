"""`stridekit update` brings new versions of the course into a working folder."""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from stridekit import __version__
from stridekit.errors import CommandError
from stridekit.workfolder.manifest import read
from stridekit.workfolder.places import find
from stridekit.workfolder.plan import Kind, Step
from stridekit.workfolder.shipped import Source
from stridekit.workfolder.updating import Outcome, planned, refuse_older, update


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add this command to the others."""
    command = commands.add_parser(
        "update",
        help="bring new versions of the course, and keep what is yours",
        description="Bring the course in a working folder to this stridekit's version. What you "
        "have not touched becomes new. What you wrote stays, and the new version is laid beside "
        "it. A notebook that was only run is not touched; its outputs are kept all the same.",
    )
    command.add_argument(
        "folder", nargs="?", type=Path, metavar="FOLDER", help="the folder (as for stridekit lab)"
    )
    command.add_argument(
        "--fresh",
        action="append",
        default=[],
        metavar="FILE",
        help="lay this file anew, also if you deleted or changed it (repeatable)",
    )
    command.add_argument(
        "--to-older", action="store_true", help="also where the folder is of a newer stridekit"
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
            + (f" {given.folder}" if given.folder else "")
        )
    source = place.source()
    fresh = [_file(name, folder, source) for name in given.fresh]
    if given.dry_run:
        refuse_older(place.files, read(folder), to_older=given.to_older)
        steps = planned(place.files, source, fresh=fresh)
        print(f"In {folder}, this would be done:")
        return _tell(Outcome(steps=[step for step in steps if step.kind is not Kind.LEAVE]))
    before = read(folder).version
    outcome = update(place.files, source, fresh=fresh, to_older=given.to_older)
    change = f" (it was of {before})" if before not in ("", __version__) else ""
    print(f"The course in {folder} is of stridekit {__version__} now{change}.")
    if outcome.is_damaged:
        print("Its list of files was damaged, so whatever differs counts as yours.")
    return _tell(outcome)


def _file(name: str, folder: Path, source: Source) -> str:
    """A file of the course, by its name there, its path, or its last part. Raises CommandError."""
    path = Path(name)
    if path.is_absolute() and path.is_relative_to(folder):
        path = path.relative_to(folder)
    wanted = path.as_posix()
    found = [each for each in source.contents if wanted in (each, PurePosixPath(each).name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise CommandError(f"there are several {name}. Say which: {', '.join(found)}.")
    raise CommandError(
        f"the course has no file {name!r}. Say it as in course/index.ipynb; `stridekit update "
        "--dry-run` says what is missing"
    )


def _tell(outcome: Outcome) -> int:
    """Print a line for each file; gives the exit status."""
    for step in sorted(outcome.steps, key=lambda step: [*Kind].index(step.kind)):
        print(f"  {step.kind.value:<9} {_sentence(step, outcome)}")
    if not outcome.steps and not outcome.failed:
        print("  Nothing was to be done.")
    own = [name for name in outcome.own if name not in _paths(outcome.steps)]
    if own:
        more = f" and {len(own) - 3} more" if len(own) > 3 else ""
        print(f"  Yours, and kept as before: {', '.join(own[:3])}{more}.")
    for name, reason in outcome.failed:
        print(f"stridekit: {name}: {reason}. It is as it was.", file=sys.stderr)
    if outcome.failed:
        print("stridekit: mend that, and run the same command again.", file=sys.stderr)
    return 1 if outcome.failed else 0


def _paths(steps: Iterable[Step]) -> set[str]:
    return {step.path for step in steps}


def _sentence(step: Step, outcome: Outcome) -> str:
    kept = outcome.kept.get(step.path)
    if step.kind is Kind.REPLACE:
        return step.path + (f" (you had run it; that copy is {kept})" if kept else "")
    if step.kind is Kind.BESIDE:
        why = f" ({step.reason})" if step.reason else ""
        return f"{step.path} stays as it is{why}. The new version is beside it: {step.to}"
    if step.kind is Kind.GONE:
        return f"{step.path} stays away. To have it: stridekit update --fresh {step.path}"
    if step.kind is Kind.RETIRE:
        where = f" It lies in {kept}" if kept else ""
        return f"{step.path} is no part of the course any more.{where}"
    return step.path + (f": {step.reason}" if step.reason else "")
