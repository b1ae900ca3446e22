"""`stridekit feedback ps3`: the pages on which a class reads how it went."""

import argparse
import os
import sys
from pathlib import Path
from typing import Any

from stridekit.cli.classes import add_class_arguments, progress


def add_to(commands: Any) -> None:
    """Say what the command takes."""
    command = commands.add_parser(
        "feedback",
        help="make pages of feedback",
        description="Make a page of feedback for each graded notebook, in nbgrader's folder for "
        "it. `nbgrader release_feedback` hands them out.",
    )
    add_class_arguments(command, jobs="pages")
    command.add_argument("--force", action="store_true", help="make also pages that are there")
    command.set_defaults(run=run)


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
    with progress(len(learners), f"Feedback on {given.assignment}", "learner") as advance:
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
