"""ps2, `select`: one index of a dim, which goes away."""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Function, Plain
from stridekit_course.checks.cases import header
from stridekit_course.checks.exercise import Arguments, Refusal
from stridekit_course.checks.returns import HEADER
from stridekit_course.exercises.ps2 import (
    DIMS_MOST,
    HUGE,
    SIZE_MOST,
    TWINS,
    WRAPPED,
    HeaderDraft,
    bad_dims,
    dims_of,
    draw_header_change,
    headers_of,
    larger_headers,
    of_many_dims,
    sizes_of,
    with_dim,
    without_dim,
)

draft = HeaderDraft(
    "select",
    ("size", "stride", "storage_offset", "dim", "index"),
    place=1,
    returns=HEADER,
    named=("dim",),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in headers_of(1, sizes_of(1), count=3 if hidden else 2):
        (n,) = layout.size
        for dim, index in product((0, -1), (*range(-n - 1, n + 1), n + 4, -n - 5)):
            yield (*header(layout), dim, index)
    for layout in headers_of(2, ((2, 3), (3, 2), (1, 3), (2, 2)), count=1):
        yield from _each_index(layout)
    for layout in headers_of(2, ((2, 3), (0, 2), (2, 0), (1, 3), (3, 1)), count=4):
        yield from _last_index(layout)
    # A dim that is not there, with an index that is, and with one that is not.
    for rank, dim, index in product(range(4), bad_dims(3), (0, 9)):
        dim += rank - 3 if dim > 0 else 3 - rank
        yield (*header(of_many_dims(rank)), dim, index)
    for dim, index in product(dims_of(2), (2, -4, 9, -8, 300)):
        yield (3, 2), (7, 2), 4, dim, index
    for index in (3, -4, 30):
        yield (2, 3), (7, 0), 4, 1, index
    for offset, dim in product((0, 1, 300), (0, 1)):
        yield (3, 2), (7, 2), offset, dim, 1
    for layout in (TWINS, HUGE):
        yield from _last_index(layout)
    # The first is equal to the size, and another object.
    for index in (int(str(SIZE_MOST)), SIZE_MOST - 1, -SIZE_MOST, -SIZE_MOST - 1):
        yield (SIZE_MOST,), (2,), 4, 0, index
    for layout in headers_of(3, ((2, 3, 4), (3, 2, 4)), count=1):
        yield from _last_index(layout)
    for rank in (4, 5, DIMS_MOST):
        yield from _last_index(of_many_dims(rank))
    if hidden:
        for layout in headers_of(2, sizes_of(2), count=3):
            yield from _each_index(layout)
        for layout in headers_of(3, sizes_of(3), count=1):
            yield from _last_index(layout)
    for layout, dim in larger_headers(350 if hidden else 50, chance):
        n = layout.size[dim]
        outside = (n, n + 3, -n - 1, -2 * n - 1)
        inside = n and chance.random() < 0.85
        yield (*header(layout), dim, chance.randrange(-n, n) if inside else chance.choice(outside))


def _each_index(layout: Layout) -> Iterator[Arguments]:
    for dim in dims_of(layout.ndim):
        n = layout.size[dim]
        yield from ((*header(layout), dim, index) for index in range(-n, n))


def _last_index(layout: Layout) -> Iterator[Arguments]:
    """One index of each dim; where there is none, that is refused."""
    for dim in dims_of(layout.ndim):
        yield (*header(layout), dim, layout.size[dim] - 1 if dim < 0 else -1)


@draft.reference
def _reference(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> Plain:
    n = size[dim]
    if index not in range(-n, n):
        return Refusal("IndexError", f"index {index} is outside of a dim of size {n}")
    return header(dims.select(Layout(size, stride, storage_offset), dim, index))


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> str:
    n, step = size[dim], stride[dim]
    if n == 0:
        return "a dim of size 0 has no index at all, so nothing can be selected in it."
    if not -n <= index < n:
        if n == 1:
            return "a dim of size 1 has one index: 0, or -1 counted from the end."
        return f"a dim of size {n} has the indices 0 to {n - 1}, and from the end {-n} to -1."
    from_end = f"index {index} of a dim of size {n} is index {index % n}; " if index < 0 else ""
    return (
        f"{from_end}dim {dim % len(size)} goes away, with its size {n} and its stride {step}, and "
        f"the offset moves by index × stride = {index % n} × {step} = {index % n * step}, from "
        f"{storage_offset} to {storage_offset + index % n * step}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride, offset, dim, index = case.arguments
    first: Ints | None = None
    if expected is not None and 0 not in size:
        dim, index = dim % len(size), index % size[dim]
        first = tuple(index if d == dim else 0 for d in range(len(size)))
    return draw_header_change((size, stride, offset), expected, returned, first)


def _selecting(
    kept: Callable[[Ints, int], Ints] = without_dim,
    kept_stride: Callable[[Ints, int], Ints] | None = None,
    moved: Callable[[int, int, int, int], int] = lambda offset, i, n, step: offset + i % n * step,
) -> Function:
    """A way to select, right but for the parts that are given."""

    def wrong(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> Any:
        offset = moved(storage_offset, index, size[dim], stride[dim])
        return kept(size, dim), (kept_stride or kept)(stride, dim), offset

    return wrong


draft.mistake(
    "this is what you get if the dim stays, with size 1. That is a slice of length 1: "
    "select drops the dim from size and from stride.",
    _selecting(lambda size, dim: with_dim(size, dim, 1), lambda stride, _: stride),
)
draft.mistake(
    "this is what you get if the offset stays as it was: then every index gives the same "
    "part of the tensor.",
    _selecting(moved=lambda offset, *_: offset),
)
draft.mistake(
    "this is what you get if the storage_offset that was given is forgotten. Add to it.",
    _selecting(moved=lambda _, i, n, step: i % n * step),
)
draft.mistake(
    "this is what you get if the offset moves by the index. It moves by index × stride.",
    _selecting(moved=lambda offset, i, n, _: offset + i % n),
)
draft.mistake(
    "this is what you get if a negative index is multiplied as it is. Add the size first.",
    _selecting(moved=lambda offset, i, _, step: offset + i * step),
)
draft.mistake(
    "this is what you get if tuples are cut at dim and dim + 1, and dim is -1: dim + 1 is 0 "
    "then. Make the dim positive first.",
    _selecting(lambda numbers, dim: numbers[:dim] + numbers[dim + 1 :]),
)
draft.mistake(
    "this is what you get if an index that is outside is wrapped around, such as with %. Test it "
    "first.",
    _selecting(),
)
draft.mistake(
    "this is what you get if the size is added to a negative index, and that is all. If it is "
    "still negative, it is outside.",
    _selecting(moved=lambda offset, i, n, step: offset + (i + n if i < 0 else i) * step),
)


@draft.mistake(
    "this is what you get if the tensor is taken for row-major. One step along the dim is its "
    "stride, whatever the other sizes are."
)
def _row_major(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> Any:
    step = contiguous_stride(size)[dim]
    moved = storage_offset + range(size[dim])[index] * step
    return without_dim(size, dim), without_dim(stride, dim), moved


@draft.mistake(WRAPPED)
def _wraps_dims(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> Any:
    n, step = size[dim % len(size)], stride[dim % len(size)]
    if not -n <= index < n:
        raise IndexError
    return without_dim(size, dim), without_dim(stride, dim), storage_offset + index % n * step


EXERCISE = draft.exercise()
