"""ps6, `shares_memory`: whether two tensors have a byte in common."""

from typing import Any

from stridekit.checks.exercise import Draft
from stridekit.checks.pictures import draw_tensors
from stridekit.checks.returns import TRUTH
from stridekit.checks.rules import without
from stridekit.checks.seam import Case, Plain, TensorData
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram
from stridekit.exercises.ps6.memory_pairs import memory_cases
from stridekit.layouts.layout import Layout

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
