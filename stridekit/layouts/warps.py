"""Warps: which pieces of memory the threads of a GPU touch when they read a tensor together.

A GPU runs its threads in warps, of 32 on NVIDIA's. In one *request* each thread of a warp asks for
one element. Memory answers in *sectors* of 32 bytes, four of which are a *line*: each sector in
which a wanted byte lies comes once, and whole. So what a request costs is arithmetic on strides.
The rule is that of compute capability 6.0 and higher: the accesses of a warp coalesce into as many
transactions of 32 bytes as are necessary to serve its threads (CUDA C++ Best Practices Guide,
Coalesced Access to Global Memory).

These are counts, not times: caches, and how many requests are under way, stand in no header.
"""

from functools import lru_cache
from math import gcd
from typing import NamedTuple, SupportsIndex

from stridekit.errors import ArgumentError
from stridekit.layouts.dims import permute, select
from stridekit.layouts.layout import Layout, wrap_dim
from stridekit.layouts.whole_numbers import as_int, as_ints

SECTOR, LINE, WARP = 32, 128, 32
# What a thread can read at once, in bytes.
WORDS = (1, 2, 4, 8, 16)


class SectorCount(NamedTuple):
    """What some requests touch: the sectors and the lines of each, added up.

    `wanted` are the bytes that are asked for, each once in a request: never more than `fetched`.
    """

    requests: int = 0
    wanted: int = 0
    sectors: int = 0
    lines: int = 0

    @property
    def fetched(self) -> int:
        """The bytes of the sectors."""
        return SECTOR * self.sectors


def warp_sectors(
    size: tuple[SupportsIndex, ...],
    stride: tuple[SupportsIndex, ...],
    itemsize: SupportsIndex,
    storage_offset: SupportsIndex = 0,
    *,
    along: SupportsIndex = -1,
    call: str = "warp_sectors",
) -> SectorCount:
    """How many sectors and lines are touched where warps read each element once.

    Neighbouring threads read neighbouring elements of the dim `along`; where it ends, the others
    go on, the last one fastest. The storage begins at a line, as all that a GPU allocates does.
    Law: `wanted <= fetched`, and a request touches no more sectors than it has threads. Exact, at
    a cost that follows the smallest part of the size that fills whole warps. Raises ArgumentError,
    LayoutError or DimError.

    >>> warp_sectors((64, 64), (64, 1), 4)
    SectorCount(requests=128, wanted=16384, sectors=512, lines=128)
    >>> warp_sectors((64, 64), (64, 1), 4, along=0).sectors
    4096
    """
    start, unit = as_int(call, "storage_offset", storage_offset), as_int(call, "itemsize", itemsize)
    layout = Layout(as_ints(call, "a size", size), as_ints(call, "a stride", stride), start)
    if unit not in WORDS:
        raise ArgumentError(
            f"{call}: a thread reads 1, 2, 4, 8 or 16 bytes at once, and itemsize is {unit}. Count "
            "the parts of such an element one by one."
        )
    ordered = in_thread_order(call, layout, along)
    return _touched(ordered, unit) if layout.numel else SectorCount()


def in_thread_order(call: str, layout: Layout, along: SupportsIndex) -> Layout:
    """The layout whose reading order is that of the threads: the dim `along` comes last."""
    fastest = wrap_dim(call, along, layout.ndim)
    return permute(layout, sorted(range(layout.ndim), key=lambda dim: dim == fastest))


def touched_at(positions: list[int], itemsize: int) -> SectorCount:
    """What one request touches."""
    sectors = {position * itemsize // SECTOR for position in positions}
    lines = {sector * SECTOR // LINE for sector in sectors}
    return SectorCount(1, itemsize * len({*positions}), len(sectors), len(lines))


# The same part is asked for again for each dim outside of it.
@lru_cache(maxsize=4096)
def _touched(layout: Layout, itemsize: int) -> SectorCount:
    """What all requests touch: of parts that begin alike in a line, one is looked at."""
    n = layout.size[0] if layout.ndim else 0
    if n == 1:
        return _touched(select(layout, 0, 0), itemsize)
    whole = WARP // gcd(layout.numel // max(n, 1), WARP)
    if n <= whole:
        positions = [*layout.positions()]
        requests = range(0, len(positions), WARP)
        counts = [(1, touched_at(positions[i : i + WARP], itemsize)) for i in requests]
    else:
        step, (times, rest), counts = layout.stride[0], divmod(n, whole), []
        again = LINE // gcd(LINE, whole * step * itemsize)
        parts = [(i, whole, len(range(i, times, again))) for i in range(min(times, again))]
        for i, length, often in [*parts, (times, rest, 1)]:
            # As if the storage began a few whole lines later.
            offset = (layout.storage_offset + i * whole * step) % (LINE // itemsize)
            part = Layout((length, *layout.size[1:]), layout.stride, offset)
            counts.append((often, _touched(part, itemsize)))
    added = [[often * n for n in count] for often, count in counts]
    return SectorCount(*map(sum, zip(*added, strict=True)))
