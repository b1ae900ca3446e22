"""Plugins of nbgrader: a penalty for what comes late, and an export without false zeros.

`nbgrader_config.py` names them: `c.AssignLatePenalties.plugin_class =
"stridekit_grading.plugins.StartedDays"`.
"""

from math import ceil, inf
from types import SimpleNamespace
from typing import Any

from nbgrader.plugins import BasePlugin
from nbgrader.plugins.export import CsvExportPlugin
from traitlets import Float

from stridekit_grading.gradebook import is_without_score


class CsvExport(CsvExportPlugin):  # type: ignore[misc]
    """As nbgrader's own CSV, but with scores left empty where a human must look first."""

    def export(self, gradebook: Any) -> None:
        """Write the file. See CsvExportPlugin."""
        find = gradebook.find_submission

        def with_gaps(assignment: str, student: str) -> Any:
            submission = find(assignment, student)
            if not any(
                is_without_score(each) for row in submission.notebooks for each in row.grades
            ):
                return submission
            scores = dict.fromkeys(("score", "late_submission_penalty"), _Nothing())
            return SimpleNamespace(timestamp=submission.timestamp, **scores)

        # Through it nbgrader's own plugin comes by its scores, and this is the last that asks.
        gradebook.find_submission = with_gaps
        super().export(gradebook)


class _Nothing(float):
    """What is written as nothing, whatever is taken from it."""

    def __sub__(self, _: object) -> "_Nothing":
        return self

    def __gt__(self, _: object) -> bool:
        return True

    def __str__(self) -> str:
        return ""


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
