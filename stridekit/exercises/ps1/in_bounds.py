"""ps1, `in_bounds`: whether a header stays inside of its storage."""

import random
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.returns import TRUTH
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw_as_strided
from stridekit.exercises.ps1.headers import hops, weigh_header
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange

draft = Draft(
    "in_bounds", ("size", "stride", "storage_offset", "storage_length"), place=7, returns=TRUTH
)


def _signed_layouts(strides: Ints, ranks: tuple[int, ...]) -> Iterator[tuple[Ints, Ints]]:
    for rank in ranks:
        for size in product(range(4), repeat=rank):
            for stride in product(strides, repeat=rank):
                yield size, stride


def _around_the_edges(size: Ints, stride: Ints) -> Iterator[Arguments]:
    """Offsets and storage lengths that just fit, that just do not, and others."""
    low, high = Layout(size, stride).reach or (0, 0)
    for storage_offset in sorted({0, 2, max(-low - 1, 0), -low}):
        last = storage_offset + high
        for length in {0, last, last + 1} - {-1}:
            yield size, stride, storage_offset, length


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    for size, stride in _signed_layouts((-2, -1, 0, 1, 3), (0, 1)):
        yield from _around_the_edges(size, stride)
    for size, stride in _signed_layouts((-1, 0, 2), (2,)):
        yield from _around_the_edges(size, stride)
    if hidden:
        for size, stride in _signed_layouts((-4, 3), (2,)):
            yield from _around_the_edges(size, stride)
        for size, stride in _signed_layouts((-3, 1), (3,)):
            yield from _around_the_edges(size, stride)
    for layout in random_layouts(300 if hidden else 60, chance, (1, 5), 200):
        stride = tuple(chance.choice((1, 1, -1)) * step for step in layout.stride)
        low, high = Layout(layout.size, stride).reach or (0, 0)
        storage_offset = max(0, -low + chance.choice((-1, 0, 0, 0, 3)))
        last = storage_offset + high
        for length in {max(0, last + chance.choice((-1, 0, 0, 1))), last + 1, last + 7}:
            yield layout.size, stride, storage_offset, length


@draft.reference
def _reference(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> bool:
    reach = Layout(size, stride, storage_offset).reach
    return reach is None or (reach[0] >= 0 and reach[1] < storage_length)


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> str:
    reach = Layout(size, stride, storage_offset).reach
    if reach is None:
        return (
            f"a tensor of size {size} has no elements, so nothing can lie outside: True, "
            "whatever the storage_offset."
        )
    pairs = list(zip(size, stride, strict=True))
    lowest = tuple(n - 1 if step < 0 else 0 for n, step in pairs)
    highest = tuple(n - 1 if step > 0 else 0 for n, step in pairs)
    low = f"index {lowest} lies lowest, at {hops(lowest, stride, storage_offset)}"
    high = f"index {highest} lies highest, at {hops(highest, stride, storage_offset)}"
    if len(low) + len(high) > 160:
        low, high = f"the lowest position is {reach[0]}", f"the highest is {reach[1]}"
    reached = f"the one element lies at {storage_offset}" if not size else f"{low}, and {high}"
    there_is = (
        f"the storage has the positions 0 to {storage_length - 1}"
        if storage_length
        else "a storage of length 0 has no positions"
    )
    return f"every position must be one of the storage's: {reached}; {there_is}."


@draft.picture
def _picture(case: Case, *_: Plain) -> Diagram | None:
    size, stride, storage_offset, length = case.arguments
    title = f"a storage of {length}"
    return draw_as_strided(arange(length), size, stride, storage_offset, title=title)


_EMPTY = "this is what you get if a tensor without elements is asked where its elements lie."
draft.weigh(weigh_header)


@draft.mistake(
    "this is what you get if only the last element is checked. With a negative stride "
    "the last one is not the highest."
)
def _last_alone(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    last = storage_offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    return 0 in size or 0 <= last < storage_length


@draft.mistake(
    "this is what you get if only the first and the last element are checked. Where "
    "strides of both signs meet, neither is the lowest or the highest."
)
def _first_and_last(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    inside = storage_offset < storage_length
    return _last_alone(size, stride, storage_offset, storage_length) and (0 in size or inside)


@draft.mistake(
    "this is what you get if only the highest position is checked. A negative position "
    "is outside too: it does not count from the end."
)
def _highest_alone(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    reach = Layout(size, stride, storage_offset).reach
    return reach is None or reach[1] < storage_length


@draft.mistake(
    "this is what you get if a position may be equal to storage_length. The last "
    "position is storage_length - 1."
)
def _one_too_far(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    reach = Layout(size, stride, storage_offset).reach
    return reach is None or (reach[0] >= 0 and reach[1] <= storage_length)


@draft.mistake("this is what you get if position 0 is taken to be outside.")
def _one_too_few(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    reach = Layout(size, stride, storage_offset).reach
    return reach is None or (reach[0] > 0 and reach[1] < storage_length)


@draft.mistake(
    "this is what you get if the sign of a stride is dropped. A negative one leads back."
)
def _signs_dropped(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    steps = tuple(abs(step) for step in stride)
    return _reference(size, steps, storage_offset, storage_length)


@draft.mistake("this is what you get if storage_offset is forgotten.")
def _offset_not_seen(size: Ints, stride: Ints, _storage_offset: int, storage_length: int) -> Any:
    return _reference(size, stride, 0, storage_length)


@draft.mistake(
    "this is what you get if the elements are only counted. Where they lie is what the stride says."
)
def _counted(size: Ints, _stride: Ints, storage_offset: int, storage_length: int) -> Any:
    return storage_offset + prod(size) <= storage_length


@draft.mistake(_EMPTY)
def _empty_at_offset(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    if 0 in size:
        return storage_offset < storage_length
    return _reference(size, stride, storage_offset, storage_length)


@draft.mistake(_EMPTY)
def _empty_up_to_offset(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    if 0 in size:
        return storage_offset <= storage_length
    return _reference(size, stride, storage_offset, storage_length)


@draft.mistake(_EMPTY)
def _empty_reach(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    spans = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
    low = storage_offset + sum(span for span in spans if span < 0)
    high = storage_offset + sum(span for span in spans if span > 0)
    return low >= 0 and high < storage_length


EXERCISE = draft.exercise()
