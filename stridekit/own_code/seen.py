"""What a watch has seen: rows, sorted by bytes, and what stays alive; as text and as HTML."""

import html
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from stridekit.own_code import seen
from stridekit.own_code.code_lines import CodeLine
from stridekit.own_code.headers import Header, in_bytes
from stridekit.own_code.memory_effects import Kind
from stridekit.own_code.reasons import cut, filled
from stridekit.own_code.rows import RetainedStorage, Row, kept_alive

# So many rows are shown before the rest is counted, and so many pictures drawn.
ROWS_MOST = 25
PICTURES_MOST = 5
_WIDTH = 88


def as_text(rows: Sequence[Row], kept: Sequence[RetainedStorage], notes: Sequence[str]) -> str:
    """The table for a terminal: each copy with its line, its bytes and its reason."""
    copies = [row for row in rows if row.kind == "copy"]
    parts = [summary(rows)]
    parts += [
        f"{in_bytes(row.bytes):>10}{_times(row):>7}  {row.call}{_back(row)} · "
        f"{row.place.where}\n{_code(row, 19)}{filled(row.why, 19)}"
        for row in copies[:ROWS_MOST]
    ]
    parts += _rest(copies)
    lost = [row for row in rows if row.lost_channels_last]
    if lost:
        parts.append("channels_last was lost:")
        parts += [filled(lost_line(row), 2) for row in lost[:ROWS_MOST]]
        parts += _rest(lost)
    if kept:
        parts.append("Large storages that small views keep alive:")
        parts += [filled(kept_line(each), 2) for each in kept[:ROWS_MOST]]
    parts += [filled(f"Note: {note}") for note in notes]
    return "\n".join(parts)


def summary(rows: Sequence[Row]) -> str:
    """One line: how much was copied, and what else happened."""
    counts = {kind: _count(rows, kind) for kind in ("copy", "view", "new", "write")}
    copied = in_bytes(sum(row.bytes for row in rows))
    return (
        f"{_plural(counts['copy'], 'copy', 'copies')} of {copied} in all; "
        f"{_plural(counts['view'], 'view', 'views')}, "
        f"{_plural(counts['new'], 'computed result', 'computed results')}, "
        f"{_plural(counts['write'], 'write in place', 'writes in place')}"
    )


def lost_line(row: Row) -> str:
    """Where a result lost channels_last, in a sentence."""
    stride = row.result.stride if row.result else ()
    size = row.result.size if row.result else ()
    return (
        f"{row.place.where}: {row.call}{_back(row)} gave size {size}, stride {stride}, which is "
        f"contiguous{_times(row)}"
    )


def kept_line(kept: RetainedStorage) -> str:
    """What keeps a storage alive, in a sentence."""
    views = _plural(len(kept.tensors), "tensor shows", "tensors show")
    made = ", made at " + "; ".join(place.where for place in kept.places[:3]) if kept.places else ""
    way_out = (
        "clone() would let the rest go."
        if kept.alone
        else "autograd, or code outside of Python, holds the storage too."
    )
    return f"{views} {in_bytes(kept.shown)} of {in_bytes(kept.nbytes)}{made}: {way_out}"


def as_html(rows: Sequence[Row], kept: Sequence[RetainedStorage], notes: Sequence[str]) -> str:
    """The table for a notebook. Pictures of the largest copies open under it."""
    copies = [row for row in rows if row.kind == "copy"]
    parts = [f"<p>{html.escape(summary(rows))}</p>"]
    if copies:
        parts.append(_table("Copies, the largest first", _HEADINGS, copies[:ROWS_MOST], _cells))
        parts += [f"<p>{line}</p>" for line in _rest(copies)]
        parts += [_picture(row) for row in copies[:PICTURES_MOST]]
    lost = [row for row in rows if row.lost_channels_last]
    if lost:
        parts.append("<p>channels_last was lost:</p>" + _list([lost_line(row) for row in lost]))
    if kept:
        lines = [kept_line(each) for each in kept]
        parts.append("<p>Large storages that small views keep alive:</p>" + _list(lines))
    parts += [f"<p>Note: {html.escape(note)}</p>" for note in notes]
    return f'<div class="stridekit-watch">{"".join(parts)}</div>'


_HEADINGS = ("bytes", "times", "call", "line", "why")


def _cells(row: Row) -> list[str]:
    code = cut(row.place.code, 70)
    where = html.escape(row.place.where) + (f"<br><code>{html.escape(code)}</code>" if code else "")
    call = html.escape(row.call + _back(row))
    return [
        in_bytes(row.bytes),
        str(row.times),
        f"<code>{call}</code>",
        where,
        html.escape(row.why),
    ]


def _table(
    caption: str, headings: Sequence[str], rows: Sequence[Row], cells: Callable[[Row], list[str]]
) -> str:
    head = "".join(f'<th scope="col" style="text-align: left">{name}</th>' for name in headings)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="text-align: left; vertical-align: top">{c}</td>' for c in cells(row))
        + "</tr>"
        for row in rows
    )
    return (
        f'<table><caption style="text-align: left">{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _picture(row: Row) -> str:
    name = html.escape(f"Picture: {row.call}{_back(row)}, {row.place.where}")
    return f"<details><summary>{name}</summary>{row.diagram()._repr_html_()}</details>"


def _list(lines: Sequence[str]) -> str:
    shown = [f"<li>{html.escape(line)}</li>" for line in lines[:ROWS_MOST]]
    if len(lines) > ROWS_MOST:
        shown.append(f"<li>and {len(lines) - ROWS_MOST} more</li>")
    return f"<ul>{''.join(shown)}</ul>"


def _rest(rows: Sequence[Row]) -> list[str]:
    hidden = rows[ROWS_MOST:]
    if not hidden:
        return []
    nbytes = in_bytes(sum(row.bytes for row in hidden))
    return [f"and {_plural(len(hidden), 'row', 'rows')} more, of {nbytes} in all: see seen.rows"]


def _code(row: Row, indent: int) -> str:
    code = cut(row.place.code, _WIDTH - indent)
    return f"{' ' * indent}{code}\n" if code else ""


def _times(row: Row) -> str:
    return f" ×{row.times}" if row.times > 1 else ""


def _back(row: Row) -> str:
    return " (backward)" if row.backward else ""


def _count(rows: Sequence[Row], kind: str) -> int:
    return sum(row.times for row in rows if row.kind == kind)


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


# What is seen.


class Event(NamedTuple):
    """What makes two operations the same row."""

    kind: Kind
    call: str
    operation: str
    place: CodeLine
    backward: bool
    sources: tuple[Header, ...]
    result: Header | None
    outputs: int
    lost_channels_last: bool


class _Views(NamedTuple):
    """A storage with small views: a weak reference to it, and where they were made."""

    ref: Any
    places: dict[tuple[Any, ...], CodeLine]


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
        self.compiled: dict[CodeLine, None] = {}
        self.higher_order: dict[str, None] = {}
        self.unseen = 0

    def add(self, event: Event, nbytes: int) -> None:
        """One more operation, which copied so many bytes."""
        counts = self._counts.setdefault(event, [0, 0])
        counts[0] += 1
        counts[1] += nbytes

    def keep(self, storage: Any, header: Header, place: CodeLine) -> None:
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
    def kept_alive(self) -> list[RetainedStorage]:
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
        return seen.as_text(self.rows, self.kept_alive, self.notes)

    def _repr_html_(self) -> str:
        return seen.as_html(self.rows, self.kept_alive, self.notes)
