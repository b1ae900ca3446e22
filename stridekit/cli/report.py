"""`stridekit report ps3`: what a class understood, and what not."""

import argparse
import secrets
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError

FOLDER = "reports"


def add_to(commands: Any) -> None:
    """Say what the command takes."""
    command = commands.add_parser(
        "report",
        help="what a class understood, and what not",
        description="Tell what came of an assignment that is graded: who got what, which mistakes "
        "were made, most frequent first. Prints it, and writes it as a page of HTML.",
    )
    command.add_argument("assignment", metavar="ASSIGNMENT", help="such as ps3")
    command.add_argument(
        "--anonymous", action="store_true", help="numbers in place of learners' names"
    )
    command.add_argument("--csv", type=Path, metavar="FILE", help="write a row for each learner")
    command.add_argument(
        "--html", type=Path, metavar="FILE", help=f"the page ({FOLDER}/ASSIGNMENT.html)"
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Print, and write. Raises CommandError."""
    from stridekit.grading.course import Course
    from stridekit.grading.outcomes import anonymised, class_of
    from stridekit.grading.report import as_csv, table, understanding
    from stridekit.grading.results import Store

    for path in (given.csv, given.html):
        refuse_unwritable(path)
    course = Course(Path.cwd())
    found = class_of(course, given.assignment)
    if given.anonymous:
        store = Store.of(course.root)
        found = anonymised(found, store.secret if store else secrets.token_bytes())
    print(table(given.assignment, found.outcomes, max(100, shutil.get_terminal_size().columns)))
    print(understanding(found.outcomes))
    if found.forgotten:
        print(
            f"\nOf {found.forgotten} submissions it is not kept what was found. To see their "
            f"mistakes, grade again: stridekit grade {given.assignment} --again"
        )
    ending = "-anonymous" if given.anonymous else ""
    place = write_page(course, found, given.html, ending=ending)
    print(f"\nAs a page: {place}")
    if given.csv is not None:
        write(given.csv, as_csv(found.outcomes))
    return 0


def write_page(course: Any, found: Any, path: Path | None = None, *, ending: str = "") -> Path:
    """Write the page of a class; gives its place. Raises CommandError."""
    from stridekit.grading.page import page

    if path is None:
        folder = course.root / FOLDER
        try:
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise CommandError(f"{folder} cannot be made: {error.strerror}.") from error
        path = folder / f"{found.assignment}{ending}.html"
    name = str(course.app.coursedir.course_id) or course.root.name
    write(path, page(found, course=name, made=datetime.now().astimezone()))
    return path


def refuse_unwritable(path: Path | None) -> None:
    """Before anything is done. Raises CommandError where a path cannot be a file's."""
    if path is None:
        return
    if not path.name or path.is_dir():
        raise CommandError(f"{str(path)!r} is a folder, and the name of a file is asked for.")
    if not path.absolute().parent.is_dir():
        raise CommandError(f"there is no folder {path.parent} for {path.name}. Make it.")


def write(path: Path, text: str) -> None:
    """Write a file that holds learners' data. Raises CommandError."""
    from stridekit.grading.results import write_whole

    content = text.encode("utf-8", "replace")
    try:
        if path.exists() and not path.is_file():
            # A pipe, say: there is nothing to be put in its place.
            path.write_bytes(content)
        else:
            write_whole(path.resolve(), content, 0o600)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
