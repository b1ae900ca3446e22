"""Why a copy was made, and how one does without it; nothing where neither is certain."""

from typing import NamedTuple

from stridekit.explain import contiguity
from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.copies import Copy
from stridekit.own_code.headers import Header


class Cause(NamedTuple):
    """Why a copy was made, in a clause, and what to do instead, in a sentence; either may be "".

    Copies at one line whose causes are of one `kind` are one row.
    """

    kind: str
    why: str
    instead: str = ""


_PARTS = "its parts lie apart, and one run is to hold them all"
_POSITIONS = "indices pick positions that no stride describes"
_SLICE = "Where the positions lie evenly apart, a slice such as x[::2] is a view."
_ASSIGNED = "what is assigned is copied to the places that the index picks"
_KEPT = "the original is to stay as it is, so it is copied before it is written to"
_ORDER = "the elements are laid out in another order"
_GRADIENT = "the gradient of a view is as large as what was viewed: zeros, and the part"
_ROOM = "room around it needs a larger run"
_ALWAYS = {
    **dict.fromkeys(("cat", "concat", "concatenate", "hstack", "vstack", "dstack"), (_PARTS, "")),
    **dict.fromkeys(("stack", "column_stack", "block_diag"), (_PARTS, "")),
    **dict.fromkeys(("index", "_unsafe_index", "index_select", "take"), (_POSITIONS, _SLICE)),
    **dict.fromkeys(("gather", "embedding"), (_POSITIONS, "")),
    **dict.fromkeys(("index_put_", "_index_put_impl_", "index_copy_"), (_ASSIGNED, "")),
    **dict.fromkeys(("scatter_", "put_"), (_ASSIGNED, "")),
    **{
        name: (_KEPT, f"Where the original may change, {name}_ writes into it.")
        for name in ("index_copy", "index_put", "scatter")
    },
    **dict.fromkeys(("select_scatter", "slice_scatter"), (_KEPT, "")),
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"), (_ORDER, "")),
    "native_channel_shuffle": (_ORDER, ""),
    "select_backward": (
        _GRADIENT,
        "Where several parts of one tensor are taken, unbind gives all, and goes back at once.",
    ),
    "slice_backward": (
        _GRADIENT,
        "Where several parts of one tensor are taken, split gives all, and goes back at once.",
    ),
    **dict.fromkeys(("constant_pad_nd", "pad"), (_ROOM, "")),
    **{f"{kind}_pad{n}d": (_ROOM, "") for kind in ("reflection", "replication") for n in (1, 2, 3)},
    **dict.fromkeys(("tile", "repeat_interleave"), ("every repetition is written out", "")),
    **dict.fromkeys(
        ("flip", "fliplr", "flipud"),
        ("to go backwards needs a negative stride, and torch has none", ""),
    ),
    "rot90": ("to turn needs a negative stride, and torch has none", ""),
    "roll": ("what leaves at one end comes in at the other, and no stride goes round", ""),
    **{
        name: (
            "the other triangle is to hold zeros, so the result has memory of its own",
            f"Where the original may change, {name}_ writes into it.",
        )
        for name in ("tril", "triu")
    },
    "im2col": (
        "windows that overlap are written out",
        "Tensor.unfold shows windows as a view: x.unfold(2, k, step).unfold(3, k, step).",
    ),
    **dict.fromkeys(("pin_memory", "_pin_memory"), ("pinned memory is other memory", "")),
}


def cause_of(copy: Copy) -> Cause:
    """Why a copy was made."""
    call, operation, source = copy.call, copy.operation, copy.sources[0]
    if copy.backward and call == "CopySlices":
        return Cause(
            call,
            "a part was written in place, so on the way back the whole gradient is copied, and "
            "the part is set apart",
            "Parts that are put together with torch.cat or torch.stack need no write in place.",
        )
    if operation == "clone" and call.endswith("_") and copy.above == (call,):
        return Cause(
            "in place",
            f"{call} overwrites what its way back needs, so autograd keeps a copy of it",
            f"Without in place, {call.removesuffix('_')} makes no such copy.",
        )
    if operation == "repeat":
        return _repeated(copy)
    if operation in _ALWAYS:
        return Cause(operation, *_ALWAYS[operation])
    if source.device != copy.result.device:
        return Cause(
            f"{source.device} to {copy.result.device}",
            f"it goes from {source.device} to {copy.result.device}",
            f"Made with device={copy.result.device!r}, it need not go.",
        )
    if source.dtype != copy.result.dtype:
        return _converted(copy, source, copy.result)
    if operation in ("reshape", "flatten", "reshape_as"):
        return _reshaped(copy, source, copy.result)
    if operation == "copy_" and call == "copy_":
        return Cause("copy_", "it is written into memory that was there already")
    return _restrided(copy, source, copy.result)


def _repeated(copy: Copy) -> Cause:
    """What `repeat` writes out; `expand` shows it, where only dims of size 1 are repeated."""
    size, whole = copy.sources[0].size, copy.result.size
    lead = (1,) * (len(whole) - len(size))
    instead = ""
    if all(old in (1, new) for old, new in zip(lead + size, whole, strict=True)):
        instead = f"expand{whole} shows the same as a view, where nobody writes to it."
    return Cause("repeat", "every repetition is written out", instead)


def _converted(copy: Copy, source: Header, result: Header) -> Cause:
    kind = f"{source.dtype} to {result.dtype}"
    change = f"{source.dtype} becomes {result.dtype}"
    if copy.backward:
        return Cause(kind, f"{change}, on the way back")
    if copy.call == "copy_":
        return Cause(kind, f"it is written into memory that was there already; {change}")
    if copy.above:
        return Cause(
            kind, f"{copy.call} works in {result.dtype} here, and was given {source.dtype}"
        )
    return Cause(kind, change, f"Made with dtype=torch.{result.dtype}, it need not change.")


def _reshaped(copy: Copy, source: Header, result: Header) -> Cause:
    plan = plan_view(source.layout, result.size)
    if not isinstance(plan, Obstacle):
        # It was copied for another reason, such as an operation that must not give a view.
        return Cause("reshape", "")
    n, step = source.size[plan.right], source.stride[plan.right]
    return Cause(
        f"seam between {plan.left} and {plan.right}",
        f"reshape crosses the seam between dims {plan.left} and {plan.right}{_inside(copy)}: "
        f"stride[{plan.left}] is {plan.actual}, and to merge they need {n} × {step} = "
        f"{plan.expected}",
    )


def _restrided(copy: Copy, source: Header, result: Header) -> Cause:
    """Copied with other strides, or with the same."""
    before, after = source.layout, result.layout
    if before.size != after.size:
        return Cause("size", "")
    if copy.call == "AccumulateGrad":
        if before.stride == after.stride:
            return Cause("AccumulateGrad", "")
        return Cause(
            "AccumulateGrad",
            f"a gradient is kept with the strides of its parameter: {before.stride} becomes "
            f"{after.stride}",
        )
    if before.stride == after.stride:
        always = copy.operation in ("clone", "to") and not copy.above and not copy.backward
        return Cause("clone", f"{copy.operation} was asked to copy" if always else "")
    by = _inside(copy).replace(", inside of", " by")
    for wanted in (channels_last, channels_last_3d):
        if follows(after, wanted) and not after.is_contiguous:
            return Cause(
                wanted.name,
                f"{wanted.name} was asked for{by}, and the stride is {before.stride}",
                _to_format(copy, f"memory_format=torch.{wanted.name}"),
            )
    if after.is_contiguous and not before.is_contiguous:
        verdict = contiguity(before).answer.removeprefix("No: ").rstrip(".")
        return Cause("contiguous", f"a contiguous tensor was asked for{by}, and {verdict}")
    return Cause(
        "strides", f"other strides were asked for{by}: {before.stride} becomes {after.stride}"
    )


def _to_format(copy: Copy, wanted: str) -> str:
    """How convolutions get what they want, once instead of each time."""
    if not copy.call.startswith("conv"):
        return ""
    if copy.is_second:
        return f"model.to({wanted}), once, does it for all weights."
    return f"x.to({wanted}), once, where x comes in, does it for all layers that keep the format."


def _inside(copy: Copy) -> str:
    """Which call did it, if not one that says so by its name."""
    if copy.backward:
        return f", inside of {copy.call}"
    return f", inside of {copy.call}" if copy.above else ""


def loses_channels_last(copy: Copy) -> bool:
    """Whether a tensor in channels_last went in, and what came out of it is plain.

    It may be one of several that are joined, or have had its channels in several dims, as when
    they are shuffled.
    """
    source, result = copy.sources[0], copy.result
    if len(result.size) not in (4, 5) or not is_plain(result):
        return False
    inner = len(result.size) - 2
    if any(
        each.is_channels_last and each.size[-inner:] == result.size[-inner:]
        for each in copy.sources
    ):
        return True
    channels, expected = result.size[1], result.size[1]
    if channels == 1 or source.size[-inner:] != result.size[-inner:]:
        return False
    for n, stride in zip(
        reversed(source.size[-inner:]), reversed(source.stride[-inner:]), strict=True
    ):
        if n > 1 and stride != expected:
            return False
        expected *= n
    return expected > channels


def is_plain(header: Header) -> bool:
    """Whether a header of rank 4 or 5 is contiguous, and not in channels_last as well."""
    layout = header.layout
    wanted = channels_last if len(header.size) == 4 else channels_last_3d
    return layout.is_contiguous and not follows(layout, wanted)
