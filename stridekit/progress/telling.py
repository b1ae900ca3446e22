"""What is told of a record: rows of words, for a page that shows them."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from stridekit.records.record import Checked, Record

LESSONS = (
    "Header and storage",
    "From index to position",
    "Row-major and column-major",
    "Slices: offset and step",
    "Transpose and permute",
    "What contiguous means",
    "view and reshape",
    "contiguous, clone, and what they keep",
    "resize_",
    "Broadcasting with expand",
    "Overlap, as_strided and unsafe writes",
    "NumPy and torch on the same bytes",
    "channels_last, cache lines and speed",
    "Layout detective",
)
ASSIGNMENTS = {
    "ps1": "Storage, index, order",
    "ps2": "Header-only operations",
    "ps3": "Contiguity",
    "ps4": "view, reshape, resize_",
    "ps5": "Broadcasting and overlap",
    "ps6": "NumPy interop and speed",
}
# A mark never stands without its words.
NOT_YET, PARTLY, WHOLE = "○", "◐", "●"
PASSES, FAILS, UNTRIED = "✓", "✗", "○"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

Row = dict[str, Any]


def told(record: Record, exercises: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """A record as rows; `exercises` are the names of all of them, by assignment.

    What a record holds beyond them, of another edition of the course, is not told.

    >>> told(Record().reached(1, "begun", day="2026-11-22"), {})["lessons"][0]
    {'name': '01 · Header and storage', 'mark': '◐', 'words': 'partly, last on 22 Nov 2026'}
    """
    lessons = [
        _lesson(number, title, record.lessons.get(number, {}))
        for number, title in enumerate(LESSONS, 1)
    ]
    rows = [_assignment(psn, names, record.exercises) for psn, names in exercises.items()]
    whole = sum(row["mark"] == WHOLE for row in lessons)
    passing, count = sum(row["passing"] for row in rows), sum(row["count"] for row in rows)
    return {
        "summary": f"{whole} of {len(LESSONS)} lessons run to their end, "
        f"{passing} of {count} exercises pass.",
        "lessons": lessons,
        "exercises": rows,
        "is_empty": record == Record(),
    }


def _lesson(number: int, title: str, stops: Mapping[str, str]) -> Row:
    mark, words = NOT_YET, "not yet"
    if stops:
        # Without its beginning, somebody has run its last cells alone.
        mark, words = (
            (WHOLE, "to its end") if {"begun", "end"} <= set(stops) else (PARTLY, "partly")
        )
        words += f", last on {_on(max(stops.values()))}"
    return {"name": f"{number:02} · {title}", "mark": mark, "words": words}


def _assignment(psn: str, names: Sequence[str], checked: Mapping[str, Checked]) -> Row:
    passing = [name for name in names if name in checked and checked[name].passes]
    failing = [name for name in names if name in checked and not checked[name].passes]
    groups = [
        (PASSES, "pass", [[name, ""] for name in passing]),
        (FAILS, "do not pass yet", [[name, _before(checked[name])] for name in failing]),
        (UNTRIED, "not tried", [[name, ""] for name in names if name not in checked]),
    ]
    return {
        "name": f"{psn} · {ASSIGNMENTS.get(psn, '')}".rstrip(" ·"),
        "passing": len(passing),
        "count": len(names),
        "groups": [
            {"mark": mark, "words": words, "functions": functions}
            for mark, words, functions in groups
            if functions
        ],
    }


def _before(checked: Checked) -> str:
    return f"passed on {_on(checked.passed)}" if checked.passed else ""


def _on(day: str) -> str:
    """A day in words.

    >>> _on("2026-11-02")
    '2 Nov 2026'
    """
    found = date.fromisoformat(day)
    return f"{found.day} {MONTHS[found.month - 1]} {found.year}"
