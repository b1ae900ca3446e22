"""Who got what and what was not understood, as text; as CSV and as JSON."""

import csv
import io
import textwrap
from collections.abc import Sequence
from typing import Any

from stridekit.grading.mistakes import STANDINGS, Mistake, functions_of, points_of, standings
from stridekit.grading.outcomes import Outcome

WIDTH = 100
# So many learners are named behind a mistake.
NAMED_MOST = 8


def _said(outcome: Outcome, cells: Sequence[str]) -> str:
    points = points_of(outcome, cells)
    most = sum(outcome.most.get(name, 0) for name in cells)
    return f"{'?' if points is None else number(points)}/{number(most)}"


def number(points: float) -> str:
    """Points as one writes them.

    >>> number(2.0), number(0.1 + 0.2), number(1234567.25)
    ('2', '0.3', '1234567.25')
    """
    return f"{round(points, 6):.12g}"


def cut(text: str, most: int) -> str:
    """A text in one line, of so many characters at most; it says that it is cut."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 4].rstrip()} ..."


def table(assignment: str, outcomes: Sequence[Outcome], width: int = WIDTH) -> str:
    """A line for each function, a column for each learner; below it what is missing, and why."""
    graded = [each for each in outcomes if each.most]
    lines = [""]
    if graded:
        names = functions_of(graded[0])
        title = f"{assignment} total"
        first = max(map(len, (*names, title)))
        columns = [max(len(each.learner), len(_said(each, [*each.most]))) + 2 for each in graded]
        for block in _blocks(columns, width - first):
            those = [graded[number] for number in block]

            def row(name: str, told: list[str], block: Sequence[int] = block) -> str:
                aligned = (
                    text.rjust(columns[number]) for text, number in zip(told, block, strict=True)
                )
                return name.ljust(first) + "".join(aligned)

            lines.append(row(assignment, [each.learner for each in those]))
            lines += [
                row(name, [_said(each, cells) for each in those]) for name, cells in names.items()
            ]
            lines += [row(title, [_said(each, [*each.most]) for each in those]), ""]
    for outcome in outcomes:
        lines += _why(outcome)
    humans = [each for each in outcomes if each.status == "needs a human"]
    if humans:
        count = "1 submission needs" if len(humans) == 1 else f"{len(humans)} submissions need"
        lines += ["", f"{count} a human:"]
        for outcome in humans:
            lines += _wrapped(f"{outcome.learner}: {'; '.join(outcome.reasons) or 'see above'}")
    return "\n".join(lines)


def _blocks(columns: Sequence[int], width: int) -> list[list[int]]:
    """Which columns stand side by side."""
    blocks: list[list[int]] = [[]]
    used = 0
    for number, column in enumerate(columns):
        if blocks[-1] and used + column > width:
            blocks.append([])
            used = 0
        blocks[-1].append(number)
        used += column
    return blocks


def _why(outcome: Outcome) -> list[str]:
    """Why points are missing: a line for each function, what is not written in one."""
    reasons: dict[str, str] = {}
    for function, cells in functions_of(outcome).items():
        said = next((outcome.failures[name] for name in cells if name in outcome.failures), None)
        if said is not None:
            reasons[function] = said
    missing = [name for name, why in reasons.items() if "is not written yet" in why]
    told = [cut(why, WIDTH - 4) for name, why in reasons.items() if name not in missing]
    if missing:
        told.append(f"not written yet: {', '.join(missing)}")
    if outcome.status == "partly graded":
        told += [f"partly graded: {reason}" for reason in outcome.reasons]
    if outcome.penalty:
        told.append(f"{number(outcome.penalty)} points less, because it came late")
    if not told:
        return []
    return [f"{outcome.learner}:", *(line for each in told for line in _wrapped(each))]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()), WIDTH, initial_indent="  - ", subsequent_indent="    "
    )


def understanding(outcomes: Sequence[Outcome], most: int = 3) -> str:
    """Each exercise: how many solved it, and the most frequent mistakes with who made them."""
    lines = ["", "What was not understood, the most frequent first:"]
    for exercise in standings(outcomes):
        counts = [(each, exercise.count(each)) for each in STANDINGS]
        told = ", ".join(f"{count} {name}" for name, count in counts if count)
        lines.append(f"{exercise.function}: {told}")
        for mistake in exercise.mistakes[:most]:
            lines += _told(mistake)
        left = sum(len(each.learners) for each in exercise.mistakes[most:])
        if left:
            lines.append(f"  - {left} more in other ways")
    return "\n".join(lines)


def _told(mistake: Mistake) -> list[str]:
    said = f"{len(mistake.learners)} x: {cut(mistake.says, 400)}"
    names = ", ".join(mistake.learners[:NAMED_MOST])
    more = len(mistake.learners) - NAMED_MOST
    lines = _wrapped(f"{said} ({names}{f' and {more} more' if more > 0 else ''})")
    if not mistake.example:
        return lines
    if mistake.example != mistake.says:
        lines += textwrap.wrap(
            f"such as: {cut(mistake.example, 400)}",
            WIDTH,
            initial_indent="    ",
            subsequent_indent="    ",
        )
    return lines


def lateness(seconds: float) -> str:
    """How late something came, in words; empty where it did not.

    >>> lateness(0), lateness(59), lateness(3 * 3600 + 300), lateness(50 * 3600)
    ('', '1 min late', '3 h 5 min late', '2 d 2 h late')
    """
    if seconds <= 0:
        return ""
    minutes = max(1, round(seconds / 60))
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [f"{days} d" if days else "", f"{hours} h" if hours else ""]
    if not days and minutes:
        parts.append(f"{minutes} min")
    return f"{' '.join(part for part in parts if part)} late"


def as_json(outcome: Outcome) -> dict[str, Any]:
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
        "failures": outcome.failures,
        "entered": outcome.is_recorded,
    }


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """A line for each submission; points of what needs a human are empty, and never 0."""
    names = [*dict.fromkeys(name for each in outcomes for name in functions_of(each))]
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    head = ["learner", "status", "points", "most", "hours_late", "late_penalty"]
    writer.writerow([*head, *map(_plain, names), "reasons"])
    for each in outcomes:
        told = as_json(each)
        functions = functions_of(each)
        points = [points_of(each, functions[name]) if name in functions else None for name in names]
        row = [told["learner"], told["status"], told["points"], told["most"] or None]
        row += [round(each.late / 3600, 2) or None, told["late_penalty"] or None]
        cells = ["" if cell is None else number(cell) for cell in points]
        writer.writerow([*map(_plain, row), *cells, _plain("; ".join(each.reasons))])
    return file.getvalue()


def _plain(value: Any) -> str:
    """A spreadsheet must not take a name for a formula."""
    if value is None:
        return ""
    text = number(value) if isinstance(value, float) else str(value)
    return f"'{text}" if text.startswith(tuple("=+-@")) and not isinstance(value, float) else text
