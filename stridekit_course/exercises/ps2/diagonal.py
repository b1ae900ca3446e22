"""ps2, `diagonal`: a diagonal of a matrix."""

import random
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts import dims
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Function, Plain
from stridekit_course.checks.cases import header
from stridekit_course.checks.exercise import Arguments
from stridekit_course.checks.returns import HEADER
from stridekit_course.exercises.ps2 import (
    HUGE,
    HeaderDraft,
    draw_header_change,
    headers_of,
    sizes_of,
)

draft = HeaderDraft(
    "diagonal", ("size", "stride", "storage_offset", "offset"), place=7, returns=HEADER
)


# What the text says: so many rows and columns.
SIDE_MOST = 60


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout, offset in product(headers_of(2, sizes_of(2), count=1), range(-4, 5)):
        yield (*header(layout), offset)
    for size in ((2, 3), (3, 2), (3, 3), (1, 2)):
        for stride in ((3, 1), (1, 3), (0, 1), (5, 0), (5, 5), (0, 0)):
            yield from ((size, stride, 0, offset) for offset in range(-2, 3))
    yield from ((*header(HUGE), offset) for offset in (-1, 0, 1, 2))
    for size in ((12, 20), (20, 12), (SIDE_MOST, SIDE_MOST)):
        yield from ((size, (2, 50), 3, offset) for offset in (-11, -1, 0, 2, 11))
    # Far outside.
    for size in ((2, 3), (3, 2), (0, 2), (2, 0)):
        for offset, storage_offset in product((7, -7, 30, -30, 1000, -1000), (0, 3)):
            yield size, (1, 4), storage_offset, offset
    if hidden:
        each = product(sizes_of(2, 5), ((1, 7), (6, 1)), range(-6, 7))
        yield from ((size, stride, 3, offset) for size, stride, offset in each)
    steps = (0, 1, 2, 3, 12, 60, 300, HUGE.stride[0])
    for _ in range(250 if hidden else 80):
        rows, columns = chance.choices((1, 2, 4, 5, 7, 12, 20, SIDE_MOST), k=2)
        down, right = chance.choices(steps, k=2)
        offset = chance.randint(-rows - 1, columns + 1)
        storage_offset = chance.choice((0, 1, 300, HUGE.storage_offset))
        yield (rows, columns), (down, right), storage_offset, offset


@draft.reference
def _reference(size: Ints, stride: Ints, storage_offset: int, offset: int) -> Plain:
    return header(dims.diagonal(Layout(size, stride, storage_offset), offset))


@draft.rule
def _rule(size: Ints, stride: Ints, storage_offset: int, offset: int) -> str:
    (rows, columns), (down, right) = size, stride
    row, column = max(-offset, 0), max(offset, 0)
    if row >= rows or column >= columns:
        where = f"row {row}" if row >= rows else f"column {column}"
        return (
            f"diagonal {offset} would begin in {where}, which a {rows} × {columns} matrix does "
            f"not have: its size is 0, the storage_offset stays at {storage_offset}, and the "
            f"stride is still {down} + {right} = {down + right}."
        )
    moved = f"{row} × {down}" if row else f"{column} × {right}"
    start = f"which moves the storage_offset by {moved} = {row * down + column * right}"
    return (
        f"diagonal {offset} begins at row {row}, column {column}, "
        f"{start if offset else 'where the matrix begins'}; each step goes one down and one "
        f"right, so the stride is {down} + {right} = {down + right}; it ends with the rows or "
        f"with the columns, so the size is min({rows - row}, {columns - column}) = "
        f"{min(rows - row, columns - column)}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride, storage_offset, offset = case.arguments
    first = (max(-offset, 0), max(offset, 0)) if expected[0][0] else None
    return draw_header_change((size, stride, storage_offset), expected, returned, first)


def _fitting(size: Ints, offset: int) -> int:
    return min(size[0] - max(-offset, 0), size[1] - max(offset, 0))


def _move(stride: Ints, offset: int) -> int:
    return max(-offset, 0) * stride[0] + max(offset, 0) * stride[1]


def _walking(
    count: Callable[[Ints, int], int] = lambda size, offset: max(0, _fitting(size, offset)),
    move: Callable[[Ints, int], int] = _move,
    empty_moves: bool = False,
    forgets: bool = False,
) -> Function:
    """A way to find a diagonal, right but for the parts that are given."""

    def wrong(size: Ints, stride: Ints, storage_offset: int, offset: int) -> Any:
        left = count(size, offset)
        if left <= 0 and not empty_moves:
            return (left,), (sum(stride),), storage_offset
        start = 0 if forgets else storage_offset
        return (left,), (sum(stride),), start + move(stride, offset)

    return wrong


@draft.mistake(
    "this is what you get if the matrix is taken for row-major. Do not count columns: "
    "add the strides that you are given."
)
def _row_major(size: Ints, _: Ints, storage_offset: int, offset: int) -> Any:
    return _walking()(size, (size[1], 1), storage_offset, offset)


draft.mistake(
    "this is what you get if the storage_offset stays, whichever diagonal is asked for.",
    _walking(move=lambda *_: 0),
)
draft.mistake(
    "this is what you get if the storage_offset moves by offset. Offset counts columns "
    "(or rows, if negative): multiply by their stride.",
    _walking(move=lambda _, offset: abs(offset)),
)
draft.mistake(
    "this is what you get if a negative offset moves back along the columns. It moves "
    "down, along the rows.",
    _walking(move=lambda stride, offset: offset * stride[1]),
)
draft.mistake(
    "this is what you get if a positive offset goes down and a negative one right. It is "
    "the other way round.",
    _walking(
        lambda size, offset: max(0, _fitting(size, -offset)),
        lambda stride, offset: _move(stride, -offset),
    ),
)
draft.mistake(
    "this is what you get if the storage_offset that was given is forgotten. Add to it.",
    _walking(forgets=True),
)
draft.mistake(
    "this is what you get if the length is min(size) for every diagonal. Others than the "
    "main one may be shorter.",
    _walking(lambda size, _: min(size)),
)
draft.mistake(
    "this is what you get if the length is min(size) - |offset|. In a wide matrix the "
    "next diagonal can be as long as the main one.",
    _walking(lambda size, offset: max(0, min(size) - abs(offset))),
)
draft.mistake(
    "this is what you get if the length is rows - |offset|, as in a square matrix. The columns may "
    "end first, and to the right there may be more of them.",
    _walking(lambda size, offset: max(0, size[0] - abs(offset))),
)


@draft.mistake(
    "this is what you get if a negative offset counts columns from the end, as a negative index "
    "does. It counts rows, from the first one down."
)
def _from_the_end(size: Ints, stride: Ints, storage_offset: int, offset: int) -> Any:
    column = offset + size[1] if offset < 0 else offset
    return _walking()(size, stride, storage_offset, column)


draft.mistake(
    "this is what you get if an empty diagonal moves the storage_offset. It stays.",
    _walking(empty_moves=True),
)
draft.mistake(
    "this is what you get if an empty diagonal gets a negative size. Sizes are never below 0.",
    _walking(_fitting),
)
EXERCISE = draft.exercise()
