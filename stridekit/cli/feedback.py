"""`stridekit feedback ps3`: the pages on which a class reads how it went."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any


def add_to(commands: Any) -> None:
    """Say what the command takes."""
    command = commands.add_parser(
        "feedback",
        help="make pages of feedback",
        description="Make a page of feedback for each graded notebook, in nbgrader's folder for "
        "it. `nbgrader release_feedback` hands them out.",
    )
    command.add_argument("assignment", metavar="ASSIGNMENT", help="such as ps3")
    command.add_argument(
        "--learner", action="append", default=[], metavar="NAME", help="only this one (repeatable)"
    )
    command.add_argument(
        "--jobs", type=_jobs, metavar="N", help="pages at the same time (one for each core)"
    )
    command.add_argument("--force", action="store_true", help="make also pages that are there")
    command.set_defaults(run=run)


def _jobs(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def run(given: argparse.Namespace) -> int:
    """Make the pages. Raises CommandError."""
    from stridekit.grading.course import Course

    # It says what is missing, where nbgrader or the course is not there.
    Course(Path.cwd())
    from stridekit.grading.feedback import FeedbackOfClass

    feedback = FeedbackOfClass(Path.cwd(), given.assignment, force=given.force)
    learners = feedback.learners(given.learner)
    jobs = given.jobs or os.cpu_count() or 1
    made = []
    with _progress(len(learners), given.assignment) as advance:
        for each in feedback.make(learners, jobs):
            made.append(each)
            advance()
    lost = sorted(each for each in made if each.problem)
    new = sum(each.is_new for each in made if not each.problem)
    kept = len(made) - len(lost) - new
    pages = feedback.course.folder("feedback", "NAME", given.assignment)
    if new:
        print(f"Feedback for {new} {'learner' if new == 1 else 'learners'} is in {pages}.")
    if kept:
        print(f"{kept} unchanged since last time. After changes by hand, say --force.")
    for each in lost:
        print(f"stridekit: {each.learner}: {each.problem.rstrip('.')}.", file=sys.stderr)
    return 1 if lost else 0


def _progress(count: int, assignment: str) -> Any:
    """A bar on stderr; nothing where nobody looks."""
    from contextlib import contextmanager

    @contextmanager
    def bar() -> Any:
        try:
            from tqdm import tqdm
        except ImportError:
            yield lambda: None
            return
        # Its watching thread must not be there when processes begin as copies of this one.
        tqdm.monitor_interval = 0
        with tqdm(
            total=count,
            desc=f"Feedback on {assignment}",
            unit="learner",
            file=sys.stderr,
            disable=None,
        ) as shown:
            yield shown.update

    return bar()
