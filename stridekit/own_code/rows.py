"""Rows of a watch: copies that have one cause, at one line, together."""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from stridekit.layouts.layout import Ints
from stridekit.own_code.causes import cause_of, loses_channels_last
from stridekit.own_code.headers import Header
from stridekit.own_code.places import CodeLine

if TYPE_CHECKING:
    from stridekit.diagrams import Diagram

GROWS = (
    "Where it grows step by step, make the whole once and write each part into it: whole[n] = part."
)


@dataclass
class Row:
    """Copies of one cause at one line: `times` of them, which took `seconds` and wrote `bytes`.

    `call` is the operation that the line called, or the node of autograd, if they were made on
    the way back (`backward`); `operation` is what copied in there, below the operations `above`.
    `is_second`: it copied the second of what `call` was given. `place` is the user's line,
    `library` the innermost one. `modules` are the paths of the modules that they were made in.
    `sources` and `result` are the headers of the largest; sizes that differ lie between
    `smallest` and `largest`. `why` is the reason, `instead` what makes no such copy; each is
    empty where it is not certain.
    """

    call: str
    operation: str
    above: tuple[str, ...]
    place: CodeLine
    library: CodeLine
    modules: tuple[str, ...]
    backward: bool
    compiled: bool
    is_second: bool
    sources: tuple[Header, ...]
    result: Header
    bytes: int
    seconds: float
    times: int = 1

    def __post_init__(self) -> None:
        kind, self.why, self.instead = cause_of(self)
        self.lost_channels_last = loses_channels_last(self.sources, self.result)
        self.smallest: Ints = self.result.size
        self.largest: Ints = self.result.size
        # What has its cause in the call is one, whichever operations are made of it.
        alike = () if kind == self.call else (self.operation, self.is_second, len(self.largest))
        self.kind = (self.place, self.library, self.call, kind, self.lost_channels_last, *alike)

    def add(self, other: "Row") -> None:
        """Count another of the same `kind`."""
        if other.result.nbytes > self.result.nbytes:
            self.sources, self.result, self.operation = other.sources, other.result, other.operation
            self.why, self.instead = other.why, other.instead
            if len(self.largest) != len(other.largest):
                self.smallest = self.largest = other.largest
        if len(self.largest) == len(other.largest):
            self.smallest = tuple(map(min, self.smallest, other.smallest))
            self.largest = tuple(map(max, self.largest, other.largest))
        self.modules = tuple(dict.fromkeys(self.modules + other.modules))
        self.times += other.times
        self.bytes += other.bytes
        self.seconds += other.seconds
        if self.operation in ("cat", "stack") and self.smallest != self.largest:
            self.instead = GROWS

    @property
    def module(self) -> str:
        """The paths of the modules in one: numbers that differ stand as a range."""
        return folded(self.modules)

    @property
    def size(self) -> str:
        """The size of what was made; where sizes differ, from the smallest to the largest."""
        dims = zip(self.smallest, self.largest, strict=True)
        spelled = [str(low) if low == high else f"{low}-{high}" for low, high in dims]
        return f"({', '.join(spelled)}{',' * (len(spelled) == 1)})"

    @property
    def name(self) -> str:
        """The call, and what copied in there, as the table has it."""
        name = self.call if self.call == self.operation else f"{self.call}: {self.operation}"
        return f"{name} (backward)" if self.backward else name

    def diagram(self) -> "Diagram":
        """What went into the largest and what came out, drawn from headers.

        A `reshape` that copied shows the two dims that could not merge.
        """
        from stridekit.diagrams import draw, draw_view

        title = f"{self.call} · {self.place.where}"
        if self.operation in ("reshape", "flatten", "reshape_as"):
            subject = self.sources[0].subject()
            return draw_view(subject, *self.result.size, title=title, values=False)
        parts: dict[str, Any] = {
            "before" if len(self.sources) == 1 else f"part {n}": source.subject(n + 1)
            for n, source in enumerate(self.sources)
        }
        return draw(parts | {"after": self.result.subject(0)}, title=title, values=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data: text, numbers, lists."""
        same = "call operation backward compiled times bytes seconds size why instead"
        return {name: getattr(self, name) for name in (*same.split(), "lost_channels_last")} | {
            "file": self.place.file,
            "line": self.place.line,
            "function": self.place.function,
            "code": self.place.code,
            "library_file": self.library.file,
            "library_line": self.library.line,
            "modules": list(self.modules),
            "sources": [source.to_dict() for source in self.sources],
            "result": self.result.to_dict(),
        }


def folded(paths: tuple[str, ...]) -> str:
    """Paths that differ in one number as one, with a range.

    >>> folded(("encoder.layers.0.attn", "encoder.layers.1.attn", "encoder.layers.2.attn"))
    'encoder.layers.0-2.attn'
    >>> folded(("encoder", "decoder"))
    'encoder, decoder'
    """
    apart = [re.split(r"(?<=\.)(\d+)(?=\.|$)", path) for path in paths]
    differ = [n for n, parts in enumerate(zip(*apart, strict=False)) if len({*parts}) > 1]
    one_length = len({*map(len, apart)}) == 1
    if one_length and len(differ) == 1 and all(parts[differ[0]].isdigit() for parts in apart):
        numbers = sorted(int(parts[differ[0]]) for parts in apart)
        spelled = ", ".join(map(str, numbers))
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            spelled = f"{numbers[0]}-{numbers[-1]}"
        return "".join([*apart[0][: differ[0]], spelled, *apart[0][differ[0] + 1 :]])
    return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
