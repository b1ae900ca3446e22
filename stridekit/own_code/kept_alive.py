"""Large storages that small views keep alive."""

import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import torch

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints
from stridekit.own_code.headers import Header
from stridekit.own_code.places import CodeLine, living

# Less than this is not a leak that anybody looks for, in bytes.
IDLE_LEAST = 1024
# Whatever a class of the user's says.
_base_of = vars(torch._C.TensorBase)["_base"].__get__


@dataclass(frozen=True, slots=True)
class RetainedStorage:
    """A storage that is kept alive by views which show less than half of it.

    `nbytes` is the storage, `shown` the most that living tensors show of it: the bytes between
    the first and the last that one reaches, or their elements, which may be fewer. `alone` says
    that nothing else holds the storage: copying those views with `clone()` would free it.
    Otherwise others may hold it too: autograd, NumPy, another process.
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

    def diagram(self) -> Diagram:
        """The views over the storage that they keep."""
        return draw({f"view {n}": h.subject() for n, h in enumerate(self.tensors)}, values=False)


# A tensor that lives, without it: its header, and whether somebody holds it, and others than views.
_Living = tuple[Header, bool, bool]


def kept_alive(viewed: Mapping[tuple[int, Ints], CodeLine]) -> list[RetainedStorage]:
    """The storages of which all tensors that live now show less than half, the largest first.

    Those are looked at of which views were made: `viewed` says where, by a storage's address and
    the size of the view.

    A view holds the tensor that it was made of as its `_base`. Such a base that nothing else
    holds shows nothing to anybody, so it does not count.
    """
    addresses = {address for address, _ in viewed}
    found: dict[tuple[int, int, bool], list[_Living]] = defaultdict(list)
    with torch._C.DisableTorchFunction():
        alive = {id(x): x for x in (living(torch.Tensor) if addresses else ())}
        # What C++ made a view of is not an object of Python's until it is asked for.
        bases = map(_base_of, alive.values())
        alive |= {id(base): base for base in bases if base is not None}
        views = Counter(id(_base_of(x)) for x in alive.values())
        # There refer to each torch, the dict of all, a parameter; and no name, for since Python
        # 3.14 a parameter may borrow what a name refers to, and is not counted.
        referring = {at: sys.getrefcount(alive[at]) for at in alive}
        for x in alive.values():
            # Those without memory say so by an error.
            with suppress(Exception):
                storage = torch.Tensor.untyped_storage(x)
                if storage.data_ptr() in addresses:
                    holders = x._use_count()
                    is_held = not (_counts_holders() and referring[id(x)] == 3 and holders > 1)
                    each = _header_of(x, storage), is_held, holders > 1 + views[id(x)]
                    found[storage._cdata, storage.data_ptr(), not storage.resizable()].append(each)
        # What is not torch's to resize is lent by somebody.
        kept = [
            _retained(tensors, torch._C._storage_Use_Count(storage) + lent, address, viewed)
            for (storage, address, lent), tensors in found.items()
        ]
    return sorted((each for each in kept if each), key=lambda each: -each.idle)


def _header_of(x: Any, storage: Any) -> Header:
    """A tensor's header. torch's methods are asked, whatever a subclass makes of them."""
    kind = torch.Tensor
    size, stride, offset = tuple(kind.size(x)), kind.stride(x), int(kind.storage_offset(x))
    dtype, device = str(x.dtype)[6:], str(x.device)
    return Header(size, stride, offset, dtype, kind.element_size(x), storage.nbytes(), device)


def _retained(
    tensors: list[_Living], holders: int, address: int, viewed: Mapping[tuple[int, Ints], CodeLine]
) -> RetainedStorage | None:
    shown = tuple(header for header, is_held, _ in tensors if is_held)
    if not shown:
        return None
    reached, end, nbytes = 0, 0, shown[0].storage_nbytes
    for first, last in sorted(header.span for header in shown):
        reached += max(0, last - max(first, end))
        end = max(end, last)
    # x[:, -1] reaches far, and shows few of the elements between; its detach() shows the same.
    reached = min(reached, sum(header.nbytes for header in {*shown}))
    if 2 * reached >= nbytes or nbytes - reached < IDLE_LEAST:
        return None
    made = (viewed.get((address, header.size)) for header in shown)
    # Each tensor holds it, and so does what Python has of it.
    alone = holders <= len(tensors) + 1 and not any(by_others for *_, by_others in tensors)
    return RetainedStorage(nbytes, reached, shown, tuple({p: 0 for p in made if p}), alone)


@cache
def _counts_holders() -> bool:
    """Whether torch counts itself among those that refer to a tensor, as newer versions do.

    Before, a base that somebody holds looks like one that nobody does, and counts.
    """
    base = torch.zeros(2)
    alone = sys.getrefcount(base)
    view = base[:1]
    return sys.getrefcount(base) > alone and view._base is base
