"""Large storages that small views keep alive."""

import gc
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import torch
from torch.multiprocessing.reductions import StorageWeakRef

from stridekit.diagrams import Diagram, draw
from stridekit.layouts.layout import Ints
from stridekit.own_code.headers import Header, header_of
from stridekit.own_code.places import CodeLine, living

# Less than this is no leak that anybody looks for, in bytes.
IDLE_LEAST = 1024


@dataclass(frozen=True, slots=True)
class RetainedStorage:
    """A storage that is kept alive by views which show less than half of it.

    `nbytes` is the storage, `shown` the most that living tensors show of it: the bytes between
    the first and the last that one reaches, or their elements, which may be fewer. `alone` says
    that nothing else holds the storage: copying those views with `clone()` would free it.
    Otherwise autograd or code outside of Python holds it too.
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


def times_aged() -> int:
    """How often Python has put what is new among what is old, when it looked for garbage there."""
    return sum(each["collections"] for each in gc.get_stats()[1:])


def made_since(aged: int) -> list[Any] | None:
    """The tensors that were made since `times_aged` gave that, and live.

    None where what is new has aged since. Then all objects have to be looked through, which takes
    50 ms; and from 3.14 on, where Python lets them age bit by bit.
    """
    is_apart = sys.version_info < (3, 14) and times_aged() == aged
    return living(torch.Tensor, (0, 1)) if is_apart else None


class ViewedStorages:
    """Storages that live, of which views were made, without holding them."""

    def __init__(
        self, viewed: Mapping[tuple[int, Ints], CodeLine], made: Iterable[Any] | None = ()
    ) -> None:
        """`viewed` says where a view was made, by its storage's address and its size.

        The views are among the tensors that were `made`; among all, where these are not known.
        """
        self._viewed, addresses = dict(viewed), {address for address, _ in viewed}
        self._refs: dict[int, StorageWeakRef] = {}
        for _, storage in _with_memory(made) if addresses else ():
            if storage.data_ptr() in addresses:
                self._refs.setdefault(storage._cdata, StorageWeakRef(storage))

    def kept(self) -> list[RetainedStorage]:
        """Those of which all tensors that live now show less than half."""
        keys = {key for key, ref in self._refs.items() if not ref.expired()}
        with torch._C.DisableTorchFunction():
            found = map(self._retained, _living(keys).items() if keys else ())
            return sorted((each for each in found if each), key=lambda kept: -kept.idle)

    def _retained(self, living: tuple[int, list["_Living"]]) -> RetainedStorage | None:
        key, tensors = living
        shown = tuple(each.header for each in tensors if each.is_held)
        if not shown:
            return None
        reached, end, nbytes = 0, 0, shown[0].storage_nbytes
        for first, last in sorted(header.span for header in shown):
            reached += max(0, last - max(first, end))
            end = max(end, last)
        # x[:, -1] reaches far, and shows few of the elements between.
        reached = min(reached, sum(header.nbytes for header in shown))
        if 2 * reached >= nbytes or nbytes - reached < IDLE_LEAST:
            return None
        made = (self._viewed.get((tensors[0].address, header.size)) for header in shown)
        places = tuple(dict.fromkeys(place for place in made if place))
        # Each tensor holds it, and so does our weak reference.
        alone = torch._C._storage_Use_Count(key) <= len(tensors) + 1 and all(
            each.holders <= 1 + sum(other.base == each.identity for other in tensors)
            for each in tensors
        )
        return RetainedStorage(nbytes, reached, shown, places, alone)


class _Living(NamedTuple):
    """A tensor that lives, without it: its header, and who holds it."""

    header: Header
    address: int
    identity: int
    base: int
    holders: int
    is_held: bool


def _living(keys: set[int]) -> dict[int, list[_Living]]:
    """The tensors that live on some storages.

    A view holds the tensor that it was made of as its `_base`. Such a base that nothing else
    holds shows nothing to anybody, so it does not count.
    """
    found: dict[int, list[_Living]] = {}
    counts_holders, number = _counts_holders(), sys.getrefcount
    for x, storage in _with_memory():
        if storage._cdata in keys:
            holders = x._use_count()
            # There refer to it torch, the list of all objects, a name there and here, a parameter.
            is_held = not (counts_holders and number(x) == 5 and holders > 1)
            header = header_of(x, storage, torch.Tensor)
            address, base = storage.data_ptr(), id(x._base)
            found.setdefault(storage._cdata, []).append(
                _Living(header, address, id(x), base, holders, is_held)
            )
    return found


def _with_memory(tensors: Iterable[Any] | None = None) -> Iterator[tuple[Any, Any]]:
    """Those tensors that have memory, of some or of all that live; each with its storage."""
    for x in living(torch.Tensor) if tensors is None else tensors:
        with suppress(Exception):
            storage = torch.Tensor.untyped_storage(x)
            storage.data_ptr()
            yield x, storage


@cache
def _counts_holders() -> bool:
    """Whether torch counts itself among those that refer to a tensor, as newer versions do.

    Before, a base that somebody holds looks like one that nobody does, and counts.
    """
    base = torch.zeros(2)
    alone = sys.getrefcount(base)
    view = base[:1]
    return sys.getrefcount(base) > alone and view._base is base
