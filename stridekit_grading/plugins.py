"""Plugins of nbgrader: a penalty for what comes late, and an export without false zeros.

`nbgrader_config.py` names them: `c.AssignLatePenalties.plugin_class =
"stridekit_grading.plugins.StartedDays"`.
"""

from collections.abc import Container
from math import ceil, inf
from pathlib import Path
from typing import Any

from nbgrader.api import MissingEntry
from nbgrader.plugins import BasePlugin
from nbgrader.plugins.export import CsvExportPlugin
from traitlets import Float

from stridekit_grading.course import Course
from stridekit_grading.gradebook import is_without_score
from stridekit_grading.report import lines_of, plain


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """As nbgrader's own CSV, but scores are empty where a human, or the grader, must look first.

    Names stand in quotes where they need some: nbgrader's own writes a comma in one as it is.
    """

    def export(self, gradebook: Any) -> None:
        """Write the file. See CsvExportPlugin."""
        course = Course(Path(self.parent.coursedir.root), self.parent)
        rows: list[list[Any]] = [[*_COLUMNS, *_SCORES]]
        for assignment in gradebook.assignments:
            name = assignment.name
            if self.assignment and name not in map(str, self.assignment):
                continue
            waiting = course.folders("submitted", name)
            for student in gradebook.students:
                if self.student and student.id not in map(str, self.student):
                    continue
                when, *scores = _scores(gradebook, name, student.id, waiting)
                told = (getattr(student, each) for each in _COLUMNS[4:])
                first = name, assignment.duedate, when, student.id, *told
                rows.append([*map(plain, first), *scores, assignment.max_score])
        to = self.to or "grades.csv"
        self.log.info("Exporting grades to %s", to)
        Path(to).write_text(lines_of(rows), "utf-8")


_COLUMNS = ("assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email")
_SCORES = ("raw_score", "late_submission_penalty", "score", "max_score")


def _scores(
    gradebook: Any, assignment: str, learner: str, waiting: Container[str]
) -> tuple[Any, ...]:
    """When it was handed in, and what it scored; nothing where that is not known yet."""
    try:
        found = gradebook.find_submission(assignment, learner)
    except MissingEntry:
        return ("", "", "", "") if learner in waiting else ("", 0.0, 0.0, 0.0)
    if any(is_without_score(each) for row in found.notebooks for each in row.grades):
        return found.timestamp, "", "", ""
    score, penalty = found.score, found.late_submission_penalty
    return found.timestamp, score, penalty, max(0.0, score - penalty)


DAY = 24 * 60 * 60


class StartedDays(BasePlugin):  # type: ignore[misc]
    """So many points for each day after the due date that has begun.

    nbgrader asks once for each notebook, and never takes more than it has scored.
    """

    points = Float(1.0, min=0, help="Points off for each day that has begun.").tag(config=True)
    most = Float(inf, min=0, help="The most points off, for a notebook.").tag(config=True)
    grace_minutes = Float(0.0, min=0, help="So many minutes late is not late.").tag(config=True)

    def late_submission_penalty(
        self,
        student_id: str,  # noqa: ARG002 - nbgrader's signature
        score: float,
        total_seconds_late: float,
    ) -> float | None:
        """Points off, or None. Days count from the due date: grace only forgives."""
        if total_seconds_late <= max(0.0, 60 * self.grace_minutes):
            return None
        return float(min(self.points * ceil(total_seconds_late / DAY), self.most, score))
