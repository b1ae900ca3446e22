"""ps1, `storage_needed`: the least storage that holds a header."""

from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw_as_strided
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Draft
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises.ps1 import header_cases, hops, weigh_header

draft = Draft("storage_needed", ("size", "stride", "storage_offset"), place=6, returns=WHOLE)


@draft.reference
def _reference(size: Ints, stride: Ints, storage_offset: int) -> int:
    reach = Layout(size, stride, storage_offset).reach
    return 0 if reach is None else reach[1] + 1


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int) -> str:
    if 0 in size:
        return (
            f"a tensor of size {size} has no elements, so it needs no storage, whatever its "
            "storage_offset: 0."
        )
    last = tuple(n - 1 for n in size)
    way = hops(last, stride, storage_offset)
    where = f"at position {way}" if len(way) < 60 else f"at position {way.rpartition(' ')[2]}"
    return (
        f"the element furthest out has the index {last} and lies {where}, and positions count "
        f"from 0: {_reference(size, stride, storage_offset)}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    size, stride, storage_offset = case.arguments
    fits = type(yours) is int and 0 <= yours <= LONGEST
    length = yours if fits else expected
    whose = "yours" if fits else "expected"
    title = f"{whose}: a storage of {length}"
    return draw_as_strided(arange(length), size, stride, storage_offset, title=title)


draft.cases(header_cases)
draft.weigh(weigh_header)


@draft.mistake(
    "this is the number of elements. It is enough only if they lie one after another "
    "from position 0 on: gaps are storage too."
)
def _numel(size: Ints, *_: Plain) -> Any:
    return prod(size)


@draft.mistake("this is what you get if storage_offset is forgotten.")
def _needed_without_offset(size: Ints, stride: Ints, _storage_offset: int) -> Any:
    return _reference(size, stride, 0)


@draft.mistake(
    "this is the last position itself. Positions count from 0, so the storage is longer by 1."
)
def _last_position(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return max(_reference(size, stride, storage_offset) - 1, 0)


@draft.mistake(
    "this is what you get if size × stride is added in each dim. From the first element "
    "to the last there are size - 1 steps."
)
def _size_times_stride(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return storage_offset + sum(map(int.__mul__, size, stride)) + 1 if prod(size) else 0


@draft.mistake(
    "this is what you get if the longest dim is counted as size × stride. The storage "
    "may end right after the last element."
)
def _whole_rows(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return storage_offset + max(map(int.__mul__, size, stride), default=1) if prod(size) else 0


@draft.mistake(
    "this is what you get if tensors without elements are not treated apart: a size of 0 then "
    "counts as one step back."
)
def _empty_walked(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return storage_offset + sum((n - 1) * step for n, step in zip(size, stride, strict=True)) + 1


@draft.mistake(
    "this is what you get if only the dim that leads furthest counts. The ways along all dims "
    "add up."
)
def _longest_way_alone(size: Ints, stride: Ints, storage_offset: int) -> Any:
    ways = ((n - 1) * step for n, step in zip(size, stride, strict=True))
    return storage_offset + max(ways, default=0) + 1 if prod(size) else 0


@draft.mistake("this is what you get if a tensor without elements still needs its storage_offset.")
def _empty_has_offset(size: Ints, stride: Ints, storage_offset: int) -> Any:
    return _reference(size, stride, storage_offset) if prod(size) else storage_offset


EXERCISE = draft.exercise()
