"""Rows: one operation at one line of the user's code, and what it did to memory."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stridekit.own_code.copy_reasons import Facts, why_copied
from stridekit.own_code.headers import Header
from stridekit.own_code.moves import Kind
from stridekit.own_code.places import Place

if TYPE_CHECKING:
    from stridekit.diagrams import Diagram

# So many tensors of one row are drawn: three parts, and the result.
DRAWN_MOST = 4


@dataclass(frozen=True)
class Row:
    """One operation at one line, `times` times with the same headers.

    `kind` is "copy", "view", "write" (into memory that was there) or "new" (a result that was
    computed). `call` is what the user's code, or a module of torch, called; `operation` what
    torch did. `bytes` is how many bytes were copied, all times together, and 0 for what is no
    copy. `backward` says that it was done on the way back, for the line in `place`.
    """

    kind: Kind
    call: str
    operation: str
    place: Place
    backward: bool
    sources: tuple[Header, ...]
    result: Header | None
    outputs: int
    times: int
    bytes: int
    lost_channels_last: bool

    @cached_property
    def why(self) -> str:
        """Why the copy was needed, in one clause; empty for what is no copy."""
        if self.kind != "copy":
            return ""
        return why_copied(
            Facts(self.call, self.operation, self.sources, self.result, self.backward)
        )

    def diagram(self) -> "Diagram":
        """What went in and what came out, drawn from their headers: cells show positions.

        A `reshape` that copied shows the two dims that could not merge.
        """
        from stridekit.diagrams import draw, draw_view

        sources = self.sources[: DRAWN_MOST - 1]
        title = f"{self.call} · {self.place.where}"
        if self.operation == "reshape" and self.result is not None:
            return draw_view(sources[0].subject(), *self.result.size, title=title, values=False)
        names = ["before"] if len(sources) == 1 else [f"part {n}" for n in range(len(sources))]
        # What a view shares is one memory; all others have one of their own.
        parts: dict[str, Any] = {
            name: source.subject(number + 1)
            for number, (name, source) in enumerate(zip(names, sources, strict=True))
        }
        if self.result is not None:
            shared = self.kind in ("view", "write") and bool(parts)
            parts["after"] = self.result.subject(1 if shared else len(parts) + 1)
        return draw(parts, title=title, values=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data: text, numbers, lists, None."""
        return {
            "kind": self.kind,
            "call": self.call,
            "operation": self.operation,
            "file": self.place.file,
            "line": self.place.line,
            "function": self.place.function,
            "code": self.place.code,
            "backward": self.backward,
            "times": self.times,
            "bytes": self.bytes,
            "why": self.why,
            "lost_channels_last": self.lost_channels_last,
            "sources": [_plain(source) for source in self.sources],
            "result": None if self.result is None else _plain(self.result),
            "outputs": self.outputs,
        }


@dataclass(frozen=True, slots=True)
class Kept:
    """A storage that is kept alive by views which show less than half of it.

    `nbytes` is the storage, `shown` the bytes between the first and the last that a living
    tensor reaches. `alone` says that nothing else holds the storage: copying those views with
    `clone()` would free it. Otherwise autograd or code outside of Python holds it too.
    """

    nbytes: int
    shown: int
    tensors: tuple[Header, ...]
    places: tuple[Place, ...]
    alone: bool

    @property
    def idle(self) -> int:
        """The bytes that nobody shows."""
        return self.nbytes - self.shown

    def diagram(self) -> "Diagram":
        """The views over the storage that they keep."""
        from stridekit.diagrams import draw

        return draw({f"view {n}": h.subject() for n, h in enumerate(self.tensors)}, values=False)

    def to_dict(self) -> dict[str, Any]:
        """The finding as plain data."""
        return {
            "nbytes": self.nbytes,
            "shown": self.shown,
            "alone": self.alone,
            "tensors": [_plain(header) for header in self.tensors],
            "places": [{"file": place.file, "line": place.line} for place in self.places],
        }


def _plain(header: Header) -> dict[str, Any]:
    return header._asdict() | {"size": list(header.size), "stride": list(header.stride)}
