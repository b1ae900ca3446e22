"""ps2, `diagonal`: a diagonal of a matrix."""

import random
from itertools import product

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, variants
from stridekit_course.checks.returns import HEADER
from stridekit_course.checks.strategies import crossed
from stridekit_course.exercises import ps2

# What the text says: so many rows and columns.
SIDE_MOST = 60


def _cases(hidden: bool, chance: random.Random) -> Given:
    for layout in ps2.small_grids(product(range(6 if hidden else 4), repeat=2), 1 + hidden):
        yield from ((layout, offset) for offset in range(-6, 7))
    for layout in (
        *ps2.small_grids(((2, 3), (3, 2), (2, 2))),
        Layout((2, 2), (0, 0)),
        Layout((3, 3), (2, 2)),
        *(Layout((1, 23), (4, 5)), Layout((12, 3), (4, 5))),
        ps2.HUGE,
    ):
        yield from ((layout, offset) for offset in range(-2, 3))
    for sides in ((12, 20), (20, 12), (SIDE_MOST, SIDE_MOST)):
        yield from ((sides, (2, 50), 3, offset) for offset in (-11, -1, 0, 2, 11))
    far = (7, -7, 30, -30, 1000, -1000)
    for size, offset, start in product(((2, 3), (SIDE_MOST, 12), (0, 2), (2, 0)), far, (0, 3)):
        yield size, (1, 4), start, offset
    lengths, steps = (0, 1, 2, 4, 5, 7, 12, 20, SIDE_MOST), (0, 1, 2, 3, 12, 60, ps2.HUGE.stride[0])
    for row in crossed(
        chance,
        rows=lengths,
        columns=lengths,
        down=steps,
        right=steps,
        start=(0, 1, 300, ps2.HUGE.storage_offset),
        # From the diagonal before the first to the one after the last.
        part=(0.0, 0.2, 0.4, 0.5, 0.7, 0.9, 1.0) if hidden else (0.0, 0.3, 0.6, 1.0),
    ):
        offset = round((row["rows"] + row["columns"]) * row["part"]) - row["rows"]
        yield (row["rows"], row["columns"]), (row["down"], row["right"]), row["start"], offset


def _reference(size: Ints, stride: Ints, storage_offset: int, offset: int) -> Plain:
    row, column = max(-offset, 0), max(offset, 0)
    left = min(size[0] - row, size[1] - column)
    left = max(left, 0)
    move = row * stride[0] + column * stride[1]
    return (left,), (sum(stride),), storage_offset + (move if left > 0 else 0)


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
    return (
        f"diagonal {offset} begins at row {row}, column {column}, which moves the storage_offset "
        f"by {row} × {down} + {column} × {right} = {row * down + column * right}; each step goes "
        f"one down and one right, so the stride is {down} + {right} = {down + right}; it ends with "
        f"the rows or with the columns, so the size is min({rows - row}, {columns - column}) = "
        f"{min(rows - row, columns - column)}."
    )


_but = variants(_reference)
_LEFT = "min(size[0] - row, size[1] - column)"


EXERCISE = ps2.exercise_on_dims(
    "diagonal",
    ("size", "stride", "storage_offset", "offset"),
    place=7,
    returns=HEADER,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    begins=lambda *given: (max(-given[-1], 0), max(given[-1], 0)),
    known={
        "if the matrix is taken for row-major. Do not count columns: add the strides that you are "
        "given.": _but("    row, column", "    stride = size[1], 1\n    row, column"),
        "if the storage_offset stays, whichever diagonal is asked for.": _but("(move if", "(0 if"),
        "if the storage_offset moves by offset. Offset counts columns (or rows, if negative): "
        "multiply by their stride.": _but("(move if", "(abs(offset) if"),
        "if a negative offset moves back along the columns. It moves down, along the rows.": _but(
            "(move if", "(offset * stride[1] if"
        ),
        "if a positive offset goes down and a negative one right. It is the other way round.": (
            _but("row, column =", "column, row =")
        ),
        "if the storage_offset that was given is forgotten. Add to it.": _but(
            "storage_offset + (move if left > 0 else 0)", "move if left > 0 else storage_offset"
        ),
        "if the length is min(size) for every diagonal. Others "
        "than the main one may be shorter.": _but(_LEFT, "min(size)"),
        "if the length is min(size) - |offset|. In a wide or tall matrix the next diagonal can be "
        "as long as the main one.": _but(_LEFT, "min(size) - abs(offset)"),
        "if the length is rows - |offset|, as in a square matrix. The columns may end first, and "
        "to the right there may be more of them.": _but(_LEFT, "size[0] - abs(offset)"),
        "if a negative offset counts columns from the end, as a negative index does. It counts "
        "rows, from the first one down.": _but(
            "    row, column", "    offset += size[1] if offset < 0 else 0\n    row, column"
        ),
        "if an empty diagonal moves the storage_offset. It stays.": _but(
            "(move if left > 0 else 0)", "move"
        ),
        "if an empty diagonal gets a negative size. Sizes are never below 0.": _but(
            "    left = max(left, 0)\n", ""
        ),
    },
)
