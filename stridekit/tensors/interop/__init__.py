"""The edges: NumPy, torch and others, zero-copy in and out, and headers read off their tensors.

What crosses is a layout, a storage and a dtype, or a `Subject`; nothing here knows of `Tensor`.
Nothing here imports NumPy or torch by itself: the modules that are named after them do, each its
one library.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, NamedTuple

from stridekit.layouts.layout import Ints, Layout, is_packed
from stridekit.tensors.dtypes import Number
from stridekit.tensors.interop.measures import Measured

# What memory holds, as it is shown: a number, or words where no number says it.
Value = Number | str
# Reads memory: as many bytes as are asked for, from each of some places on.
BytesAt = Callable[[Sequence[int], int], bytes]


def near(memory: Callable[[], memoryview]) -> BytesAt:
    """What reads memory on this machine.

    The memory is asked for each time and then let go of, so that its owner may free it.
    """

    def bytes_at(places: Sequence[int], width: int) -> bytes:
        first = places[0] if places else 0
        run = range(first, first + len(places) * width, width)
        with memory() as held:
            if places == run or places == [*run]:
                # One piece of memory, which may be a large one.
                return bytes(held[first : run.stop])
            return b"".join([held[place : place + width] for place in places])

    return bytes_at


def memory_at(address: int, nbytes: int) -> memoryview:
    """The bytes at an address, which somebody else keeps alive; none at 0, where no memory is."""
    import ctypes

    there = address and nbytes
    return memoryview((ctypes.c_ubyte * nbytes).from_address(address) if there else b"")


def far(fetch: Callable[[Sequence[int]], bytes]) -> BytesAt:
    """What reads memory on another device: `fetch` brings the bytes at some places, each once."""
    known: dict[int, int] = {}

    def bytes_at(places: Sequence[int], width: int) -> bytes:
        wanted = [place + i for place in places for i in range(width)]
        if missing := sorted({*wanted} - known.keys()):
            known.update(zip(missing, fetch(missing), strict=True))
        return bytes(known[place] for place in wanted)

    return bytes_at


# The most ends of rows that are read, for colours: as many as a picture shows whole.
ENDS_MOST = 256


class Rows(NamedTuple):
    """To which row of a whole each element of a part belongs.

    `what` names what a row is. Each index of `dim` is a row of its own; or, with `ends`, row i
    begins at `ends[i]` and ends before `ends[i + 1]`. `batch` is the size of a batch, whose members
    have as many ends each, one after another. What lies behind row `last` counts as part of it, and
    what lies before the first row as part of that. With `flat` the indices are positions in the
    part's storage.

    >>> [Rows("row", ends=(0, 2, 2, 5)).row_of((k,)) for k in range(5)]
    [0, 0, 2, 2, 2]
    """

    what: str
    dim: int = 0
    ends: Ints = ()
    batch: Ints = ()
    last: int | None = None
    flat: bool = False

    def row_of(self, index: Ints) -> int:
        """The row of an element."""
        row = index[self.dim]
        if self.ends:
            each = len(self.ends) // prod(self.batch)
            begins = Layout.of(self.batch).position(index[: len(self.batch)]) * each
            row = bisect_right(self.ends, row, begins, begins + each) - 1 - begins
        return max(row if self.last is None else min(row, self.last), 0)


@dataclass(frozen=True, slots=True)
class Subject:
    """What can be explained or drawn: a header, facts about its storage, and a way to read it.

    `base` is the layout of the tensor that this one is a view of, or its own. Positions count
    elements from the start of the storage, which holds `storage_length` of them; one position is
    `itemsize` bytes long. Where elements lie at no multiple of their size, positions count bytes:
    `in_bytes` is set and `itemsize` is 1 then, and an element takes `span` positions.

    An empty storage has no address, nor has one without memory: `storage_address` is then a number
    of its own, which still tells whether two tensors share it. On another device a number is added
    for the device, so that addresses of two devices never meet. `storage_id` tells a storage also
    where it has grown, and lies elsewhere.

    `bytes_at` reads the storage, and `decode` makes values of elements' bytes. Nothing else is
    copied, so that the cost follows what is asked, never the size. Without memory there is nothing
    to read: then `readable` is False. `says` turns what memory holds at some positions into what
    the tensor says there, where that differs.

    `unwritten` says which of some positions nobody has initialised; only stridekit's own storages
    can tell. `may_grow` says whether resize_ may make the storage longer. `facts` stand in the
    header, `notes` below the picture. `names` are its dims' names, empty where nobody named them.
    `rows` say to which row of a whole its elements belong, where it is a part of one. `blocks`
    measures all of its elements, where its library can.
    """

    library: str
    layout: Layout
    dtype: str
    itemsize: int
    storage_length: int
    storage_address: int
    base: Layout
    bytes_at: BytesAt
    decode: Callable[[bytes], Sequence[Value]]
    storage_id: int = 0
    unwritten: Callable[[Sequence[int]], frozenset[int]] = lambda _: frozenset()
    may_grow: bool = False
    names: tuple[str, ...] = ()
    span: int = 1
    in_bytes: bool = False
    device: str = "cpu"
    readable: bool = True
    says: Callable[[Sequence[int], Sequence[Value]], list[Value]] | None = None
    facts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rows: Rows | None = None
    blocks: Callable[[], list[list[Measured]]] | None = None

    @property
    def element_size(self) -> int:
        """The size of one element, in bytes."""
        return self.itemsize * self.span

    def read(self, positions: Sequence[int]) -> Sequence[Value]:
        """The values that memory holds at some positions inside the storage."""
        return self.decode(self.bytes_at([p * self.itemsize for p in positions], self.element_size))

    @property
    def is_contiguous(self) -> bool:
        """Whether reading order visits neighbouring elements, one after another."""
        layout = self.layout
        return not layout.numel or is_packed(reversed(layout.dims), self.span)


class Part(NamedTuple):
    """A tensor that a whole is stored in, beside others.

    `name` is what to write after the whole's name for it, such as `.values()` or `["field"]`, or
    words after a colon where that would be a private call; `rows` say to which row of the whole its
    elements belong.
    """

    name: str
    tensor: Any
    rows: Rows | None = None


class Composite(NamedTuple):
    """What is stored in several tensors, and what has to be told of how they belong together.

    `whole` is the one header that it has beside, as records and masked arrays do.
    """

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    whole: Subject | None = None


def rows_in_words(row: str, ends: str, places: str, across: str) -> str:
    """How the values of a compressed sparse tensor are found, in a sentence."""
    return (
        f"{row} i has the values from number {ends}[i] to before number {ends}[i + 1], and "
        f"{places} says the {across} of each."
    )


def each_element(width: int, tell: Callable[[bytes], Value]) -> Callable[[bytes], list[Value]]:
    """A decoder that tells elements, each `width` bytes long, one by one.

    >>> each_element(2, hexadecimal)(bytes([1, 255, 0, 16]))
    ['01 ff', '00 10']
    """
    return lambda raw: [tell(raw[at : at + width]) for at in range(0, len(raw), width)]


def hexadecimal(raw: bytes) -> str:
    """Bytes as they lie in memory, the first one first."""
    return raw.hex(" ")
