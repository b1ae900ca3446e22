"""ps6, `shares_memory`: whether two tensors have a byte in common."""

import random
from dataclasses import replace
from itertools import combinations_with_replacement, product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit_course.checks.callee import TensorData
from stridekit_course.checks.exercise import Arguments, Exercise, Given, variants
from stridekit_course.checks.pictures import draw_tensors
from stridekit_course.checks.returns import TRUTH, listed
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import counting, crossed_layouts, header, in_every_order

# Of elements of all sizes; some overlap in part.
_DTYPES = (
    *(("int64", "int64"), ("int32", "int16"), ("int64", "float32"), ("uint8", "complex128")),
    *(("bfloat16", "int32"), ("complex128", "complex128"), ("float64", "int8")),
    *(("bool", "float16"), ("complex64", "complex128"), ("int16", "float64"), ("int32", "int32")),
)
# One element, none, and one again and again.
_EDGES = (
    *(Layout((), (), 1), Layout((1,), (7,), 1), Layout((3,), (0,), 1), Layout((2, 2), (1, 0))),
    *(Layout((0,), (1,), 1), Layout((2, 0), (1, 1)), Layout((0, 3), (0, 1), 2)),
)
_SEVERAL = Layout((2, 3, 2), (0, 1, 0)), Layout((1, 2, 1, 2, 1, 1), (9, 2, 0, 1, 7, 3))
# Two storages on one memory: their dtypes, and where each begins.
_APART = (
    *(("int64", "int64", 0, 8), ("int64", "int64", 16, 0), ("int32", "int32", 4, 12)),
    *(("int64", "int32", 0, 4), ("int16", "int64", 2, 0), ("complex128", "float64", 0, 8)),
    # Elements that overlap in part, or may seem to.
    *(("int64", "int64", 0, 4), ("float32", "int32", 2, 0), ("int64", "int64", 1, 9)),
)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """Pairs of tensors that have a byte in common, or narrowly not.

    At most 6 dims and 64 elements, so that every pair of elements may be compared.
    """
    runs = [Layout((n,), (step,), at) for n in (2, 3) for step in (1, 2, 3) for at in (0, 1, 2)]
    columns = [Layout((2, 2), (4, step), at) for step in (1, 2) for at in range(4)]
    for first, second in (
        *product(runs if hidden else runs[::3], runs[::2]),
        *product(columns if hidden else columns[:2], columns),
        *combinations_with_replacement(_EDGES, 2),
    ):
        yield _pair(first, second, _DTYPES[0])
    some = runs[::5]
    for first, second, (dtype, other, *begins) in product(some[1:3], some[:2], _APART):
        yield _pair(first, second, (dtype, other), *begins)
    several = *in_every_order((2, 3, 2), chance), *_SEVERAL
    for dtypes, layout in product(_DTYPES if hidden else (), several):
        yield _pair(layout, layout, dtypes)
        yield _pair(layout, layout, dtypes[::-1], 16)
    rows = crossed_layouts(
        chance,
        range(7),
        offsets=(0, 1, 4),
        most=40,
        times=4 if hidden else 1,
        dtypes=_DTYPES,
        other=("itself", "itself", "turned", "element", "element", "run"),
        # The first element of each, the last, or one between. How far the second tensor's is
        # from the first one's: in elements of each, and in bytes.
        parts=tuple(product((0, 1, 0.5), repeat=2)),
        gap=((0, 0, 0), (1, 0, 0), (0, -1, 0), (1, 0, -1), (0, -1, 1), (2, 0, 0)),
        storages=("one", "one", "two", "two", "elsewhere"),
    )
    for layout, row in [*rows][: None if hidden else 150]:
        turned = Layout(layout.size[::-1], layout.stride[::-1], layout.storage_offset)
        others = {"turned": turned, "element": Layout((), ()), "run": Layout((2,), (1,))}
        yield _beside(layout, others.get(row.other, layout), row)


def _beside(first: Layout, second: Layout, row: Any) -> Arguments:
    """Both, with an element of the second one as far from one of the first as the row says."""
    widths = [as_dtype(dtype).itemsize for dtype in row.dtypes]
    at, its = (
        [0, *layout.positions()][1 + int(part * (layout.numel - 1)) if layout.numel else 0]
        for layout, part in zip((first, second), row.parts, strict=True)
    )
    gap, near, byte = row.gap
    moved = (at + gap) * widths[0] - (its - near) * widths[1] + byte
    # torch crashes where it writes to complex numbers that are not at a multiple of their size.
    moved -= moved % (widths[1] if row.storages == "one" or "complex" in row.dtypes[1] else 1)
    room = max(-(moved // 16) * 16, 0)
    if row.storages != "one":
        return _pair(first, second, row.dtypes, room, moved + room, int(row.storages != "two"))
    first = replace(first, storage_offset=first.storage_offset + room // widths[0])
    offset = second.storage_offset + (moved + room) // widths[1]
    return _pair(first, replace(second, storage_offset=offset), row.dtypes)


def _pair(
    first: Layout,
    second: Layout,
    dtypes: tuple[str, str],
    begins: int = 0,
    other_begins: int = 0,
    memory: int = 0,
) -> Arguments:
    """Two tensors on one memory, in which each one's storage begins so many bytes in.

    With another `memory` the second one lies on a memory of its own.
    """
    pair = (
        TensorData("torch", dtypes[0], *header(first), b"", apart=begins),
        TensorData("torch", dtypes[1], *header(second), b"", memory, apart=other_begins),
    )
    ends = (
        each.apart + max(each.layout.needed, each.storage_offset + 1) * each.itemsize
        for each in pair
    )
    # Whole elements of any dtype.
    storage = counting(dtypes[0], (max(ends) + 15) // 16 * 16 // pair[0].itemsize)
    return tuple(each._replace(storage=storage) for each in pair)


def _bytes(data: TensorData) -> set[int]:
    """Where in the memory the bytes of its elements lie."""
    starts = [data.apart + position * data.itemsize for position in data.layout.positions()]
    return {start + byte for start in starts for byte in range(data.itemsize)}


def _reference(a: TensorData, b: TensorData) -> bool:
    return a.memory == b.memory and not _bytes(a).isdisjoint(_bytes(b))


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


def _runs(numbers: set[int]) -> str:
    """Numbers as runs: 0-7, 16-23."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return listed((f"{low}-{high}" if low < high else low for low, high in runs), 6)


def _compares_bytes(a: Any, b: Any) -> bool:
    def held(x: Any) -> set[int]:
        width, start = x.element_size(), x.untyped_storage().data_ptr()
        layout = Layout(tuple(x.size()), x.stride(), x.storage_offset())
        return {start + at * width + byte for at in layout.positions() for byte in range(width)}

    return not held(a).isdisjoint(held(b))


_but = variants(_compares_bytes)
_ADDRESS = "start + at * width"


def _is_late(a: TensorData, b: TensorData) -> tuple[object, ...]:
    """What can be seen on one storage is shown there, and with one dtype.

    One element, or one again and again, is not what most mistakes are about.
    """
    return (
        1 in (a.layout.numel, b.layout.numel),
        0 in (*a.stride, *b.stride),
        (a.memory, a.apart) != (b.memory, b.apart),
        a.dtype != b.dtype,
    )


def _picture(_: object, __: object, a: TensorData, b: TensorData) -> Diagram | None:
    if a.apart == b.apart == 0 or a.memory != b.memory:
        return draw_tensors({"a": a, "b": b})
    if a.apart % a.itemsize or b.apart % b.itemsize:
        return None
    # A picture has one storage for one memory: both are counted from its start.
    begins = (each.apart // each.itemsize for each in (a, b))
    moved = {
        f"{name}, in the whole memory": each._replace(storage_offset=each.storage_offset + before)
        for name, each, before in zip("ab", (a, b), begins, strict=True)
    }
    return draw_tensors(moved)


def _same_storage(a: Any, b: Any) -> bool:
    return bool(a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr())


_in_storage, _at_positions = _but(_ADDRESS, "at * width"), _but(f"{_ADDRESS} + byte", "at")
EXERCISE = Exercise(
    "shares_memory",
    ("a", "b"),
    place=3,
    returns=TRUTH,
    rules=without(
        "shares_memory has to find out itself, from addresses and strides.",
        *("shares_memory", "may_share_memory", "_overlaps"),
    ),
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if data_ptr() is compared. It is the address of the first element only.": lambda a, b: (
            a.data_ptr() == b.data_ptr()
        ),
        "if storages are compared. Two tensors on one storage need not have an element in "
        "common.": (
            _same_storage,
            lambda a, b: bool(a.numel() and b.numel()) and _same_storage(a, b),
        ),
        "if only the first and the last byte are compared. Between them may be gaps, and the other"
        " tensor may lie in these.": _but(
            "not held(a).isdisjoint(held(b))",
            "bool(held(a) and held(b)) and "
            "min(held(a)) <= max(held(b)) and min(held(b)) <= max(held(a))",
        ),
        "if only the first byte of each element is compared. An element has element_size() of "
        "them.": _but("range(width)", "range(1)"),
        "if positions are compared. With two dtypes, the same "
        "position is not the same address.": lambda a, b: (
            _same_storage(a, b) and _at_positions(a, b)
        ),
        "if two storages are taken to have no byte in common. Two may lie on one memory, such as "
        "those of two NumPy views: compare addresses.": lambda a, b: (
            _same_storage(a, b) and _in_storage(a, b)
        ),
        "if places are counted from the start of each storage, and "
        "it is not asked where that is.": _in_storage,
        "if storage_offset is added to data_ptr(), which has it in already: it is the address of "
        "the first element, not of the storage.": _but(
            "x.untyped_storage().data_ptr()", "x.data_ptr()"
        ),
        "if storage_offset is forgotten: an element lies that much further on from the start of "
        "the storage.": _but("at * width", "(at - x.storage_offset()) * width"),
        "if strides are added to addresses as they are. They count elements, and addresses count "
        "bytes.": _but(_ADDRESS, "x.data_ptr() + at - x.storage_offset()"),
    },
)
