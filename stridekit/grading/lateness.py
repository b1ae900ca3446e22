"""A ready penalty for what comes late: so many points for each day that has begun.

`nbgrader_config.py` names it: `c.AssignLatePenalties.plugin_class =
"stridekit.grading.lateness.StartedDays"`.
"""

from math import ceil, inf

from nbgrader.plugins import BasePlugin
from traitlets import Float

DAY = 24 * 60 * 60


class StartedDays(BasePlugin):  # type: ignore[misc]
    """So many points for each day after the due date that has begun.

    nbgrader asks once for each notebook, and never takes more than it has scored.
    """

    points = Float(1.0, min=0, help="Points off for each day that has begun.").tag(config=True)
    most = Float(inf, min=0, help="Never more points off than this, for a notebook.").tag(
        config=True
    )
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
