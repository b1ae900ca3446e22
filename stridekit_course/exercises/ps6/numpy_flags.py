"""ps6, `numpy_flags`: NumPy's two flags of contiguity."""

import random
from collections.abc import Iterable
from itertools import cycle, product
from typing import Any

from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Case
from stridekit_course.checks.cases import random_layouts, weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.returns import TRUTH, NamedParts
from stridekit_course.exercises.ps6 import DTYPES, draw_array

draft = Draft(
    "numpy_flags",
    ("shape", "byte_strides", "itemsize"),
    place=2,
    returns=NamedParts((("c_contiguous", TRUTH), ("f_contiguous", TRUTH))),
)


# No powers of two among them. The smallest shapes take those that can be drawn.
_ITEMSIZES = (8, 12, 3, 1, 16, 4, 2, 6)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """At most 7 dims and 600 elements."""
    yield from (((), (), s) for s in _ITEMSIZES)
    for n in (0, 1, 2, 3, 12):
        for s in _ITEMSIZES[: 8 if hidden else 3]:
            for step in dict.fromkeys((s, 0, 1, 2 * s, n * s, -s, s + 1)):
                yield (n,), (step,), s
    # The same array, but for the itemsize.
    for one in (((2, 3), (24, 8)), ((3, 2), (8, 24)), ((2, 1, 2), (16, 8, 8))):
        yield from ((*one, s) for s in (8, 4, 12, 1))
    # Every small shape, in steps that each walk may expect, and in others.
    for shape in product(range(4) if hidden else (1, 2, 3), repeat=2):
        s = _itemsize(shape)
        factors = (1, shape[0], shape[1], -1, 4, 0) if hidden else (1, *shape, -1)
        for pair in product(dict.fromkeys(factor * s for factor in factors), repeat=2):
            yield shape, pair, s
    for shape in ((0, 2), (2, 0), (0, 0), (0, 1)):
        yield from ((shape, (step, step), 4) for step in (4, 0, -8, 5))
    for shape in (*_SHAPES, *(_more_shapes() if hidden else ())):
        s = _itemsize(shape)
        for byte_strides in _near(shape, s, 2 if hidden else 1):
            yield shape, byte_strides, s
    turns = cycle(_ITEMSIZES)
    for layout in random_layouts(200 if hidden else 28, chance, (2, 7)):
        s = next(turns)
        steps_in_bytes = [step * s for step in layout.stride]
        if chance.random() < 0.2:
            steps_in_bytes[chance.randrange(layout.ndim)] *= -1
        yield layout.size, tuple(steps_in_bytes), s


_SHAPES = (
    *((2, 3, 4), (2, 2, 2), (1, 3, 2), (3, 1, 2), (2, 3, 1), (1, 4, 1), (2, 0, 3), (2, 3, 4, 5)),
    *((3, 1, 2, 2), (12, 10), (2, 2, 1, 3, 2), (1, 1, 7, 1, 1), (2, 1, 2, 3, 2, 2)),
    *((2, 2, 2, 2, 2, 2, 2), (1, 2, 1, 3, 1, 2, 11), (15, 20, 2)),
)


def _more_shapes() -> Iterable[Ints]:
    yield from product((1, 2, 3), repeat=3)
    yield from ((0, 2, 3), (2, 3, 0), (1, 0, 1), (2, 2, 0, 2), (3, 0, 0, 1))


def _itemsize(shape: Ints) -> int:
    """One for each shape, so that the visible cases are among the hidden ones."""
    return _ITEMSIZES[sum(place * n for place, n in enumerate(shape, 1)) % len(_ITEMSIZES)]


def _near(shape: Ints, s: int, changes: int) -> Iterable[Ints]:
    """Both orders, other orders, and both orders with one byte stride changed."""
    orders = _packed(shape, s), _packed(shape[::-1], s)[::-1]
    yield from orders
    # In pieces without gaps, but in an order that neither walk goes.
    rank = len(shape)
    for order in [(*range(1, rank), 0), (0, *range(rank - 1, 0, -1))][:changes]:
        packed = _packed(tuple(shape[dim] for dim in order), s)
        yield tuple(packed[order.index(dim)] for dim in range(rank))
    if rank > 2:
        # As long as without gaps, and in the same order.
        for given, (slow, next_one) in zip(orders, ((0, 1), (-1, -2)), strict=True):
            moved = [*given]
            moved[slow] -= s * (shape[next_one] - 1)
            moved[next_one] += s * (shape[slow] - 1)
            yield tuple(moved)
    turns = cycle(range(7))
    for given, dim in product(orders, range(rank)):
        others = [0, given[dim] + 1, 2 * given[dim], -given[dim], given[dim] + s, 1, 5 * s]
        first = next(turns) + sum(shape)
        for number in range(changes):
            step = others[(first + 3 * number) % len(others)]
            yield (*given[:dim], step, *given[dim + 1 :])


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


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    shape, _, itemsize = case.arguments
    # With one byte to an element, bytes are elements; and not every itemsize can be drawn.
    plain = itemsize > 1 and itemsize in DTYPES
    return 0 in shape, not plain, len(shape) != 2, 1 in shape, weigh_arguments(case)


@draft.mistake(
    "this is what you get if F is taken for the opposite of C. An array can have both "
    "flags, or neither."
)
def _one_flag_only(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    c, _ = _reference(shape, byte_strides, itemsize)
    return c, not c


_NEVER_BOTH = (
    "this is what you get if an array never has both flags. It has, where at most one dim has "
    "another size than 1: then both walks go through the same dims."
)


@draft.mistake(_NEVER_BOTH)
def _c_or_f(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    c, f = _reference(shape, byte_strides, itemsize)
    return c, f and not c


@draft.mistake(_NEVER_BOTH)
def _c_or_f_unless_empty(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    return (True, True) if 0 in shape else _c_or_f(shape, byte_strides, itemsize)


@draft.mistake("these are the two flags the other way round: C comes first.")
def _swapped(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    return _reference(shape, byte_strides, itemsize)[::-1]


@draft.mistake(
    "this is what you get if byte strides are only compared with one another. They have to be "
    "exactly what the walk expects: more means gaps."
)
def _sorted_only(shape: Ints, byte_strides: Ints, _: int) -> Any:
    steps = [step for n, step in zip(shape, byte_strides, strict=True) if n != 1]
    rising = sorted(steps)
    return 0 in shape or steps == rising[::-1], 0 in shape or steps == rising


@draft.mistake(
    "this is what you get if only the fastest dim is looked at: the last one for C, the first "
    "one for F. The walk goes on."
)
def _one_step_only(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    steps = [step for n, step in zip(shape, byte_strides, strict=True) if n != 1]
    ends = (steps[-1:], steps[:1])
    c, f = (0 in shape or end in ([], [itemsize]) for end in ends)
    return c, f


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
