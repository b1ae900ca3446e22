"""What a watch has seen, as a table: plain text, and HTML with pictures."""

import html
from collections.abc import Callable, Sequence

from stridekit.own_code.headers import in_bytes
from stridekit.own_code.reasons import cut, filled
from stridekit.own_code.rows import Kept, Row

# So many rows are shown before the rest is counted, and so many pictures drawn.
ROWS_MOST = 25
PICTURES_MOST = 5
_WIDTH = 88


def as_text(rows: Sequence[Row], kept: Sequence[Kept], notes: Sequence[str]) -> str:
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


def kept_line(kept: Kept) -> str:
    """What keeps a storage alive, in a sentence."""
    views = _plural(len(kept.tensors), "tensor shows", "tensors show")
    made = ", made at " + "; ".join(place.where for place in kept.places[:3]) if kept.places else ""
    way_out = (
        "clone() would let the rest go."
        if kept.alone
        else "autograd, or code outside of Python, holds the storage too."
    )
    return f"{views} {in_bytes(kept.shown)} of {in_bytes(kept.nbytes)}{made}: {way_out}"


def as_html(rows: Sequence[Row], kept: Sequence[Kept], notes: Sequence[str]) -> str:
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
