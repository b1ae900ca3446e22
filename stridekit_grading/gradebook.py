"""Enters results with nbgrader: its gradebook, and its folder of graded notebooks.

One process does this, one transaction for each submission. What is entered is what nbgrader's own
preprocessors would enter; tests compare the two row by row.
"""

import json
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stridekit_grading.course import UNHEARD, Course, configured
from stridekit_grading.plans import NotebookPlan, Plan, grade_id_of
from stridekit_grading.results import odd_credit, write_whole
from stridekit_grading.safe_html import all_cleaned
from stridekit_grading.submissions import NotebookResult

NAME = "stridekit"


@dataclass
class Submission:
    """What somebody handed in, and what came of each notebook of it, by its name."""

    learner: str
    files: dict[str, bytes] = field(default_factory=dict)
    timestamp: str | None = None
    results: dict[str, NotebookResult] = field(default_factory=dict)
    to_run: list[tuple[NotebookPlan, NotebookResult]] = field(default_factory=list)
    """All of its notebooks, or none: each finds the files that those before it have written."""

    def key_of(self, notebook: str) -> str:
        """What its graded notebook is made under."""
        return f"{self.results[notebook].key} {self.timestamp or ''}".strip()


class GradebookWriter:
    """Enters one submission after another, all of one assignment."""

    def __init__(self, course: Course, plan: Plan, gradebook: Any) -> None:
        """`gradebook` is open."""
        self._course, self._plan, self._gradebook = course, plan, gradebook
        from nbgrader.preprocessors import AssignLatePenalties, LimitOutput

        with configured(course.root):
            self._limits = LimitOutput(parent=course.app)
            self._penalties = AssignLatePenalties(parent=course.app, log=UNHEARD)
            self._penalties.init_plugin()

    def is_recorded(self, submission: Submission) -> bool:
        """Whether graded notebooks stand there that were made under the same keys.

        Their scores must stand in the gradebook, too: somebody may have put back an older one.
        """
        from nbgrader.api import MissingEntry

        folder = self._course.folder("autograded", submission.learner, self._plan.name)
        try:
            rows = self._gradebook.find_submission(self._plan.name, submission.learner).notebooks
        except MissingEntry:
            return False
        scores = {name: _scores_of(result) for name, result in submission.results.items()}
        return all(
            noted_at(folder / f"{row.name}.ipynb")["key"] == submission.key_of(row.name)
            and all(each.auto_score == scores[row.name].get(each.name) for each in row.grades)
            for row in rows
            if row.name in scores
        )

    def record(self, handed_in: Submission) -> None:
        """Enter a submission. Raises what the gradebook says where it says no, or OSError."""
        session = self._gradebook.db
        commit = session.commit
        # nbgrader commits after each cell; a submission is entered whole, or not at all.
        session.commit = session.flush
        try:
            learner, timestamp = handed_in.learner, handed_in.timestamp
            self._gradebook.update_or_create_student(learner)
            with session.no_autoflush:
                # Also where there is none any more: whoever takes it away excuses somebody.
                submission = self._gradebook.update_or_create_submission(
                    self._plan.name, learner, timestamp=timestamp
                )
            for row in submission.notebooks:
                if row.name in handed_in.results:
                    self._enter(row, handed_in.results[row.name])
            self._enter_penalties(submission, learner)
            commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            session.commit = commit
            # What is entered is not needed any more, and a class may be large.
            session.expunge_all()
        # Last, for these files say that all of it is entered: see is_recorded.
        self._write(handed_in)

    def _enter(self, row: Any, result: NotebookResult) -> None:
        """The scores and comments of a notebook, as nbgrader's SaveAutoGrades enters them."""
        from nbformat.notebooknode import from_dict
        from nbgrader.utils import compute_checksum

        scores = _scores_of(result)
        for grade in row.grades:
            # Tasks are for humans alone.
            if grade.name in scores or not result.is_readable:
                score = grade.auto_score = scores.get(grade.name)
                asks = grade.manual_score is not None or score is None or bool(result.doubts)
                grade.needs_manual_grade = asks
        comments = {each.name: each for each in row.comments} if result.is_readable else {}
        for cell in result.cells:
            comment = comments.get(grade_id_of(cell))
            if comment is not None:
                said = cell["metadata"]["nbgrader"]
                silent = not said["task"] and said["checksum"] == compute_checksum(from_dict(cell))
                comment.auto_comment = "No response." if silent else None

    def _enter_penalties(self, submission: Any, learner: str) -> None:
        """For what came late, as nbgrader's AssignLatePenalties enters them."""
        session = self._gradebook.db
        session.refresh(submission)
        late = submission.total_seconds_late
        for notebook in submission.notebooks:
            notebook.late_submission_penalty = None
            if late > 0:
                session.refresh(notebook)
                penalty = self._penalties.plugin_inst.late_submission_penalty(
                    learner, notebook.score, late
                )
                if penalty is not None:
                    checked = self._penalties._check_late_penalty(notebook, penalty)  # noqa: SLF001
                    notebook.late_submission_penalty = checked

    def _write(self, handed_in: Submission) -> None:
        """The folder of graded notebooks, with what lies beside them."""
        from nbformat.notebooknode import from_dict

        folder = self._course.folder("autograded", handed_in.learner, self._plan.name)
        shared = self._course.is_shared
        mode = 0o664 if shared else 0o444
        with suppress(FileNotFoundError):
            if folder.is_symlink():
                folder.unlink()
            else:
                shutil.rmtree(folder)
        folder.mkdir(parents=True, exist_ok=True)
        beside = {**self._plan.files, **handed_in.files}
        if handed_in.timestamp is not None:
            beside["timestamp.txt"] = handed_in.timestamp.encode()
        for name, content in beside.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content, mode)
        for plan in self._plan.notebooks:
            result, key = handed_in.results[plan.name], handed_in.key_of(plan.name)
            notebook = from_dict(notebook_of(plan, result, key))
            # To what a browser can still show.
            self._limits.preprocess(notebook, {})
            # Without indents: with them Python's slow encoder writes, and the class waits for it.
            text = json.dumps(notebook, ensure_ascii=False, sort_keys=True) + "\n"
            write_whole(folder / f"{plan.name}.ipynb", text.encode("utf-8", "replace"), mode)
        if shared:
            for each in (folder, folder.parent, folder.parent.parent):
                with suppress(PermissionError):
                    each.chmod(each.stat().st_mode & 0o2777 | 0o2770)


def _scores_of(result: NotebookResult) -> dict[str, float | None]:
    """What nbgrader gives its graded cells by what they show; None where a human decides."""
    from nbformat.notebooknode import from_dict
    from nbgrader.utils import determine_grade

    scores = {}
    for cell in result.cells:
        name = grade_id_of(cell)
        if name and cell["metadata"]["nbgrader"]["grade"]:
            is_odd = name in result.tests and odd_credit(cell)
            decided = result.is_readable and not is_odd
            scores[name] = determine_grade(from_dict(cell))[0] if decided else None
    return scores


def is_without_score(grade: Any) -> bool:
    """Whether neither a machine nor a human has given it points."""
    return grade.auto_score is None and grade.manual_score is None


def is_undecided(grade: Any) -> bool:
    """Whether somebody has to decide on a cell, or to look at it."""
    return bool(grade.needs_manual_grade) or is_without_score(grade)


def notebook_of(plan: NotebookPlan, result: NotebookResult, key: str) -> dict[str, Any]:
    """A graded notebook, whole."""
    course = {each.name for each in plan.cells if not each.is_theirs}
    cells = all_cleaned(
        result.cells, lambda each: grade_id_of(each) in course or each["source"] in plan.texts
    )
    said = {
        "key": key,
        "status": result.status,
        "reasons": result.reasons,
        "notes": result.notes,
    }
    return {
        "cells": cells,
        "metadata": {**plan.metadata, NAME: said},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def noted_in(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """What `notebook_of` has noted there, if it did, and nobody has edited it."""
    said = metadata.get(NAME, {})
    if not isinstance(said, dict):
        said = {"status": "needs a human", "reasons": ["what the grader noted in it was changed"]}
    kinds = {"key": str, "status": str, "reasons": list, "notes": list}
    return {p: said[p] if type(said.get(p)) is kind else kind() for p, kind in kinds.items()}


def noted_at(path: Path) -> dict[str, Any]:
    """The same of a file, or that it cannot be read."""
    try:
        return noted_in(json.loads(path.read_text("utf-8"))["metadata"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        reasons = [f"there is no graded {path.name} that can be read"]
        return noted_in({NAME: {"status": "needs a human", "reasons": reasons}})
