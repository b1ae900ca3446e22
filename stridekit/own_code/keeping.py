"""Which storages are kept alive by views that show little of them."""

import gc
import sys
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import torch

from stridekit.own_code.headers import Header, header_of, union
from stridekit.own_code.places import Place
from stridekit.own_code.rows import Kept

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


def kept_alive(storages: Mapping[int, Mapping[tuple[Any, ...], Place]]) -> list[Kept]:
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
        found.append(Kept(nbytes, reached, shown, made, _is_alone(key, tensors)))
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
