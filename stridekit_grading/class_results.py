"""What came of each submission: told when it was graded, and at any time after."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from shlex import quote
from typing import Any, Literal, get_args

from stridekit.errors import CommandError
from stridekit_course.checks.callee import printable
from stridekit_grading.course import Course
from stridekit_grading.gradebook import is_undecided, is_without_score, noted_at
from stridekit_grading.plans import Plan
from stridekit_grading.results import Store
from stridekit_grading.sandbox.outputs import Judgement
from stridekit_grading.submissions import STATUSES, Status

# A test of a function, with the notebook in front where two have a cell of that name.
TEST = re.compile(r"(.+/)?test-(.+)-(visible|hidden)")
Standing = Literal["solved", "partly", "not solved", "not written", "undecided"]
STANDINGS: tuple[Standing, ...] = get_args(Standing)


@dataclass
class GradedSubmission:
    """What is told of one submission.

    Points and what came of tests are told by the name of a test cell; `late` is how many seconds
    after the due date it came.
    """

    learner: str
    status: Status = "needs a human"
    reasons: list[str] = field(default_factory=list)
    points: dict[str, float | None] = field(default_factory=dict)
    most: dict[str, float] = field(default_factory=dict)
    tests: dict[str, Judgement] = field(default_factory=dict)
    penalty: float = 0.0
    late: float = 0.0
    is_recorded: bool = False
    was_known: bool = False
    is_forgotten: bool = False
    """Whether it is not kept what was found."""
    by_hand: list[str] = field(default_factory=list)
    """Cells with points by hand that were given before it was graded again."""

    @property
    def score(self) -> float | None:
        """Points after a penalty; None where a part of them is not decided."""
        if self.status == "needs a human" or None in self.points.values():
            return None
        return max(0.0, sum(each or 0 for each in self.points.values()) - self.penalty)


def standing_of(points: float | None, most: float, is_unwritten: bool, is_wrong: bool) -> Standing:
    """How somebody stands by the points; where there are none to be had, the tests alone say."""
    if points is None:
        return "undecided"
    if points >= most and (most or not is_wrong):
        return "solved"
    if is_unwritten:
        return "not written"
    return "partly" if points > 0 else "not solved"


def counts_of(outcomes: Iterable[GradedSubmission]) -> list[str]:
    """How many of them ended in which way, in words."""
    ends = [each.status for each in outcomes]
    return [f"{ends.count(each)} {each}" for each in STATUSES if each in ends]


def submission_as_entered(
    learner: str, course: Course, plan: Plan, gradebook: Any, store: Store | None
) -> GradedSubmission:
    """What is known of one that is in the gradebook."""
    outcome = GradedSubmission(learner, is_recorded=True)
    submission = gradebook.find_submission(plan.name, learner)
    outcome.late = submission.total_seconds_late
    outcome.penalty = submission.late_submission_penalty or 0
    folder = course.folder("autograded", learner, plan.name)
    # Together with the cells: a grade that is asked for its own has it fetched by itself.
    rows = {
        each.name: (each.grades, each.notebook.grade_cells, each.notebook.task_cells)
        for each in submission.notebooks
    }
    statuses: list[Status] = ["graded"]
    is_decided = True
    for notebook in plan.notebooks:
        grades = {each.name: each for each in rows.get(notebook.name, [()])[0]}
        for cell in (each for each in notebook.cells if each.name in grades):
            grade, key = grades[cell.name], plan.key_of(notebook.name, cell.name)
            outcome.most[key] = cell.points or 0.0
            outcome.points[key] = None if is_without_score(grade) else grade.score
            is_decided &= not is_undecided(grade)
            if grade.needs_manual_grade and grade.manual_score is not None:
                outcome.by_hand.append(key)
        path = folder / f"{notebook.name}.ipynb"
        statuses.append(_add_what_was_found(outcome, path, plan, store))
    gradebook.db.expunge_all()
    # What is wrong with files is so for each notebook.
    outcome.reasons = [*dict.fromkeys(outcome.reasons)]
    outcome.status = max(statuses, key=STATUSES.index)
    if outcome.status == "needs a human" and is_decided:
        # By a human.
        outcome.status, outcome.reasons = "graded", []
    return outcome


@dataclass
class ClassResults:
    """A class, as the gradebook and what was graded say it is by now."""

    assignment: str
    outcomes: list[GradedSubmission] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    """Who has handed in, and is not graded."""
    absent: list[str] = field(default_factory=list)
    """Who is in the gradebook, and has handed in nothing."""

    @property
    def forgotten(self) -> int:
        """Of how many submissions it is not kept what was found."""
        return sum(each.is_forgotten for each in self.outcomes)


def class_of(
    course: Course, assignment: str, just_graded: Iterable[GradedSubmission] = ()
) -> ClassResults:
    """What is known of everybody. Raises CommandError where nobody is graded."""
    known = {each.learner: each for each in just_graded if each.is_recorded}
    handed_in = [*course.folders("submitted", assignment)]
    with course.gradebook() as gradebook:
        learners = sorted(each.student_id for each in gradebook.assignment_submissions(assignment))
        if not learners:
            course.source_of(assignment)
            raise CommandError(
                f"nobody's {assignment} is graded yet. "
                f"Grade first: stridekit grade {quote(assignment)}."
            )
        plan = course.plan(assignment)
        students = sorted(student.id for student in gradebook.students)
        store = Store.of(course.root, is_shared=course.is_shared)
        outcomes = [
            known.get(each) or submission_as_entered(each, course, plan, gradebook, store)
            for each in learners
        ]
    waiting = [each for each in handed_in if each not in learners]
    absent = [each for each in students if each not in {*learners, *handed_in}]
    return ClassResults(assignment, outcomes, waiting, absent)


def anonymised(found: ClassResults, secret: bytes) -> ClassResults:
    """The same class with a number for each learner, in an order that tells nothing of names.

    What a learner's own function says is not looked through for them. Of hidden tests it tells
    what learners may know, for such a page is shown to a class.
    """
    learners = [*(each.learner for each in found.outcomes), *found.waiting, *found.absent]
    learners.sort(key=lambda name: hashlib.sha256(secret + name.encode()).digest())
    names = {name: f"learner {number}" for number, name in enumerate(learners, 1)}
    known = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))

    def without(text: str) -> str:
        return re.sub(rf"(?<!\w)({known})(?!\w)", lambda match: names[match[1]], text)

    outcomes = [
        replace(
            each,
            learner=names[each.learner],
            reasons=[*map(without, each.reasons)],
            tests={cell: _veiled(judged) for cell, judged in each.tests.items()},
        )
        for each in found.outcomes
    ]
    return ClassResults(
        found.assignment,
        sorted(outcomes, key=lambda each: int(each.learner.split()[1])),
        sorted(map(names.__getitem__, found.waiting)),
        sorted(map(names.__getitem__, found.absent)),
    )


def _veiled(judged: Judgement) -> Judgement:
    """What a class may see of a test: of a hidden one neither its case nor what is expected."""
    finding = judged.finding
    if judged.detail and finding:
        said = f"{finding['function']} is {finding['counted'] or 'wrong on cases'}"
        hidden = {"sentence": f"{said} of the hidden test.", "rule": "", "picture": ""}
        finding = {**finding, **hidden}
    return replace(judged, detail="", finding=finding)


def _add_what_was_found(
    outcome: GradedSubmission, path: Path, plan: Plan, store: Store | None
) -> Status:
    """Add what a graded notebook says, and what is kept of it; gives how it ended.

    It lies where anybody may have edited it.
    """
    noted = noted_at(path)
    outcome.reasons += [printable(str(reason)) for reason in noted["reasons"]]
    key = noted["key"].partition(" ")[0]
    result = None if store is None else store.get(key)
    if result is not None:
        for cell, judged in result.tests.items():
            # What learners' code says may be anything.
            failure, loss, detail = map(printable, (judged.failure, judged.loss, judged.detail))
            found = {part: printable(text) for part, text in (judged.finding or {}).items()}
            said = Judgement(failure, loss, detail, found or None)
            outcome.tests[plan.key_of(path.stem, cell)] = said
    elif key and not key.startswith("unreadable"):
        outcome.is_forgotten = True
    # One that nbgrader alone has graded says nothing of what was found.
    return next((each for each in STATUSES if each == noted["status"]), "graded")
