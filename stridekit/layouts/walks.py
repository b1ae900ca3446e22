"""Walks over indices and positions, one at a time, on plain numbers.

`itertools.product` would first write out every range, and expand() makes vast ones.
"""

from collections.abc import Iterator
from itertools import repeat
from math import gcd

Ints = tuple[int, ...]


def walk_positions(size: Ints, stride: Ints, storage_offset: int) -> Iterator[int]:
    """The position of every index, in row-major order."""
    if not size:
        yield storage_offset
        return
    n, step = size[-1], stride[-1]
    for start in walk_positions(size[:-1], stride[:-1], storage_offset):
        yield from range(start, start + n * step, step) if step else repeat(start, n)


def walk_indices(size: Ints) -> Iterator[Ints]:
    """Every index, in row-major order."""
    if not size:
        yield ()
        return
    for i in range(size[0]):
        for rest in walk_indices(size[1:]):
            yield (i, *rest)


def as_sums(rest: int, dims: list[tuple[int, int]]) -> Iterator[Ints]:
    """Each way to write `rest` as a sum of i * step with 0 <= i < n, one i per (step, n)."""
    if not dims:
        if rest == 0:
            yield ()
        return
    (step, n), finer = dims[0], dims[1:]
    if not finer:
        i, left = divmod(rest, step)
        if left == 0 and 0 <= i < n:
            yield (i,)
        return
    # The finer dims make multiples of their common divisor only, and nothing past their ends.
    most_left = sum(finer_step * (finer_n - 1) for finer_step, finer_n in finer)
    fewest = max(0, -((most_left - rest) // step))
    divisor = gcd(*(finer_step for finer_step, _ in finer))
    common = gcd(step, divisor)
    if rest % common:
        return
    every = divisor // common
    first = rest // common * pow(step // common, -1, every)
    for i in range(fewest + (first - fewest) % every, min(n - 1, rest // step) + 1, every):
        for others in as_sums(rest - i * step, finer):
            yield (i, *others)
