"""Who got what and what was not understood: the most frequent mistake first.

As text, as CSV, as JSON, and as a page.
"""

import csv
import io
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from statistics import median
from typing import Any

from stridekit_course.checks.callee import printable
from stridekit_grading.class_results import (
    STANDINGS,
    TEST,
    ClassResults,
    GradedSubmission,
    Standing,
    counts_of,
    standing_of,
)
from stridekit_grading.pages import number, rendered

NOT_WRITTEN = "not written yet"
# What a check of an instructor's own says, which the learner's own process has made.
_CHECK = re.compile(
    r"CheckFailed: (?P<sentence>.*)(?:\n.*)*?\n  hint: (?P<hint>.*)\n  rule: (?P<rule>.*)"
)


@dataclass
class SharedMistake:
    """One way to fail an exercise, and who failed in it.

    `says` is the sentence that all of them share, `finding` what a check has found with one of
    them: see `messages.finding_of`.
    """

    says: str
    finding: dict[str, str] = field(default_factory=dict)
    learners: list[str] = field(default_factory=list)


@dataclass
class Standings:
    """How a class stands in one exercise.

    `of` tells each learner's standing, `points` their points: None where a human must decide.
    """

    function: str
    most: float = 0.0
    of: dict[str, Standing] = field(default_factory=dict)
    points: dict[str, float | None] = field(default_factory=dict)
    mistakes: list[SharedMistake] = field(default_factory=list)

    @property
    def counts(self) -> dict[Standing, int]:
        """How many stand so."""
        counted = Counter(self.of.values())
        return {each: counted[each] for each in STANDINGS if each in counted}

    @property
    def distribution(self) -> dict[float, int]:
        """How many have how many points, the fewest first."""
        known = Counter(each for each in self.points.values() if each is not None)
        return dict(sorted(known.items()))


def functions_of(outcome: GradedSubmission) -> dict[str, list[str]]:
    """The test cells of each function; a cell that is no such test stands for itself."""
    cells: dict[str, list[str]] = {}
    for name in outcome.most:
        match = TEST.fullmatch(name)
        function = f"{match[1] or ''}{match[2]}" if match else name
        cells.setdefault(function, []).append(name)
    return cells


def points_of(outcome: GradedSubmission, cells: Iterable[str]) -> float | None:
    """The points of some cells together; None where one of them is undecided."""
    points = [outcome.points.get(name) for name in cells]
    return None if None in points else round(sum(each or 0 for each in points), 6)


def standings(outcomes: Sequence[GradedSubmission]) -> list[Standings]:
    """Each exercise, in the order of the assignment."""
    found: dict[str, Standings] = {}
    for outcome in outcomes:
        for function, cells in functions_of(outcome).items():
            exercise = found.setdefault(function, Standings(function))
            exercise.most = sum(outcome.most[name] for name in cells)
            _add(exercise, outcome, cells)
    for exercise in found.values():
        exercise.mistakes.sort(key=lambda each: (-len(each.learners), each.says))
    return [*found.values()]


def _add(exercise: Standings, outcome: GradedSubmission, cells: Sequence[str]) -> None:
    learner = outcome.learner
    points = exercise.points[learner] = points_of(outcome, cells)
    says, finding = _mistake_in(outcome, cells)
    standing = standing_of(points, exercise.most, says == NOT_WRITTEN, bool(says))
    exercise.of[learner] = standing
    if not says or standing not in ("partly", "not solved"):
        return
    known = next((each for each in exercise.mistakes if each.says == says), None)
    if known is None:
        known = SharedMistake(says, finding)
        exercise.mistakes.append(known)
    known.learners.append(learner)
    if finding.get("picture") and not known.finding.get("picture"):
        known.finding = finding


def _mistake_in(outcome: GradedSubmission, cells: Sequence[str]) -> tuple[str, dict[str, str]]:
    """What is most worth saying of a function that fails: a visible test is known to everybody."""
    tests = [outcome.tests[name] for name in cells if name in outcome.tests]
    nothing: dict[str, str] = {}
    losses = [(each.loss, nothing) for each in tests]
    findings = [(_says(each.finding), each.finding) for each in tests if each.finding]
    checks = (_CHECK.match(each.detail) for each in tests)
    own = [(said["hint"], {**said.groupdict(), "picture": ""}) for said in checks if said]
    # A test of another course, or a function that is none.
    others = [(cut(each.detail or each.failure, 300), nothing) for each in tests if each.failure]
    return next((each for each in (*losses, *findings, *own, *others) if each[0]), ("", nothing))


def _says(finding: dict[str, str]) -> str:
    """Without a hint those are alike who give the same answer in the same case."""
    return finding["hint"] or finding["sentence" if finding["counted"] else "kind"]


# What is told.


WIDTH = 100
# So many learners are named behind a mistake.
NAMED_MOST = 8


def _said(outcome: GradedSubmission, cells: Sequence[str]) -> str:
    points = points_of(outcome, cells)
    most = sum(outcome.most.get(name, 0) for name in cells)
    return f"{'?' if points is None else number(points)}/{number(most)}"


def cut(text: str, most: int) -> str:
    """A text in one line, of so many characters at most; it says that it is cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 4].rstrip()} ..."


def table(assignment: str, outcomes: Sequence[GradedSubmission], width: int = WIDTH) -> str:
    """A line for each function, a column for each learner; below it what is missing, and why."""
    graded = [each for each in outcomes if each.most]
    functions = functions_of(graded[0]) if graded else {}
    heads = _column([assignment, *functions, f"{assignment} total"], str.ljust)
    columns = []
    for each in graded:
        points = [_said(each, cells) for cells in (*functions.values(), [*each.most])]
        name = printable(each.learner).replace("\n", r"\n")
        columns.append(_column([f"  {name}", *(f"  {p}" for p in points)]))
    lines = [""]
    while columns:
        block = [heads, columns.pop(0)]
        while columns and sum(len(each[0]) for each in (*block, columns[0])) <= width:
            block.append(columns.pop(0))
        lines += [*map("".join, zip(*block, strict=True)), ""]
    for outcome in outcomes:
        lines += _why(outcome)
    humans = [each for each in outcomes if each.status == "needs a human"]
    if humans:
        count = "1 submission needs" if len(humans) == 1 else f"{len(humans)} submissions need"
        lines += ["", f"{count} a human:"]
        for outcome in humans:
            said = "; ".join(outcome.reasons) or "see above"
            lines += _wrapped(f"{printable(outcome.learner)}: {said}")
    return "\n".join(lines)


def _column(texts: Sequence[str], align: Callable[[str, int], str] = str.rjust) -> list[str]:
    """Texts as wide as the widest of them."""
    return [align(each, max(map(len, texts))) for each in texts]


def _why(outcome: GradedSubmission) -> list[str]:
    """Why points are missing: a line for each function, what is not written in one."""
    reasons: dict[str, str] = {}
    for function, cells in functions_of(outcome).items():
        tests = [outcome.tests[name] for name in cells if name in outcome.tests]
        # What was lost in another way has a sentence of its own, with the name of the test.
        failed = (each.failure for each in tests if each.failure and not each.loss)
        reasons[function] = next(failed, "")
    missing = [name for name, why in reasons.items() if "is not written yet" in why]
    told = [cut(why, WIDTH - 4) for name, why in reasons.items() if why and name not in missing]
    if missing:
        told.append(f"not written yet: {', '.join(missing)}")
    if outcome.status == "partly graded":
        told += [f"partly graded: {reason}" for reason in outcome.reasons]
    if outcome.by_hand:
        told.append(f"points by hand stay; look again, in Formgrader: {', '.join(outcome.by_hand)}")
    if outcome.penalty:
        told.append(f"{number(outcome.penalty)} points less, because it came late")
    lines = [line for each in told for line in _wrapped(each)]
    return [f"{printable(outcome.learner)}:", *lines] if lines else []


def _wrapped(text: str, mark: str = "  - ") -> list[str]:
    line = " ".join(text.split())
    return textwrap.wrap(line, WIDTH, initial_indent=mark, subsequent_indent="    ")


def understanding(outcomes: Sequence[GradedSubmission], most: int = 3) -> str:
    """Each exercise: how many solved it, and the most frequent mistakes with who made them."""
    lines = ["", "What was not understood, the most frequent first:"]
    for exercise in standings(outcomes):
        told = ", ".join(f"{count} {name}" for name, count in exercise.counts.items())
        lines.append(f"{exercise.function}: {told}")
        for mistake in exercise.mistakes[:most]:
            lines += _told(mistake)
        left = sum(len(each.learners) for each in exercise.mistakes[most:])
        if left:
            lines.append(f"  - {left} more in other ways")
    return "\n".join(lines)


def _told(mistake: SharedMistake) -> list[str]:
    said = f"{len(mistake.learners)} x: {cut(mistake.says, 400)}"
    names = printable(", ".join(mistake.learners[:NAMED_MOST]))
    more = len(mistake.learners) - NAMED_MOST
    lines = _wrapped(f"{said} ({names}{f' and {more} more' if more > 0 else ''})")
    example = mistake.finding.get("sentence", mistake.says)
    if example != mistake.says:
        lines += _wrapped(f"such as: {cut(example, 400)}", "    ")
    return lines


def as_json(outcome: GradedSubmission) -> dict[str, Any]:
    """One submission for other programs; points of what is undecided are null."""
    return {
        "learner": outcome.learner,
        "status": outcome.status,
        "points": outcome.score,
        "most": sum(outcome.most.values()),
        "late_penalty": outcome.penalty,
        "seconds_late": outcome.late,
        "cells": outcome.points,
        "reasons": outcome.reasons,
        "failures": {name: each.failure for name, each in outcome.tests.items() if each.failure},
        "entered": outcome.is_recorded,
    }


def as_csv(outcomes: Sequence[GradedSubmission]) -> str:
    """A line for each submission; points of what needs a human are empty, and never 0."""
    names = [*dict.fromkeys(name for each in outcomes for name in functions_of(each))]
    head = ["learner", "status", "points", "most", "hours_late", "late_penalty"]
    rows: list[list[Any]] = [[*head, *names, "reasons"]]
    for each in outcomes:
        functions = functions_of(each)
        row: list[Any] = [each.learner, each.status, each.score, sum(each.most.values()) or None]
        row += [round(each.late / 3600, 2) or None, each.penalty or None]
        row += [points_of(each, functions[name]) if name in functions else None for name in names]
        rows.append([*row, "; ".join(each.reasons)])
    return lines_of(map(plain, row) for row in rows)


def lines_of(rows: Iterable[Iterable[Any]]) -> str:
    """Rows as CSV."""
    file = io.StringIO()
    # It quotes what looks like the end of its lines, and a name may hold one of another system's.
    csv.writer(file, lineterminator="\r\n").writerows(rows)
    return file.getvalue().replace("\r\n", "\n")


def plain(value: Any) -> str:
    """A spreadsheet must not take a name for a formula."""
    if value is None:
        return ""
    text = number(value) if isinstance(value, float) else str(value)
    is_formula = text.startswith(tuple("=+-@\t\r")) and not isinstance(value, float)
    return f"'{text}" if is_formula else text


# The page.


def page(found: ClassResults, *, course: str, made: datetime) -> str:
    """The report on a class: who got what, and for each exercise what was not understood."""
    return rendered(
        "report.html.j2",
        found=found,
        course=course,
        made=made,
        counts=counts_of(found.outcomes),
        exercises=standings(found.outcomes),
        ordered=sorted(found.outcomes, key=lambda each: (-(each.score or 0), each.learner)),
        most=max((sum(each.most.values()) for each in found.outcomes), default=0),
        median=median,
        named=lambda names: printable(", ".join(sorted(names, key=_in_order))),
        shown=printable,
    )


def _in_order(name: str) -> tuple[int, str]:
    """By name; numbered ones by number."""
    last = name.rpartition(" ")[2]
    return (int(last) if last.isdecimal() else 0, name)
