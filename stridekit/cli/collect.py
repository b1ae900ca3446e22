"""`stridekit collect ps3 --from moodle downloads.zip`: collect what a platform has of a class."""

import argparse
import os
from pathlib import Path
from typing import Any

PLATFORMS = ("moodle", "canvas", "plain")


def add_to(commands: Any) -> None:
    """Say what the command takes."""
    command = commands.add_parser(
        "collect",
        help="collect what a class has handed in on Moodle, Canvas, or in a zip",
        description="Collect notebooks from what a platform gives for download, through "
        "nbgrader's zip_collect, in the folder of an nbgrader course.",
    )
    command.add_argument("assignment", metavar="ASSIGNMENT", help="such as ps3")
    command.add_argument(
        "--from", dest="platform", choices=PLATFORMS, required=True, help="who named the files"
    )
    command.add_argument(
        "archives", type=Path, nargs="+", metavar="ARCHIVE", help="a zip, or a folder of one"
    )
    command.add_argument(
        "--roster", type=Path, metavar="FILE", help="a CSV of the platform that says who is who"
    )
    command.add_argument(
        "--id-column", metavar="NAME", help="the column of the roster with the learners' ids"
    )
    command.add_argument(
        "--timezone", metavar="ZONE", help="of the times in the roster, such as Europe/Berlin"
    )
    command.add_argument(
        "--archive-times",
        action="store_true",
        help="take the times in the archive for when it was handed in",
    )
    command.add_argument(
        "--force", action="store_true", help="replace what a learner has handed in before"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Collect, and print what became of everything. Raises CommandError."""
    from stridekit.grading.archives import printable
    from stridekit.grading.collecting import Collector

    collector = Collector(
        Path.cwd(),
        given.assignment,
        given.platform,
        roster=given.roster,
        id_column=given.id_column,
        zone=given.timezone,
        archive_times=given.archive_times,
        force=given.force,
    )
    told = collector.collect(given.archives)
    place = Path(os.path.relpath(collector.unpacked_into))
    # Learners named what is printed here.
    print("\n".join(map(printable, _lines(given.assignment, told, place))))
    return 0 if told.is_whole else 1


def _lines(assignment: str, told: Any, place: Path) -> list[str]:
    """What is printed."""
    notebooks = sum(map(len, told.learners.values()))
    lines = [f"{assignment}: {_count(notebooks, 'notebook')} of "
             f"{_count(len(told.learners), 'learner')} collected."]  # fmt: skip
    if told.unchanged:
        lines.append(f"Collected before, and unchanged: {', '.join(told.unchanged)}.")
    if told.timed:
        lines.append(f"When it was handed in is known of {_count(told.timed, 'learner')}.")
    lines += _list(
        "Replaced; what was there before is kept",
        [f"{learner}: {os.path.relpath(path)}" for learner, path in told.replaced.items()],
    )
    lines += _list(
        "Not handed in now, and kept from before",
        [f"{learner}: {notebook}.ipynb" for learner, notebook in told.carried],
    )
    lines += _list(
        "Taken under another name",
        [f"{learner}: {name} for {notebook}.ipynb" for learner, name, notebook in told.renamed],
    )
    lines += _list(
        "Handed in more than once; the newest was taken",
        [f"{learner}: {taken}, not {other}" for learner, taken, other in told.older],
    )
    if told.late:
        lines.append(f"Late, says Canvas, and not by how much: {', '.join(told.late)}.")
    lines += _list("No time was entered", told.untimed)
    lines += _list(
        "Handed in more than once, and nothing says which is newer: look at both",
        [f"{learner}: {taken} was taken, not {other}" for learner, taken, other in told.doubtful],
    )
    lines += _list(
        "Handed in something else before, so nothing was changed; --force takes the new one",
        told.held_back,
    )
    lines += _list("Not collected", [f"{name}: {reason}" for name, reason in told.left])
    lines += _list(
        "Handed in, but no notebook", [f"{learner}: {files}" for learner, files in told.without]
    )
    if told.left or told.older or told.doubtful:
        lines.append(f"What was not taken lies in {place} or in the archive beside it.")
    if told.others:
        few = ", ".join(told.others[:3]) + (" and others" if len(told.others) > 3 else "")
        lines.append(
            f"No notebooks, and left in the archive: {_count(len(told.others), 'file')} ({few})."
        )
    return lines


def _list(title: str, items: list[str]) -> list[str]:
    return [f"{title}:", *(f"- {each}" for each in items)] if items else []


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
