"""The edges: NumPy and torch, zero-copy in and out, and headers read off their tensors.

What crosses is a layout, a storage and a dtype, or a `Subject`; nothing here knows of `Tensor`.
Nothing here imports NumPy or torch by itself: `interop.numpy` and `interop.torch` do, each its
one library.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import Number


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be explained or drawn: a header, facts about its storage, and a way to read it.

    `base` is the layout of the tensor that this one is a view of, or its own. Positions count
    elements from the start of the storage, which holds `storage_length` of them. An empty storage
    has no address; `storage_address` is then a number of its own, which tells whether two tensors
    share it. `read` gives the values at some positions inside the storage, `read_bytes` some of
    its bytes; they copy nothing else, so that their cost follows what is asked, never the size.
    `unwritten` says which of some positions nobody has initialised; only stridekit's own storages
    can tell. `may_grow` says whether resize_ may make the storage longer. `names` are its dims'
    names, empty where nobody named them.
    """

    library: str
    layout: Layout
    dtype: str
    itemsize: int
    storage_length: int
    storage_address: int
    base: Layout
    read: Callable[[Sequence[int]], list[Number]]
    read_bytes: Callable[[Sequence[int]], bytes]
    unwritten: Callable[[Sequence[int]], frozenset[int]] = lambda _: frozenset()
    may_grow: bool = False
    names: tuple[str, ...] = ()
