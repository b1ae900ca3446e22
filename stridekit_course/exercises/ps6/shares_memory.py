"""ps6, `shares_memory`: whether two tensors have a byte in common."""

import random
from collections.abc import Iterable
from itertools import combinations_with_replacement, product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit_course.checks.callee import Case, Plain, TensorData
from stridekit_course.checks.cases import counting, random_layouts, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import draw_tensors
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.rules import without


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


draft = Draft(
    "shares_memory",
    ("a", "b"),
    place=3,
    returns=TRUTH,
    rules=without(
        "shares_memory has to find out itself, from addresses and strides.",
        *("shares_memory", "may_share_memory", "_overlaps"),
    ),
)


draft.cases(memory_cases)


def _bytes(data: TensorData) -> set[int]:
    """Where in the memory the bytes of its elements lie."""
    starts = [data.apart + position * data.itemsize for position in data.layout.positions()]
    return {start + byte for start in starts for byte in range(data.itemsize)}


@draft.reference
def _reference(a: TensorData, b: TensorData) -> Plain:
    return a.memory == b.memory and not _bytes(a).isdisjoint(_bytes(b))


@draft.rule
def _rule(a: TensorData, b: TensorData) -> str:
    for name, data in (("a", a), ("b", b)):
        if data.layout.numel == 0:
            return f"{name} has no elements, so it has no bytes to share."
    if a.memory != b.memory:
        return "a and b lie on two memories, which have no byte in common."
    mine, theirs = _bytes(a), _bytes(b)
    where = f"a is made of the bytes {_runs(mine)} of the memory, b of {_runs(theirs)}"
    if a.apart != b.apart:
        begins = " and ".join(f"{x}'s at its byte {each.apart}" for x, each in (("a", a), ("b", b)))
        where = f"two storages lie on one memory, {begins}: {where}"
    if mine.isdisjoint(theirs):
        return f"{where}: none is in both."
    return f"{where}: byte {min(mine & theirs)} is in both."


def _runs(numbers: set[int], most: int = 6) -> str:
    """Numbers as runs: 0-7, 16-23."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    words = [f"{low}-{high}" if low < high else f"{low}" for low, high in runs]
    return ", ".join(words[:most]) + (", …" if len(words) > most else "")


def _range(x: Any) -> tuple[int, int]:
    last = sum((n - 1) * step for n, step in zip(x.size(), x.stride(), strict=True))
    low: int = x.data_ptr()
    return low, low + (last + 1) * x.element_size()


def _starts(x: Any, start: int, itemsize: int) -> set[int]:
    layout = Layout(tuple(x.size()), tuple(x.stride()), x.storage_offset())
    return {start + position * itemsize for position in layout.positions()}


def _storage(x: Any) -> int:
    start: int = x.untyped_storage().data_ptr()
    return start


def _addresses(x: Any, start: int, itemsize: int = 0) -> set[int]:
    starts = _starts(x, start, itemsize or x.element_size())
    return {first + byte for first in starts for byte in range(x.element_size())}


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    a, b = case.tensors
    # What can be seen on one storage is shown there, and with one dtype.
    return (
        0 in (*a.size, *b.size),
        # Nor is one element, or one again and again, what most mistakes are about.
        1 in (a.layout.numel, b.layout.numel),
        0 in (*a.stride, *b.stride),
        (a.memory, a.apart) != (b.memory, b.apart),
        a.dtype != b.dtype,
        weigh_arguments(case),
    )


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    a, b = case.tensors
    if a.apart == b.apart == 0 or a.memory != b.memory:
        return draw_tensors(("a", "b"), case.arguments)
    if a.apart % a.itemsize or b.apart % b.itemsize:
        return None
    # A picture has one storage for one memory: both are counted from its start.
    begins = (each.apart // each.itemsize for each in (a, b))
    moved = [
        each._replace(storage_offset=each.storage_offset + before, apart=0)
        for each, before in zip((a, b), begins, strict=True)
    ]
    return draw_tensors(("a, in the whole memory", "b, in the whole memory"), moved)


@draft.mistake(
    "this is what you get if data_ptr() is compared. It is the address of the first element only."
)
def _same_data_ptr(a: Any, b: Any) -> Any:
    return a.data_ptr() == b.data_ptr()


@draft.mistake(
    "this is what you get if storages are compared. Two tensors on one storage need not "
    "have an element in common."
)
def _same_storage(a: Any, b: Any) -> Any:
    return a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()


@draft.mistake(
    "this is what you get if tensors with elements on one storage are taken to share. "
    "They need not have an element in common."
)
def _same_storage_unless_empty(a: Any, b: Any) -> Any:
    return bool(a.numel() and b.numel()) and _same_storage(a, b)


@draft.mistake(
    "this is what you get if only the first and the last byte are compared. Between them "
    "may be gaps, and the other tensor may lie in these."
)
def _ranges_meet(a: Any, b: Any) -> Any:
    if a.numel() == 0 or b.numel() == 0:
        return False
    (low_a, high_a), (low_b, high_b) = map(_range, (a, b))
    return low_a < high_b and low_b < high_a


@draft.mistake(
    "this is what you get if only the first byte of each element is compared. An element "
    "has element_size() of them."
)
def _same_starts(a: Any, b: Any) -> Any:
    first, second = (_starts(x, _storage(x), x.element_size()) for x in (a, b))
    return not first.isdisjoint(second)


@draft.mistake(
    "this is what you get if positions are compared. With two dtypes, the same position "
    "is not the same address."
)
def _same_positions(a: Any, b: Any) -> Any:
    return _same_storage(a, b) and not _starts(a, 0, 1).isdisjoint(_starts(b, 0, 1))


@draft.mistake(
    "this is what you get if two storages are taken to have no byte in common. Two may lie on one "
    "memory, such as those of two NumPy views: compare addresses."
)
def _on_one_storage(a: Any, b: Any) -> Any:
    return _same_storage(a, b) and not _addresses(a, 0).isdisjoint(_addresses(b, 0))


@draft.mistake(
    "this is what you get if places are counted from the start of each storage, and it "
    "is not asked where that is."
)
def _any_storage(a: Any, b: Any) -> Any:
    return not _addresses(a, 0).isdisjoint(_addresses(b, 0))


@draft.mistake(
    "this is what you get if storage_offset is added to data_ptr(), which has it in already: it is "
    "the address of the first element, not of the storage."
)
def _offset_twice(a: Any, b: Any) -> Any:
    first, second = (_addresses(x, x.data_ptr()) for x in (a, b))
    return not first.isdisjoint(second)


@draft.mistake(
    "this is what you get if storage_offset is forgotten: an element lies that much further on "
    "from the start of the storage."
)
def _without_offset(a: Any, b: Any) -> Any:
    first, second = (
        _addresses(x, _storage(x) - x.storage_offset() * x.element_size()) for x in (a, b)
    )
    return not first.isdisjoint(second)


@draft.mistake(
    "this is what you get if strides are added to addresses as they are. They count elements, and "
    "addresses count bytes."
)
def _strides_as_bytes(a: Any, b: Any) -> Any:
    first, second = (_addresses(x, x.data_ptr() - x.storage_offset(), 1) for x in (a, b))
    return not first.isdisjoint(second)


EXERCISE = draft.exercise()
