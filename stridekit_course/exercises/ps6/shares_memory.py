"""ps6, `shares_memory`: whether two tensors have a byte in common."""

import random
from itertools import product
from typing import Any

from stridekit.layouts.layout import Layout
from stridekit_course.checks.callee import TensorData
from stridekit_course.checks.exercise import Arguments, Exercise, Given, variants
from stridekit_course.checks.returns import TRUTH, listed
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import counting, crossed_layouts, tensor_data
from stridekit_course.checks.tensor_results import DTYPES


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 6 dims and 64 elements, so that every pair of elements may be compared."""
    runs = [Layout((n,), (step,), at) for n in (2, 3) for step in (2, 1, 3) for at in (0, 1)]
    # The dtype of the first tensor, and where in the memory its storage and the other one begin.
    begins = [("int64", *each) for each in ((16, 0), (0, 0), (0, 4), (1, 9))]
    begins += ("int32", 0, 0), ("complex128", 0, 8), ("bool", 8, 0)
    others = [*runs[::2], Layout((2,), (0,))] if hidden else runs[::6]
    for first, second, (dtype, a, b) in product(runs, others, begins):
        yield _on_memory(tensor_data(first, dtype=dtype, apart=a), tensor_data(second, apart=b))
    some = crossed_layouts(chance, range(7), most=40, times=4 if hidden else 1, dtype=DTYPES)
    headers = [*some][: None if hidden else 120]
    for layout, row in headers:
        other = chance.choice((layout, chance.choice(runs), chance.choice(headers)[0]))
        dtype = chance.choice((row.dtype, chance.choice(DTYPES)))
        pair = tensor_data(layout, dtype=row.dtype), tensor_data(other, dtype=dtype)
        yield _beside(*pair, chance)


def _beside(one: TensorData, other: TensorData, chance: random.Random) -> Arguments:
    """Some element of the one begins where one of the other does, ends there, or narrowly not."""
    first, second = one.itemsize, other.itemsize
    gap = chance.choice((0, 0, first, -second, first - 1, 1 - second, 2 * first))
    at, its = (chance.choice(_starts(each) or [0]) for each in (one, other))
    moved = at - its + gap
    if moved < 0:
        one, other, moved = other, one, -moved
    # Two storages on one memory, or one.
    apart, elements = chance.choice(((moved, 0), (0, moved // other.itemsize)))
    if "complex" in other.dtype:
        # torch crashes where it writes to complex numbers that are not at a multiple of their size.
        apart -= apart % other.itemsize
    offset, memory = other.storage_offset + elements, chance.choice((0, 0, 0, 0, 1))
    other = other._replace(apart=apart, storage_offset=offset, memory=memory)
    return _on_memory(*chance.sample((one, other), 2))


def _on_memory(a: TensorData, b: TensorData) -> Arguments:
    """The same on as much memory as both need, in whole elements of any dtype."""
    lengths = ((x, max(x.layout.needed, x.storage_offset, 1)) for x in (a, b))
    nbytes = max(x.apart + length * x.itemsize for x, length in lengths)
    # A bool is no other byte than 0 or 1.
    counted = b if b.dtype == "bool" else a
    storage = counting(counted.dtype, (nbytes + 15) // 16 * 16 // counted.itemsize)
    return a._replace(storage=storage), b._replace(storage=storage)


def _starts(data: TensorData) -> list[int]:
    """Where in the memory its elements begin."""
    return sorted({data.apart + at * data.itemsize for at in data.layout.positions()})


def _in_both(a: TensorData, b: TensorData) -> set[int]:
    mine, theirs = ({at + n for at in _starts(x) for n in range(x.itemsize)} for x in (a, b))
    return mine & theirs if a.memory == b.memory else set()


def _rule(a: TensorData, b: TensorData) -> str:
    if not (a.layout.numel and b.layout.numel):
        return f"{'b' if a.layout.numel else 'a'} has no elements, so it has no bytes to share."
    if a.memory != b.memory:
        return "a and b lie on two memories, which have no byte in common."
    where = f"a's at its byte {a.apart} and b's at its byte {b.apart}: "
    where = f"two storages lie on one memory, {where}" if a.apart != b.apart else ""
    both = _in_both(a, b)
    return (
        f"{where}counted in bytes of the memory, a's elements ({a.itemsize} each) begin at "
        f"{listed(_starts(a), 6)}, and b's ({b.itemsize} each) at {listed(_starts(b), 6)}: "
        f"{f'byte {min(both)}' if both else 'no byte'} is in both."
    )


def _compares_bytes(a: Any, b: Any) -> bool:
    held = []
    for x in (a, b):
        width, start = x.element_size(), x.untyped_storage().data_ptr()
        places = Layout(tuple(x.size()), x.stride(), x.storage_offset()).positions()
        held.append({start + at * width + byte for at in places for byte in range(width)})
    mine, theirs = held
    return bool(mine & theirs)


_but = variants(_compares_bytes)
_ON_ONE_STORAGE = "a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()"
_AND = "bool(mine", f"{_ON_ONE_STORAGE} and bool(mine"
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
    # Few elements on one storage come first, but of a single one much is right by chance.
    late=lambda a, b: (not all(1 < x.layout.numel < 5 for x in (a, b)), a.apart != b.apart),
    reference=lambda a, b: bool(_in_both(a, b)),
    rule=_rule,
    known={
        "if data_ptr() is compared. It is the address of the first element only.": _but(
            "bool(mine & theirs)", "a.data_ptr() == b.data_ptr()"
        ),
        "if storages are compared. Two tensors on one storage need not have an element in "
        "common.": _but("bool(mine & theirs)", _ON_ONE_STORAGE),
        "if only the first and the last byte are compared. The other tensor may lie in gaps between"
        " them.": _but(
            "bool(mine & theirs)",
            "bool(held[0] and held[1]) and min(mine) <= max(theirs) and min(theirs) <= max(mine)",
        ),
        "if only the first byte of each element is compared. An element has element_size() of "
        "them.": _but("range(width)", "range(1)"),
        "if positions are compared. With two dtypes, the same position is not the same "
        "address.": _but(*_AND, "start + at * width + byte", "at"),
        "if two storages are taken to have no byte in common. Two may lie on one memory, such as "
        "those of two NumPy views: compare addresses.": _but(*_AND),
        "if places are counted from the start of each storage, and it is not asked where that "
        "is.": _but("start + at", "at"),
        "if storage_offset is added to data_ptr(), which has it in already: it is the address of "
        "the first element, not of the storage.": _but("x.untyped_storage()", "x"),
        "if storage_offset is forgotten: an element lies that much further on from the start of "
        "the storage.": _but("x.storage_offset()", "0"),
        "if strides are added to addresses as they are. They count elements, and addresses count "
        "bytes.": _but("start + at * width", "x.data_ptr() + at - x.storage_offset()"),
    },
)
