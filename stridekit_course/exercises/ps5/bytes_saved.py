"""ps5, `bytes_saved`: what an expanded tensor saves against a copy."""

import random
from collections import Counter
from itertools import starmap
from math import prod

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.exercise import Exercise, Given, variants
from stridekit_course.checks.pictures import as_layout, draw_tensors
from stridekit_course.checks.returns import WHOLE
from stridekit_course.checks.strategies import RUN_TOGETHER, tensor_data
from stridekit_course.exercises.ps5 import distinct_positions, overlap_layouts

_ITEMSIZES = (8, 2, 4, 1, 3, 12, 16, 1000)


def _cases(hidden: bool, chance: random.Random) -> Given:
    for layout in overlap_layouts(hidden, chance):
        number = layout.ndim + sum(layout.size) + sum(layout.stride)
        yield layout, _ITEMSIZES[number % len(_ITEMSIZES)]
    some = (((), ()), ((3,), (0,)), ((2, 3), (1, 1)), ((5,), (2,)), ((0, 3), (0, 1)))
    for layout in (*starmap(Layout, some), *RUN_TOGETHER):
        yield from ((layout, itemsize) for itemsize in _ITEMSIZES)


def _reference(size: Ints, stride: Ints, itemsize: int) -> int:
    positions = [*Layout(size, stride).positions()]
    return itemsize * (len(positions) - len({*positions}))


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


def _picture(_: object, __: object, size: Ints, stride: Ints, itemsize: int) -> Diagram | None:
    layout = as_layout((size, stride, 0))
    # Of a dtype of that itemsize, so that the picture speaks of as many bytes.
    if layout is None or itemsize not in (1, 2, 4, 8):
        return None
    return draw_tensors({"given": tensor_data(layout, dtype=f"int{8 * itemsize}")})


_but = variants(_reference, Counter=Counter)
# How many elements are saved, and which are there already; by dims that step.
_SAVED, _THERE = "(len(positions) - len({*positions}))", "len({*positions})"
_STEPS = "prod(n for n, step in zip(size, stride) if step)"


EXERCISE = Exercise(
    "bytes_saved",
    ("size", "stride", "itemsize"),
    place=3,
    returns=WHOLE,
    cases=_cases,
    # Elements as dtypes have them first; with one byte the rest would not show.
    late=lambda *given: given[-1] not in (2, 4, 8),
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if the storage is counted up to the last position, gaps and all. Count the positions that"
        " some index reaches.": (
            _but(_SAVED, "(len(positions) - max([-1, *positions]) - 1)"),
            _but(_SAVED, "max(len(positions) - max([-1, *positions]) - 1, 0)"),
        ),
        "if only dims with stride 0 are taken to repeat. Other strides can reach one position "
        "twice as well.": (
            _but(_SAVED, f"(len(positions) - {_STEPS})"),
            _but(_SAVED, f"max(len(positions) - {_STEPS}, 0)"),
        ),
        "if each position is counted as itemsize of them. Positions count elements: two neighbours"
        " share no byte.": _but(
            f"{_SAVED}\n",
            "len(positions) - len({at + byte for at in positions for byte in range(itemsize)})\n",
        ),
        "these are elements. Multiply by itemsize to get bytes.": _but("itemsize * ", ""),
        "these are the bytes that it holds, not those that it saves.": _but(_SAVED, _THERE),
        "these are the bytes of a copy. Take away what there is already.": _but(f" - {_THERE}", ""),
        "if each shared position saves one element. Three elements at one position save two.": _but(
            _SAVED, "sum(times > 1 for times in Counter(positions).values())"
        ),
        "if all elements count that share a position. One of them needs it.": _but(
            _SAVED, "sum(times for times in Counter(positions).values() if times > 1)"
        ),
    },
)
