"""Rows of a watch: copies that have one cause, at one line, together.

Why a copy was made, and how one does without it, is told where it is certain.
"""

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from stridekit.diagrams import Diagram, draw, draw_view
from stridekit.explain import contiguity
from stridekit.layouts.layout import Ints, contiguous_stride, numel
from stridekit.layouts.memory_formats import (
    channels_last,
    channels_last_3d,
    follows,
    preserved_stride,
)
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.headers import Header
from stridekit.own_code.places import CodeLine

_GROWS = (
    "Where it grows step by step, make the whole once and write each part into it: whole[n] = part."
)
_WRITES = "Where the original may change, {}_ writes into it."
_SLICE = "Where the positions lie evenly apart, a slice such as x[::2] is a view."
# What always copies, for which reason; and what to do instead.
_REASONS: dict[str, tuple[str, ...]] = {
    "cat concat concatenate hstack vstack dstack stack column_stack block_diag": (
        "its parts lie apart, and one run is to hold them all",
    ),
    "index _unsafe_index index_select take": (
        "indices pick positions that no stride describes",
        _SLICE,
    ),
    "gather take_along_dim embedding": ("indices pick positions that no stride describes",),
    "index_put_ _index_put_impl_ index_copy_ scatter_ put_": (
        "what is assigned is copied to the places that the index picks",
    ),
    "index_copy index_put scatter": (
        "the original is to stay as it is, so it is copied before it is written to",
        _WRITES,
    ),
    "select_scatter slice_scatter": (
        "the original is to stay as it is, so it is copied before it is written to",
    ),
    "pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle": (
        "the elements are laid out in another order",
    ),
    "select_backward": (
        "the gradient of a view is as large as what was viewed: zeros, and the part",
        "Where several parts of one tensor are taken, unbind gives all, and goes back at once.",
    ),
    "slice_backward": (
        "the gradient of a view is as large as what was viewed: zeros, and the part",
        "Where several parts of one tensor are taken, split gives all, and goes back at once.",
    ),
    "pad constant_pad_nd _pad_circular reflection_pad1d reflection_pad2d reflection_pad3d "
    "replication_pad1d replication_pad2d replication_pad3d": ("room around it needs a larger run",),
    "repeat tile repeat_interleave": ("every repetition is written out",),
    "flip fliplr flipud": ("to go backwards needs a negative stride, and torch has none",),
    "rot90": ("to turn needs a negative stride, and torch has none",),
    "roll": ("what leaves at one end comes in at the other, and no stride goes round",),
    "tril triu": (
        "the other triangle is to hold zeros, so the result has memory of its own",
        _WRITES,
    ),
    "im2col": (
        "windows that overlap are written out",
        "Tensor.unfold shows windows as a view: x.unfold(2, k, step).unfold(3, k, step).",
    ),
    "pin_memory _pin_memory": ("pinned memory is other memory",),
}
ALWAYS = {name: told for each, told in _REASONS.items() for name in each.split()}


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
        kind, self.why, self.instead = _cause_of(self)
        self.lost_channels_last = _loses_channels_last(self.sources, self.result)
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
        is_grown = self.operation in ("cat", "stack") and self.smallest != self.largest
        if is_grown and self.call == self.operation:
            self.instead = _GROWS

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

    def diagram(self) -> Diagram:
        """What went into the largest and what came out, drawn from headers.

        A `reshape` that copied shows the two dims that could not merge.
        """
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


# Why.


class Cause(NamedTuple):
    """Why a copy was made, in a clause, and what to do instead, in a sentence; either may be "".

    Copies at one line whose causes are of one `kind` are one row.
    """

    kind: str
    why: str
    instead: str = ""


def _cause_of(row: Row) -> Cause:
    """Why a copy was made: the largest of a row, of which there may be one."""
    call, operation, source, result = row.call, row.operation, row.sources[0], row.result
    if call == "CopySlices":
        return Cause(
            call,
            "a part was written in place, so on the way back the whole gradient is copied, and "
            "the part is set apart",
            "Parts that are put together with torch.cat or torch.stack need no write in place.",
        )
    if operation == "clone" and call.endswith("_") and row.above == (call,):
        return Cause(
            "in place",
            f"{call} overwrites what its way back needs, so autograd keeps a copy of it",
            f"Without in place, {call.removesuffix('_')} makes no such copy.",
        )
    if operation in ALWAYS:
        why, *instead = ALWAYS[operation]
        if operation == "repeat":
            instead = _expanded(source, result)
        if call != operation and not row.backward:
            # What a call is made of is not for its caller to change.
            instead = []
        return Cause(operation, why, "".join(instead).format(operation))
    if source.device != result.device:
        return Cause(
            f"{source.device} to {result.device}",
            f"it goes from {source.device} to {result.device}",
            f"Made with device={result.device!r}, it need not go.",
        )
    if source.dtype != result.dtype:
        return _converted(row, source, result)
    if operation in ("reshape", "flatten", "ravel", "reshape_as"):
        return _reshaped(source, result, _inside(row))
    if operation == call == "copy_":
        return Cause("copy_", "it is written into memory that was there already")
    return _restrided(row, source, result)


def _expanded(source: Header, result: Header) -> list[str]:
    """`expand` shows what `repeat` writes out, where only dims of size 1 are repeated."""
    lead = (1,) * (len(result.size) - len(source.size))
    pairs = zip(lead + source.size, result.size, strict=True)
    if all(old in (1, new) for old, new in pairs):
        return [f"expand{result.size} shows the same as a view, where nobody writes to it."]
    return []


def _converted(row: Row, source: Header, result: Header) -> Cause:
    kind = f"{source.dtype} to {result.dtype}"
    change = f"{source.dtype} becomes {result.dtype}"
    if row.call == "copy_":
        return Cause(kind, f"it is written into memory that was there already; {change}")
    if row.backward:
        return Cause(kind, f"{change}, on the way back")
    if row.call != row.operation:
        return Cause(kind, f"{row.call} works in {result.dtype} here, and was given {source.dtype}")
    return Cause(kind, change, f"Made with dtype=torch.{result.dtype}, it need not change.")


def _reshaped(source: Header, result: Header, inside: str) -> Cause:
    plan = plan_view(source.layout, result.size)
    if not isinstance(plan, Obstacle):
        # It was copied for another reason, such as an operation that must not give a view.
        return Cause("reshape", "")
    n, step = source.size[plan.right], source.stride[plan.right]
    return Cause(
        f"seam between {plan.left} and {plan.right}",
        f"reshape crosses the seam between dims {plan.left} and {plan.right}{inside}: "
        f"stride[{plan.left}] is {plan.actual}, and to merge they need {n} × {step} = "
        f"{plan.expected}",
    )


def _restrided(row: Row, source: Header, result: Header) -> Cause:
    """Copied with other strides, or with the same."""
    if source.size != result.size:
        return Cause("size", "")
    is_kept = source.stride == result.stride
    if row.call == "AccumulateGrad":
        kept = (
            "a gradient is kept with the strides of its parameter: "
            f"{source.stride} becomes {result.stride}"
        )
        return Cause(row.call, "" if is_kept else kept)
    asked = row.call == row.operation and row.operation in ("clone", "to")
    if is_kept or (asked and result.stride == preserved_stride(source.size, source.stride)):
        return Cause("clone", f"{row.operation} was asked to copy" if asked else "")
    before, after = source.layout, result.layout
    by = _inside(row).replace(", inside of", " by")
    wanted = result.channels_last
    if wanted:
        return Cause(
            wanted,
            f"{wanted} was asked for{by}, and the stride is {before.stride}",
            _to_format(row, f"memory_format=torch.{wanted}"),
        )
    if after.is_contiguous and not before.is_contiguous:
        verdict = contiguity(before).answer.removeprefix("No: ").rstrip(".")
        return Cause("contiguous", f"a contiguous tensor was asked for{by}, and {verdict}")
    return Cause(
        "strides", f"other strides were asked for{by}: {before.stride} becomes {after.stride}"
    )


def _to_format(row: Row, wanted: str) -> str:
    """How convolutions get what they want, once instead of each time."""
    if not row.call.startswith("conv"):
        return ""
    if row.is_second:
        return f"model.to({wanted}), once, does it for all weights."
    return f"x.to({wanted}), once, where x comes in, does it for all layers that keep the format."


def _inside(row: Row) -> str:
    """Which call did it, if not one that says so by its name."""
    return f", inside of {row.call}" if row.call != row.operation else ""


def _loses_channels_last(sources: tuple[Header, ...], result: Header) -> bool:
    """Whether a tensor in channels_last went in, and what came out of it is plain.

    It may be one of several that are joined, or have its channels in several dims, as when they
    are shuffled.
    """
    layout = result.layout
    is_plain = layout.ndim in (4, 5) and layout.is_contiguous
    if not is_plain or follows(layout, channels_last) or follows(layout, channels_last_3d):
        return False
    return any(_has_channels_innermost(source, result.size[2:]) for source in sources)


def _has_channels_innermost(source: Header, inner: tuple[int, ...]) -> bool:
    """Whether the elements of all channels lie together, for positions of an inner size."""
    outer = len(source.size) - len(inner)
    channels = numel(source.size[1:outer])
    dense = contiguous_stride((*inner, channels))
    return (
        min(channels, numel(inner)) > 1
        and source.size[outer:] == inner
        and all(
            n == 1 or step == expected
            for n, step, expected in zip(inner, source.stride[outer:], dense, strict=False)
        )
    )
