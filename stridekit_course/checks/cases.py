"""Cases for the checks: every small layout, random larger ones, and which of them come first."""

import random
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Literal

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.dtypes import as_dtype
from stridekit_course.checks.callee import Argument, Case, TensorData


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
    odd: bool = False,
) -> TensorData:
    """A tensor of that layout over a storage that counts 0, 1, 2, ..., or that holds odd values.

    The storage has that many elements, or the fewest that hold the layout. Small dtypes wrap
    around. A TensorData's values are equal to their positions wherever they fit.
    """
    if length is None:
        reach = layout.reach
        length = layout.storage_offset if reach is None else reach[1] + 1
    storage = odd_values(dtype, length) if odd else counting(dtype, length)
    return TensorData(
        library, dtype, layout.size, layout.stride, layout.storage_offset, storage, memory,
        read_only,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def counting(dtype: str, length: int) -> bytes:
    """0, 1, 2, ... as the bytes of that dtype; a bool is the lowest bit, an int8 wraps around.

    >>> counting("int16", 3).hex()
    '000001000200'
    """
    kind = as_dtype(dtype)
    if kind.kind == "bool":
        return bytes(n % 2 for n in range(length))
    limit = 256 if kind.name == "uint8" else 128 if kind.itemsize == 1 else 2048
    if kind.name in ("bfloat16", "complex64", "complex128"):
        # Beyond 256 the numbers of bfloat16 have gaps.
        limit = 256 if kind.name == "bfloat16" else limit
        return bytes(kind.pack([n % limit for n in range(length)]))
    return struct.pack(f"={length}{kind.code}", *(n % limit for n in range(length)))


@lru_cache(maxsize=1024)
def odd_values(dtype: str, length: int) -> bytes:
    """Values that get lost on the way through another dtype, or through ==, as bytes.

    Of floats: both zeros, infinities, nan with a payload, the least and the greatest, numbers that
    need every bit. Of whole numbers: both ends, and neighbours that a float cannot tell apart.

    >>> odd_values("float16", 3).hex()
    '00000080007c'
    """
    kind = as_dtype(dtype)
    if kind.kind == "bool":
        return bytes(n // 3 % 2 for n in range(length))
    if kind.kind == "int":
        low, high = kind.limits
        whole = [low, high, 0, high - 1, low + 1, high // 3, 1, high // 3 + 1]
        return bytes(kind.pack([whole[n % len(whole)] for n in range(length)]))
    bits = {
        # Python's own floats, which `item()` gives, keep no payload of a short nan.
        "float16": ("H", 0x7C00, 0x8000, 0x7E00),
        "bfloat16": ("H", 0x7F80, 0x8000, 0x7FC0),
        "float32": ("I", 0x7F80_0000, 0x8000_0000, 0x7FC0_0123),
        "float64": ("Q", 0x7FF0 << 48, 0x8000 << 48, (0x7FF8 << 48) + 0x123),
    }
    part = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
    code, infinite, minus, nan = bits[part]
    # Zero, -0, infinity, nan, -infinity, the least, one third of the bits, the greatest.
    some = (0, minus, infinite, nan, infinite + minus, 1, infinite // 3, infinite - 1)
    count = length * (2 if kind.kind == "complex" else 1)
    return struct.pack(f"={count}{code}", *(some[n % len(some)] for n in range(count)))


# The order of cases: of those that fail the first is told, so small and telling ones lead.


def weigh_arguments(case: Case) -> tuple[Any, ...]:
    """How much there is to read in a case: few elements first, but some before none."""
    sizes = [
        each.size if isinstance(each, TensorData) else each
        for each in case.arguments
        if type(each) in (tuple, TensorData)
    ]
    first = sizes[0] if sizes and {*map(type, sizes[0])} <= _INTEGERS else ()
    count = abs(prod(first))
    numbers: list[int] = []
    _add_numbers(case.arguments, numbers)
    below = len([n for n in numbers if n < 0])
    return count == 0, count, len(numbers), sum(map(abs, numbers)), below, repr(numbers)


_INTEGERS = {int, bool}


def _add_numbers(values: tuple[Argument, ...], numbers: list[int]) -> None:
    """All numbers of arguments, in order: of thousands of cases, so without a generator."""
    if {*map(type, values)} <= _INTEGERS:
        numbers += values
        return
    for each in values:
        kind = type(each)
        if kind in _INTEGERS:
            numbers.append(each)
        elif kind is TensorData:
            numbers += (*each.size, *each.stride, each.storage_offset)
        elif isinstance(each, tuple):
            _add_numbers(each, numbers)


_SIZES = ("size", "shape", "new_size")


def triviality(parameters: tuple[str, ...], case: Case) -> int:
    """How little a case can show: 0 for most, 1 for one element at most, 2 for none.

    What goes wrong there as well shows better elsewhere.
    """
    sizes = [each.size for each in case.arguments if type(each) is TensorData]
    if not sizes and len(parameters) == len(case.arguments):
        pairs = zip(parameters, case.arguments, strict=True)
        sizes = [each for name, each in pairs if name in _SIZES]
    elif not sizes:
        sizes = [*case.arguments]
    held = [n for size in sizes for n in size]
    if 0 in held:
        return 2
    return int(bool(sizes) and {*held} <= {1})


def weigh_strides(case: Case) -> tuple[Any, ...]:
    """As usual, but a stride of 0 that was given comes late: much is right by chance there."""
    size, stride = case.arguments[:2]
    return 0 in size, 0 in stride, weigh_arguments(case)
