"""Cases for the checks: every small layout, and random larger ones."""

import random
import struct
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Literal

from stridekit.checks.seam import TensorData
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.dtypes import as_dtype


def small_sizes(rank: int, most: int = 3, least: int = 0) -> Iterator[Ints]:
    """Every size of up to so many dims, each from least to most.

    >>> list(small_sizes(1))
    [(), (0,), (1,), (2,), (3,)]
    """
    for ndim in range(rank + 1):
        yield from product(range(least, most + 1), repeat=ndim)


def small_layouts(
    rank: int, strides: tuple[int, ...], offsets: tuple[int, ...] = (0,), least: int = 0
) -> Iterator[Layout]:
    """Every layout of up to so many dims, sizes least to 3, and those strides and offsets."""
    for size in small_sizes(rank, least=least):
        for stride in product(strides, repeat=len(size)):
            for offset in offsets:
                yield Layout(size, stride, offset)


def random_sizes(
    count: int, chance: random.Random, ranks: tuple[int, int] = (2, 5), most: int = 600
) -> Iterator[Ints]:
    """Larger sizes of at most so many elements. Some hold a 0 or a 1."""
    made = 0
    while made < count:
        size = tuple(
            chance.choice((0, 1, 1, 2, 2, 3, 4, 5, 7)) for _ in range(chance.randint(*ranks))
        )
        if prod(size) <= most:
            made += 1
            yield size


def random_layouts(
    count: int,
    chance: random.Random,
    ranks: tuple[int, int] = (2, 5),
    most: int = 600,
    least: int = 0,
) -> Iterator[Layout]:
    """Larger layouts: row-major, permuted, padded, sliced and expanded ones, with offsets."""
    for given in random_sizes(count, chance, ranks, most):
        size = [max(n, least) for n in given]
        if prod(size) > most:
            size = [min(n, 2) for n in size]
        stride = list(contiguous_stride(tuple(size)))
        if chance.random() < 0.5:
            dim = chance.randrange(len(size))
            stride[dim] = chance.choice((0, 1, 7, stride[dim] * 2, stride[dim] + 1))
        if chance.random() < 0.4:
            order = chance.sample(range(len(size)), len(size))
            size, stride = [size[dim] for dim in order], [stride[dim] for dim in order]
        yield Layout(tuple(size), tuple(stride), chance.choice((0, 0, 0, 1, 3)))


def header(layout: Layout) -> tuple[Ints, Ints, int]:
    """A layout as the arguments size, stride, storage_offset."""
    return layout.size, layout.stride, layout.storage_offset


def headers(layouts: Iterable[Layout]) -> Iterator[tuple[Ints, Ints, int]]:
    """Layouts as the arguments size, stride, storage_offset."""
    return (header(layout) for layout in layouts)


def tensor_data(
    layout: Layout,
    library: Literal["torch", "stridekit", "numpy"] = "torch",
    dtype: str = "int64",
    *,
    length: int | None = None,
    memory: int = 0,
    read_only: bool = False,
) -> TensorData:
    """A tensor of that layout over a storage that counts 0, 1, 2, ...

    The storage has that many elements, or the fewest that hold the layout. Small dtypes wrap
    around. A TensorData's values are equal to their positions wherever they fit.
    """
    if length is None:
        reach = layout.reach
        length = layout.storage_offset if reach is None else reach[1] + 1
    storage = counting(dtype, length)
    return TensorData(
        library, dtype, layout.size, layout.stride, layout.storage_offset, storage, memory,
        read_only,
    )  # fmt: skip


def counting(dtype: str, length: int) -> bytes:
    """0, 1, 2, ... as the bytes of that dtype; a bool is the lowest bit, an int8 wraps around."""
    code = as_dtype(dtype).code
    if code == "?":
        return bytes(n % 2 for n in range(length))
    limit = 256 if code == "B" else 128 if code == "b" else 2048
    return struct.pack(f"={length}{code}", *(n % limit for n in range(length)))
