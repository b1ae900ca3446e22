"""Who got what, as a table, as CSV and as JSON."""

import csv
import io
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from stridekit.grading.grade import Outcome

WIDTH = 100


def functions_of(outcome: Outcome) -> dict[str, list[str]]:
    """The test cells of each function; a cell that is no such test stands for itself."""
    cells: dict[str, list[str]] = {}
    for name in outcome.most:
        match = re.fullmatch(r"test-(.+)-(visible|hidden)", name)
        cells.setdefault(match[1] if match else name, []).append(name)
    return cells


def points_of(outcome: Outcome, cells: Iterable[str]) -> float | None:
    """The points of some cells together; None where one of them is undecided."""
    points = [outcome.points.get(name) for name in cells]
    return None if None in points else sum(each or 0 for each in points)


def _said(outcome: Outcome, cells: Sequence[str]) -> str:
    points = points_of(outcome, cells)
    most = sum(outcome.most[name] for name in cells)
    return f"{'?' if points is None else f'{points:g}'}/{most:g}"


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
    told = [
        textwrap.shorten(why, WIDTH - 4, placeholder=" ...")
        for name, why in reasons.items()
        if name not in missing
    ]
    if missing:
        told.append(f"not written yet: {', '.join(missing)}")
    if outcome.status == "partly graded":
        told += [f"partly graded: {reason}" for reason in outcome.reasons]
    if outcome.penalty:
        told.append(f"{outcome.penalty:g} points less, because it came late")
    if not told:
        return []
    return [f"{outcome.learner}:", *(line for each in told for line in _wrapped(each))]


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        " ".join(text.split()), WIDTH, initial_indent="  - ", subsequent_indent="    "
    )


def as_json(outcome: Outcome) -> dict[str, Any]:
    """One submission for other programs; points of what is undecided are null."""
    return {
        "learner": outcome.learner,
        "status": outcome.status,
        "points": None if outcome.status == "needs a human" else outcome.total - outcome.penalty,
        "most": sum(outcome.most.values()),
        "late_penalty": outcome.penalty,
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
    writer.writerow(["learner", "status", "points", "most", "late_penalty", *names, "reasons"])
    for each in outcomes:
        told = as_json(each)
        functions = functions_of(each)
        points = [points_of(each, functions[name]) if name in functions else None for name in names]
        row = [told["learner"], told["status"], told["points"], told["most"] or None]
        row.append(told["late_penalty"] or None)
        cells = ["" if cell is None else f"{cell:g}" for cell in points]
        writer.writerow([*map(_plain, row), *cells, "; ".join(each.reasons)])
    return file.getvalue()


def _plain(value: Any) -> str:
    """A spreadsheet must not take a name for a formula."""
    if value is None:
        return ""
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"'{text}" if text[:1] in "=+-@" and not isinstance(value, float) else text
