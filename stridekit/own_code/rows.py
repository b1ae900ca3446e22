"""Rows of a watch: copies that have one cause, at one line, together."""

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from stridekit.layouts.layout import Ints
from stridekit.own_code.causes import Cause, cause_of, loses_channels_last
from stridekit.own_code.code_lines import CodeLine
from stridekit.own_code.copies import SOURCES_MOST, Copy
from stridekit.own_code.headers import Header
from stridekit.own_code.module_names import ModuleNames

if TYPE_CHECKING:
    from stridekit.diagrams import Diagram


@dataclass
class Row:
    """Copies of one cause at one line: `times` of them, which took `seconds` and wrote `bytes`.

    `call` is the operation that the line called, or the node of autograd, if they were made on
    the way back (`backward`); `operation` is what copied in there. `place` is the user's line,
    `library` the innermost one. `modules` are the paths of the modules that they were made in.
    `sources` and `result` are the headers of the largest; sizes that differ lie between
    `smallest` and `largest`. `why` is the reason, `instead` what makes no such copy; each is
    empty where it is not certain.
    """

    call: str
    operation: str
    place: CodeLine
    library: CodeLine
    backward: bool
    compiled: bool
    why: str
    instead: str
    sources: tuple[Header, ...]
    result: Header
    smallest: Ints
    largest: Ints
    lost_channels_last: bool
    modules: dict[str, None] = field(default_factory=dict)
    times: int = 0
    bytes: int = 0
    seconds: float = 0.0

    @property
    def module(self) -> str:
        """The paths of the modules in one: numbers that differ stand as a range."""
        return folded(list(self.modules))

    @property
    def size(self) -> str:
        """The size of what was made; where sizes differ, from the smallest to the largest."""
        dims = zip(self.smallest, self.largest, strict=True)
        spelled = [str(low) if low == high else f"{low}-{high}" for low, high in dims]
        return f"({', '.join(spelled)}{',' * (len(spelled) == 1)})"

    def diagram(self) -> "Diagram":
        """What went into the largest and what came out, drawn from headers.

        A `reshape` that copied shows the two dims that could not merge.
        """
        from stridekit.diagrams import draw, draw_view

        title = f"{self.call} · {self.place.where}"
        if self.operation in ("reshape", "flatten", "reshape_as"):
            subject = self.sources[0].subject()
            return draw_view(subject, *self.result.size, title=title, values=False)
        names = ["before"] if len(self.sources) == 1 else [f"part {n}" for n in range(SOURCES_MOST)]
        parts: dict[str, Any] = {
            name: source.subject(number + 1)
            for number, (name, source) in enumerate(zip(names, self.sources, strict=False))
        }
        return draw(parts | {"after": self.result.subject(0)}, title=title, values=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data: text, numbers, lists."""
        return {
            "call": self.call,
            "operation": self.operation,
            "file": self.place.file,
            "line": self.place.line,
            "function": self.place.function,
            "code": self.place.code,
            "library_file": self.library.file,
            "library_line": self.library.line,
            "modules": list(self.modules),
            "backward": self.backward,
            "compiled": self.compiled,
            "times": self.times,
            "bytes": self.bytes,
            "seconds": self.seconds,
            "size": self.size,
            "why": self.why,
            "instead": self.instead,
            "lost_channels_last": self.lost_channels_last,
            "sources": [source.to_dict() for source in self.sources],
            "result": self.result.to_dict(),
        }


class Tally:
    """Rows that are being filled."""

    def __init__(self) -> None:
        self.found: dict[tuple[Any, ...], Row] = {}

    def add(self, copy: Copy, names: ModuleNames) -> bool:
        """Count a copy; whether it has a row of its own."""
        cause, place, library = cause_of(copy), copy.where.users.place, copy.where.innermost.place
        lost = loses_channels_last(copy)
        rank = len(copy.result.size)
        # What CopySlices copies, it copies for one reason.
        alike = (copy.operation, copy.is_second, rank) if cause.kind != copy.call else ()
        key = (place, library, copy.call, cause.kind, lost, *alike)
        row = self.found.get(key)
        is_new = row is None
        if row is None:
            row = self.found[key] = _row(copy, cause, place, library, lost=lost)
        elif copy.nbytes and copy.result.nbytes > row.result.nbytes:
            row.sources, row.result = copy.sources, copy.result
            row.why, row.instead, row.operation = cause.why, cause.instead, copy.operation
            if len(row.largest) != rank:
                row.smallest = row.largest = copy.result.size
        if len(row.largest) == rank:
            row.smallest = tuple(map(min, row.smallest, copy.result.size))
            row.largest = tuple(map(max, row.largest, copy.result.size))
        row.times += 1
        row.bytes += copy.nbytes
        row.seconds += copy.nanoseconds / 1e9
        if copy.where.modules:
            row.modules[names.path(*copy.where.modules[-1])] = None
        if copy.operation in ("cat", "stack") and row.smallest != row.largest:
            row.instead = GROWS
        return is_new


GROWS = (
    "Where it grows step by step, make the whole once and write each part into it: whole[n] = part."
)


def _row(copy: Copy, cause: Cause, place: CodeLine, library: CodeLine, *, lost: bool) -> Row:
    return Row(
        call=copy.call,
        operation=copy.operation,
        place=place,
        library=library,
        backward=copy.backward,
        compiled=copy.compiled,
        why=cause.why,
        instead=cause.instead,
        sources=copy.sources,
        result=copy.result,
        smallest=copy.result.size,
        largest=copy.result.size,
        lost_channels_last=lost,
    )


def folded(paths: list[str]) -> str:
    """Paths that differ in one number as one, with a range.

    >>> folded(["encoder.layers.0.attn", "encoder.layers.1.attn", "encoder.layers.2.attn"])
    'encoder.layers.0-2.attn'
    >>> folded(["encoder", "decoder"])
    'encoder, decoder'
    """
    if len(paths) < 2:
        return "".join(paths)
    apart = [re.split(r"(?<=\.)(\d+)(?=\.|$)", path) for path in paths]
    differ = [n for n, parts in enumerate(zip(*apart, strict=False)) if len({*parts}) > 1]
    same_length = len({len(parts) for parts in apart}) == 1
    if same_length and len(differ) == 1 and all(parts[differ[0]].isdigit() for parts in apart):
        numbers = sorted(int(parts[differ[0]]) for parts in apart)
        spelled = ", ".join(map(str, numbers))
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            spelled = f"{numbers[0]}-{numbers[-1]}"
        return "".join([*apart[0][: differ[0]], spelled, *apart[0][differ[0] + 1 :]])
    return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
