"""Warps: which pieces of memory the threads of a GPU touch when they read a tensor together.

A GPU runs its threads in warps, of 32 on NVIDIA's. In one *request* each thread of a warp asks for
one element. Memory answers in *sectors* of 32 bytes, four of which are a *line*: each sector in
which a wanted byte lies comes once, and whole. So what a request costs is arithmetic on strides.
The rule is that of devices of compute capability 6.0 or higher: accesses of a warp coalesce into
as many transactions of 32 bytes as are necessary to serve all its threads (CUDA C++ Best Practices
Guide, Coalesced Access to Global Memory).

These are counts, and no times: caches, and how many requests are on their way at once, stand in no
header.
"""

from collections import Counter
from math import gcd
from typing import NamedTuple, SupportsIndex

from stridekit.errors import ArgumentError
from stridekit.layouts.dims import permute
from stridekit.layouts.layout import Layout, wrap_dim
from stridekit.layouts.whole_numbers import as_int, as_ints

SECTOR, LINE = 32, 128
WARP, WARP_MOST = 32, 64
# What a thread can read at once, in bytes.
WORDS = (1, 2, 4, 8, 16)
Dims = tuple[tuple[int, int], ...]
"""Sizes with their strides, the outermost dim first."""


class SectorCount(NamedTuple):
    """What the warps that read a tensor touch, over all their requests.

    `by_request` says how many requests touch so many sectors. `wanted` are the bytes that are
    asked for, each once in a request, so there are never more than `fetched`. `lines` counts the
    lines of each request.
    """

    by_request: dict[int, int]
    wanted: int
    lines: int

    @property
    def requests(self) -> int:
        """How many requests there are."""
        return sum(self.by_request.values())

    @property
    def sectors(self) -> int:
        """How many sectors come, over all requests."""
        return sum(sectors * requests for sectors, requests in self.by_request.items())

    @property
    def fetched(self) -> int:
        """The bytes of those sectors."""
        return SECTOR * self.sectors


def warp_sectors(
    size: tuple[SupportsIndex, ...],
    stride: tuple[SupportsIndex, ...],
    itemsize: SupportsIndex,
    storage_offset: SupportsIndex = 0,
    *,
    along: SupportsIndex = -1,
    threads: SupportsIndex = WARP,
) -> SectorCount:
    """How many sectors and lines the requests touch in which warps read each element once.

    Neighbouring threads read neighbouring elements of the dim `along`; where it ends, the others
    go on, the last one fastest. The storage begins at a line, as what a GPU allocates does.
    Law: `wanted <= fetched`, and a request touches no more sectors than it has threads. Each
    request is counted, and the cost follows the smallest part of the size that fills whole warps.
    Raises ArgumentError, LayoutError, SizeError or DimError.

    >>> warp_sectors((64, 64), (64, 1), 4)
    SectorCount(by_request={4: 128}, wanted=16384, lines=128)
    >>> warp_sectors((64, 64), (64, 1), 4, along=0)
    SectorCount(by_request={32: 128}, wanted=16384, lines=4096)
    """
    call = "warp_sectors"
    layout = Layout.of(
        as_ints(call, "a size", size),
        as_ints(call, "a stride", stride),
        as_int(call, "storage_offset", storage_offset),
    )
    unit, count = word_of(call, itemsize), warp_of(call, threads)
    layout = in_thread_order(call, layout, along)
    by_request: Counter[int] = Counter()
    wanted = lines = 0
    if layout.numel:
        dims = tuple(zip(layout.size, layout.stride, strict=True))
        for outer, block in _blocks(dims, layout.storage_offset, count):
            positions = [*block.positions()]
            requests = [
                {*positions[first : first + count]} for first in range(0, len(positions), count)
            ]
            for start, times in _starts(outer, unit).items():
                for reached in requests:
                    wanted += times * unit * len(reached)
                    places = {(start + unit * position) // SECTOR for position in reached}
                    by_request[len(places)] += times
                    lines += times * len({place * SECTOR // LINE for place in places})
    return SectorCount(dict(sorted(by_request.items())), wanted, lines)


def in_thread_order(call: str, layout: Layout, along: SupportsIndex) -> Layout:
    """The layout whose reading order is that of the threads: the dim `along` comes last.

    >>> in_thread_order("draw_warp", Layout.of((2, 3, 4)), 0).size
    (3, 4, 2)
    """
    fastest = wrap_dim(call, along, layout.ndim)
    others = [dim for dim in range(layout.ndim) if dim != fastest]
    return permute(layout, [*others, fastest]) if layout.ndim else layout


def word_of(call: str, itemsize: SupportsIndex) -> int:
    """The bytes that a thread reads at once. Raises ArgumentError."""
    unit = as_int(call, "itemsize", itemsize)
    if unit not in WORDS:
        raise ArgumentError(
            f"{call}: a thread reads 1, 2, 4, 8 or 16 bytes at once, and itemsize is {unit}. Count "
            "the parts of such an element one by one."
        )
    return unit


def warp_of(call: str, threads: SupportsIndex) -> int:
    """How many threads a warp has. Raises ArgumentError."""
    count = as_int(call, "threads", threads)
    if not 1 <= count <= WARP_MOST:
        raise ArgumentError(
            f"{call}: a warp of {count} threads is none. NVIDIA's have {WARP}; give 1 to "
            f"{WARP_MOST}."
        )
    return count


def _blocks(dims: Dims, storage_offset: int, threads: int) -> list[tuple[Dims, Layout]]:
    """The dims in two parts: outer ones, each step of which begins a new request, and the rest.

    The rest is as small as it can be. What of the outermost dim fills no whole warps any more is
    a block of its own.
    """
    inner: Dims = ()
    filled = 1
    while dims:
        *outer, (n, step) = dims
        whole = threads // gcd(filled, threads)
        if n >= whole and (n % whole == 0 or not outer):
            times, rest = divmod(n, whole)
            parts: list[tuple[Dims, int, int]] = [
                ((*outer, (times, whole * step)), whole, storage_offset)
            ]
            if rest:
                parts.append(((), rest, storage_offset + times * whole * step))
            return [
                (ahead, _layout(((length, step), *inner), first)) for ahead, length, first in parts
            ]
        dims, inner = tuple(outer), ((n, step), *inner)
        filled *= n
    return [((), _layout(inner, storage_offset))]


def _layout(dims: Dims, storage_offset: int) -> Layout:
    return Layout(tuple(n for n, _ in dims), tuple(step for _, step in dims), storage_offset)


def _starts(dims: Dims, itemsize: int) -> dict[int, int]:
    """Where in a line the indices of some dims begin, in bytes, and how many begin there."""
    found = {0: 1}
    for n, step in dims:
        hop = step * itemsize % LINE
        again = LINE // gcd(hop, LINE)
        grown: Counter[int] = Counter()
        for i in range(min(n, again)):
            times = len(range(i, n, again))
            for start, count in found.items():
                grown[(start + i * hop) % LINE] += count * times
        found = dict(grown)
    return found
