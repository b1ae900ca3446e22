"""What a class misunderstood: who failed an exercise alike, the most frequent mistake first."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from stridekit.grading.outcomes import Outcome

Standing = Literal["solved", "partly", "not solved", "not written", "undecided"]
STANDINGS: tuple[Standing, ...] = ("solved", "partly", "not solved", "not written", "undecided")
NOT_WRITTEN = "not written yet"


@dataclass
class Mistake:
    """One way to fail an exercise, and who failed in it.

    `says` is the sentence that all of them share, `example` the counterexample of one of them,
    with its `rule` and its `picture`, which is HTML. `is_known` says that the checks know this
    mistake by name; then `says` is their hint.
    """

    says: str
    is_known: bool = False
    learners: list[str] = field(default_factory=list)
    example: str = ""
    rule: str = ""
    picture: str = ""


@dataclass
class Standings:
    """How a class stands in one exercise.

    `of` tells each learner's standing, `points` his points: None where a human must decide.
    """

    function: str
    cells: list[str]
    most: float = 0.0
    of: dict[str, Standing] = field(default_factory=dict)
    points: dict[str, float | None] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)

    def count(self, standing: Standing) -> int:
        """How many stand so."""
        return sum(each == standing for each in self.of.values())

    @property
    def distribution(self) -> dict[float, int]:
        """How many have how many points, the fewest first."""
        points = sorted(each for each in self.points.values() if each is not None)
        return {each: points.count(each) for each in dict.fromkeys(points)}


def functions_of(outcome: Outcome) -> dict[str, list[str]]:
    """The test cells of each function; a cell that is no such test stands for itself."""
    cells: dict[str, list[str]] = {}
    for name in outcome.most:
        # With the notebook in front where two have a cell of that name.
        match = re.fullmatch(r"(.+/)?test-(.+)-(visible|hidden)", name)
        function = f"{match[1] or ''}{match[2]}" if match else name
        cells.setdefault(function, []).append(name)
    return cells


def points_of(outcome: Outcome, cells: Iterable[str]) -> float | None:
    """The points of some cells together; None where one of them is undecided."""
    points = [outcome.points.get(name) for name in cells]
    return None if None in points else round(sum(each or 0 for each in points), 6)


def standings(outcomes: Sequence[Outcome]) -> list[Standings]:
    """Each exercise, in the order of the assignment."""
    found: dict[str, Standings] = {}
    for outcome in outcomes:
        for function, cells in functions_of(outcome).items():
            exercise = found.setdefault(function, Standings(function, cells))
            exercise.most = sum(outcome.most[name] for name in cells)
            _add(exercise, outcome, cells)
    for exercise in found.values():
        exercise.mistakes.sort(key=lambda each: (-len(each.learners), each.says))
    return [*found.values()]


def _add(exercise: Standings, outcome: Outcome, cells: Sequence[str]) -> None:
    learner = outcome.learner
    points = exercise.points[learner] = points_of(outcome, cells)
    mistake = _mistake_in(outcome, cells)
    if points is None:
        exercise.of[learner] = "undecided"
        return
    is_full = points >= exercise.most
    # Where there are no points to be had, the test alone says.
    if (is_full and exercise.most > 0) or mistake is None:
        # A human may have given less than there is.
        exercise.of[learner] = "solved" if is_full else "partly" if points > 0 else "not solved"
        return
    if mistake.says == NOT_WRITTEN:
        exercise.of[learner] = "not written"
        return
    exercise.of[learner] = "partly" if points > 0 else "not solved"
    known = next((each for each in exercise.mistakes if each.says == mistake.says), None)
    if known is None:
        exercise.mistakes.append(mistake)
        known = mistake
    known.learners.append(learner)
    if mistake.picture and not known.picture:
        known.example, known.rule, known.picture = mistake.example, mistake.rule, mistake.picture


def _mistake_in(outcome: Outcome, cells: Sequence[str]) -> Mistake | None:
    """What is most worth saying of a function that fails: a visible test is known to everybody."""
    for name in cells:
        if name in outcome.losses:
            return Mistake(outcome.losses[name])
    for name in cells:
        if name in outcome.findings:
            return _of_finding(outcome.findings[name])
    for name in cells:
        if name in outcome.failures:
            # A test of another course, or a function that is none.
            said = outcome.details.get(name) or outcome.failures[name]
            return Mistake(" ".join(said.split())[:300])
    return None


def _of_finding(finding: dict[str, str]) -> Mistake:
    sentence, hint = finding["sentence"], finding["hint"]
    if finding["kind"] == NOT_WRITTEN:
        return Mistake(NOT_WRITTEN)
    # Without a hint those are alike who give the same answer in the same case.
    says = hint or (sentence if finding["counted"] else finding["kind"])
    return Mistake(
        says,
        is_known=bool(hint),
        example=sentence,
        rule=finding["rule"],
        picture=finding["picture"],
    )
