"""What a watch has seen: rows, the slowest first, and what stays alive; as text and as HTML."""

from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from html import escape
from itertools import pairwise
from operator import sub
from typing import Any, Literal, NamedTuple

from stridekit.diagrams.scenes.captions import cut
from stridekit.layouts.layout import Ints, count
from stridekit.own_code import torch_profiler
from stridekit.own_code.copies import Reader
from stridekit.own_code.headers import in_bytes
from stridekit.own_code.kept_alive import RetainedStorage, kept_alive
from stridekit.own_code.places import CodeLine
from stridekit.own_code.reasons import WIDTH, filled, html_table, times
from stridekit.own_code.rows import Row

# So many rows are shown before the rest is counted, and so many pictures drawn.
ROWS_MOST = 25
PICTURES_MOST = 5
_INDENT = 6


class Extent(NamedTuple):
    """How far a recording is: what was watched of what passed, in seconds; and its gaps.

    `taken` counts those in which another profiler was open, `steps` those of an optimizer that
    were seen, `unseen` the copies of tensors without strides.
    """

    watched: float
    passed: float
    gaps: int
    taken: int
    steps: int
    unseen: int


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

    def __init__(self, extent: Extent) -> None:
        """The watch begins, so far into a recording."""
        self.seconds = self.watched = 0.0
        self.notes: list[str] = []
        self._rows: dict[tuple[Any, ...], Row] = {}
        self._viewed: dict[tuple[int, Ints], CodeLine] = {}
        self._uses_channels_last = False
        self._began = extent

    def add(self, row: Row) -> bool:
        """Count a copy; whether it has a row of its own, or a module that its row had not."""
        known = self._rows.get(row.kind)
        if row.of_gap:
            # Where one line alone went back like it, it is told with that.
            watched = [each for each in self._rows.values() if not each.of_gap]
            alike = [x for x in watched if (x.work, x.result) == (row.work, row.result)]
            known = alike[0] if len(alike) == 1 else known
        if known is None:
            self._rows[row.kind] = copy(row)
        return known is None or known.add(row)

    def closed(self, extent: Extent, reader: Reader, failed: BaseException | None) -> None:
        """The watch has ended: what is known by now about the whole."""
        self.watched, passed, gaps, taken, steps, unseen = map(sub, extent, self._began)
        # It is recorded a little before it begins.
        self.seconds = max(self.watched, passed)
        self._viewed, self._uses_channels_last = dict(reader.viewed), reader.uses_channels_last
        note = self.notes.append
        if gaps:
            told = _steps_seen(reader.steps[-steps:] if steps else [], torch_profiler.nodes_made())
            note(
                f"{in_time(self.watched)} of {in_time(self.seconds)} were watched{told}: the "
                "beginning, what told something new, and a look now and then."
            )
        if taken:
            note(
                "Another profiler was opened in the block (torch.profiler, cProfile, "
                "sys.setprofile), and there is room for one: this one did not see what ran "
                "meanwhile and shortly before, and the other one may have seen nothing."
            )
        if reader.threads:
            places = "; ".join(place.where for place in reader.threads)
            note(f"Another thread or process is at work ({places}). What it copies is not seen.")
        if unseen:
            copies = count(unseen, "copy", "copies")
            note(f"Not told: {copies} of tensors without strides, such as sparse ones.")
        if failed is not None:
            note(f"A recording could not be read, by a fault of stridekit's: {failed!r}")

    @property
    def copies(self) -> list[Row]:
        """The rows, the slowest first."""
        return sorted(self._rows.values(), key=lambda row: -row.seconds)

    @property
    def lost_channels_last(self) -> list[Row]:
        """The rows that lost channels_last, where a convolution worked in it."""
        return [row for row in self.copies if row.lost_channels_last and self._uses_channels_last]

    @property
    def bytes_copied(self) -> int:
        """How many bytes were written by copies."""
        return sum(row.bytes for row in self._rows.values())

    @property
    def seconds_copying(self) -> float:
        """How long all copies took."""
        return sum(row.seconds for row in self._rows.values())

    @property
    def kept_alive(self) -> list[RetainedStorage]:
        """Storages that views which were made in the block keep alive now, the largest first.

        Those of which all living tensors together show less than half, and leave at least
        1 KiB idle. What lives is asked each time, so it may change after the block.
        """
        return kept_alive(self._viewed)

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as plain data, ready for json or pandas, sorted by time."""
        return [row.to_dict() for row in self.copies]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.copies)

    def __len__(self) -> int:
        return len(self._rows)

    def table(self, lines: Literal["user", "library"] = "user") -> str:
        """The table as text. `lines="library"` gives the innermost line beside the user's."""
        parts = [filled(self.summary)]
        for row in self.copies[:ROWS_MOST]:
            time, share, nbytes = self._numbers(row)
            head = f"{time:>8} {share:>6} {nbytes:>10}{times(row.times):>6}"
            parts.append(f"{head}  {row.name} · {row.place.where}")
            has_library = lines == "library" and row.library != row.place
            below = [f"in {row.library.where} of {row.library.file}"] if has_library else []
            below += [_module(row), cut(row.place.code, WIDTH - _INDENT), *_reasons(row)]
            parts += [filled(each, _INDENT) for each in below if each]
        parts += self._rest
        for title, told in self._findings:
            parts += [title, *(filled(line, 2) for line in told)]
        parts += [filled(f"Note: {note}") for note in self.notes]
        return "\n".join(parts)

    __repr__ = table

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(self.summary)}</p>"]
        if self._rows:
            heads = ("time", "share", "bytes", "times", "call", "line", "why, and what to do")
            cells = map(self._cells, self.copies[:ROWS_MOST])
            parts.append(html_table("Copies, the slowest first", heads, cells))
            parts += [f"<p>{line}</p>" for line in self._rest]
            parts += [
                f"<details><summary>Picture: {escape(f'{row.name}, {row.place.where}')}</summary>"
                f"{row.diagram()._repr_html_()}</details>"
                for row in self.copies[:PICTURES_MOST]
            ]
        for title, told in self._findings:
            lines = (f"<li>{escape(line)}</li>" for line in told)
            parts.append(f"<p>{title}</p><ul>{''.join(lines)}</ul>")
        parts += [f"<p>Note: {escape(note)}</p>" for note in self.notes]
        return f'<div class="stridekit-watch">{"".join(parts)}</div>'

    def _cells(self, row: Row) -> tuple[str, ...]:
        numbers = (each.replace(" ", "&nbsp;") for each in self._numbers(row))
        where = [escape(row.place.where), escape(_module(row))]
        if code := escape(cut(row.place.code, 70)):
            where.append(f'<code style="overflow-wrap: anywhere">{code}</code>')
        why = "<br>".join(map(escape, _reasons(row)))
        call = f"<code>{escape(row.name)}</code>"
        return (*numbers, str(row.times), call, "<br>".join(filter(None, where)), why)

    @property
    def summary(self) -> str:
        """One sentence: how much was copied, and how long it took."""
        times = sum(row.times for row in self._rows.values())
        return (
            f"{count(times, 'copy', 'copies')} of {in_bytes(self.bytes_copied)} in all took "
            f"{in_time(self.seconds_copying)}, {self._share(self.seconds_copying)} of the "
            f"{in_time(self.watched)} that were watched."
        )

    def _share(self, seconds: float) -> str:
        return f"{seconds / self.watched:.1%}" if self.watched else "0 %"

    def _numbers(self, row: Row) -> tuple[str, str, str]:
        return in_time(row.seconds), self._share(row.seconds), in_bytes(row.bytes)

    @property
    def _rest(self) -> list[str]:
        hidden = self.copies[ROWS_MOST:]
        time = in_time(sum(row.seconds for row in hidden))
        told = f"and {count(len(hidden), 'row')} more, which took {time}: see seen.copies"
        return [told] if hidden else []

    @property
    def _findings(self) -> list[tuple[str, list[str]]]:
        """What else was found: a title, and a line for each; equal ones are told once."""
        found = {
            "channels_last was lost:": map(_lost, self.lost_channels_last),
            "Large storages that small views keep alive:": map(_kept, self.kept_alive),
        }
        told = []
        for title, lines in found.items():
            counted = [f"{line}{times(n)}" for line, n in Counter(lines).items()]
            more = [f"and {len(counted) - ROWS_MOST} more"] if len(counted) > ROWS_MOST else []
            told += [(title, counted[:ROWS_MOST] + more)] if counted else []
        return told


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


def _steps_seen(steps: Sequence[int | None], made: int) -> str:
    """How many steps of an optimizer were seen, and of how many, where that is known.

    `steps` are how many nodes autograd had made at each, with None where more of them may be, and
    `made` those at the end. What was made more than once from one step to the next, as by two
    optimizers in turn, is taken to have been made all the time.

    >>> _steps_seen([10, 16, 20, 26, 30, None, 70, None, 110], 130)
    ', with 7 of about 25 steps of an optimizer'
    """
    seen = [step for step in steps if step is not None]
    on_end = Counter(b - a for a, b in pairwise(steps) if a is not None and b is not None and b > a)
    if usual := [each for each in on_end.elements() if on_end[each] > 1]:
        total = max(len(seen), 1 + round((made - seen[0]) * len(usual) / sum(usual)))
        return f", with {len(seen)} of about {total:,} steps of an optimizer"
    return f", with {count(len(seen), 'step')} of an optimizer" if seen else ""


def _module(row: Row) -> str:
    return f"module {row.module}" if row.modules else ""


def _reasons(row: Row) -> list[str]:
    """Why it was copied, and what to do instead."""
    differ = row.smallest != row.largest or row.has_others
    sizes = f"size {row.size}" if differ else ""
    compiled = "inside of a compiled function" if row.compiled else ""
    why = "; ".join(text for text in (sizes, row.why, compiled) if text)
    return [text for text in (why, row.instead) if text]


def _lost(row: Row) -> str:
    return (
        f"{row.place.where}: {row.name} gave size {row.result.size}, stride "
        f"{row.result.stride}, which is contiguous{times(row.times)}"
    )


def _kept(kept: RetainedStorage) -> str:
    views = count(len(kept.tensors), "tensor shows", "tensors show")
    made = ", made at " + "; ".join(place.where for place in kept.places[:3]) if kept.places else ""
    others = "" if kept.alone else " once nobody else holds it, such as autograd or NumPy"
    way_out = f"clone() would let the rest go{others}."
    return f"{views} {in_bytes(kept.shown)} of {in_bytes(kept.nbytes)}{made}: {way_out}"
