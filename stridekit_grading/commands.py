"""The words that the grader adds to the `stridekit` command: grade, collect, feedback, report.

Whatever they need is imported once they run: `stridekit --help` waits for none of it.
"""

import argparse
import json
import os
import secrets
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from shlex import quote
from typing import Any

from stridekit.errors import CommandError
from stridekit.layouts.layout import count

REPORTS = "reports"
PLATFORMS = ("moodle", "canvas", "plain")
LINUX_ONLY = (
    "grading needs Linux: the parts that shut learners' code in are Linux's. On this system, write "
    "and try assignments, generate releases, and read what was graded; grade on a Linux machine, "
    "in a container, or in WSL 2."
)


def add_grade(commands: Any) -> None:
    """Add `stridekit grade` to the others."""
    command = commands.add_parser(
        "grade",
        help="grade what a class has handed in",
        description="Grade what a class has handed in, in the folder of an nbgrader course. "
        "Learners' code runs shut in; points go into nbgrader's gradebook.",
    )
    add_class_arguments(command, jobs="notebooks")
    command.add_argument(
        "--again", action="store_true", help="also grade what has not changed since last time"
    )
    command.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="run notebooks on a Dask cluster, such as tcp://HOST:8786, in place of this machine",
    )
    command.add_argument("--csv", type=Path, metavar="FILE", help="write the points there too")
    command.add_argument("--json", action="store_true", help="print JSON in place of the table")
    command.add_argument(
        "--trust-submissions",
        action="store_true",
        help="run learners' code without shutting it in: it can do whatever you can",
    )
    command.set_defaults(run=grade)


def grade(given: argparse.Namespace) -> int:
    """Grade, and print who got what. Raises CommandError."""
    # What is imported below, other systems do not even have.
    if not sys.platform.startswith("linux"):
        raise CommandError(LINUX_ONLY)
    # Whatever is opened next would take the place of a stream that is closed.
    while (opened := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(opened)
    refuse_unwritable(given.csv)
    from stridekit_grading.class_results import class_of, counts_of
    from stridekit_grading.grade import Grader
    from stridekit_grading.report import as_csv, as_json, table, understanding

    grader = Grader(
        Path.cwd(),
        given.assignment,
        jobs=given.jobs,
        again=given.again,
        trust=given.trust_submissions,
        scheduler=given.scheduler,
    )
    with closing(grader):
        learners = grader.learners(given.learner)
        outcomes = []
        said = f"Grading {given.assignment}"
        with progress(len(learners), said, "submission") as shown, _interrupts() as came:
            for outcome in grader.grade(learners):
                outcomes.append(outcome)
                shown.update()
                if came:
                    raise KeyboardInterrupt
    outcomes.sort(key=lambda each: each.learner)
    # First, for whoever reads what is printed may stop reading.
    if given.csv is not None:
        write(given.csv, as_csv(outcomes), is_shared=grader.course.is_shared)
    if given.json:
        print(json.dumps([as_json(each) for each in outcomes], indent=1))
    else:
        print(table(given.assignment, outcomes, max(100, shutil.get_terminal_size().columns)))
        if not given.learner:
            # What the class misunderstood.
            print(understanding(outcomes))
            if any(each.is_recorded for each in outcomes):
                found = class_of(grader.course, grader.plan.name, outcomes)
                print(f"\nAs a page: {write_page(grader.course, found)}")
        known = sum(each.was_known for each in outcomes)
        unchanged = f" ({known} unchanged since last time)" if known else ""
        print(f"\n{', '.join(counts_of(outcomes))}{unchanged}.")
        if grader.level:
            print(f"Isolation, as tried: {grader.level}.")
    if misplaced := grader.course.misplaced(given.assignment):
        place = grader.course.folder("submitted", "NAME", given.assignment)
        said = f"{misplaced}: nobody looks there, for work lies in {place}."
        print(f"{said} Move it, and grade again.", file=sys.stderr)
    return 0 if all(each.is_recorded for each in outcomes) and not misplaced else 1


@contextmanager
def _interrupts() -> Iterator[list[int]]:
    """The interrupts that came, each of which is raised: some library may swallow it."""
    came: list[int] = []

    def interrupt(number: int, _: object) -> None:
        came.append(number)
        raise KeyboardInterrupt

    before, hook = signal.getsignal(signal.SIGINT), sys.unraisablehook
    # Somebody may have it ignored.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    # Where it is raised in a callback of Python's own, that would be told with a traceback.
    sys.unraisablehook = lambda told: told.exc_type is KeyboardInterrupt or hook(told)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
        sys.unraisablehook = hook


def add_collect(commands: Any) -> None:
    """Add `stridekit collect` to the others."""
    command = commands.add_parser(
        "collect",
        help="collect what a class has handed in on Moodle, Canvas, or in a zip",
        description="Collect notebooks from what a platform gives for download, in the folder of "
        "an nbgrader course.",
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
    command.set_defaults(run=collect)


def collect(given: argparse.Namespace) -> int:
    """Collect, and print what became of everything. Raises CommandError."""
    from stridekit_course.checks.callee import printable
    from stridekit_grading.collecting import PlatformCollector

    collector = PlatformCollector(
        Path.cwd(),
        given.assignment,
        given.platform,
        roster=given.roster,
        id_column=given.id_column,
        zone=given.timezone,
        archive_times=given.archive_times,
        force=given.force,
    )
    is_whole = collector.collect(given.archives)
    # Learners named what is printed here, each in a line.
    print("\n".join(printable(line).replace("\n", r"\n") for line in _collected(collector)))
    return 0 if is_whole else 1


def _collected(there: Any) -> list[str]:
    """What is printed."""
    from stridekit_grading.collecting import LATE, UNCHANGED

    notebooks = count(sum(map(len, there.collected.values())), "notebook")
    learners = count(len(there.collected), "learner")
    lines = [f"{there.assignment}: {notebooks} of {learners} collected."]
    if there.timed:
        lines.append(f"When it was handed in is known of {count(there.timed, 'learner')}.")
    for title, items in there.told.items():
        if items and title in (UNCHANGED, LATE):
            lines.append(f"{title}: {', '.join(items)}.")
        elif items:
            lines += [f"{title}:", *(f"- {each}" for each in items)]
    if there.others:
        few = ", ".join(there.others[:3]) + (" and others" if len(there.others) > 3 else "")
        files = count(len(there.others), "file")
        lines.append(f"No notebooks, and left in the archive: {files} ({few}).")
    return lines


def add_feedback(commands: Any) -> None:
    """Add `stridekit feedback` to the others."""
    command = commands.add_parser(
        "feedback",
        help="make pages of feedback",
        description="Make a page of feedback for each graded notebook, in nbgrader's folder for "
        "it. `nbgrader release_feedback` hands them out.",
    )
    add_class_arguments(command, jobs="pages")
    command.add_argument("--force", action="store_true", help="also make pages that are there")
    command.set_defaults(run=feedback)


def feedback(given: argparse.Namespace) -> int:
    """Make the pages. Raises CommandError."""
    from stridekit_course.checks.callee import printable
    from stridekit_grading.feedback import feedback_of, make_all

    asked = Path.cwd(), given.assignment
    there = feedback_of(*asked, force=given.force)
    learners = there.learners(given.learner)
    jobs = given.jobs or os.cpu_count() or 1
    made = []
    with progress(len(learners), f"Feedback on {given.assignment}", "learner") as shown:
        for each in make_all(*asked, learners, jobs, force=given.force):
            made.append(each)
            shown.update()
    lost = sorted(each for each in made if each.problem)
    new = sum(each.is_new for each in made)
    kept = len(made) - len(lost) - new
    if new:
        pages = there.course.folder("feedback", "NAME", given.assignment)
        print(f"Feedback for {count(new, 'learner')} is in {pages}.")
    if kept:
        print(f"{kept} unchanged since last time. After changes by hand, say --force.")
    for each in lost:
        # Whoever is called by some odd name has it in the path as well.
        said = printable(f"{each.learner}: {each.problem.rstrip('.')}")
        print(f"stridekit: {said}.", file=sys.stderr)
    return 1 if lost else 0


def add_report(commands: Any) -> None:
    """Add `stridekit report` to the others."""
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
        "--html", type=Path, metavar="FILE", help=f"the page ({REPORTS}/ASSIGNMENT.html)"
    )
    command.set_defaults(run=report)


def report(given: argparse.Namespace) -> int:
    """Print, and write. Raises CommandError."""
    from stridekit_grading.class_results import anonymised, class_of
    from stridekit_grading.course import Course
    from stridekit_grading.report import as_csv, table, understanding
    from stridekit_grading.results import Store

    refuse_unwritable(given.csv, given.html)
    course = Course(Path.cwd())
    found = class_of(course, given.assignment)
    if given.anonymous:
        store = Store.of(course.root, is_shared=course.is_shared)
        found = anonymised(found, store.secret if store else secrets.token_bytes())
    if given.csv is not None:
        write(given.csv, as_csv(found.outcomes), is_shared=course.is_shared)
    print(table(given.assignment, found.outcomes, max(100, shutil.get_terminal_size().columns)))
    print(understanding(found.outcomes))
    if found.forgotten:
        print(
            f"\nOf {count(found.forgotten, 'submission')} it is not kept what was found. To see "
            f"mistakes there, grade again: stridekit grade {quote(given.assignment)} --again"
        )
    ending = "-anonymous" if given.anonymous else ""
    print(f"\nAs a page: {write_page(course, found, given.html, ending=ending)}")
    return 0


# What they have in common.


def add_class_arguments(command: Any, *, jobs: str) -> None:
    """The assignment, whose work, and how much at the same time; `jobs` says what that counts."""
    command.add_argument("assignment", metavar="ASSIGNMENT", help="such as ps3")
    command.add_argument(
        "--learner", action="append", default=[], metavar="NAME", help="only this one (repeatable)"
    )
    command.add_argument(
        "--jobs", type=_jobs, metavar="N", help=f"{jobs} at the same time (one for each core)"
    )


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return int(text)


def progress(count: int, doing: str, unit: str) -> Any:
    """A bar on stderr, with rate and time left; nothing where nobody looks."""
    from tqdm import tqdm

    # Its watching thread must not be there when processes begin as copies of this one.
    tqdm.monitor_interval = 0
    disable = sys.stderr is None or None
    return tqdm(total=count, desc=doing, unit=unit, file=sys.stderr, disable=disable)


def write_page(course: Any, found: Any, path: Path | None = None, *, ending: str = "") -> Path:
    """Write the page of a class; gives its place. Raises CommandError."""
    from stridekit_grading.report import page

    path = path or course.root / REPORTS / f"{found.assignment}{ending}.html"
    name = str(course.app.coursedir.course_id) or course.root.name
    told = page(found, course=name, made=datetime.now().astimezone())
    write(path, told, is_shared=course.is_shared)
    return path


def refuse_unwritable(*paths: Path | None) -> None:
    """Before anything is done. Raises CommandError where a path cannot be a file's."""
    for path in filter(None, paths):
        if not path.name or path.is_dir():
            raise CommandError(f"{str(path)!r} is a folder, and the name of a file is asked for.")
        if not path.absolute().parent.is_dir():
            raise CommandError(f"there is no folder {path.parent} for {path.name}. Make it.")


def write(path: Path, text: str, *, is_shared: bool) -> None:
    """Write a file that holds learners' data, in a folder for it. Raises CommandError."""
    from stridekit_grading.results import write_whole

    content = text.encode("utf-8", "replace")
    try:
        path.parent.mkdir(mode=0o770 if is_shared else 0o700, exist_ok=True)
        if path.exists() and not path.is_file():
            # A pipe, say: there is nothing to be put in its place.
            path.write_bytes(content)
        else:
            # A link stays one, also where it leads to nothing.
            write_whole(Path(os.path.realpath(path)), content, 0o660 if is_shared else 0o600)
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}.") from error
