"""ps6, `shares_memory`: whether two tensors have a byte in common."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.checks.cases import counting, random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.pictures import draw_tensors
from stridekit.checks.returns import TRUTH
from stridekit.checks.rules import without
from stridekit.checks.seam import Plain, TensorData
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import as_dtype

draft = Draft(
    "shares_memory",
    ("a", "b"),
    place=3,
    returns=TRUTH,
    rules=without(
        "shares_memory has to find out itself, from addresses and strides.",
        *("shares_memory", "may_share_memory"),
    ),
)


def _pair(
    first: Layout, second: Layout, dtypes: tuple[str, str] = ("int64", "int64"), *, apart: int = 0
) -> Arguments:
    """Two tensors on one storage, which is just long enough; or on a storage each."""
    sizes = [as_dtype(dtype).itemsize for dtype in dtypes]
    ends = [
        (layout.storage_offset if layout.reach is None else layout.reach[1] + 1) * size
        for layout, size in zip((first, second), sizes, strict=True)
    ]
    # Eight bytes are whole elements of every dtype.
    storage = counting(dtypes[0], -(-max(ends) // 8) * 8 // sizes[0])
    return tuple(
        TensorData("torch", dtype, layout.size, layout.stride, layout.storage_offset, storage, part)
        for part, dtype, layout in zip((0, apart), dtypes, (first, second), strict=True)
    )


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    offsets = (0, 1, 2, 3)
    short = [layout for layout in small_layouts(1, (0, 1, 2), offsets) if layout.numel < 3]
    long = [Layout((n,), (step,), at) for n in (2, 3) for step in (1, 2, 3) for at in (0, 1, 2)]
    for first, second in product(short, repeat=2):
        if chance.random() < (0.6 if hidden else 0.1):
            yield _pair(first, second)
    for first, second in product(long, repeat=2):
        yield _pair(first, second)
        if hidden or first.storage_offset == 0:
            yield _pair(first, second, ("int32", "int16"))
        if hidden:
            yield _pair(first, second, ("int64", "float32"))
    for layout in (Layout((), ()), Layout((0,), (1,)), *long[::2]):
        # As large, as long, and at the same place of another storage.
        yield _pair(layout, layout, apart=1)
        yield _pair(layout, Layout((2,), (1,)), apart=1)
    columns = [Layout((2, 2), (4, step), at) for step in (1, 2) for at in range(4)]
    for first, second in product(columns, repeat=2):
        yield _pair(first, second)
    names = ("uint8", "int16", "int32", "int64", "float32")
    for first in random_layouts(500 if hidden else 80, chance, (1, 4 if hidden else 3), 40):
        if chance.random() < 0.5:
            # The even and the odd columns of the same rows, or nearly so.
            size, stride = first.size, tuple(2 * step for step in first.stride)
            even = Layout(size, stride, first.storage_offset)
            yield _pair(even, Layout(size, stride, first.storage_offset + chance.choice((1, 3, 2))))
        else:
            second = Layout(first.size[::-1], first.stride, chance.choice((0, 4, 20)))
            dtypes = chance.choice(names), chance.choice(names)
            yield _pair(first, second, dtypes, apart=int(chance.random() < 0.1))


def _bytes(data: TensorData) -> set[int]:
    """Where in the storage the bytes of its elements lie."""
    itemsize = as_dtype(data.dtype).itemsize
    return {
        position * itemsize + byte
        for position in data.layout.positions()
        for byte in range(itemsize)
    }


@draft.reference
def _reference(a: TensorData, b: TensorData) -> Plain:
    return a.memory == b.memory and not _bytes(a).isdisjoint(_bytes(b))


@draft.rule
def _rule(a: TensorData, b: TensorData) -> str:
    for name, data in (("a", a), ("b", b)):
        if data.layout.numel == 0:
            return f"{name} has no elements, so it has no bytes to share."
    if a.memory != b.memory:
        return "a and b lie on two storages, which have no byte in common."
    mine, theirs = _bytes(a), _bytes(b)
    where = f"a is made of the bytes {_runs(mine)} of the storage, b of {_runs(theirs)}"
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


def _starts(x: Any, itemsize: int) -> set[int]:
    layout = Layout(tuple(x.size()), tuple(x.stride()), x.storage_offset())
    start = x.untyped_storage().data_ptr()
    return {start + position * itemsize for position in layout.positions()}


draft.picture(lambda case, *_: draw_tensors(("a", "b"), case.arguments))


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
    return not _starts(a, a.element_size()).isdisjoint(_starts(b, b.element_size()))


@draft.mistake(
    "this is what you get if positions are compared. With two dtypes, the same position "
    "is not the same address."
)
def _same_positions(a: Any, b: Any) -> Any:
    return _same_storage(a, b) and not _starts(a, 1).isdisjoint(_starts(b, 1))


@draft.mistake(
    "this is what you get if places are counted from the start of each storage, and it "
    "is not asked whether that is the same storage."
)
def _any_storage(a: Any, b: Any) -> Any:
    first, second = (
        {
            place + byte
            for place in _starts(x, x.element_size())
            for byte in range(-start, x.element_size() - start)
        }
        for x, start in ((a, a.untyped_storage().data_ptr()), (b, b.untyped_storage().data_ptr()))
    )
    return not first.isdisjoint(second)


EXERCISE = draft.exercise()
