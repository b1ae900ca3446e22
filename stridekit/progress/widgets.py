"""My progress on the page: one widget that asks its kernel, and keeps nothing of what it hears.

What is shown goes by messages and not by the widget's state, and the form for pages without a
kernel says nothing of it: a notebook that is saved, exported or sent holds nobody's progress.
"""

from pathlib import Path
from typing import Any

import anywidget

from stridekit.exercises.registry import assignments
from stridekit.progress.telling import told
from stridekit.records.files import NAME, Kept, Shelf
from stridekit.records.record import Record
from stridekit.records.whereabouts import course_folder

_HERE = Path(__file__).parent
_WITHOUT = (
    "My progress: run this cell in JupyterLab, in the folder of the course. It shows which "
    "lessons you have run and which exercises pass."
)
_NOWHERE = "Nothing is kept here: this is no notebook that somebody runs in the folder of a course."


class ProgressBox(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
    """What is remembered of the course in which this notebook lies, and a button to forget it."""

    _esm = _HERE / "progress.js"
    _css = _HERE / "progress.css"

    def __init__(self) -> None:
        # Asked once: a click comes without a cell.
        folder = course_folder()
        self.shelf = None if folder is None else Shelf(folder)
        super().__init__()
        self.on_msg(self._heard)

    def told(self) -> dict[str, Any]:
        """What the page is told now: read anew each time."""
        kept = Kept(Record(), _NOWHERE) if self.shelf is None else self.shelf.look()
        names = {psn: [each.name for each in those] for psn, those in assignments().items()}
        rows = told(kept.record, names)
        is_empty = rows.pop("is_empty") and not (self.shelf and self.shelf.is_there())
        place = "" if self.shelf is None else f"It stands in {self.shelf.path}, and nowhere else."
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
        bundle = super()._repr_mimebundle_(**kwargs)
        data, *metadata = bundle if isinstance(bundle, tuple) else (bundle,)
        data = {**(data or {}), "text/html": f"<p>{_WITHOUT}</p>", "text/plain": _WITHOUT}
        return (data, *metadata) if metadata else data
