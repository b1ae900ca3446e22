"""Pages of feedback, made by nbgrader's generate_feedback: its files and places, our page.

`nbgrader generate_feedback`, Formgrader's button and `stridekit feedback` all come by here.
"""

import gc
import glob
import os
import re
import signal
import sys
import zoneinfo
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from nbconvert.exporters import Exporter
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import GenerateFeedback
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import ClearHiddenTests
from traitlets import default

from stridekit.errors import CommandError
from stridekit_course.checks.callee import printable
from stridekit_grading.course import Course
from stridekit_grading.feedback_pages import Comment, FeedbackPage, GradebookEntry, Mark
from stridekit_grading.gradebook import cells_at_hand
from stridekit_grading.plans import cells_of, text_of


class FeedbackExporter(Exporter):
    """Makes a page of a graded notebook. GenerateFeedback takes it for its own exporter."""

    output_mimetype = "text/html"

    @default("file_extension")
    def _file_extension_default(self) -> str:
        return ".html"

    def from_notebook_node(
        self, nb: Any, resources: Any = None, **options: Any
    ) -> tuple[Any, dict[str, Any]]:
        """The page. Raises MissingEntry where the gradebook does not know the submission."""
        notebook, resources = super().from_notebook_node(nb, resources, **options)
        asked = resources["nbgrader"]
        names = asked["notebook"], asked["assignment"], asked["student"]
        with Gradebook(asked["db_url"]) as gradebook:
            entry = entry_of(gradebook, *names, timezone=self._timezone())
        veil = ClearHiddenTests(parent=self)
        page = FeedbackPage(
            entry,
            notebook,
            self._course_texts(asked["assignment"], asked["notebook"]),
            (veil.begin_test_delimeter, veil.end_test_delimeter),
        )
        return page.html(), resources

    def _timezone(self) -> str:
        return str(self.config.get("Exchange", {}).get("timezone", "UTC"))

    def _course_texts(self, assignment: str, notebook: str) -> frozenset[str]:
        """What the course wrote into this notebook, as far as it is there."""
        directory = getattr(self.parent, "coursedir", None)
        if directory is None:
            return frozenset()
        texts: frozenset[str] = frozenset()
        for kind in (directory.source_directory, directory.release_directory):
            folder = Path(directory.root) / directory.format_path(kind, ".", assignment)
            path = folder / f"{notebook}.ipynb"
            with suppress(OSError):
                texts |= _texts_in(path, path.stat().st_mtime_ns)
        return texts


@lru_cache(maxsize=64)
def _texts_in(path: Path, _changed: int) -> frozenset[str]:
    try:
        return frozenset(text_of(each).strip() for each in cells_of(path)) - {""}
    except CommandError:
        return frozenset()


def entry_of(
    gradebook: Any, notebook: str, assignment: str, learner: str, timezone: str = "UTC"
) -> GradebookEntry:
    """What the gradebook says of a submitted notebook. Raises MissingEntry."""
    row = gradebook.find_submission_notebook(notebook, assignment, learner)
    submission, student = row.assignment, row.student
    names = [each for each in (student.first_name, student.last_name) if each]
    entry = GradebookEntry(learner, " ".join(names) or learner, assignment, notebook)
    if submission.timestamp is not None:
        entry.handed_in = _said_time(submission.timestamp, timezone)
        if submission.duedate is not None:
            entry.seconds_late = submission.total_seconds_late
    entry.score, entry.most = row.score, row.max_score
    entry.penalty = row.late_submission_penalty or 0.0
    if len(submission.notebooks) > 1:
        lost = sum(each.late_submission_penalty or 0.0 for each in submission.notebooks)
        entry.whole = submission.score - lost, submission.max_score
    with cells_at_hand(gradebook, row):
        for grade in row.grades:
            by_hand = grade.manual_score is not None
            entry.marks[grade.name] = Mark(
                grade.score,
                grade.max_score,
                is_by_hand=by_hand,
                extra=grade.extra_credit or 0.0,
                needs_human=not by_hand
                and (grade.auto_score is None or bool(grade.needs_manual_grade)),
            )
        for each in row.comments:
            if each.comment:
                entry.comments[each.name] = Comment(each.comment, each.manual_comment is not None)
    return entry


def _said_time(when: datetime, timezone: str) -> str:
    """A time of the gradebook, which is UTC, as the course tells it."""
    try:
        zone: Any = zoneinfo.ZoneInfo(timezone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        zone = UTC
    there = when.replace(tzinfo=UTC).astimezone(zone)
    return f"{there.day} {there:%B %Y, %H:%M} {there.tzname()}"


# The pages of a class.


class FeedbackResult(NamedTuple):
    """What came of one submission's pages."""

    learner: str
    is_new: bool = False
    problem: str = ""


class _Maker(GenerateFeedback):  # type: ignore[misc]
    """Makes the pages of one submission, and remembers why it could not."""

    folder = ""
    problem: Exception | None = None
    is_new = False

    @default("exporter_class")
    def _exporter_class_default(self) -> type[FeedbackExporter]:
        return FeedbackExporter

    @default("preprocessors")
    def _preprocessors_default(self) -> list[Any]:
        return []

    def init_notebooks(self) -> None:
        """No names with stars in them: a learner may be called `[x]`."""
        found = sorted(map(str, Path(self.folder).glob("*.ipynb")))
        if not found:
            raise NbGraderException(f"there is no notebook in {self.folder}")
        self.assignments = {self.folder: found}

    def _format_source(self, assignment_id: str, student_id: str, escape: bool = False) -> str:
        """See BaseConverter. As a pattern, it takes a name that has lines, too."""
        form = str(super()._format_source(assignment_id, student_id, escape=escape))
        return f"(?s:{form})" if escape else form

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Whether there is something to do: also where work was graded again since."""
        pages = Path(self._format_dest(assignment_id, student_id))
        for each in map(Path, self.notebooks):
            page = pages / f"{each.stem}.html"
            if page.is_file() and page.stat().st_mtime < each.stat().st_mtime:
                self.force = True
        self.is_new = bool(super().init_destination(assignment_id, student_id))
        return self.is_new

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """See BaseConverter, which goes on after an error and does not say which."""
        try:
            super().convert_single_notebook(notebook_filename)
        except Exception as error:
            self.problem = error
            raise


class FeedbackOfClass:
    """The pages of all that has been graded of an assignment."""

    def __init__(self, root: Path, assignment: str, *, force: bool = False) -> None:
        """Raises CommandError where there is no course, or nothing graded."""
        self.course = Course(root)
        self.assignment, self.force = assignment, force
        self._folders = self._graded()
        if not self._folders:
            raise CommandError(
                f"nothing of {assignment!r} has been graded yet: there is no "
                f"{self.course.folder('autograded', 'NAME', assignment)}. "
                f"First run: stridekit grade {assignment}."
            )
        database = self.course.database
        path = Path(database.removeprefix("sqlite:///"))
        if database.startswith("sqlite:///") and not path.is_file():
            raise CommandError(
                f"there is no gradebook at {path}. First run: stridekit grade {assignment}."
            )
        with self.course.gradebook():
            """Whether it can be used is told once, and not for each learner."""

    def _graded(self) -> dict[str, str]:
        """The folders of graded notebooks, by learner."""
        directory = self.course.app.coursedir
        kind, name = directory.autograded_directory, self.assignment
        root = Path(directory.root)
        pattern = Path(directory.format_path(kind, "*", glob.escape(name))).relative_to(root)
        learner = f"(?P<learner>[^{re.escape(os.sep)}]+)"
        form = directory.format_path(kind, learner, re.escape(name), escape=True)
        folders = {}
        for folder in sorted(root.glob(str(pattern))):
            match = re.fullmatch(form, str(folder))
            if match and any(folder.glob("*.ipynb")):
                folders[match["learner"]] = str(folder)
        return folders

    def learners(self, only: Sequence[str] = ()) -> list[str]:
        """Whose pages are to be made. Raises CommandError."""
        strangers = [each for each in only if each not in self._folders]
        if strangers:
            raise CommandError(
                f"nothing of {printable(strangers[0])}'s {self.assignment} has been graded. "
                f"There are: {printable(', '.join(self._folders))}."
            )
        return [*dict.fromkeys(only)] or [*self._folders]

    def make(self, learners: Sequence[str], jobs: int) -> Iterator[FeedbackResult]:
        """Make them, several at the same time; each is told when it is there."""
        first, *rest = learners
        # Whatever a page needs is loaded by then, and processes that begin as copies have it.
        yield self.make_one(first)
        # It stays; to look through it for garbage takes longer than a page.
        gc.freeze()
        if min(jobs, len(rest)) <= 1:
            yield from map(self.make_one, rest)
            return
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor, as_completed
        from concurrent.futures.process import BrokenProcessPool

        way = "fork" if sys.platform.startswith("linux") else "spawn"
        pool = ProcessPoolExecutor(
            min(jobs, len(rest)),
            mp_context=multiprocessing.get_context(way),
            initializer=_begin,
            initargs=(self if way == "fork" else (self.course.root, self.assignment, self.force),),
        )
        with pool:
            told = {pool.submit(_make, each): each for each in rest}
            try:
                for future in as_completed(told):
                    try:
                        yield future.result()
                    except BrokenProcessPool:
                        yield FeedbackResult(
                            told[future], problem="the process that made it has ended"
                        )
            finally:
                pool.shutdown(cancel_futures=True)

    def make_one(self, learner: str) -> FeedbackResult:
        """The pages of one learner."""
        directory = self.course.app.coursedir
        directory.assignment_id, directory.notebook_id = self.assignment, "*"
        maker = _Maker(coursedir=directory, parent=self.course.app)
        maker.folder, maker.force = self._folders[learner], self.force
        try:
            maker.start()
        except Exception as error:  # noqa: BLE001 - one submission must not stop the class
            return FeedbackResult(learner, problem=self._why(learner, maker.problem or error))
        return FeedbackResult(learner, maker.is_new)

    def _why(self, learner: str, error: Exception) -> str:
        if isinstance(error, MissingEntry):
            return (
                "the gradebook does not know this submission. Grade it again: stridekit grade "
                f"{self.assignment} --learner {learner} --again"
            )
        said = " ".join(str(error).split())[:300].rstrip(".")
        if isinstance(error, OSError | NbGraderException):
            return said
        return f"{type(error).__name__}: {said}"


_ours: list[FeedbackOfClass] = []


def _begin(given: Any) -> None:
    """In a process of a pool. Control-C is for the one that was started by hand."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not isinstance(given, FeedbackOfClass):
        root, assignment, force = given
        given = FeedbackOfClass(root, assignment, force=force)
    _ours[:] = [given]


def _make(learner: str) -> FeedbackResult:
    return _ours[0].make_one(learner)
