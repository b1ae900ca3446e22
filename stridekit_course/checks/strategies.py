"""Cases for the checks: every small header, larger ones of all kinds, and tensors of them."""

import random
import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import count, product
from math import prod
from types import SimpleNamespace
from typing import Any, Literal

from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit_course.checks.callee import TensorData


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


def put(numbers: Ints, dim: int, number: int) -> Ints:
    """The numbers with another one for that dim.

    >>> put((2, 3, 4), -1, 7)
    (2, 3, 7)
    """
    return tuple(number if d == dim % len(numbers) else n for d, n in enumerate(numbers))


def insert(numbers: Ints, place: int, *more: int) -> Ints:
    """The numbers with others before that place.

    >>> insert((2, 3), 1, 7)
    (2, 7, 3)
    """
    return (*numbers[:place], *more, *numbers[place:])


def drop(numbers: Ints, dim: int) -> Ints:
    """The numbers without that of one dim.

    >>> drop((2, 3, 4), -1)
    (2, 3)
    """
    return tuple(n for d, n in enumerate(numbers) if d != dim % len(numbers))


# What a header can be: a value of each of these is taken, and each meets each of the others.


SIZES = ("twos", "mixed", "alike", "ones", "wide", "none", "wide ones", "wide none", "ones none")
"""All 2; any; neighbours that are equal; with dims of size 1; with one of two digits; without
elements; and two of these at once."""
FILLED = tuple(kind for kind in SIZES if "none" not in kind)
# The dims of an image, the fastest first.
CHANNELS_LAST = (1, 3, 2, 0)
ORDERS = ("row-major", "column-major", "neighbours", "shuffled")
"""Which dim runs fastest: the last, the first, as in row-major but for two neighbours, any."""
STEPS = ("packed", "sliced", "gap", "odd", "repeats", "overlaps", "repeats overlaps", "expanded")
"""Without gaps; each stride twice or more; one stride greater; dims of size 1 with strides that are
never used, as in all that follow: one stride 0, one equal to another; one stride 0 beside two that
are equal; two of 0, or all."""
LARGE_STEPS = (*STEPS, "huge", "huge repeats overlaps", "huge expanded")
"""Also with a stride that no float holds, alone or beside those."""


def crossed(chance: random.Random, **dimensions: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Rows in which each value of a dimension meets each value of every other.

    They are those of an orthogonal array: as many as the square of a prime, the least one that is
    no smaller than any dimension's count of values, nor than the number of dimensions less one.

    >>> rows = [*crossed(random.Random(1), a="xyz", b=(0, 1))]
    >>> len(rows), len({(row["a"], row["b"]) for row in rows})
    (9, 6)
    """
    columns = {name: [*values] for name, values in dimensions.items()}
    least = max(*map(len, columns.values()), len(columns) - 1, 2)
    prime = next(n for n in count(least) if all(n % k for k in range(2, n)))
    for values in columns.values():
        chance.shuffle(values)
    rows = [*product(range(prime), repeat=2)]
    chance.shuffle(rows)
    for a, b in rows:
        yield {
            name: values[(a * place + b if place < prime else a) % prime % len(values)]
            for place, (name, values) in enumerate(columns.items())
        }


def any_size(chance: random.Random, rank: int, kind: str, most: int = 400) -> Ints:
    """A size of that rank and of one of those kinds, of at most so many elements."""
    size: list[int] = []
    if "wide" in kind and rank:
        size.append(min(chance.choice((10, 11, 12, 101, 260, 300)), most))
    while len(size) < rank:
        n = chance.choice((2, 3, 4, 5) if rank < 5 else (2, 2, 2, 3))
        n = {"twos": 2, "alike": size[-1] if len(size) % 2 else n}.get(kind, n)
        size.append(max(min(n, most // prod(size)), 1))
    if kind != "alike":
        chance.shuffle(size)
    dims = chance.sample(range(rank), rank)
    if "wide" in kind:
        # The wide one stays as it is, unless it is alone.
        dims.sort(key=lambda dim: size[dim] > 9)
    if "ones" in kind:
        for dim in dims[: (rank + 1) // 2]:
            size[dim] = 1
        dims = dims[(rank + 1) // 2 :]
    if "none" in kind:
        for dim in dims[: chance.choice((1, 1, 2, max(rank - 1, 1)))]:
            size[dim] = 0
    return tuple(size)


def in_order(size: Ints, kind: str, chance: random.Random) -> Ints:
    """The dims in the order in which they run, the fastest first. Those of size 1 stay."""
    if kind == "channels last" and len(size) == 4:
        return CHANNELS_LAST
    order = [*range(len(size))]
    if kind != "column-major":
        order.reverse()
    kept = [dim for dim in order if size[dim] != 1]
    moved = [*kept]
    if kind == "neighbours" and len(kept) > 1:
        place = chance.randrange(len(kept) - 1)
        moved[place : place + 2] = kept[place + 1], kept[place]
    elif kind == "shuffled":
        # More than two change places, if there are more, and not all are turned round.
        fewest = min(len(kept), 3)
        while len(kept) > 1 and (
            sum(map(int.__ne__, moved, kept)) < fewest or (moved == kept[::-1] and fewest == 3)
        ):
            chance.shuffle(moved)
    takes = dict(zip(kept, moved, strict=True))
    return tuple(takes.get(dim, dim) for dim in order)


def packed(size: Ints, order: Iterable[int]) -> Ints:
    """The strides of a tensor without gaps, whose dims run fastest in that order.

    >>> packed((2, 3), (0, 1))
    (1, 2)
    """
    stride = [0] * len(size)
    step = 1
    for dim in order:
        stride[dim] = step
        step *= max(size[dim], 1)
    return tuple(stride)


def in_every_order(size: Ints, chance: random.Random) -> Iterator[Layout]:
    """That size without gaps, its dims in an order of each kind."""
    return (Layout(size, packed(size, in_order(size, kind, chance))) for kind in ORDERS)


def any_stride(chance: random.Random, size: Ints, order: str, steps: str) -> Ints:
    """The stride of a size, with its dims in such an order, and with such steps."""
    stride = [*packed(size, in_order(size, order, chance))]
    if steps == "sliced":
        factor = chance.choice((2, 3))
        stride = [step * factor for step in stride]
    elif steps not in ("packed", "gap"):
        stride = [
            chance.choice((0, 1, 7, 100)) if n == 1 else step
            for n, step in zip(size, stride, strict=True)
        ]
    dims = [dim for dim, n in enumerate(size) if n != 1] or [*range(len(size))]
    chance.shuffle(dims)
    if "huge" in steps and dims:
        # The slowest dim: the others are in such an order as before.
        dims.sort(key=lambda dim: -stride[dim] if stride[dim] == max(stride) else 0)
    # Each change has a dim of its own, as far as there are any.
    for dim, change in zip((*dims,), steps.split(), strict=False):
        dims.remove(dim)
        if change == "gap":
            stride[dim] += chance.choice((1, 1, stride[dim], 3))
        elif change == "repeats":
            stride[dim] = 0
        elif change == "expanded":
            for each in (dim, *dims[: chance.choice((1, len(dims)))]):
                stride[each] = 0
        elif change == "overlaps":
            stride[dim] = stride[chance.choice(dims)] if dims else 1
        elif change == "huge":
            stride[dim] = 2**53 + chance.choice((1, 3))
    return tuple(stride)


def crossed_layouts(
    chance: random.Random,
    ranks: Iterable[int],
    *,
    sizes: Iterable[str] = SIZES,
    orders: Iterable[str] = ORDERS,
    steps: Iterable[str] = STEPS,
    offsets: Iterable[int] = (0, 1, 3, 12),
    most: int = 400,
    times: int = 1,
    **more: Iterable[Any],
) -> Iterator[tuple[Layout, Any]]:
    """Headers of every rank, with sizes and steps of every kind, in every order: all crossed.

    So are `more` dimensions: what they come to stands in the namespace beside each header.
    """
    dimensions: dict[str, list[Any]] = {
        "rank": [*ranks],
        "sizes": [*sizes],
        "order": [*orders],
        "steps": [*steps],
        "at": [*offsets],
        **{name: [*values] for name, values in more.items()},
    }
    for _ in range(times):
        for row in crossed(chance, **dimensions):
            size = any_size(chance, row["rank"], row["sizes"], most)
            stride = any_stride(chance, size, row["order"], row["steps"])
            yield Layout(size, stride, row["at"]), SimpleNamespace(**row)
    for order, (kind, beside) in product(dict.fromkeys(dimensions["order"]), _BESIDE.items()):
        row = {name: chance.choice(values) for name, values in dimensions.items()}
        layout = _turned(chance, order, kind, beside, row["at"])
        if layout.ndim in dimensions["rank"] and kind in (
            *dimensions["sizes"],
            *dimensions["steps"],
        ):
            yield layout, SimpleNamespace(**{**row, "rank": layout.ndim})
    # In each rank one element, and one position: chance makes such of small ranks alone.
    for kind, strides in _ENDS[: 2 if times == 1 else None]:
        if kind in (*dimensions["sizes"], *dimensions["steps"]):
            for rank in dict.fromkeys(dimensions["rank"]):
                row = {name: values[rank % len(values)] for name, values in dimensions.items()}
                size = (1,) * rank if kind == "ones" else any_size(chance, rank, "twos", most)
                layout = Layout(size, (strides * rank)[:rank], row["at"])
                yield layout, SimpleNamespace(**{**row, "rank": rank})


# Strides of dims of size 1, along which nobody steps, and of dims that repeat one element.
_ENDS = (("ones", (7, 0, 100)), ("expanded", (0,)), ("ones", (1,)), ("ones", (0,)))
# What stands beside three dims that are in some order: chance seldom leaves three.
_BESIDE: dict[str, Ints] = {
    "packed": (),
    "wide": (),
    "none": (0, 12),
    "ones": (1, 12),
    "repeats": (2, 0),
}


def _turned(chance: random.Random, order: str, kind: str, beside: Ints, offset: int) -> Layout:
    """Three dims in that order, and at some place a dim of that size and stride."""
    size = tuple(chance.sample((2, 2, 10) if kind == "wide" else (2, 3, 2), 3))
    stride, place = any_stride(chance, size, order, "packed"), chance.randrange(4)
    return Layout(insert(size, place, *beside[:1]), insert(stride, place, *beside[1:]), offset)


def layouts(chance: random.Random, ranks: Iterable[int], **options: Any) -> Iterator[Layout]:
    """The headers alone."""
    return (layout for layout, _ in crossed_layouts(chance, ranks, **options))


# In a size (2, 2, 3) or so, as many positions as elements from the first to the last, and yet not
# dense. In the third each stride divides the next. Further down each two dims alone do not overlap,
# then each three, then each four; of the last the squares of the positions add up to the right
# number, too.
REACHES = (
    Layout((2, 2, 3), (5, 4, 1)),
    Layout((2, 2, 3), (7, 2, 1)),
    Layout((2, 2, 4), (10, 2, 1)),
    Layout((3, 5), (3, 2)),
    Layout((3, 5), (7, 0)),
    Layout((2, 2, 2, 2), (7, 5, 2, 1)),
    Layout((2, 2, 2, 2), (7, 4, 3, 1)),
    Layout((2, 2, 2, 2, 2), (17, 7, 4, 2, 1)),
    Layout((2, 2, 2, 2, 2, 2), (33, 15, 8, 4, 2, 1)),
    Layout((2, 2, 2, 2, 2, 2), (33, 13, 9, 4, 3, 1)),
)


# The same digits, two and two, and other numbers: what is kept under a text of them is another's.
RUN_TOGETHER = (
    *(Layout((1, 2), (1, 1)), Layout((12,), (11,))),
    *(Layout((1, 2), (1, 0)), Layout((12,), (10,))),
)
# Apart, but not in a table of so many places.
IN_TABLES = tuple(
    Layout((2,), (places,)) for places in (2**8, 10**3, 2**10, 2**12, 10**4, 2**16, 10**5, 2**17)
)


def header(layout: Layout) -> tuple[Ints, Ints, int]:
    """A layout as the arguments size, stride, storage_offset."""
    return layout.size, layout.stride, layout.storage_offset


def interleaves(size: Ints, stride: Ints) -> bool:
    """Whether some stride does not clear all that is reached by the smaller ones.

    >>> interleaves((2, 3), (3, 1)), interleaves((2, 3), (2, 1)), interleaves((2, 2), (3, 2))
    (False, True, False)
    """
    reached = 0
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1:
            if step <= reached:
                return True
            reached += (n - 1) * step
    return False


def tensor_data(
    layout: Layout,
    library: Literal["torch", "stridekit", "numpy"] = "torch",
    dtype: str = "int64",
    *,
    length: int | None = None,
    read_only: bool = False,
    apart: int = 0,
    odd: bool = False,
) -> TensorData:
    """A tensor of that layout over a storage that counts 0, 1, 2, ..., or that holds odd values.

    The storage has that many elements, or the fewest that hold the layout. Small dtypes wrap
    around. A TensorData's values are equal to their positions wherever they fit.
    """
    if length is None:
        length = max(layout.needed, layout.storage_offset)
    storage = odd_values(dtype, length) if odd else counting(dtype, length)
    return TensorData(library, dtype, *header(layout), storage, 0, read_only, apart)


@lru_cache(maxsize=1024)
def counting(dtype: str, length: int) -> bytes:
    """0, 1, 2, ... as the bytes of that dtype; a bool is the lowest bit, a byte wraps around.

    >>> counting("int16", 3).hex()
    '000001000200'
    """
    # Beyond 127 an int8 goes on at -128, as torch's arange does.
    kind = as_dtype("uint8" if dtype == "int8" else dtype)
    # Beyond 256 the numbers of bfloat16 have gaps.
    limit = {"bool": 2, "uint8": 256, "bfloat16": 256}.get(kind.name, 2048)
    # Some storages are long, and nearly all of it is never read.
    period = bytes(kind.pack([*range(min(limit, length))]))
    return (period * (length // limit + 1))[: length * kind.itemsize]


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
    # Moved on by one each time: so each is the real part of a complex number, too.
    return struct.pack(f"={count}{code}", *(some[(n + n // 8) % 8] for n in range(count)))
