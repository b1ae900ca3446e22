"""`stridekit grade ps3`: grade what a class has handed in."""

import argparse
import gc
import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from stridekit.cli.classes import add_class_arguments, progress
from stridekit.cli.report import refuse_unwritable, write, write_page

# So many objects: a few submissions' worth, for entering one makes thousands that all go again.
_COLLECT_AFTER = 50_000


def add_to(commands: Any) -> None:
    """Say what the command takes."""
    command = commands.add_parser(
        "grade",
        help="grade what a class has handed in",
        description="Grade what a class has handed in, in the folder of an nbgrader course. "
        "Learners' code runs shut in; points go into nbgrader's gradebook.",
    )
    add_class_arguments(command, jobs="notebooks")
    command.add_argument(
        "--again", action="store_true", help="grade also what has not changed since last time"
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
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Grade, and print who got what. Raises CommandError."""
    refuse_unwritable(given.csv)
    from stridekit.grading.grade import Grader
    from stridekit.grading.report import as_csv, as_json, table

    with _imports_kept():
        grader = Grader(
            Path.cwd(),
            given.assignment,
            jobs=given.jobs,
            again=given.again,
            trust=given.trust_submissions,
            scheduler=given.scheduler,
        )
    try:
        learners = grader.learners(given.learner)
        with progress(len(learners), f"Grading {given.assignment}", "submission") as advance:
            outcomes = list(grader.grade(learners, lambda _: advance()))
    finally:
        grader.close()
    outcomes.sort(key=lambda each: each.learner)
    if given.json:
        print(json.dumps([as_json(each) for each in outcomes], indent=1))
    else:
        print(table(given.assignment, outcomes, max(100, shutil.get_terminal_size().columns)))
        if not given.learner:
            _report(grader, outcomes)
        print(_summary(grader, outcomes))
    if given.csv is not None:
        write(given.csv, as_csv(outcomes))
    return 0 if all(each.is_recorded for each in outcomes) else 1


@contextmanager
def _imports_kept() -> Iterator[None]:
    """What is imported meanwhile stays until the end, and no collection has to look at it."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(_COLLECT_AFTER)
        gc.enable()


def _report(grader: Any, outcomes: list[Any]) -> None:
    """What the class misunderstood, printed and as a page."""
    from stridekit.grading.outcomes import class_just_graded
    from stridekit.grading.report import understanding

    print(understanding(outcomes))
    if any(each.is_recorded for each in outcomes):
        found = class_just_graded(grader.course, grader.plan.name, outcomes)
        print(f"\nAs a page: {write_page(grader.course, found)}")


def _summary(grader: Any, outcomes: list[Any]) -> str:
    known = sum(each.was_known for each in outcomes)
    counts = [
        f"{sum(each.status == status for each in outcomes)} {status}"
        for status in ("graded", "partly graded", "needs a human")
        if any(each.status == status for each in outcomes)
    ]
    unchanged = f" ({known} unchanged since last time)" if known else ""
    isolation = f"\nIsolation, as tried: {grader.facts.level}." if grader.facts.level else ""
    return f"\n{', '.join(counts)}{unchanged}.{isolation}"
