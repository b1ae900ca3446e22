"""ps2, `select`: one index of a dim, which goes away."""

import random
from collections.abc import Callable, Iterable
from typing import Any

from stridekit.checks.cases import header
from stridekit.checks.exercise import Arguments, Refusal
from stridekit.checks.returns import HEADER
from stridekit.checks.seam import Case, Function, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps2.dims import (
    bad_dims,
    dims_of,
    with_dim,
    without_dim,
)
from stridekit.exercises.ps2.drafts import HeaderDraft
from stridekit.exercises.ps2.headers import (
    draw_header_change,
    random_headers,
    small_headers,
)
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout

draft = HeaderDraft(
    "select",
    ("size", "stride", "storage_offset", "dim", "index"),
    place=1,
    returns=HEADER,
    named=("dim",),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for rank in range(4 if hidden else 3):
        for layout in small_headers(rank):
            for dim in dims_of(rank):
                n = layout.size[dim]
                for index in range(-n, n):
                    yield (*header(layout), dim, index)
                # Just outside, on either side.
                yield (*header(layout), dim, n if dim >= 0 else -n - 1)
            if rank < 2 or layout.storage_offset:
                for dim in bad_dims(rank):
                    yield (*header(layout), dim, 0)
    for layout, dim in random_headers(1000 if hidden else 300, chance):
        n = layout.size[dim]
        inside = n and chance.random() < 0.9
        index = chance.randrange(-n, n) if inside else chance.choice((n, n + 3, -n - 1, -n - 4))
        yield (*header(layout), dim, index)


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
    "this is what you get from size[:dim] + size[dim + 1:] if dim is -1: dim + 1 is 0 "
    "then. Make the dim positive first.",
    _selecting(lambda numbers, dim: numbers[:dim] + numbers[dim + 1 :]),
)
draft.mistake(
    "this is what you get if whatever is outside is wrapped around with %. Test the index "
    "before you do.",
    _selecting(),
)
EXERCISE = draft.exercise()
