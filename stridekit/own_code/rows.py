"""Rows: what operations at one line of the user's code did to memory, and what views keep alive."""

import gc
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from stridekit.explain import contiguity
from stridekit.layouts.memory_formats import channels_last, channels_last_3d, follows
from stridekit.layouts.view_rule import Obstacle, plan_view
from stridekit.own_code.code_lines import CodeLine
from stridekit.own_code.headers import Header, header_of, union
from stridekit.own_code.memory_effects import Kind

if TYPE_CHECKING:
    from stridekit.diagrams import Diagram


class CopyFacts(NamedTuple):
    """What is known of a copy: the public call, the operation, what went in and came out."""

    call: str
    operation: str
    sources: tuple[Header, ...]
    result: Header | None
    backward: bool


_FIXED = {
    "cat": "its parts lie apart, and one run is to hold them all",
    "stack": "its parts lie apart, and one run is to hold them all",
    "block_diag": "its parts lie apart, and one run is to hold them all",
    "index": "an index list or a mask picks positions that no stride describes",
    "index_select": "a list of indices picks positions that no stride describes",
    "gather": "indices pick positions that no stride describes",
    "take": "indices pick positions that no stride describes",
    "masked_select": "a mask picks positions that no stride describes",
    "embedding": "a list of indices picks rows that no stride describes",
    "flip": "to go backwards needs a negative stride, and torch has none",
    "roll": "what leaves at one end comes in at the other, and no stride goes round",
    "rot90": "to turn needs a negative stride, and torch has none",
    "repeat": "repeat writes every repetition; expand repeats with stride 0, without a copy",
    "repeat_interleave": "every repetition is written out",
    "index_put_": "what is assigned is copied to the places that the index picks",
    "index_copy_": "what is assigned is copied to the places that the index picks",
    "scatter_": "what is scattered is copied to the places that the index picks",
    "masked_scatter_": "what is assigned is copied to the places that the mask picks",
    "im2col": "windows that overlap are written out; Tensor.unfold shows them as a view",
    "resize_": "the storage was too small, and what was there moved into a larger one",
    "_pin_memory": "pinned memory is other memory",
    "tril": "what the other triangle holds must stay, so the result has memory of its own",
    "triu": "what the other triangle holds must stay, so the result has memory of its own",
}


def why_copied(facts: CopyFacts) -> str:
    """Why a copy was needed, in one clause.

    >>> x = Header((4, 2), (1, 4), 0, "float32", 4, 32, "cpu")
    >>> y = Header((8,), (1,), 0, "float32", 4, 32, "cpu")
    >>> why_copied(CopyFacts("Tensor.reshape", "reshape", (x,), y, False))
    'reshape crosses the seam between dims 0 and 1: stride[0] is 1, and to merge they need \
2 × 4 = 8'
    """
    operation = facts.operation
    if operation in _FIXED:
        return _FIXED[operation]
    if operation in ("_to_copy", "copy_") and len(facts.sources) and facts.result is not None:
        return _converted(facts, facts.sources[0], facts.result)
    if operation == "reshape" and facts.result is not None:
        return _reshaped(facts, facts.sources[0], facts.result)
    if operation == "clone" and facts.result is not None:
        return _cloned(facts, facts.sources[0], facts.result)
    if "pad" in operation:
        return "room around it needs a larger run"
    if "pixel" in operation or "channel_shuffle" in operation:
        return "the elements are laid out in another order"
    if operation in ("select_backward", "slice_backward"):
        return "the gradient of a view is as large as what was viewed: zeros, and the part"
    if operation.endswith(("_scatter", "scatter", "_put", "index_copy")):
        return "the original is to stay as it is, so it is copied before it is written to"
    return f"{operation.removesuffix('_copy').strip('_')} gives memory of its own"


def _reshaped(facts: CopyFacts, source: Header, result: Header) -> str:
    plan = plan_view(source.layout, result.size)
    inside = _inside(facts, ("reshape", "flatten", "reshape_as"))
    if not isinstance(plan, Obstacle):
        # torch decided otherwise, as it does for tensors without elements.
        return f"reshape copied although a view would do{inside}"
    n, step = source.size[plan.right], source.stride[plan.right]
    return (
        f"reshape crosses the seam between dims {plan.left} and {plan.right}{inside}: "
        f"stride[{plan.left}] is {plan.actual}, and to merge they need {n} × {step} = "
        f"{plan.expected}"
    )


def _cloned(facts: CopyFacts, source: Header, result: Header) -> str:
    inside = _inside(facts, ("contiguous", "clone", "to"))
    return (_restrided(source, result) or "clone always copies") + inside


def _restrided(source: Header, result: Header) -> str:
    """Which order of elements was asked for; empty if they kept the one that they had."""
    before, after = source.layout, result.layout
    if before.stride == after.stride:
        return ""
    for wanted in (channels_last, channels_last_3d):
        if follows(after, wanted) and not after.is_contiguous:
            return f"{wanted.name} was asked for, and the stride is {before.stride}"
    if after.is_contiguous and not before.is_contiguous:
        verdict = contiguity(before).answer.removeprefix("No: ").rstrip(".")
        return f"a contiguous tensor was asked for, and {verdict}"
    return f"other strides were asked for: {before.stride} becomes {after.stride}"


def _converted(facts: CopyFacts, source: Header, result: Header) -> str:
    changes = []
    if source.dtype != result.dtype:
        changes.append(f"{source.dtype} becomes {result.dtype}")
    if source.device != result.device:
        changes.append(f"it goes from {source.device} to {result.device}")
    if facts.operation == "copy_":
        if facts.backward:
            return "the gradient is written with the strides of its parameter"
        filled = "it is written into memory that was there already"
        return "; ".join([filled, *changes])
    if facts.call == "torch.tensor":
        changes.append("torch.tensor always copies; torch.as_tensor shares where it can")
    elif not changes:
        changes.append(_restrided(source, result) or "a copy was asked for")
    return "; ".join(changes) + _inside(
        facts, ("to", "float", "half", "bfloat16", "double", "tensor")
    )


def _inside(facts: CopyFacts, own: tuple[str, ...]) -> str:
    """Which call did it, if it is not one that says so by its name."""
    if facts.backward:
        return ", on the way back"
    name = facts.call.rpartition(".")[2]
    if name in own or name == facts.operation or name.startswith("new_"):
        return ""
    return f", inside of {facts.call}"


# The rows.


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
    place: CodeLine
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
            CopyFacts(self.call, self.operation, self.sources, self.result, self.backward)
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
class RetainedStorage:
    """A storage that is kept alive by views which show less than half of it.

    `nbytes` is the storage, `shown` the bytes between the first and the last that a living
    tensor reaches. `alone` says that nothing else holds the storage: copying those views with
    `clone()` would free it. Otherwise autograd or code outside of Python holds it too.
    """

    nbytes: int
    shown: int
    tensors: tuple[Header, ...]
    places: tuple[CodeLine, ...]
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


# Which storages are kept alive by views that show little of them.


# Less than this is no leak that anybody looks for, in bytes.
IDLE_LEAST = 1024
# What refers to a tensor while it is looked at: the list of all objects, a name, a parameter.
_LOOKING = 3


class _Living(NamedTuple):
    """A tensor that lives, without it: its header, whether Python holds it, and who else does."""

    header: Header
    identity: int
    held: bool
    holders: int
    base: int


def kept_alive(storages: Mapping[int, Mapping[tuple[Any, ...], CodeLine]]) -> list[RetainedStorage]:
    """What keeps some storages, given by their addresses, with the places of their views.

    A view holds the tensor that it was made of as its `_base`. Such a base that nothing else
    holds shows nothing to anybody, so it does not count.
    """
    if not storages:
        return []
    with torch._C.DisableTorchFunction():
        living = _living(set(storages))
    found = []
    for key, tensors in living.items():
        shown = tuple(each.header for each in tensors if each.held)
        if not shown:
            continue
        reached, nbytes = union([_span(header) for header in shown]), shown[0].storage_nbytes
        if 2 * reached >= nbytes or nbytes - reached < IDLE_LEAST:
            continue
        places = storages[key]
        made = tuple(dict.fromkeys(places[h[:3]] for h in shown if h[:3] in places))
        found.append(RetainedStorage(nbytes, reached, shown, made, _is_alone(key, tensors)))
    return sorted(found, key=lambda kept: -kept.idle)


def _living(keys: set[int]) -> dict[int, list[_Living]]:
    """The tensors that live on some storages."""
    living: dict[int, list[_Living]] = {}
    for x in gc.get_objects():
        # Objects that pretend to be of another class are not asked.
        if issubclass(type(x), torch.Tensor):
            try:
                storage = x.untyped_storage()
            except (RuntimeError, NotImplementedError):
                continue
            if storage._cdata in keys:
                holders = x._use_count()
                held = not (
                    _counts_holders() and sys.getrefcount(x) == _LOOKING + 1 and holders > 1
                )
                base = id(x._base)
                header = header_of(x, storage)
                mine = living.setdefault(storage._cdata, [])
                mine.append(_Living(header, id(x), held, holders, base))
    return living


def _is_alone(key: int, tensors: list[_Living]) -> bool:
    """Whether nothing but these tensors, as Python sees them, holds a storage."""
    if torch._C._storage_Use_Count(key) > len(tensors) + 1:
        return False
    for each in tensors:
        views = sum(other.base == each.identity for other in tensors)
        if each.holders > 1 + views:
            return False
    return True


@cache
def _counts_holders() -> bool:
    """Whether torch counts itself among those that refer to a tensor, as newer versions do.

    Before, a base that somebody holds looks like one that nobody does, and counts.
    """
    base = torch.zeros(2)
    alone = sys.getrefcount(base)
    view = base[:1]
    return sys.getrefcount(base) > alone and view._base is base


def _span(header: Header) -> tuple[int, int]:
    """The bytes of its storage that a tensor reaches: the first, and the one after the last."""
    reach = header.layout.reach
    if reach is None:
        return 0, 0
    return reach[0] * header.itemsize, (reach[1] + 1) * header.itemsize
