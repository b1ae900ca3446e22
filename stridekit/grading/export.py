"""nbgrader's export of grades, which writes no 0 for what nobody has decided yet."""

from typing import Any

from nbgrader.plugins.export import CsvExportPlugin


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """As nbgrader's own CSV, but with scores left empty where a human must look first."""

    def export(self, gradebook: Any) -> None:
        """Write the file. See CsvExportPlugin."""
        undecided = {
            (submission.assignment.name, submission.student.id)
            for assignment in gradebook.assignments
            for submission in assignment.submissions
            if any(
                grade.auto_score is None and grade.manual_score is None
                for notebook in submission.notebooks
                for grade in notebook.grades
            )
        }
        super().export(_WithGaps(gradebook, undecided))


class _WithGaps:
    """A gradebook in which undecided submissions have no score."""

    def __init__(self, gradebook: Any, undecided: set[tuple[str, str]]) -> None:
        self._gradebook, self._undecided = gradebook, undecided

    def __getattr__(self, name: str) -> Any:
        return getattr(self._gradebook, name)

    def find_submission(self, assignment: str, student: str) -> Any:
        """As the gradebook's own, or one whose scores are shown as nothing."""
        submission = self._gradebook.find_submission(assignment, student)
        if (assignment, student) in self._undecided:
            return _Undecided(submission.timestamp)
        return submission


class _Undecided:
    """A submission that nobody has decided yet."""

    def __init__(self, timestamp: Any) -> None:
        self.timestamp = timestamp
        self.score = self.late_submission_penalty = _Nothing()


class _Nothing(float):
    """What is written as nothing, whatever is taken from it."""

    def __sub__(self, _: object) -> "_Nothing":
        return self

    def __gt__(self, _: object) -> bool:
        return True

    def __str__(self) -> str:
        return ""
