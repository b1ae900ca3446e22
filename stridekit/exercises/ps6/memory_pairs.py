"""Pairs of tensors that ps6 asks about: on one storage, or on two, over one memory or two."""

import random
from collections.abc import Iterable
from itertools import combinations_with_replacement, product

from stridekit.checks.cases import counting, random_layouts
from stridekit.checks.exercise import Arguments
from stridekit.checks.seam import TensorData
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import as_dtype


def _pair(
    first: Layout,
    second: Layout,
    dtypes: tuple[str, str] = ("int64", "int64"),
    *,
    apart: tuple[int, int] = (0, 0),
    memory: int = 0,
) -> Arguments:
    """Two tensors on one memory, in which each one's storage begins so many bytes in.

    With another `memory` the second one lies on a memory of its own.
    """
    sizes = [as_dtype(dtype).itemsize for dtype in dtypes]
    length = max(
        begins + (layout.storage_offset if layout.reach is None else layout.reach[1] + 1) * size
        for layout, size, begins in zip((first, second), sizes, apart, strict=True)
    )
    # Each storage goes on to the end of the memory, and holds whole elements.
    while any((length - begins) % size for size, begins in zip(sizes, apart, strict=True)):
        length += 1
    storage = counting(dtypes[0], length // sizes[0])
    return tuple(
        TensorData(
            "torch", dtype, layout.size, layout.stride, layout.storage_offset, storage, part,
            apart=begins,
        )
        for part, dtype, layout, begins in zip(
            (0, memory), dtypes, (first, second), apart, strict=True
        )
    )  # fmt: skip


# Of elements of all sizes; some overlap in part.
_DTYPES = (
    *(("int32", "int16"), ("int64", "float32"), ("uint8", "complex128"), ("bfloat16", "int32")),
    *(("complex128", "complex128"), ("float64", "int8"), ("bool", "float16")),
    *(("complex64", "complex128"), ("int16", "float64")),
)
# Two storages on one memory: their dtypes, and where each begins.
_APART = (
    *((("int64", "int64"), (0, 8)), (("int64", "int64"), (16, 0)), (("int32", "int32"), (4, 12))),
    *((("uint8", "uint8"), (0, 3)), (("int64", "int32"), (0, 4)), (("int16", "int64"), (2, 0))),
    *((("complex128", "float64"), (0, 8)), (("uint8", "int64"), (0, 3))),
)


def memory_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """Pairs of tensors that have a byte in common, or narrowly not.

    At most 6 dims and 64 elements, so that every pair of elements may be compared.
    """
    runs = [Layout((n,), (step,), at) for n in (2, 3) for step in (1, 2, 3) for at in (0, 1, 2)]
    some = runs[::2] if hidden else runs[::5]
    for first, second in product(runs if hidden else runs[::3], runs[::2]):
        yield _pair(first, second)
    for first, second in product(some, some[1:3]):
        for dtypes in _DTYPES if hidden else _DTYPES[:3]:
            yield _pair(first, second, dtypes)
    for first, second in product(some[1:5] if hidden else some[1:3], some[: 3 if hidden else 2]):
        for dtypes, apart in _APART:
            yield _pair(first, second, dtypes, apart=apart)
    for layout in (Layout((), ()), Layout((2, 2), (2, 1)), *some[1:]):
        # As large, as long, and at the same place of another memory.
        yield _pair(layout, layout, memory=1)
        yield _pair(layout, layout, apart=(0, 8), memory=1)
        yield _pair(layout, Layout((2,), (1,)), memory=1)
    yield from _edges()
    columns = [Layout((2, 2), (4, step), at) for step in (1, 2) for at in range(4)]
    for first, second in product(columns if hidden else columns[:2], columns):
        yield _pair(first, second)
    yield from _narrow()
    names = ("uint8", "int16", "bfloat16", "int32", "int64", "float32", "complex128", "complex64")
    for first in random_layouts(140 if hidden else 16, chance, (1, 6 if hidden else 3), 40):
        if chance.random() < 0.5:
            # The even and the odd columns of the same rows, or nearly so.
            size, stride = first.size, tuple(2 * step for step in first.stride)
            even = Layout(size, stride, first.storage_offset)
            yield _pair(even, Layout(size, stride, first.storage_offset + chance.choice((1, 3, 2))))
        else:
            second = Layout(first.size[::-1], first.stride, chance.choice((0, 4, 20)))
            kinds = chance.choice(names), chance.choice(names)
            begins = chance.choice((0, 0, 16, 48)), chance.choice((0, 0, 16, 64))
            other = int(chance.random() < 0.1)
            yield _pair(first, second, kinds, apart=begins, memory=other)


def _edges() -> Iterable[Arguments]:
    """One element, none, and one again and again."""
    some = (
        *(Layout((), (), 1), Layout((1,), (7,), 1), Layout((3,), (0,), 1), Layout((2, 2), (1, 0))),
        *(Layout((0,), (1,), 1), Layout((2, 0), (1, 1)), Layout((0, 3), (0, 1), 2)),
    )
    for first, second in combinations_with_replacement(some, 2):
        yield _pair(first, second)
    for empty in some[-2:]:
        yield _pair(empty, some[0], apart=(8, 0))
        yield _pair(Layout((4,), (1,)), empty, ("int32", "int64"))


def _narrow() -> Iterable[Arguments]:
    """Tensors that meet in one byte or element, or that just do not meet."""
    for at in (0, 1, 40, 41, 418, 419, 480):
        yield _pair(Layout((6, 10), (80, 2)), Layout((6, 10), (80, 2), at))
    # Six dims, and a place that is reached by stepping along some of them, all, or none.
    for at in (364, 363, 121, 242, 1, 365, 2):
        six = Layout((2,) * 6, (243, 81, 27, 9, 3, 1))
        yield _pair(six, Layout((2,), (1000,), at))
    # The last byte of the one, the first of the other.
    for at in (54, 55, 56):
        yield _pair(Layout((7,), (1,)), Layout((3,), (2,), at), ("int64", "uint8"))
        yield _pair(Layout((1, 7), (9, 1)), Layout((2,), (1,)), ("int64", "int8"), apart=(0, at))
    # Strides that meet only now and then: at 12 times 20, or behind an end.
    for n, m, at in ((12, 20, 0), (12, 13, 0), (13, 22, 1), (12, 12, 1), (5, 5, 2)):
        yield _pair(Layout((n,), (21,), 1), Layout((m,), (13,), at))
        yield _pair(Layout((n,), (6,), at), Layout((m,), (10,), 3))
    for size, first, second in (
        ((2, 2, 2, 2), (27, 9, 3, 1), (54, 18, 6, 2)),
        ((2, 2, 2, 2, 2, 2), (64, 32, 16, 8, 4, 2), (2, 4, 8, 16, 32, 64)),
        ((3, 1, 2, 2, 3), (30, 1, 12, 6, 2), (0, 5, 12, 6, 2)),
        ((4, 5, 3), (150, 30, 2), (150, 30, 2)),
    ):
        for at in (0, 1, 127):
            yield _pair(Layout(size, first), Layout(size, second, at))
