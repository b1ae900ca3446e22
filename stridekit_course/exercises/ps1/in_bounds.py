"""ps1, `in_bounds`: whether a header stays inside of its storage."""

import random
from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.diagrams import Diagram, draw_as_strided
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises.ps1 import hops, larger_headers, weigh_header

draft = Draft(
    "in_bounds", ("size", "stride", "storage_offset", "storage_length"), place=7, returns=TRUTH
)


# Without elements, wherever the 0 stands.
_EMPTY_SIZES: tuple[Ints, ...] = (
    (0, 2), (2, 0), (0, 0), (1, 0), (3, 0, 2), (0, 1, 2), (2, 3, 0),
)  # fmt: skip
# Long storages.
_FAR: tuple[tuple[Ints, Ints], ...] = (
    ((3,), (-300,)),
    ((2, 3), (-90_000, 40_001)),
    ((5, 2), (1, -65_536)),
)


def _around_the_edges(size: Ints, stride: Ints) -> Iterator[Arguments]:
    """An offset and a length that just fit, and what is short by one on either side."""
    low, high = Layout(size, stride).reach or (0, 0)
    yield size, stride, -low, high - low + 1
    yield size, stride, -low, high - low
    yield size, stride, max(-low - 1, 0), high - low + 9


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterator[Arguments]:
    yield from (((), (), offset, length) for offset, length in product((0, 1, 4), (0, 1, 2, 5)))
    ends = product((0, 1, 2, 4), (0, 1, 2, 3, 5)) if hidden else product((0, 2), (0, 2, 3))
    for n, step, (offset, length) in product((0, 1, 2, 3), (-2, -1, 0, 1, 3), [*ends]):
        yield (n,), (step,), offset, length
    for n, step in product((1, 2, 3), (-2, -1, 0, 1, 3)):
        yield from _around_the_edges((n,), (step,))
    for two in ((1, 2), (2, 2), (3, 1), (2, 3), (3, 2), *[(3, 3)] * hidden):
        for pair in product((-2, -1, 0, 2, 3) if hidden else (-1, 0, 2), repeat=2):
            yield from _around_the_edges(two, pair)
    for empty in _EMPTY_SIZES:
        for offset, length in product((0, 3), (0, 3)):
            yield empty, (-1, 2, -4)[: len(empty)], offset, length
    # All ways in which signs can meet: neither two dims nor three tell of all.
    for rank in range(3, 7 if hidden else 5):
        for signs in product((-1, 1), repeat=rank):
            size = tuple(chance.sample((2, 2, 2, 2, 3, 3), k=rank))
            steps = chance.sample((1, 2, 3, 5, 8, 13, 21, 34), k=rank)
            yield from _around_the_edges(size, tuple(map(int.__mul__, signs, steps)))
    for rank in range(5, 9):
        size, stride = (2,) * rank, contiguous_stride((2,) * rank)
        yield size, stride, 0, prod(size)
        yield size, stride, 0, prod(size) - 1
        yield size, tuple(-step for step in stride), prod(size) - 2, prod(size)
    for size, stride in _FAR:
        yield from _around_the_edges(size, stride)
    for size, stride, offset in larger_headers(75 if hidden else 8, chance):
        signed = tuple(chance.choice((1, -1)) * step for step in stride)
        yield from _around_the_edges(size, signed)
        low, high = Layout(size, signed).reach or (0, 0)
        # Beyond the exact end, by offset alone.
        yield size, signed, offset - low, high - low + chance.choice((1, offset, offset + 1))


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
            "whatever storage_offset and storage_length are."
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


@draft.mistake(
    "this is what you get if each dim is looked at by itself. The ways along several dims add up."
)
def _each_dim_alone(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    ways = [0, *((n - 1) * step for n, step in zip(size, stride, strict=True))]
    return 0 in size or all(0 <= storage_offset + way < storage_length for way in ways)


@draft.mistake(
    "this is what you get if as many steps are taken as the size says. From the first entry to "
    "the last there are size - 1."
)
def _one_step_more(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> Any:
    ways = [n * step for n, step in zip(size, stride, strict=True)]
    low = storage_offset + sum(way for way in ways if way < 0)
    high = storage_offset + sum(way for way in ways if way > 0)
    return 0 in size or (low >= 0 and high < storage_length)


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
