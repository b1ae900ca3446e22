"""ps4, `resize`: what resize_ does to a header and its storage."""

import random
from collections.abc import Iterable
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts, small_sizes
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.pictures import LONGEST, as_layout
from stridekit.checks.returns import INTS, WHOLE, Record
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw_resize
from stridekit.exercises.ps4.views import counting_tensor, regrouped
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

draft = Draft(
    "resize",
    ("size", "stride", "storage_offset", "storage_length", "new_size"),
    place=6,
    returns=Record(
        (("size", INTS), ("stride", INTS), ("storage_offset", WHOLE), ("storage_length", WHOLE))
    ),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    sizes = list(small_sizes(2))
    for layout in small_layouts(1, (0, 1, 2), (0, 2)):
        for new_size in sizes:
            for spare in (0, 3):
                yield _resize_case(layout, spare, new_size)
    for layout in small_layouts(2, (1, 2, 3), (0, 2)):
        yield _resize_case(layout, 0, layout.size)
        yield _resize_case(layout, 3, layout.size[::-1])
        yield _resize_case(layout, chance.choice((0, 3)), chance.choice(sizes))
    if hidden:
        for layout in small_layouts(3, (1, 3), (0, 2)):
            yield _resize_case(layout, chance.choice((0, 3)), layout.size)
            yield _resize_case(layout, chance.choice((0, 3)), chance.choice(sizes))
    for layout in random_layouts(1000 if hidden else 150, chance):
        kind = chance.random()
        new_size = regrouped(layout.size, chance) if kind < 0.4 else layout.size
        if kind > 0.6:
            new_size = tuple(chance.choice((0, 1, 2, 3, 4)) for _ in range(chance.randint(1, 5)))
        yield _resize_case(layout, chance.choice((0, 1, 20)), new_size)


def _resize_case(layout: Layout, spare: int, new_size: Ints) -> Arguments:
    # Without elements nothing is needed: then an offset may lie beyond the storage's end.
    needed = layout.reach[1] + 1 if layout.reach else 0
    return layout.size, layout.stride, layout.storage_offset, needed + spare, new_size


@draft.reference
def _reference(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Plain:
    if new_size == size:
        return size, stride, offset, length
    needed = offset + prod(new_size) if prod(new_size) else 0
    return new_size, contiguous_stride(new_size), offset, max(length, needed)


@draft.rule
def _rule(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> str:
    if new_size == size:
        return f"the size stays {size}, so nothing changes: the stride stays {stride}."
    new_stride, numel = contiguous_stride(new_size), prod(new_size)
    row_major = f"another size gets the row-major stride, {new_stride}, and keeps the offset"
    if numel == 0:
        return f"{row_major}; it holds no elements, so the storage keeps its {length}."
    needed = offset + numel
    then = f"grows from {length}" if needed > length else f"keeps its {length}: it never shrinks"
    return (
        f"{row_major}; it needs offset + numel = {offset} + {numel} = {needed} elements of "
        f"storage, so the storage {then}."
    )


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    *header, length, new_size = case.arguments
    layout = as_layout(tuple(header))
    if layout is None or max(length, layout.storage_offset + prod(new_size)) > LONGEST:
        return None
    return draw_resize(counting_tensor(layout, length), new_size, title="tensor")


_SHRINKS = "this is what you get if the storage shrinks with the tensor. resize_ never frees any."


@draft.mistake(
    "this is what you get if the strides are written anew although the size is the same."
)
def _restrides(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    _, _, *rest = _reference(size, stride, offset, length, new_size)
    return (new_size, contiguous_stride(new_size), *rest)


@draft.mistake(_SHRINKS)
def _shrinks(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    *kept, _ = _reference(size, stride, offset, length, new_size)
    return (*kept, length if new_size == size else offset + prod(new_size))


@draft.mistake(_SHRINKS)
def _shrinks_to_something(
    size: Ints, stride: Ints, offset: int, length: int, new_size: Ints
) -> Any:
    *kept, _ = _reference(size, stride, offset, length, new_size)
    stays = new_size == size or not prod(new_size)
    return (*kept, length if stays else offset + prod(new_size))


@draft.mistake(_SHRINKS)
def _shrinks_always(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    *kept, _ = _reference(size, stride, offset, length, new_size)
    return (*kept, offset + prod(new_size))


@draft.mistake("this is what you get if the storage never grows.")
def _never_grows(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    *kept, _ = _reference(size, stride, offset, length, new_size)
    return (*kept, length)


@draft.mistake(
    "this is what you get if the offset is forgotten: the first element lies at position "
    "storage_offset, and the others after it."
)
def _without_offset(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    *kept, _ = _reference(size, stride, offset, length, new_size)
    return (*kept, length if new_size == size else max(length, prod(new_size)))


@draft.mistake("this is what you get if the storage grows up to the offset for no elements at all.")
def _grows_for_nothing(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    *kept, _ = _reference(size, stride, offset, length, new_size)
    return (*kept, length if new_size == size else max(length, offset + prod(new_size)))


@draft.mistake("this is what you get if the offset is set to 0. It stays.")
def _offset_lost(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    if new_size == size:
        return size, stride, offset, length
    return _reference(size, stride, 0, length, new_size)


@draft.mistake("this is what you get if a size of 0 is multiplied as 0. In strides it counts as 1.")
def _zero_in_products(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    if new_size == size:
        return size, stride, offset, length
    _, _, *rest = _reference(size, stride, offset, length, new_size)
    return (new_size, tuple(prod(new_size[d + 1 :]) for d in range(len(new_size))), *rest)


EXERCISE = draft.exercise()
