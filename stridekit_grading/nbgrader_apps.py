"""nbgrader's own Autograde and Formgrader's buttons, by way of this engine.

`nbgrader_config.py` names it. Where nbgrader would run a kernel for each notebook, the submissions
it is asked for are graded as `stridekit grade` grades them, with the same results. The buttons work
in processes of their own, so that the server answers others meanwhile.
"""

import asyncio
import fnmatch
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from stridekit.errors import CommandError, told
from stridekit_grading.course import Course, import_nbgrader

_HANDLERS = "nbgrader.server_extensions.formgrader.apihandlers"
# Of those who have pressed a button.
_QUEUE = asyncio.Lock()


def install_in_formgrader() -> None:
    """Have the buttons for grading and for feedback wait without keeping others waiting.

    And have a file that a learner has handed in run nothing when an instructor opens it. Only where
    Formgrader is loaded: in a Jupyter server.
    """
    module = sys.modules.get(_HANDLERS)
    if module is None:
        return
    from nbgrader.server_extensions.formgrader.handlers import SubmissionFilesHandler

    # Its first page makes the gradebook.
    import_nbgrader()
    # As a page of the server's own it could do whatever its reader can.
    SubmissionFilesHandler.content_security_policy = "sandbox"
    module.AutogradeHandler.post = _post(module, "autograde", "--create")
    module.GenerateFeedbackHandler.post = _post(module, "generate_feedback")
    module.GenerateAllFeedbackHandler.post = _post(module, "generate_feedback")


def _post(module: Any, command: str, *options: str) -> Any:
    """What a handler does when its button is pressed."""

    async def post(self: Any, assignment_id: str, student_id: str | None = None) -> None:
        arguments = [command, assignment_id, "--force", *options]
        if student_id is not None:
            arguments.append(f"--student={student_id}")
        self.write(json.dumps(await _run(arguments, str(self.api.coursedir.root))))

    guarded = module.check_xsrf(module.check_notebook_dir(post))
    return module.web.authenticated(guarded)


async def _run(arguments: list[str], root: str) -> dict[str, Any]:
    """Run a command of nbgrader's in a course; gives what Formgrader shows of it."""
    # One after another, for there is one gradebook.
    async with _QUEUE:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "nbgrader", *arguments),
            cwd=root,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        told, _ = await process.communicate()
    log = told.decode("utf-8", "replace")
    if process.returncode == 0:
        return {"success": True, "log": log}
    return {"success": False, "log": log, "error": f"nbgrader {' '.join(arguments)} failed"}


# Grading.


def install(config: Any) -> None:
    """Have nbgrader grade through this engine, and make feedback of our own pages.

    `config` is what nbgrader_config.py writes to. Off Linux, nbgrader grades as it does.
    """
    from nbgrader.converters import Autograde, GenerateFeedback

    install_in_formgrader()
    GenerateFeedback.start = make_feedback
    # Formgrader's view of a notebook extends its own template; nothing else here makes HTML.
    config.HTMLExporter.template_file = "grading-view.html.j2"
    config.HTMLExporter.extra_template_paths = [str(Path(__file__).with_name("templates"))]
    config.ExportApp.setdefault("plugin_class", "stridekit_grading.plugins.CsvExport")
    if sys.platform.startswith("linux"):
        Autograde.start = grade


@contextmanager
def _refusals_of(app: Any) -> Iterator[None]:
    """Have a command of nbgrader's refuse in its own way. Raises NbGraderException."""
    from nbgrader.converters.base import NbGraderException

    try:
        yield
    except (CommandError, OSError) as error:
        app.log.error("%s", told(error))
        raise NbGraderException(told(error)) from error


def grade(self: Any) -> None:
    """Grade what an Autograde was asked for. Raises NbGraderException."""
    from stridekit_grading.grade import Grader

    directory = self.coursedir
    root, assignment = Path(directory.root), directory.assignment_id
    with (
        _refusals_of(self),
        closing(Grader(root, assignment, again=self.force, app=self)) as grader,
    ):
        names = _asked_for(directory, grader.learners())
        if not self.create_student:
            _must_know(grader, names)
        outcomes = list(grader.grade(names))
        for each in outcomes:
            log = self.log.info if each.status == "graded" else self.log.warning
            why = f": {'; '.join(each.reasons)}" if each.reasons else ""
            log("%s of %s: %s%s", assignment, each.learner, each.status, why)
        if lost := [each.learner for each in outcomes if not each.is_recorded]:
            raise CommandError(f"not entered: {', '.join(lost)}. See above.")


def _must_know(grader: Any, names: list[str]) -> None:
    """With --create=False, nobody is graded whom the gradebook does not know."""
    with grader.course.gradebook() as gradebook:
        known = {student.id for student in gradebook.students}
    strangers = [name for name in names if name not in known]
    if strangers:
        raise CommandError(f"No student with ID '{strangers[0]}' exists in the database")


def make_feedback(self: Any) -> None:
    """Make the pages that a GenerateFeedback was asked for. Raises NbGraderException."""
    from stridekit_grading.feedback import FeedbackOfClass

    directory = self.coursedir
    with _refusals_of(self):
        course = Course(Path(directory.root), self)
        pages = FeedbackOfClass(course, directory.assignment_id, force=self.force)
        names = _asked_for(directory, pages.learners())
        made = [pages.make(name, directory.notebook_id) for name in names]
        if lost := [f"{each.learner}: {each.problem}" for each in made if each.problem]:
            raise CommandError("; ".join(lost))


def _asked_for(directory: Any, names: list[str]) -> list[str]:
    """Those whom a command of nbgrader's names, by patterns. Raises CommandError."""
    asked = fnmatch.filter(names, directory.student_id)
    if not asked:
        raise CommandError(f"there is no {directory.assignment_id} of {directory.student_id}.")
    return asked
