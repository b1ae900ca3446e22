"""Statistics of many elements: how many, their mean and spread, the least and the greatest.

Blocks of a tensor are measured one by one, and put together. A library that has arrays measures
its own: what is asked of it here is what NumPy and torch call by the same names.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from math import inf, prod, sqrt
from typing import Any, NamedTuple

from stridekit.layouts.layout import Ints, Layout

# The last two dims are cut into at most this many parts.
CUTS = 16
# The most elements that a library measures at once, here and on another device. More of them would
# be shared out among threads, which wait for each other longer than the work takes; a device is
# quicker with more.
AT_ONCE, ON_DEVICE = 1 << 14, 1 << 22


class Measured(NamedTuple):
    """Statistics of some elements; all but the counts are of the finite ones alone.

    `spread` is the sum of squares of how far they lie from their mean. Complex numbers have no
    least and no greatest.
    """

    known: float = 0
    nan: float = 0
    infinite: float = 0
    mean: complex = 0
    spread: float = 0
    least: float = inf
    greatest: float = -inf

    @property
    def deviation(self) -> float:
        """The standard deviation, of these elements and not of others that they stand for."""
        return sqrt(self.spread / self.known) if self.known else 0.0


def together(parts: Iterable[Measured]) -> Measured:
    """The statistics of all parts together (Chan, Golub and LeVeque, 1979).

    >>> together([Measured(1, mean=2.0, least=2, greatest=2), Measured(1, mean=4.0)]).deviation
    1.0
    """
    whole = Measured()
    for part in parts:
        known = whole.known + part.known
        share = part.known / known if known else 0
        apart = part.mean - whole.mean if share else 0
        whole = Measured(
            known,
            whole.nan + part.nan,
            whole.infinite + part.infinite,
            whole.mean + apart * share,
            whole.spread + part.spread + abs(apart) * abs(apart) * whole.known * share,
            min(whole.least, part.least),
            max(whole.greatest, part.greatest),
        )
    return whole


def cuts_of(size: Ints) -> list[list[tuple[slice, slice]]]:
    """The blocks into which the last two dims are cut, row by row; a size has two at least.

    >>> cuts_of((2, 1))
    [[(slice(0, 1, None), slice(0, 1, None))], [(slice(1, 2, None), slice(0, 1, None))]]
    """
    rows, columns = (
        [slice(n * i // parts, n * (i + 1) // parts) for i in range(parts)]
        for n, parts in ((n, min(n, CUTS)) for n in size[-2:])
    )
    return [[(row, column) for column in columns] for row in rows]


def measured_by(
    xp: Any, x: Any, layout: Layout, wide: Callable[[Any], Any], at_once: int = AT_ONCE
) -> list[list[Measured]]:
    """Blocks of an array, measured by its library; `wide` gives a part in the widest floats.

    Everything is found first, and comes over from its device at once.
    """
    x = x[(..., *(slice(n) for n in layout.each_once.size))]
    while x.ndim < 2:
        x = x[None]
    cuts = cuts_of(tuple(x.shape))
    parts = [[[*_parts(x[(..., *cut)], at_once)] for cut in row] for row in cuts]
    flat = [_measures(xp, wide(part)) for row in parts for block in row for part in block]
    rows = xp.stack(flat).tolist() if flat else []
    found = (
        Measured(n, nans, infinite, complex(re, im), spread, least, greatest)
        for n, nans, infinite, re, im, spread, least, greatest in rows
    )
    return [[together(islice(found, len(block))) for block in row] for row in parts]


def _parts(block: Any, most: int) -> Iterator[Any]:
    """A block in parts of at most so many elements; nothing of a block without any."""
    if prod(block.shape) <= most:
        yield from (block,) if 0 not in block.shape else ()
        return
    longest = max(range(block.ndim), key=lambda dim: int(block.shape[dim]))
    half = block.shape[longest] // 2
    for part in (slice(half), slice(half, None)):
        yield from _parts(block[(*[slice(None)] * longest, part)], most)


def _measures(xp: Any, x: Any) -> Any:
    """What `Measured` holds, in its order, the mean as two numbers."""
    known, kind = xp.isfinite(x), x.real.dtype
    kept = xp.where(known, x, 0)
    n, nans = known.sum(dtype=kind), xp.isnan(x).sum(dtype=kind)
    mean = kept.sum() / n
    spread = xp.where(known, abs(x - mean) ** 2, 0).sum()
    return xp.stack(
        [
            n,
            nans,
            prod(x.shape) - n - nans,
            mean.real,
            mean.imag if "complex" in str(x.dtype) else 0 * n,
            spread,
            xp.where(known, x.real, inf).min(),
            xp.where(known, x.real, -inf).max(),
        ]
    )
