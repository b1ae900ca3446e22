"""Pages of feedback: for each graded notebook one, in nbgrader's folder for it.

`nbgrader generate_feedback`, Formgrader's button and `stridekit feedback` all come by here.
"""

import glob
import json
import multiprocessing
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import UTC
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from dateutil.tz import gettz

from stridekit.errors import CommandError, told
from stridekit_grading.course import Course
from stridekit_grading.feedback_pages import FeedbackPage
from stridekit_grading.plans import all_inside, goes_along, notebook_at, text_of
from stridekit_grading.results import write_whole
from stridekit_grading.safe_html import TooMuchError, in_time

# Of processor time, for a page.
SECONDS_MOST = 30.0


class FeedbackResult(NamedTuple):
    """What came of one submission's pages."""

    learner: str
    is_new: bool = False
    problem: str = ""


class FeedbackOfClass:
    """The pages of all that has been graded of an assignment."""

    def __init__(self, course: Course, assignment: str, *, force: bool = False) -> None:
        """Raises CommandError where nothing is graded."""
        self.course = course
        self.assignment, self.force = assignment, force
        self._folders = {
            name: folder
            for name, folder in course.folders("autograded", assignment).items()
            if any(folder.glob("*.ipynb"))
        }
        if not self._folders:
            course.source_of(assignment)
            raise CommandError(
                f"nothing of {assignment!r} has been graded yet: there is no "
                f"{self.course.folder('autograded', 'NAME', assignment)}. "
                f"First run: stridekit grade {shlex.quote(assignment)}."
            )
        database = self.course.database
        path = Path(database.removeprefix("sqlite:///"))
        if database.startswith("sqlite:///") and not path.is_file():
            raise CommandError(
                f"there is no gradebook at {path}. "
                f"First run: stridekit grade {shlex.quote(assignment)}."
            )
        with self.course.gradebook() as gradebook:
            # Whether it can be used is told once, and not for each learner.
            _ = gradebook.students
        # What the course wrote itself, as far as it is there.
        written = set()
        for kind in ("source", "release"):
            for notebook in course.folder(kind, ".", assignment).glob("*.ipynb"):
                with suppress(CommandError):
                    written |= {text_of(each).strip() for each in notebook_at(notebook)["cells"]}
        self._texts = frozenset(written - {""})

    def learners(self, only: Sequence[str] = ()) -> list[str]:
        """Whose pages are to be made. Raises CommandError."""
        return self.course.chosen(only, self._folders, f"has no graded {self.assignment}")

    def make(self, learner: str, notebooks: str = "*") -> FeedbackResult:
        """The pages of one learner: those that are not there, or older than what was graded."""
        folder = self._folders[learner]
        pages = self.course.folder("feedback", learner, self.assignment)
        is_shared = self.course.is_shared
        is_new = False
        # What somebody hands in under the name of a page takes no page's place.
        names = [f"{glob.escape(each.stem)}.html" for each in folder.glob("*.ipynb")]
        try:
            for path in sorted(folder.glob(f"{notebooks}.ipynb")):
                page = pages / f"{path.stem}.html"
                is_there = page.is_file() and page.stat().st_mtime >= path.stat().st_mtime
                if is_there and not self.force:
                    continue
                markup = self._page(learner, path)
                pages.mkdir(parents=True, exist_ok=True)
                # nbgrader's exchange asks for some of what lies beside a submission.
                for each in all_inside(folder):
                    name = each.relative_to(folder)
                    if goes_along(name, names) and each.is_file():
                        (pages / name).parent.mkdir(parents=True, exist_ok=True)
                        shutil.copyfile(each, pages / name)
                write_whole(page, markup.encode("utf-8", "replace"), 0o664 if is_shared else 0o644)
                is_new = True
        except Exception as error:  # noqa: BLE001 - one submission must not stop the class
            return FeedbackResult(learner, problem=self._why(learner, error))
        return FeedbackResult(learner, is_new)

    def _page(self, learner: str, path: Path) -> str:
        notebook = json.loads(path.read_text("utf-8"))
        with self.course.gradebook() as gradebook:
            row = gradebook.find_submission_notebook(path.stem, self.assignment, learner)
            zone = gettz(self.course.app.config.get("Exchange", {}).get("timezone", "UTC")) or UTC
            handed_in = ""
            if row.assignment.timestamp is not None:
                # The gradebook's times are UTC.
                when = row.assignment.timestamp.replace(tzinfo=UTC).astimezone(zone)
                handed_in = f"{when.day} {when:%B %Y, %H:%M} {when.tzname()}"
            with in_time(SECONDS_MOST):
                page = FeedbackPage(row, notebook, self._texts, self.course.hidden_between)
                return page.html(handed_in)

    def _why(self, learner: str, error: Exception) -> str:
        from nbgrader.api import MissingEntry

        what, whose = map(shlex.quote, (self.assignment, learner))
        again = f"Grade it again: stridekit grade {what} --learner {whose} --again"
        if isinstance(error, MissingEntry):
            return f"the gradebook does not know this submission. {again}"
        said = told(error) if isinstance(error, OSError) else str(error)
        said = " ".join(said.split())[:300].rstrip(".")
        if isinstance(error, OSError | CommandError | TooMuchError):
            return said
        return f"its graded notebook is not as it was ({type(error).__name__}: {said}). {again}"


@lru_cache(maxsize=1)
def feedback_of(root: Path, assignment: str, *, force: bool) -> FeedbackOfClass:
    """The same in every process of a pool. Raises CommandError where there is no course."""
    return FeedbackOfClass(Course(root), assignment, force=force)


def make_all(
    root: Path, assignment: str, learners: Sequence[str], jobs: int, *, force: bool
) -> Iterator[FeedbackResult]:
    """Make pages, several at the same time. Raises CommandError where a process ends."""
    first, *rest = learners
    make = partial(_make, root, assignment, force)
    # Whatever a page needs is loaded by then, and processes that begin as copies have it.
    yield make(first)
    if min(jobs, len(rest)) <= 1:
        yield from map(make, rest)
        return
    way = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
    # Control-C is for the one that was started by hand.
    ignored = signal.SIGINT, signal.SIG_IGN
    try:
        with ProcessPoolExecutor(min(jobs, len(rest)), way, signal.signal, ignored) as pool:
            yield from pool.map(make, rest)
    except BrokenProcessPool as error:
        raise CommandError(
            "a process that makes pages has ended. Those that are made are kept: run the same "
            "command again, with --jobs 1 where memory is short."
        ) from error


def _make(root: Path, assignment: str, force: bool, learner: str) -> FeedbackResult:
    return feedback_of(root, assignment, force=force).make(learner)
