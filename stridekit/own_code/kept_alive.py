"""Large storages that small views keep alive."""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from stridekit.layouts.layout import Ints
from stridekit.own_code.code_lines import CodeLine
from stridekit.own_code.copies import CallSite
from stridekit.own_code.headers import Header, header_of, union

if TYPE_CHECKING:
    from stridekit.diagrams import Diagram


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
            "tensors": [header.to_dict() for header in self.tensors],
            "places": [{"file": place.file, "line": place.line} for place in self.places],
        }


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


class ViewedStorages:
    """Storages that live, of which views were made, without holding them."""

    def __init__(self, viewed: Mapping[tuple[int, Ints], CallSite]) -> None:
        """`viewed` says where a view was made, by its storage's address and its size."""
        addresses = {address for address, _ in viewed}
        self._refs: dict[int, StorageWeakRef] = {}
        self._places: dict[int, dict[Ints, CodeLine]] = {}
        for storage, size in _tensors() if addresses else ():
            key, address = storage._cdata, storage.data_ptr()
            if address in addresses:
                self._refs.setdefault(key, StorageWeakRef(storage))
                if (address, size) in viewed:
                    self._places.setdefault(key, {})[size] = viewed[address, size].place

    def kept(self) -> list[RetainedStorage]:
        """Those of which all tensors that live now show less than half.

        A view holds the tensor that it was made of as its `_base`. Such a base that nothing
        else holds shows nothing to anybody, so it does not count.
        """
        keys = {key for key, ref in self._refs.items() if not ref.expired()}
        with torch._C.DisableTorchFunction():
            living = _living(keys) if keys else {}
        found = []
        for key, tensors in living.items():
            shown = tuple(each.header for each in tensors if each.held)
            if not shown:
                continue
            reached, nbytes = union([_span(header) for header in shown]), shown[0].storage_nbytes
            if 2 * reached >= nbytes or nbytes - reached < IDLE_LEAST:
                continue
            places = self._places.get(key, {})
            made = tuple(dict.fromkeys(places[h.size] for h in shown if h.size in places))
            found.append(RetainedStorage(nbytes, reached, shown, made, _is_alone(key, tensors)))
        return sorted(found, key=lambda kept: -kept.idle)


def _tensors() -> Iterator[tuple[Any, Ints]]:
    """The storages of all tensors that live and have memory, each with its tensor's size."""
    for x in gc.get_objects():
        # Objects that pretend to be of another class are not asked.
        if issubclass(type(x), torch.Tensor):
            with suppress(Exception):
                storage = torch.Tensor.untyped_storage(x)
                storage.data_ptr()
                yield storage, tuple(torch.Tensor.size(x))


def _living(keys: set[int]) -> dict[int, list[_Living]]:
    """The tensors that live on some storages."""
    living: dict[int, list[_Living]] = {}
    for x in gc.get_objects():
        if issubclass(type(x), torch.Tensor):
            try:
                storage = torch.Tensor.untyped_storage(x)
            except (RuntimeError, NotImplementedError):
                continue
            if storage._cdata in keys:
                holders = x._use_count()
                held = not (
                    _counts_holders() and sys.getrefcount(x) == _LOOKING + 1 and holders > 1
                )
                header = header_of(x, storage)
                mine = living.setdefault(storage._cdata, [])
                mine.append(_Living(header, id(x), held, holders, id(x._base)))
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
