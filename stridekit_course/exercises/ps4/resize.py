"""ps4, `resize`: what resize_ does to a header and its storage."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw_resize
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import small_sizes, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import LONGEST, as_layout
from stridekit_course.checks.returns import INTS, WHOLE, NamedParts
from stridekit_course.exercises.ps4 import (
    DIMS_MOST,
    KINDS,
    chance_layout,
    counting_tensor,
    regrouped,
    splits,
    strided,
)

draft = Draft(
    "resize",
    ("size", "stride", "storage_offset", "storage_length", "new_size"),
    place=6,
    returns=NamedParts(
        (("size", INTS), ("stride", INTS), ("storage_offset", WHOLE), ("storage_length", WHOLE))
    ),
)

_WITH_ZEROS = (
    *((0,), (0, 3), (3, 0), (0, 3, 2), (3, 0, 2), (3, 2, 0), (0, 0, 3), (0, 3, 0)),
    *((2, 0, 0, 3), (2, 3, 0, 3, 2), (0, 11), (1, 0, 1)),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    yield from _to_small_sizes(hidden=hidden)
    yield from _to_the_same_size(3 if hidden else 2)
    yield from _regrouped(hidden=hidden)
    yield from _with_zeros()
    yield from _just_enough()
    yield from _large()
    for _ in range(200 if hidden else 30):
        layout = replace(chance_layout(chance), storage_offset=chance.choice((0, 0, 1, 3, 300)))
        new_size = layout.size
        if chance.random() < 0.8:
            new_size = regrouped(layout.size, chance)
        if chance.random() < 0.5:
            new_size = tuple(chance.choice((n, n + 1, max(n - 1, 0))) for n in new_size)
        yield _resize_case(layout, chance.choice((0, 1, 20)), new_size)


def _resize_case(layout: Layout, spare: int, new_size: Iterable[int]) -> Arguments:
    """A case whose storage has so many elements more than it needs.

    Without elements nothing is needed: then an offset may lie beyond the storage's end. The new
    size is another object than the old one, even if they are equal.
    """
    needed = layout.reach[1] + 1 if layout.reach else 0
    return layout.size, layout.stride, layout.storage_offset, needed + spare, (*new_size,)


def _to_small_sizes(*, hidden: bool) -> Iterator[Arguments]:
    """Every small new size, from a few old ones."""
    olds = [((), ()), ((0,), (3,)), ((2,), (2,)), ((2, 2), (1, 2)), ((2, 3), (5, 1))]
    if hidden:
        olds += [((1,), (0,)), ((0, 2), (1, 0)), ((3, 1), (4, 9)), ((3, 2), (0, 1))]
    places = ((0, 0), (2, 0), (2, 3), (0, 5)) if hidden else ((0, 0), (2, 0), (2, 3))
    for (size, stride), (offset, spare) in product(olds, places):
        for new_size in small_sizes(2, most=3 if hidden else 2):
            yield _resize_case(Layout(size, stride, offset), spare, new_size)


def _to_the_same_size(most: int) -> Iterator[Arguments]:
    """Nothing changes, whatever the strides; and the same sizes the other way round."""
    for size in (*small_sizes(2, most=most), (2, 1, 3), (3, 0, 2), (2, 3, 2, 2)):
        for stride in ((2, 1, 2, 1), (0, 3, 1, 7), (1, 2, 6, 1)):
            layout = Layout(size, stride[: len(size)], 1)
            yield _resize_case(layout, 0, size)
            yield _resize_case(layout, 2, size[::-1])
    layout = Layout((300, 2), (1, 300), 300)
    yield _resize_case(layout, 0, (300, 2))
    # The same digits.
    layout = Layout((1, 12), (9, 2), 1)
    yield from (_resize_case(layout, 0, new_size) for new_size in ((11, 2), (1, 1, 2), (112,)))


def _regrouped(*, hidden: bool) -> Iterator[Arguments]:
    """As many elements as before, in every other size; and in many dims."""
    for kind in KINDS if hidden else KINDS[:2]:
        layout = replace(strided((2, 3, 2), (kind, kind)), storage_offset=1)
        for new_size in (*splits(12), (2, 1, 3, 2), (12, 1), (1, 2, 3, 2, 1)):
            yield _resize_case(layout, 0, new_size)
    for rank in range(5, DIMS_MOST + 1):
        size = (2,) * rank
        yield _resize_case(Layout((2**rank,), (1,)), 0, size)
        yield _resize_case(Layout(size, (1,) * rank), 0, (3, *size[1:]))
        yield _resize_case(Layout(size, (1,) * rank), 0, size)


def _with_zeros() -> Iterator[Arguments]:
    """A 0 at every place, and two; also from an offset beyond the storage."""
    for new_size in _WITH_ZEROS:
        for layout in (Layout((2, 2), (2, 1), 3), Layout((0, 2), (2, 1), 300)):
            yield _resize_case(layout, 1, new_size)
        yield _resize_case(Layout((0,), (1,), 300), 0, new_size)


def _just_enough() -> Iterator[Arguments]:
    """A storage that is just long enough, one longer, and one too short."""
    for offset, new_size in product((0, 2), ((), (1,), (3, 4), (2, 1, 5))):
        for more in (-1, 0, 1):
            length = offset + prod(new_size) + more
            yield (0,), (1,), offset, length, new_size
            if length >= offset + 4:
                yield (2, 2), (1, 2), offset, length, new_size


def _large() -> Iterator[Arguments]:
    """Sizes with two digits, and more elements than anybody counts by hand."""
    for new_size in ((10, 12), (11, 13), (12, 10, 11), (100, 110)):
        yield _resize_case(Layout((12, 10), (10, 1), 7), 0, new_size)
        yield _resize_case(Layout((110, 100), (1, 110), 100_001), 1, new_size)
        yield _resize_case(Layout((2, 2), (70_001, 3), 300), 0, new_size)


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """As usual, but from and to rank 0 late: there are no strides to be seen."""
    size, *_, new_size = case.arguments
    return 0 in (*size, *new_size), not size or not new_size, weigh_arguments(case)


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
    "this is what you get if the storage ends at the last element's position. Positions count "
    "from 0, so the length is one more."
)
def _one_short(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    *kept, needed = _reference(size, stride, offset, length, new_size)
    return (*kept, max(length, needed - 1))


@draft.mistake(
    "this is what you get if the first dim moves fastest. In row-major order the last does."
)
def _column_major(size: Ints, stride: Ints, offset: int, length: int, new_size: Ints) -> Any:
    _, right, *rest = _reference(size, stride, offset, length, new_size)
    column_major = contiguous_stride(new_size[::-1])[::-1]
    return (new_size, right if new_size == size else column_major, *rest)


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
