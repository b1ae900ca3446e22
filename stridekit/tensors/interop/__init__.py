"""The edges: NumPy, torch and others, zero-copy in and out, and headers read off their tensors.

What crosses is a layout, a storage and a dtype, or a `Subject`; nothing here knows of `Tensor`.
Nothing here imports NumPy or torch by itself: the modules that are named after them do, each its
one library.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import Number

# What memory holds, as it is shown: a number, or words where no number says it.
Value = Number | str


class Distant:
    """Memory on another device, and the bytes of it that have been fetched, by their places.

    `gather` collects the bytes at some places, and leaves them on the device; `bring` carries what
    was gathered over, of one storage or of several, in one transfer.
    """

    def __init__(
        self,
        device: str,
        gather: Callable[[Sequence[int]], Any],
        bring: Callable[[Sequence[Any]], list[bytes]],
    ) -> None:
        self.device, self.gather, self.bring = device, gather, bring
        self.known: dict[int, int] = {}

    def read_bytes(self, places: Sequence[int]) -> bytes:
        """The bytes at some places. What is not known yet is fetched now."""
        fetch([(self, places)])
        return bytes(self.known[place] for place in places)


def fetch(wanted: Iterable[tuple[Distant, Iterable[int]]]) -> None:
    """Have some bytes of some memories known, in one transfer from each device."""
    by_device: dict[str, list[tuple[Distant, list[int]]]] = {}
    for memory, places in wanted:
        if missing := sorted({*places} - memory.known.keys()):
            by_device.setdefault(memory.device, []).append((memory, missing))
    for parts in by_device.values():
        gathered = [memory.gather(missing) for memory, missing in parts]
        for (memory, missing), found in zip(parts, parts[0][0].bring(gathered), strict=True):
            memory.known.update(zip(missing, found, strict=True))


class Rows(NamedTuple):
    """Which row of a whole the elements of a part belong to: `row_of` says it of each index.

    `what` is what a row is. With `flat` the indices are positions in the part's storage.
    """

    what: str
    row_of: Callable[[Ints], int]
    flat: bool = False


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be explained or drawn: a header, facts about its storage, and a way to read it.

    `base` is the layout of the tensor that this one is a view of, or its own. Positions count
    elements from the start of the storage, which holds `storage_length` of them; one position is
    `itemsize` bytes long. Where elements lie at no multiple of their size, positions count bytes:
    `in_bytes` is set and `itemsize` is 1 then, and an element takes `span` positions.

    An empty storage has no address; `storage_address` is then a number of its own, which tells
    whether two tensors share it. So it is without memory; and on another device a number is added
    for the device, so that addresses of two devices never meet.

    `read` gives the values at some positions inside the storage, `read_bytes` some of its bytes;
    they copy nothing else, so that their cost follows what is asked, never the size; a range of
    bytes is read in one piece. Without memory there is nothing to read: then `readable` is False.
    `says` turns what memory holds at some positions into what the tensor says there, where that
    differs. Where memory lies on another device, `distant` is what both read: each call fetches
    what is not known yet, in one transfer.

    `unwritten` says which of some positions nobody has initialised; only stridekit's own storages
    can tell. `may_grow` says whether resize_ may make the storage longer. `facts` stand in the
    header, `notes` below the picture. `names` are its dims' names, empty where nobody named them.
    `rows` say to which row of a whole its elements belong, where it is a part of one.
    """

    library: str
    layout: Layout
    dtype: str
    itemsize: int
    storage_length: int
    storage_address: int
    base: Layout
    read: Callable[[Sequence[int]], Sequence[Value]]
    read_bytes: Callable[[Sequence[int]], bytes]
    unwritten: Callable[[Sequence[int]], frozenset[int]] = lambda _: frozenset()
    may_grow: bool = False
    names: tuple[str, ...] = ()
    span: int = 1
    in_bytes: bool = False
    device: str = "cpu"
    readable: bool = True
    says: Callable[[Sequence[int], Sequence[Value]], list[Value]] | None = None
    distant: Distant | None = None
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rows: Rows | None = None

    @property
    def element_size(self) -> int:
        """The size of one element, in bytes."""
        return self.itemsize * self.span

    @property
    def is_contiguous(self) -> bool:
        """Whether reading order visits neighbouring elements, one after another."""
        layout = self.layout
        if self.span == 1:
            return layout.is_contiguous
        # Nothing steps along a dim of size 1, whatever its stride.
        pairs = zip(layout.size, layout.stride, strict=True)
        moving = [(n, step) for n, step in pairs if n != 1]
        if layout.numel and any(step % self.span for _, step in moving):
            return False
        return Layout(
            tuple(n for n, _ in moving), tuple(step // self.span for _, step in moving)
        ).is_contiguous


class Part(NamedTuple):
    """A tensor that a whole is stored in, beside others.

    `name` is what to write after the whole's name for it, such as `.values()` or `["field"]`;
    `rows` say to which row of the whole its elements belong.
    """

    name: str
    tensor: Any
    rows: Rows | None = None


class Composite(NamedTuple):
    """What is stored in several tensors, and what has to be told of how they belong together."""

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


def hexadecimal(raw: bytes) -> str:
    """Bytes as they lie in memory, the first one first.

    >>> hexadecimal(bytes([1, 255]))
    '01 ff'
    """
    return raw.hex(" ")
