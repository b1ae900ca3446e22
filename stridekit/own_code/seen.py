"""What a watch has seen: rows, sorted by bytes, and what stays alive."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from stridekit.own_code import tables
from stridekit.own_code.headers import Header
from stridekit.own_code.keeping import kept_alive
from stridekit.own_code.moves import Kind
from stridekit.own_code.places import Place
from stridekit.own_code.rows import Kept, Row


class Event(NamedTuple):
    """What makes two operations the same row."""

    kind: Kind
    call: str
    operation: str
    place: Place
    backward: bool
    sources: tuple[Header, ...]
    result: Header | None
    outputs: int
    lost_channels_last: bool


class _Views(NamedTuple):
    """A storage with small views: a weak reference to it, and where they were made."""

    ref: Any
    places: dict[tuple[Any, ...], Place]


class Seen:
    """What was seen while a `watch()` was open. Fills while it is, and stays afterwards.

    `print(seen)` is a table, and so is `seen` at the end of a cell. Data: `rows`, `copies`,
    `views`, `lost_channels_last`, `kept_alive`, `bytes_copied`, `to_dicts()`. It holds headers
    and no tensors, so it keeps no memory alive.

    >>> import torch
    >>> with sk.watch() as seen:
    ...     y = torch.zeros(3, 4).t().contiguous()
    >>> seen.bytes_copied, len(seen.copies), len(seen.views)
    (48, 1, 1)
    """

    def __init__(self) -> None:
        self._counts: dict[Event, list[int]] = {}
        self._views: dict[int, _Views] = {}
        self.compiled: dict[Place, None] = {}
        self.higher_order: dict[str, None] = {}
        self.unseen = 0

    def add(self, event: Event, nbytes: int) -> None:
        """One more operation, which copied so many bytes."""
        counts = self._counts.setdefault(event, [0, 0])
        counts[0] += 1
        counts[1] += nbytes

    def keep(self, storage: Any, header: Header, place: Place) -> None:
        """A view that shows little of its storage was made at a line."""
        from torch.multiprocessing.reductions import StorageWeakRef

        views = self._views.get(storage._cdata)
        if views is None:
            if len(self._views) >= 1000:
                self._views = {k: v for k, v in self._views.items() if not v.ref.expired()}
            views = self._views[storage._cdata] = _Views(StorageWeakRef(storage), {})
        if len(views.places) < 1000:
            views.places.setdefault(header[:3], place)

    @property
    def rows(self) -> list[Row]:
        """All rows: the most bytes copied come first, then in the order of the code."""
        rows = [
            Row(**event._asdict(), times=times, bytes=nbytes)
            for event, (times, nbytes) in self._counts.items()
        ]
        return sorted(rows, key=lambda row: -row.bytes)

    @property
    def copies(self) -> list[Row]:
        """The rows that copied, the most bytes first."""
        return [row for row in self.rows if row.kind == "copy"]

    @property
    def views(self) -> list[Row]:
        """The rows that gave a new header on the same memory."""
        return [row for row in self.rows if row.kind == "view"]

    @property
    def lost_channels_last(self) -> list[Row]:
        """The rows whose result lost channels_last: it went in, and a plain tensor came out."""
        return [row for row in self.rows if row.lost_channels_last]

    @property
    def bytes_copied(self) -> int:
        """How many bytes were copied in all."""
        return sum(nbytes for event, (_, nbytes) in self._counts.items() if event.kind == "copy")

    @property
    def kept_alive(self) -> list[Kept]:
        """Storages that views which were made in the block keep alive now, the largest first.

        Those of which all living tensors together show less than half, and leave at least
        1 KiB idle. What lives is asked each time, so it may change after the block.
        """
        return kept_alive({key: v.places for key, v in self._views.items() if not v.ref.expired()})

    @property
    def notes(self) -> list[str]:
        """What the reader should know of the table: what ran in another way, or unseen."""
        notes = [
            f"{place.where} calls a compiled function. Inside of watch it ran uncompiled, so what "
            "is told is what the code says, and not what the compiler makes of it."
            for place in self.compiled
        ]
        if self.higher_order:
            notes.append(
                f"{', '.join(self.higher_order)}: torch runs what these were given out of sight."
            )
        if self.unseen:
            notes.append(
                f"{self.unseen} operations had tensors without strides or memory to look at, such "
                "as sparse ones, and are not told."
            )
        return notes

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as plain data, ready for json or pandas, sorted by bytes."""
        return [row.to_dict() for row in self.rows]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self._counts)

    def __repr__(self) -> str:
        return tables.as_text(self.rows, self.kept_alive, self.notes)

    def _repr_html_(self) -> str:
        return tables.as_html(self.rows, self.kept_alive, self.notes)
