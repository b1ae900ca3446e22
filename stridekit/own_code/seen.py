"""What a watch has seen: rows, the slowest first, and what stays alive; as text and as HTML."""

import html
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

from stridekit.own_code import torch_profiler
from stridekit.own_code.copies import Reader
from stridekit.own_code.headers import in_bytes
from stridekit.own_code.kept_alive import RetainedStorage, ViewedStorages
from stridekit.own_code.reasons import cut, filled
from stridekit.own_code.recording import Extent
from stridekit.own_code.rows import Row, Tally

# So many rows are shown before the rest is counted, and so many pictures drawn.
ROWS_MOST = 25
PICTURES_MOST = 5
_WIDTH = 88
_INDENT = 6
Lines = Literal["user", "library"]


class Seen:
    """What was seen while a `watch()` was open. Fills when it ends, and stays.

    `print(seen)` is a table, and so is `seen` at the end of a cell. Data: `copies`,
    `lost_channels_last`, `kept_alive`, `bytes_copied`, `seconds_copying`, `to_dicts()`. It holds
    headers and no tensors, so it keeps no memory alive.

    `seconds` is how long the block took, `watched` how much of that was watched.

    >>> import torch
    >>> with sk.watch() as seen:
    ...     y = torch.zeros(3, 4).t().contiguous()
    >>> seen.bytes_copied, len(seen.copies)
    (48, 1)
    """

    def __init__(self) -> None:
        self.rows = Tally()
        self.seconds = self.watched = 0.0
        self.notes: list[str] = []
        self._viewed = ViewedStorages({})
        self._uses_channels_last = False

    def opened(self, extent: Extent, reader: Reader) -> None:
        """The watch begins."""
        self._extent, self._steps, self._unseen = extent, len(reader.steps), reader.unseen

    def closed(self, extent: Extent, reader: Reader, failed: Exception | None) -> None:
        """The watch has ended: what is known by now about the whole."""
        self.watched = extent.watched - self._extent.watched
        self.seconds = extent.passed - self._extent.passed
        self._viewed = ViewedStorages(reader.viewed)
        self._uses_channels_last = reader.uses_channels_last
        self.notes = self._told(extent.gaps > self._extent.gaps, reader, failed)

    def _told(self, has_gaps: bool, reader: Reader, failed: Exception | None) -> list[str]:
        notes = []
        steps = reader.steps[self._steps :]
        if has_gaps:
            told = f"{in_time(self.watched)} of {in_time(self.seconds)} were watched"
            if steps:
                told += f", with {_steps_seen(steps, torch_profiler.nodes_made())}"
            notes.append(
                f"{told}: the beginning, and a look now and then when it told nothing new."
            )
        if reader.threads:
            places = "; ".join(place.where for place in reader.threads)
            notes.append(
                f"Another thread or process is at work ({places}). What it copies is not seen."
            )
        if reader.unseen > self._unseen:
            notes.append(
                f"{reader.unseen - self._unseen} copies were of tensors without strides, such as "
                "sparse ones, and are not told."
            )
        if failed is not None:
            notes.append(f"A recording could not be read, by a fault of stridekit's: {failed!r}")
        return notes

    @property
    def copies(self) -> list[Row]:
        """The rows, the slowest first."""
        return sorted(self.rows.found.values(), key=lambda row: -row.seconds)

    @property
    def lost_channels_last(self) -> list[Row]:
        """The rows that lost channels_last, where a convolution worked in it."""
        return [row for row in self.copies if row.lost_channels_last and self._uses_channels_last]

    @property
    def bytes_copied(self) -> int:
        """How many bytes were written by copies."""
        return sum(row.bytes for row in self.rows.found.values())

    @property
    def seconds_copying(self) -> float:
        """How long all copies took."""
        return sum(row.seconds for row in self.rows.found.values())

    @property
    def kept_alive(self) -> list[RetainedStorage]:
        """Storages that views which were made in the block keep alive now, the largest first.

        Those of which all living tensors together show less than half, and leave at least
        1 KiB idle. What lives is asked each time, so it may change after the block.
        """
        return self._viewed.kept()

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as plain data, ready for json or pandas, sorted by time."""
        return [row.to_dict() for row in self.copies]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.copies)

    def __len__(self) -> int:
        return len(self.rows.found)

    def table(self, lines: Lines = "user") -> str:
        """The table as text. `lines="library"` gives the innermost line beside the user's."""
        copies, lost, kept = self.copies, self.lost_channels_last, self.kept_alive
        parts = [filled(self.summary)]
        parts += [self._told_row(row, lines) for row in copies[:ROWS_MOST]]
        parts += _rest(copies)
        if lost:
            parts.append("channels_last was lost:")
            parts += [filled(_lost_line(row), 2) for row in lost[:ROWS_MOST]]
        if kept:
            parts.append("Large storages that small views keep alive:")
            parts += [filled(_kept_line(each), 2) for each in kept[:ROWS_MOST]]
        parts += [filled(f"Note: {note}") for note in self.notes]
        return "\n".join(parts)

    __repr__ = table

    @property
    def summary(self) -> str:
        """One sentence: how much was copied, and how long it took."""
        times = sum(row.times for row in self.rows.found.values())
        return (
            f"{_plural(times, 'copy', 'copies')} of {in_bytes(self.bytes_copied)} in all took "
            f"{in_time(self.seconds_copying)}, {self.share(self.seconds_copying)} of the "
            f"{in_time(self.watched)} that were watched."
        )

    def share(self, seconds: float) -> str:
        """How much of the time that was watched."""
        return f"{seconds / self.watched:.1%}" if self.watched else "0 %"

    def _told_row(self, row: Row, lines: Lines) -> str:
        head = (
            f"{in_time(row.seconds):>8} {self.share(row.seconds):>6} {in_bytes(row.bytes):>10}"
            f"{_times(row):>6}  {_call(row)} · {row.place.where}"
        )
        told = [head]
        if lines == "library" and row.library != row.place:
            told.append(f"{' ' * _INDENT}in {row.library.where} of {row.library.file}")
        if row.modules:
            told.append(filled(f"module {row.module}", _INDENT))
        code = cut(row.place.code, _WIDTH - _INDENT)
        told += [f"{' ' * _INDENT}{code}"] if code else []
        told += [filled(text, _INDENT) for text in (_why(row), row.instead) if text]
        return "\n".join(told)

    def _repr_html_(self) -> str:
        copies = self.copies
        parts = [f"<p>{html.escape(self.summary)}</p>"]
        if copies:
            parts.append(
                _table("Copies, the slowest first", _HEADINGS, copies[:ROWS_MOST], self._cells)
            )
            parts += [f"<p>{line}</p>" for line in _rest(copies)]
            parts += [_picture(row) for row in copies[:PICTURES_MOST]]
        if self.lost_channels_last:
            lines = [_lost_line(row) for row in self.lost_channels_last]
            parts.append("<p>channels_last was lost:</p>" + _list(lines))
        if self.kept_alive:
            lines = [_kept_line(each) for each in self.kept_alive]
            parts.append("<p>Large storages that small views keep alive:</p>" + _list(lines))
        parts += [f"<p>Note: {html.escape(note)}</p>" for note in self.notes]
        return f'<div class="stridekit-watch">{"".join(parts)}</div>'

    def _cells(self, row: Row) -> list[str]:
        code = cut(row.place.code, 70)
        where = [html.escape(row.place.where)]
        where += [html.escape(f"module {row.module}")] if row.modules else []
        where += (
            [f'<code style="overflow-wrap: anywhere">{html.escape(code)}</code>'] if code else []
        )
        return [
            in_time(row.seconds).replace(" ", "&nbsp;"),
            self.share(row.seconds),
            in_bytes(row.bytes).replace(" ", "&nbsp;"),
            str(row.times),
            f"<code>{html.escape(_call(row))}</code>",
            "<br>".join(where),
            "<br>".join(html.escape(text) for text in (_why(row), row.instead) if text),
        ]


_HEADINGS = ("time", "share", "bytes", "times", "call", "line", "why, and what to do")


def in_time(seconds: float) -> str:
    """A time as people read it.

    >>> in_time(0.0000123), in_time(0.0123), in_time(2), in_time(402)
    ('12 µs', '12.3 ms', '2.0 s', '402 s')
    """
    if seconds < 0.001:
        return f"{seconds * 1e6:.0f} µs"
    if seconds < 1:
        return f"{seconds * 1e3:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 100 else f"{seconds:.0f} s"


def _steps_seen(steps: Sequence[int], made: int) -> str:
    """How many steps of an optimizer were seen, and of how many, where that is known.

    `steps` are how many nodes autograd had made at each, and `made` those at the end. Where two
    steps on end made as many, the others are taken to have done so too.
    """
    each = Counter(b - a for a, b in pairwise(steps) if b > a).most_common(1)
    if each and each[0][1] > 1:
        total = max(len(steps), 1 + round((made - steps[0]) / each[0][0]))
        return f"{len(steps)} of about {total:,} steps of an optimizer"
    return _plural(len(steps), "step of an optimizer", "steps of an optimizer")


def _why(row: Row) -> str:
    sizes = f"size {row.size}" if row.smallest != row.largest else ""
    compiled = "inside of a compiled function" if row.compiled else ""
    return "; ".join(text for text in (sizes, row.why, compiled) if text)


def _call(row: Row) -> str:
    name = row.call if row.call == row.operation else f"{row.call}: {row.operation}"
    return f"{name} (backward)" if row.backward else name


def _lost_line(row: Row) -> str:
    return (
        f"{row.place.where}: {_call(row)} gave size {row.result.size}, stride "
        f"{row.result.stride}, which is contiguous{_times(row)}"
    )


def _kept_line(kept: RetainedStorage) -> str:
    views = _plural(len(kept.tensors), "tensor shows", "tensors show")
    made = ", made at " + "; ".join(place.where for place in kept.places[:3]) if kept.places else ""
    way_out = (
        "clone() would let the rest go."
        if kept.alone
        else "autograd, or code outside of Python, holds the storage too."
    )
    return f"{views} {in_bytes(kept.shown)} of {in_bytes(kept.nbytes)}{made}: {way_out}"


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
    name = html.escape(f"Picture: {_call(row)}, {row.place.where}")
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
    time = in_time(sum(row.seconds for row in hidden))
    return [f"and {_plural(len(hidden), 'row', 'rows')} more, which took {time}: see seen.copies"]


def _times(row: Row) -> str:
    return f" ×{row.times}" if row.times > 1 else ""


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
