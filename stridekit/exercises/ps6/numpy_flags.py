"""ps6, `numpy_flags`: NumPy's two flags of contiguity."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.checks.cases import random_layouts, small_sizes
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.returns import TRUTH, Record
from stridekit.exercises.ps6.byte_pictures import draw_array
from stridekit.layouts.layout import Ints

draft = Draft(
    "numpy_flags",
    ("shape", "byte_strides", "itemsize"),
    place=2,
    returns=Record((("c_contiguous", TRUTH), ("f_contiguous", TRUTH))),
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for s in (4, 1, 2, 8) if hidden else (4, 1):
        steps = tuple(dict.fromkeys((0, s, 2 * s, 3 * s, -s, s + 1)))
        for rank in range(3):
            for shape in product(range(4), repeat=rank):
                for byte_strides in product(steps, repeat=rank):
                    yield shape, byte_strides, s
    if hidden:
        for shape in product(range(4), repeat=3):
            for byte_strides in product((2, 4, 6, 12), repeat=3):
                yield shape, byte_strides, 2
    for shape in small_sizes(4 if hidden else 3):
        # The two orders themselves.
        yield shape, _packed(shape, 8), 8
        yield shape, _packed(shape[::-1], 8)[::-1], 8
    for layout in random_layouts(900 if hidden else 250, chance):
        s = chance.choice((1, 2, 4, 8))
        steps_in_bytes = [step * s for step in layout.stride]
        if chance.random() < 0.2:
            steps_in_bytes[chance.randrange(layout.ndim)] *= -1
        yield layout.size, tuple(steps_in_bytes), s


def _packed(size: Ints, itemsize: int) -> Ints:
    strides: list[int] = []
    step = itemsize
    for n in reversed(size):
        strides.insert(0, step)
        step *= max(n, 1)
    return tuple(strides)


def _gap(dims: Iterable[int], shape: Ints, byte_strides: Ints, itemsize: int) -> Ints | None:
    """The first dim on the way whose byte stride is not as expected, and what is expected."""
    expected = itemsize
    for dim in dims:
        if shape[dim] == 1:
            continue
        if byte_strides[dim] != expected:
            return dim, expected
        expected *= shape[dim]
    return None


def _gaps(shape: Ints, byte_strides: Ints, itemsize: int) -> tuple[Ints | None, Ints | None]:
    dims = range(len(shape))
    c_gap = _gap(reversed(dims), shape, byte_strides, itemsize)
    return c_gap, _gap(dims, shape, byte_strides, itemsize)


@draft.reference
def _reference(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    if 0 in shape:
        return True, True
    c_gap, f_gap = _gaps(shape, byte_strides, itemsize)
    return c_gap is None, f_gap is None


@draft.rule
def _rule(shape: Ints, byte_strides: Ints, itemsize: int) -> str:
    if 0 in shape:
        return "an array without elements has both flags: there is nothing to be out of order."
    if all(n == 1 for n in shape):
        return "an array of one element has both flags: no byte stride is ever stepped."
    words = []
    for flag, side, gap in zip(
        "CF", ("last", "first"), _gaps(shape, byte_strides, itemsize), strict=True
    ):
        where = f"{flag}, from the {side} dim on, "
        if gap is None:
            words.append(where + "meets what it expects")
        else:
            dim, expected = gap
            words.append(
                where + f"expects byte stride {expected} at dim {dim} and meets {byte_strides[dim]}"
            )
    ones = "; dims of size 1 are skipped" if 1 in shape else ""
    return f"both walks begin by expecting {itemsize}, the itemsize: {'; '.join(words)}{ones}."


draft.picture(lambda case, *_: draw_array(*case.arguments))


@draft.mistake(
    "this is what you get if F is taken for the opposite of C. An array can have both "
    "flags, or neither."
)
def _one_flag_only(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    c, _ = _reference(shape, byte_strides, itemsize)
    return c, not c


@draft.mistake("this is what you get if the walk expects 1. Byte strides begin with the itemsize.")
def _in_elements(shape: Ints, byte_strides: Ints, _: int) -> Any:
    return _reference(shape, byte_strides, 1)


@draft.mistake("this is what you get if dims of size 1 are not skipped.")
def _ones_not_skipped(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    if 0 in shape:
        return True, True
    c, f = _packed(shape, itemsize), _packed(shape[::-1], itemsize)[::-1]
    return byte_strides == c, byte_strides == f


@draft.mistake("this is what you get if arrays without elements are walked.")
def _empty_not_exempt(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    c_gap, f_gap = _gaps(shape, byte_strides, itemsize)
    return c_gap is None, f_gap is None


@draft.mistake(
    "this is what you get if the sign is dropped. A negative byte stride walks backwards, "
    "and that is neither order."
)
def _either_direction(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    return _reference(shape, tuple(map(abs, byte_strides)), itemsize)


EXERCISE = draft.exercise()
