"""ps5, `bytes_saved`: what an expanded tensor saves against a copy."""

import random
from collections.abc import Iterable
from math import prod
from typing import Any

from stridekit.checks.cases import small_layouts, tensor_data
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.pictures import as_layout, draw_tensors
from stridekit.checks.returns import WHOLE
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps5.overlap import distinct_positions, overlap_layouts
from stridekit.layouts.layout import Ints, Layout

draft = Draft("bytes_saved", ("size", "stride", "itemsize"), place=3, returns=WHOLE)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in small_layouts(2, (0, 1, 2, 3, 5)):
        for itemsize in (2, 8):
            yield layout.size, layout.stride, itemsize
    for layout in overlap_layouts(hidden, chance):
        yield layout.size, layout.stride, (1, 2, 4, 8)[sum(layout.stride) % 4]


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
    if layout is None:
        return None
    # Of a dtype of that itemsize, so that the picture speaks of as many bytes.
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


@draft.mistake("these are elements. Multiply by itemsize to get bytes.")
def _elements_saved(size: Ints, stride: Ints, _itemsize: int) -> Any:
    return _reference(size, stride, 1)


@draft.mistake("these are the bytes that it holds, not those that it saves.")
def _bytes_held(size: Ints, stride: Ints, itemsize: int) -> Any:
    return itemsize * len(distinct_positions(size, stride))


@draft.mistake("these are the bytes of a copy. Take away what there is already.")
def _bytes_of_copy(size: Ints, _stride: Ints, itemsize: int) -> Any:
    return itemsize * prod(size)


EXERCISE = draft.exercise()
