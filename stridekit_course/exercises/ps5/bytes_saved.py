"""ps5, `bytes_saved`: what an expanded tensor saves against a copy."""

import random
from collections import Counter
from collections.abc import Iterable
from math import prod
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import tensor_data, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import as_layout, draw_tensors
from stridekit_course.checks.returns import WHOLE
from stridekit_course.exercises.ps5 import distinct_positions, overlap_layouts

draft = Draft("bytes_saved", ("size", "stride", "itemsize"), place=3, returns=WHOLE)


_ITEMSIZES = (8, 2, 4, 1, 3, 12, 16)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in overlap_layouts(hidden, chance):
        size, stride = layout.size, layout.stride
        yield size, stride, _ITEMSIZES[(len(size) + sum(size) + sum(stride)) % len(_ITEMSIZES)]
    for size, stride in (((3,), (0,)), ((2, 3), (1, 1)), ((5,), (2,)), ((0, 3), (0, 1))):
        yield from ((size, stride, itemsize) for itemsize in (*_ITEMSIZES, 1000))


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """Elements as dtypes have them first; with one byte the rest would not show."""
    _, _, itemsize = case.arguments
    return itemsize not in (2, 4, 8), weigh_arguments(case)


@draft.reference
def _reference(size: Ints, stride: Ints, itemsize: int) -> int:
    return itemsize * (prod(size) - len(distinct_positions(size, stride)))


@draft.rule
def _rule(size: Ints, stride: Ints, itemsize: int) -> str:
    count, reached = prod(size), distinct_positions(size, stride)
    if not count:
        return "without elements there is nothing to copy, and no position is reached."
    gaps = ""
    if max(reached) >= len(reached):
        gaps = " (gaps between them hold none of its elements)"
    distinct = "1 position" if len(reached) == 1 else f"{len(reached)} distinct positions"
    return (
        f"a copy needs {count} × {itemsize} = {count * itemsize} bytes, one place for each "
        f"element; now the elements lie at {distinct}{gaps}: {len(reached)} × {itemsize} = "
        f"{len(reached) * itemsize} bytes."
    )


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    size, stride, itemsize = case.arguments
    layout = as_layout((size, stride, 0))
    # Of a dtype of that itemsize, so that the picture speaks of as many bytes.
    if layout is None or itemsize not in (1, 2, 4, 8):
        return None
    return draw_tensors(("given",), (tensor_data(layout, dtype=f"int{8 * itemsize}"),))


_STORAGE = (
    "this is what you get if the storage is counted up to the last position, gaps and all. Count "
    "the positions that some index reaches."
)
_ZERO_STRIDES = (
    "this is what you get if only dims with stride 0 are taken to repeat. Other strides can "
    "reach one position twice as well."
)


@draft.mistake(_STORAGE)
def _bytes_reach(size: Ints, stride: Ints, itemsize: int) -> Any:
    reach = Layout(size, stride).reach
    return itemsize * (prod(size) - (0 if reach is None else reach[1] + 1))


@draft.mistake(_STORAGE)
def _bytes_reach_not_negative(size: Ints, stride: Ints, itemsize: int) -> Any:
    return max(0, _bytes_reach(size, stride, itemsize))


@draft.mistake(_ZERO_STRIDES)
def _bytes_stride_zero(size: Ints, stride: Ints, itemsize: int) -> Any:
    own = prod(n for n, step in zip(size, stride, strict=True) if step)
    return itemsize * (prod(size) - own)


@draft.mistake(_ZERO_STRIDES)
def _bytes_stride_zero_empty(size: Ints, stride: Ints, itemsize: int) -> Any:
    return max(0, _bytes_stride_zero(size, stride, itemsize))


@draft.mistake(
    "this is what you get if each position is counted as itemsize of them. Positions count "
    "elements: two neighbours share no byte."
)
def _positions_are_bytes(size: Ints, stride: Ints, itemsize: int) -> Any:
    held = {at + byte for at in distinct_positions(size, stride) for byte in range(itemsize)}
    return itemsize * prod(size) - len(held)


@draft.mistake("these are elements. Multiply by itemsize to get bytes.")
def _elements_saved(size: Ints, stride: Ints, _itemsize: int) -> Any:
    return _reference(size, stride, 1)


@draft.mistake("these are the bytes that it holds, not those that it saves.")
def _bytes_held(size: Ints, stride: Ints, itemsize: int) -> Any:
    return itemsize * len(distinct_positions(size, stride))


@draft.mistake("these are the bytes of a copy. Take away what there is already.")
def _bytes_of_copy(size: Ints, _stride: Ints, itemsize: int) -> Any:
    return itemsize * prod(size)


def _times_reached(size: Ints, stride: Ints) -> list[int]:
    return [*Counter(Layout(size, stride).positions()).values()]


@draft.mistake(
    "this is what you get if each shared position saves one element. Three elements at one "
    "position save two."
)
def _shared_positions(size: Ints, stride: Ints, itemsize: int) -> Any:
    return itemsize * sum(times > 1 for times in _times_reached(size, stride))


@draft.mistake(
    "this is what you get if all elements count that share a position. One of them needs it."
)
def _elements_that_share(size: Ints, stride: Ints, itemsize: int) -> Any:
    return itemsize * sum(times for times in _times_reached(size, stride) if times > 1)


EXERCISE = draft.exercise()
