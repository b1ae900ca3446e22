"""My progress on the page: one widget that asks its kernel, and keeps nothing of what it hears.

What is shown goes by messages and not by the widget's state, and the form for pages without a
kernel says nothing of it: a notebook that is saved, exported or sent holds nobody's progress.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import anywidget

from stridekit_course.progress.file import NAME, ProgressFile, StoredProgress, course_folder
from stridekit_course.progress.record import Checked, ProgressRecord

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
    "Attention is layout",
    "The same strides on a GPU",
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


def told(record: ProgressRecord, exercises: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """A record as rows; `exercises` are the names of all of them, by assignment.

    What a record holds beyond them, of another edition of the course, is not told.

    >>> told(ProgressRecord().reached(1, "begun", day="2026-11-22"), {})["lessons"][0]
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
        "summary": f"Lessons run to their end: {whole} of {len(LESSONS)}. "
        f"Exercises passing: {passing} of {count}.",
        "lessons": lessons,
        "exercises": rows,
        "is_empty": record == ProgressRecord(),
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
        (PASSES, "passing", [[name, ""] for name in passing]),
        (FAILS, "not passing yet", [[name, _before(checked[name])] for name in failing]),
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


# The widget.


_HERE = Path(__file__).parent
_WITHOUT = (
    "My progress: run this cell in JupyterLab, in the folder of the course. It shows which "
    "lessons you have run and which exercises pass."
)
_NOWHERE = (
    "Nothing is kept here: this is not a notebook that somebody runs in the folder of a course. "
    "If that folder was moved or renamed, restart the kernel."
)


class ProgressBox(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """What is remembered of the course in which this notebook lies, and a button to forget it.

    `exercises` are the names of all that there are, by assignment.
    """

    _esm = _HERE / "progress.js"
    _css = _HERE / "progress.css"

    def __init__(self, exercises: Mapping[str, Sequence[str]]) -> None:
        self._exercises = exercises
        # Asked once: a click comes without a cell.
        folder = course_folder()
        self.shelf = None if folder is None else ProgressFile(folder)
        super().__init__()
        self.on_msg(self._heard)

    def told(self) -> dict[str, Any]:
        """What the page is told now: read anew each time."""
        kept = (
            StoredProgress(ProgressRecord(), _NOWHERE) if self.shelf is None else self.shelf.look()
        )
        rows = told(kept.record, self._exercises)
        is_empty = rows.pop("is_empty") and not (self.shelf and self.shelf.is_there())
        place = "" if self.shelf is None else f"Kept in {self.shelf.path}, and nowhere else."
        return {**rows, "problem": kept.problem, "place": place, "can_clear": not is_empty}

    def clear(self) -> str:
        """Forget everything; gives the sentence that says so, or why it could not be done."""
        if self.shelf is None:
            return _NOWHERE
        try:
            self.shelf.clear()
        except OSError as error:
            return (
                f"It could not be cleared ({error.strerror or error}). Delete {NAME} yourself, in "
                f"{self.shelf.folder}."
            )
        return "Cleared: the file is deleted."

    def _heard(self, _widget: Any, said: Any, _buffers: Any) -> None:
        """What the page says: that it was opened, a wish to look again, or to clear."""
        wish = said.get("do") if isinstance(said, dict) else None
        if wish in ("look", "clear"):
            self.send({"did": self.clear() if wish == "clear" else "", **self.told()})

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        assert shown is not None
        data, metadata = shown
        return {**data, "text/html": f"<p>{_WITHOUT}</p>", "text/plain": repr(self)}, metadata

    def __repr__(self) -> str:
        return _WITHOUT
