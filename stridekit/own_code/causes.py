"""Why a copy was made, and how one does without it; nothing where neither is certain."""

from typing import TYPE_CHECKING, NamedTuple

from stridekit.explain import contiguity
from stridekit.layouts.layout import contiguous_stride, numel
from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.headers import Header

if TYPE_CHECKING:
    from stridekit.own_code.rows import Row


class Cause(NamedTuple):
    """Why a copy was made, in a clause, and what to do instead, in a sentence; either may be "".

    Copies at one line whose causes are of one `kind` are one row.
    """

    kind: str
    why: str
    instead: str = ""


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


def cause_of(row: "Row") -> Cause:
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


def _converted(row: "Row", source: Header, result: Header) -> Cause:
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


def _restrided(row: "Row", source: Header, result: Header) -> Cause:
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
    if is_kept:
        asked = row.call == row.operation and row.operation in ("clone", "to")
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


def _to_format(row: "Row", wanted: str) -> str:
    """How convolutions get what they want, once instead of each time."""
    if not row.call.startswith("conv"):
        return ""
    if row.is_second:
        return f"model.to({wanted}), once, does it for all weights."
    return f"x.to({wanted}), once, where x comes in, does it for all layers that keep the format."


def _inside(row: "Row") -> str:
    """Which call did it, if not one that says so by its name."""
    return f", inside of {row.call}" if row.call != row.operation else ""


def loses_channels_last(sources: tuple[Header, ...], result: Header) -> bool:
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
