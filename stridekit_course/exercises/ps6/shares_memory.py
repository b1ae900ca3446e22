"""ps6, `shares_memory`: whether two tensors have a byte in common."""

import random
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import as_dtype
from stridekit_course.checks.callee import Case, TensorData
from stridekit_course.checks.exercise import Arguments, Exercise, Given
from stridekit_course.checks.pictures import draw_tensors
from stridekit_course.checks.returns import TRUTH, listed
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import counting, crossed_layouts, header, in_every_order


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
    parts = [*zip((0, memory), dtypes, (first, second), sizes, apart, strict=True)]
    length = max(
        begins + (layout.storage_offset if layout.reach is None else layout.reach[1] + 1) * size
        for _, _, layout, size, begins in parts
    )
    # Each storage goes on to the end of the memory, and holds whole elements where both can.
    whole = (
        longer
        for longer in range(length, length + 32)
        if not any((longer - begins) % size for *_, size, begins in parts)
    )
    storage = counting(dtypes[0], -(-next(whole, length) // sizes[0]))
    return tuple(
        TensorData("torch", dtype, *header(layout), storage, part, apart=begins)
        for part, dtype, layout, _, begins in parts
    )


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
    # Elements of one itemsize that overlap in part.
    *(
        (("int64", "int64"), (0, 4)),
        (("float32", "int32"), (2, 0)),
        (("int16", "bfloat16"), (0, 1)),
    ),
)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """Pairs of tensors that have a byte in common, or narrowly not.

    At most 6 dims and 64 elements, so that every pair of elements may be compared.
    """
    runs = [Layout((n,), (step,), at) for n in (2, 3) for step in (1, 2, 3) for at in (0, 1, 2)]
    some = runs[::2] if hidden else runs[::5]
    yield from (_pair(*pair) for pair in product(runs if hidden else runs[::3], runs[::2]))
    for first, second, dtypes in product(some, some[1:3], _DTYPES if hidden else _DTYPES[:3]):
        yield _pair(first, second, dtypes)
    few = (some[1:5], some[:3]) if hidden else (some[1:3], some[:2])
    for first, second, (dtypes, apart) in product(*few, _APART):
        yield _pair(first, second, dtypes, apart=apart)
    for layout in (Layout((), ()), Layout((2, 2), (2, 1)), *some[1:]):
        # As large, as long, and at the same place of another memory.
        yield _pair(layout, layout, memory=1)
        yield _pair(layout, layout, apart=(0, 8), memory=1)
        yield _pair(layout, Layout((2,), (1,)), memory=1)
    yield from _edges()
    columns = [Layout((2, 2), (4, step), at) for step in (1, 2) for at in range(4)]
    yield from (_pair(*pair) for pair in product(columns if hidden else columns[:2], columns))
    yield from _narrow()
    for dtypes in (*_DTYPES, *(pair[::-1] for pair in _DTYPES)) if hidden else ():
        yield from _of_two_dtypes(dtypes, chance)
    rows = crossed_layouts(
        chance,
        range(1, 7),
        offsets=(0, 1, 4),
        most=40,
        dtypes=(*(("int64", "int64"),) * 3, *_DTYPES),
        apart=((0, 0), (0, 0), (16, 0), (0, 48), (16, 64)),
        other=("even", "even", "odd", "turned", "elsewhere"),
    )
    for layout, row in [*rows][: None if hidden else 40]:
        size, stride, at = layout.size, layout.stride, layout.storage_offset
        if row.other in ("even", "odd"):
            # The even and the odd columns of the same rows, or nearly so.
            even = Layout(size, tuple(2 * step for step in stride), at)
            other = Layout(size, even.stride, at + (2 if row.other == "even" else 1))
            yield _pair(even, other, row.dtypes)
        else:
            other = Layout(size[::-1], stride, chance.choice((0, 4, 20)))
            elsewhere = int(row.other == "elsewhere")
            yield _pair(layout, other, row.dtypes, apart=row.apart, memory=elsewhere)


def _edges() -> Given:
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


def _of_two_dtypes(dtypes: tuple[str, str], chance: random.Random) -> Given:
    """A tensor of each order and one element: on its last one, and right behind it."""
    begins = [as_dtype(dtype).itemsize for dtype in dtypes]
    for layout in in_every_order((2, 3, 2), chance):
        for spread, at in ((1, 11), (2, 12)):
            spaced = Layout(layout.size, tuple(spread * step for step in layout.stride))
            element = Layout((), (), at * spread * begins[0] // begins[1])
            yield _pair(spaced, element, dtypes)
    yield _pair(Layout((), (), 1), Layout((2,), (1,)), dtypes)
    for step in (0, 3):
        yield _pair(Layout((2, 2, 2), (step, 1, 1)), Layout((), (), 1), dtypes)
    # In a gap of what is repeated: 32 bytes reach beyond an element of any dtype.
    element = Layout((), (), 32 // begins[1])
    for size, stride in (((2, 3), (0, 96)), ((3, 2), (96, 0))):
        far = Layout(size, tuple(step // begins[0] for step in stride))
        yield _pair(far, element, dtypes)


def _narrow() -> Given:
    """Tensors that meet in one byte or element, or that just do not meet."""
    # Two dims that are alike lead twice as far as one.
    for at in range(4):
        yield _pair(Layout((2, 2), (1, 1)), Layout((), (), at))
        yield _pair(Layout((2, 3, 2), (1, 5, 1)), Layout((2,), (5,), at))
        yield _pair(Layout((3, 2), (1, 5)), Layout((), (), at))
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
    # Right behind each other, or a byte nearer, in storages that begin inside of an element. (Not
    # of complex128: torch crashes where it writes to one that is not at a multiple of 16 bytes.)
    element = Layout((), ())
    for dtype, itemsize in (("int16", 2), ("int32", 4), ("int64", 8)):
        for begins, nearer in product((1, itemsize // 2), (0, 1)):
            apart = (begins, begins + itemsize - nearer)
            yield _pair(element, element, (dtype, dtype), apart=apart)
            yield _pair(element, Layout((2,), (1,)), (dtype, "uint8"), apart=apart)
    for dtype, at in (("uint8", 15), ("uint8", 16), ("float64", 8), ("float64", 16)):
        yield _pair(element, element, ("complex128", dtype), apart=(0, at))
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


def _storage(x: Any) -> int:
    start: int = x.untyped_storage().data_ptr()
    return start


def _meeting(
    start: Callable[[Any], int], step: int | None = None, width: int | None = None
) -> Callable[[Any, Any], bool]:
    """Whether bytes meet, if position 0 were there, and positions and elements so many bytes."""

    def held(x: Any) -> set[int]:
        layout = Layout(tuple(x.size()), x.stride(), x.storage_offset())
        starts = {start(x) + at * (step or x.element_size()) for at in layout.positions()}
        return {first + byte for first in starts for byte in range(width or x.element_size())}

    return lambda a, b: not held(a).isdisjoint(held(b))


def _ranges_meet(a: Any, b: Any) -> bool:
    def last(x: Any) -> int:
        position = sum((n - 1) * step for n, step in zip(x.size(), x.stride(), strict=True))
        return int(x.data_ptr() + position * x.element_size() + x.element_size() - 1)

    there_are = a.numel() and b.numel()
    return bool(there_are and a.data_ptr() <= last(b) and b.data_ptr() <= last(a))


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


def _picture(case: Case, *_: object) -> Diagram | None:
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


def _same_storage(a: Any, b: Any) -> bool:
    return _storage(a) == _storage(b)


_in_storage, _at_positions = _meeting(lambda _: 0), _meeting(lambda _: 0, 1, 1)
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
        "if storages are compared. Two tensors on one storage need "
        "not have an element in common.": _same_storage,
        "if tensors with elements on one storage are taken to share. They need not have an element"
        " in common.": lambda a, b: bool(a.numel() and b.numel()) and _same_storage(a, b),
        "if only the first and the last byte are compared. Between them may be gaps, and the other"
        " tensor may lie in these.": _ranges_meet,
        "if only the first byte of each element is compared. An element has element_size() of "
        "them.": _meeting(_storage, width=1),
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
        "the first element, not of the storage.": _meeting(lambda x: int(x.data_ptr())),
        "if storage_offset is forgotten: an element lies that much further on from the start of "
        "the storage.": _meeting(lambda x: _storage(x) - x.storage_offset() * x.element_size()),
        "if strides are added to addresses as they are. They count elements, and addresses count "
        "bytes.": _meeting(lambda x: int(x.data_ptr() - x.storage_offset()), step=1),
    },
)
