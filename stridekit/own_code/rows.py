"""Rows of a watch: copies that have one cause, at one line, together.

Why a copy was made, and how one does without it, is told where it is certain.
"""

import re
from dataclasses import dataclass
from math import prod
from operator import gt
from typing import Any, NamedTuple

import torch

from stridekit.diagrams import Diagram, draw, draw_view
from stridekit.explain import contiguity
from stridekit.layouts.broadcasting import broadcast_sizes
from stridekit.layouts.layout import Ints, is_packed
from stridekit.layouts.memory_formats import is_dense, preserved_stride
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.headers import Header
from stridekit.own_code.places import CodeLine

_GROWS = (
    "Where it grows step by step, and no gradient is asked for, make the whole once and write each "
    "part into it: whole[n] = part."
)
# So many steps are no accident.
_STEPS_LEAST = 2
_PICKS = "indices pick positions that no stride describes"
_STAYS = "the original is to stay as it is, so it is copied before it is written to"
_WRITES = "Where the original may change, {operation}_ writes into it."
_PART = "the gradient of a view is as large as what was viewed: zeros, and the part"
_PARTS = "Where parts side by side are taken of one tensor, {} gives all, and goes back at once."
_ROOM = "room around it needs a larger run"
_NO_ROOM = (
    "it gets no larger, and is copied all the same",
    "Where nothing is added, a slice such as x[..., 1:-1] is a view.",
)
# What always copies, for which reason; and what to do instead.
_ALWAYS: dict[str, tuple[str, ...]] = {
    "cat concat concatenate hstack vstack dstack stack column_stack block_diag": (
        "one run is to hold all its parts",
    ),
    "index _unsafe_index index_select take": (
        _PICKS,
        "Where the positions lie evenly apart, a slice such as x[::2] is a view.",
    ),
    "gather take_along_dim embedding": (_PICKS,),
    "index_put_ _index_put_impl_ index_copy_ scatter_ put_": (
        "what is assigned is copied to the places that the index picks",
    ),
    "index_copy index_fill index_put masked_fill masked_scatter scatter": (_STAYS, _WRITES),
    "select_scatter slice_scatter": (_STAYS,),
    "pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle": (
        "the elements are laid out in another order",
    ),
    "diagonal_backward": (_PART,),
    "select_backward": (_PART, _PARTS.format("unbind")),
    "slice_backward": (_PART, _PARTS.format("split")),
    "pad constant_pad_nd _pad_circular reflection_pad1d reflection_pad2d reflection_pad3d "
    "replication_pad1d replication_pad2d replication_pad3d": (_ROOM,),
    "repeat": (
        "every repetition is written out",
        "expand{result.size} shows the same as a view, where nobody writes to it.",
    ),
    "tile repeat_interleave": ("every repetition is written out",),
    "flip fliplr flipud": ("to go backwards needs a negative stride, and torch has none",),
    "rot90": ("to turn needs a negative stride, and torch has none",),
    "roll": ("what leaves at one end comes in at the other, and no stride goes round",),
    "tril triu": (
        "the other triangle is to hold zeros, so the result has memory of its own",
        _WRITES,
    ),
    "im2col": (
        "all windows are written out, where they overlap, too",
        "Tensor.unfold shows undilated windows as a view: x.unfold(2, k, step).unfold(3, k, step).",
    ),
    "pin_memory _pin_memory": ("pinned memory is other memory",),
}
ALWAYS = {name: told for each, told in _ALWAYS.items() for name in each.split()}
# What gives a view where it can.
MAY_VIEW = frozenset({"flatten", "ravel", "reshape", "reshape_as"})
# How convolutions get the format that they want, once instead of each time: by the argument.
_CONVOLVED = {
    0: "x.to(memory_format=torch.{0}), where x comes in, is one copy for all that reads it, and "
    "for its way back. What a layer in between made is to keep the format.",
    1: "model.to(memory_format=torch.{0}), once, does it for all weights.",
}


@dataclass
class Row:
    """Copies of one cause at one line: `times` of them, which took `seconds` and wrote `bytes`.

    `call` is the operation that the line called, or the node of autograd, if they were made on
    the way back (`backward`); `operation` is what copied in there, below the operations `above`.
    `argument`: it copied that one of those that `call` was given; -1 if none. `place` is
    the user's line, `library` the innermost one; `is_own` says that the user calls there himself.
    `of_gap`: their way forward was not watched, and the place is where it goes back.
    `modules` are the paths of the modules that they were made in. `sources` and `result` are the
    headers of the largest; sizes that differ lie between `smallest` and `largest`, and `has_others`
    says that some have more or fewer dims. `why` is the reason, `instead` what makes no such copy;
    each is empty where it is not certain.
    """

    call: str
    operation: str
    above: tuple[str, ...]
    place: CodeLine
    library: CodeLine
    is_own: bool
    modules: tuple[str, ...]
    backward: bool
    compiled: bool
    of_gap: bool
    argument: int
    sources: tuple[Header, ...]
    result: Header
    bytes: int
    seconds: float
    times: int = 1

    def __post_init__(self) -> None:
        self._cause = _cause_of(self)
        # A gradient is kept as its parameter is, and no convolution is given it; and what a call
        # made in that format by itself nobody has lost.
        is_kept = self.call == "AccumulateGrad" or (bool(self.above) and self.argument < 0)
        self.lost_channels_last = not is_kept and _loses_channels_last(self.sources, self.result)
        self._steps, self.has_others = 0, False
        self.smallest = self.largest = self.result.size
        # What has its cause in the call is one, whichever operations are made of it.
        is_calls = self._cause.kind == (self.call,)
        alike = () if is_calls else (self.operation, self.argument == 1, len(self.largest))
        self.work = (self.call, self._cause.kind, self.lost_channels_last, *alike)
        self.kind = (self.place, self.library, self.work)

    def add(self, other: "Row") -> bool:
        """Count another of the same `kind`; whether it was made in another module."""
        self._steps += _has_grown(self.result.size, other)
        self.has_others |= other.has_others or len(self.largest) != len(other.largest)
        if other.result.nbytes > self.result.nbytes:
            self.sources, self.result, self.operation = other.sources, other.result, other.operation
            self._cause = other._cause
            if len(self.largest) != len(other.largest):
                self.smallest = self.largest = other.largest
        if len(self.largest) == len(other.largest):
            self.smallest = tuple(map(min, self.smallest, other.smallest))
            self.largest = tuple(map(max, self.largest, other.largest))
        modules, self.modules = self.modules, tuple(dict.fromkeys(self.modules + other.modules))
        self.times += other.times
        self.bytes += other.bytes
        self.seconds += other.seconds
        return self.modules != modules

    @property
    def why(self) -> str:
        """The reason, in a clause; empty where it is not certain."""
        return self._cause.why

    @property
    def instead(self) -> str:
        """What makes no such copy, in a sentence; empty where nothing is known."""
        # What a call is made of is not for its caller to change.
        is_inside = self.operation in ALWAYS and self.operation != self.call
        is_inside = is_inside and not self.operation.endswith("_backward")
        if is_inside or not (self.is_own or self._cause.is_anyones):
            return ""
        return _GROWS if self._steps >= _STEPS_LEAST else self._cause.instead

    @property
    def module(self) -> str:
        """The paths of the modules in one: numbers that differ stand as a range."""
        return folded(self.modules)

    @property
    def size(self) -> str:
        """The size of what was made; where sizes differ, from the smallest to the largest."""
        dims = zip(self.smallest, self.largest, strict=True)
        spelled = [str(low) if low == high else f"{low}-{high}" for low, high in dims]
        others = " and others" if self.has_others else ""
        return f"({', '.join(spelled)}{',' * (len(spelled) == 1)}){others}"

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
        if self.operation in MAY_VIEW:
            subject = self.sources[0].subject()
            return draw_view(subject, *self.result.size, title=title, values=False)
        parts: dict[str, Any] = {
            # Of storages of their own: so far apart that none reaches the next.
            "before" if len(self.sources) == 1 else f"part {n}": source.subject((n + 1) << 48)
            for n, source in enumerate(self.sources)
        }
        return draw(parts | {"after": self.result.subject(0)}, title=title, values=False)

    def to_dict(self) -> dict[str, Any]:
        """The row as plain data: text, numbers, lists."""
        same = "call operation backward compiled times bytes seconds size why instead"
        return {name: getattr(self, name) for name in (*same.split(), "lost_channels_last")} | {
            "file": self.place.file,
            "line": self.place.line,
            "last_line": self.place.last,
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

    >>> folded(("encoder.layers.0.attn", "encoder.layers.1.attn")), folded(("1.norm", "0.norm"))
    ('encoder.layers.0-1.attn', '0-1.norm')
    >>> folded(("encoder", "decoder"))
    'encoder, decoder'
    """
    apart = [re.split(r"(?<![^.])(\d+)(?![^.])", path) for path in paths]
    differ = [n for n, parts in enumerate(zip(*apart, strict=False)) if len({*parts}) > 1]
    one_length = len({*map(len, apart)}) == 1
    if one_length and len(differ) == 1 and all(parts[differ[0]].isdigit() for parts in apart):
        (at,) = differ
        before, after = "".join(apart[0][:at]), "".join(apart[0][at + 1 :])
        numbers = sorted(int(parts[at]) for parts in apart)
        if numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{before}{numbers[0]}-{numbers[-1]}{after}"
        if before:
            return f"{before}{', '.join(map(str, numbers))}{after}"
    return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")


# Why.


class _Cause(NamedTuple):
    """A cause: what tells it from others, the reason, and what makes no such copy.

    Some have no texts: it is not certain why. What is `is_anyones` to do is about the user's
    tensors, and holds also where a library calls.
    """

    kind: tuple[Any, ...]
    why: str = ""
    instead: str = ""
    is_anyones: bool = False


def _cause_of(row: Row) -> _Cause:
    """Why a copy was made: the largest of a row, of which there may be one."""
    call, operation, source, result = row.call, row.operation, row.sources[0], row.result
    # Whether the call says by its name what it does.
    is_named = call == operation
    by, inside = ("", "") if is_named else (f" by {call}", f", inside of {call}")
    if call == "CopySlices":
        return _Cause(
            (call,),
            "a part was written in place, so on the way back the whole gradient is copied, and "
            "the part is set apart",
            "Parts that are put together with torch.cat or torch.stack need no write in place.",
        )
    if operation == "clone" and call.endswith("_") and row.above == (call,) and row.argument == 0:
        why = f"{call} overwrites what its way back needs, so autograd keeps a copy of it"
        instead = f"Without in place, {call.removesuffix('_')} makes no such copy."
        return _Cause(("in place",), why, instead, is_anyones=True)
    if operation in ALWAYS:
        return _always(operation, source, result)
    if source.device != result.device:
        kind = "device", source.device, result.device
        instead = f"Made with device={result.device!r}, it need not go."
        return _Cause(kind, f"it goes from {source.device} to {result.device}", instead)
    if source.dtype != result.dtype:
        return _changed(row, inside)
    if operation in MAY_VIEW:
        seam = plan_view(source.layout, result.size)
        if not isinstance(seam, Obstacle):
            # It was copied for another reason, such as an operation that must not give a view.
            return _Cause(("reshape",))
        return _Cause(("seam", seam.left, seam.right), f"{seam.reason}{inside}")
    # What has gaps is a part of what is larger.
    if operation == "copy_" and (is_named or result.storage_nbytes > result.nbytes):
        return _Cause((operation,), "it is written into memory that was there already")
    if source.size != result.size:
        return _Cause(("size",))
    strides = zip(result.size, source.stride, result.stride, strict=True)
    is_kept = all(n == 1 or before == after for n, before, after in strides)
    becomes = f"{source.stride} becomes {result.stride}"
    if call == "AccumulateGrad":
        # What a sparse gradient is made of is no argument.
        why = f"a gradient is kept with the strides of its parameter: {becomes}"
        return _Cause((call,), "" if is_kept or row.argument < 0 else why)
    is_asked = is_named and operation in ("clone", "to")
    if is_asked and result.stride == preserved_stride(*source[:2]):
        return _Cause(("clone",), f"{operation} was asked to copy")
    # Products clone what they cannot read; others clone, and write, whatever the strides are.
    is_product = ("", *row.above)[-1].rstrip("_").endswith("mm")
    is_plain = is_kept and not is_asked
    is_plain |= operation == "clone" and not (is_named or is_product)
    # What is written may be a part, or what is written to, whatever the strides are.
    is_plain |= operation == "copy_" and (result.layout.is_contiguous or not is_dense(*source[:2]))
    if is_plain:
        return _Cause((operation,))
    if wanted := result.channels_last:
        why = f"{wanted} was asked for{by}, and the stride is {source.stride}"
        convolved = _CONVOLVED.get(row.argument, "") if call.startswith("conv") else ""
        return _Cause(("format", wanted), why, convolved.format(wanted), bool(convolved))
    if result.layout.is_contiguous and not source.layout.is_contiguous:
        verdict = contiguity(source.layout).answer.removeprefix("No: ").rstrip(".")
        return _Cause(("contiguous",), f"a contiguous tensor was asked for{by}, and {verdict}")
    return _Cause(("strides",), f"other strides were asked for{by}: {becomes}")


def _always(operation: str, source: Header, result: Header) -> _Cause:
    """Why an operation copies that always does."""
    kind, texts = operation, ALWAYS[operation]
    if texts == (_ROOM,) and not any(map(gt, result.size, source.size)):
        kind, texts = "no room", _NO_ROOM
    why, instead = texts if len(texts) > 1 else (*texts, "")
    # Only dims of size 1 may be expanded.
    is_apart = operation == "repeat" and broadcast_sizes(source.size, result.size) != result.size
    # What is broadcast to a mask cannot be written into.
    is_broadcast = operation.startswith("masked_") and source.size != result.size
    instead = "" if is_apart or is_broadcast else instead
    return _Cause((kind,), why, instead.format(operation=operation, result=result))


def _changed(row: Row, inside: str) -> _Cause:
    """Why a dtype was changed by what a call asks for, or by what it does inside."""
    before, after = row.sources[0].dtype, row.result.dtype
    kind, becomes = ("dtype", before, after), f"{before} becomes {after}"
    if row.call == "copy_":
        return _Cause(kind, f"it is written into memory that was there already; {becomes}")
    # Nothing works in what a mask becomes: it is counted, or added. And what counts, compares
    # or reads an image makes nothing else. Nor is what loses its fractions made without them.
    dtypes = [getattr(torch, before), getattr(torch, after)]
    is_other = before == "bool" or not torch.can_cast(*dtypes)
    is_other |= not inside and not torch.can_cast(*dtypes[::-1])
    # Nor does anything work in floats of 8 bits, nor the call in what it made by itself.
    is_other |= any(each.is_floating_point and each.itemsize < 2 for each in dtypes)
    is_other |= bool(inside) and row.argument < 0
    if is_other or row.backward:
        return _Cause(kind, becomes + inside)
    if inside:
        return _Cause(kind, f"{row.call} works in {after} here, and was given {before}")
    return _Cause(kind, becomes, f"Made with dtype=torch.{after}, it need not change.")


def _has_grown(before: Ints, row: Row) -> bool:
    """Whether parts are put together to one that is larger by a step than it was before."""
    size, first = row.result.size, row.sources[0].size
    # What is empty may be joined to a size of other dims.
    if row.operation not in ("cat", "stack") or len(before) != len(size) or first == (0,):
        return False
    differing = [dim for dim, n in enumerate(before) if n != size[dim]]
    if len(differing) != 1:
        return False
    (dim,) = differing
    # What there was is the first of the parts; or a list of equal ones has one more.
    step = 1 if row.operation == "stack" else first[dim]
    is_longer = size[dim] - before[dim] == step and {each.size for each in row.sources} == {first}
    return before == first or is_longer


def _loses_channels_last(sources: tuple[Header, ...], result: Header) -> bool:
    """Whether a tensor in channels_last went in, and what came out of it is plain.

    It may be one of several that are joined, or have its channels in several dims, as when they
    are shuffled.
    """
    layout, inner = result.layout, result.size[2:]

    def has_channels_innermost(source: Header) -> bool:
        outer = len(source.size) - len(inner)
        channels = prod(source.size[1:outer])
        steps = reversed([*zip(source.size[outer:], source.stride[outer:], strict=True)])
        is_inner = source.size[outer:] == inner and min(channels, prod(inner)) > 1
        return is_inner and is_packed([(channels, 1), *steps])

    # What has one channel is in both formats.
    is_plain = layout.ndim in (4, 5) and layout.is_contiguous and layout.size[1] > 1
    return is_plain and any(map(has_channels_innermost, sources))
