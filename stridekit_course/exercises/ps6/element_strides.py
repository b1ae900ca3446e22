"""ps6, `element_strides`: NumPy's byte strides in elements."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import random_layouts
from stridekit_course.checks.exercise import Arguments, Draft, Refusal
from stridekit_course.checks.returns import INTS
from stridekit_course.exercises.ps6 import DTYPES, ByteHeader, array, draw_array, draw_over_bytes

draft = Draft("element_strides", ("byte_strides", "itemsize"), place=1, returns=INTS)


# No powers of two among them.
_ITEMSIZES = (4, 2, 3, 8, 12, 1, 16, 6, 24)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """At most 7 dims, and byte strides below 2**60."""
    itemsizes = _ITEMSIZES if hidden else _ITEMSIZES[:6]
    yield from (((), s) for s in itemsizes)
    for s in itemsizes:
        fine = (0, s, 2 * s, 3 * s, 7 * s, 10 * s)
        # What divides by a part of the itemsize alone, and both faults at once.
        bad = (-s, -3 * s, s + s // 2, s + 1, 2 * s - 1, 10 * s + max(s // 4, 1), -s - 1, -1, 1)
        yield from (((step,), s) for step in (*fine, *bad))
        steps = (0, s, 3 * s, 10 * s, -s, s + s // 2, s + 1, -s - 1)
        if hidden:
            yield from ((pair, s) for pair in product(steps, repeat=2))
            yield from ((three, s) for three in product((s, 6 * s, s + 1), repeat=3))
        else:
            yield from ((pair, s) for pair in product(steps[1:-1:2], repeat=2))
    for rank in range(3, 8):
        # One fault in each place of many dims.
        for place, s in product(range(rank), (8, 3, 1) if hidden else (8,)):
            row_major = contiguous_stride((2, 3, 4, 5, 2, 3, 11)[:rank])
            good = tuple(step * s for step in row_major)
            for fault in (-s, good[place] + s // 2 + 1, 0):
                yield (*good[:place], fault, *good[place + 1 :]), s
    for power in (31, 53, 54, 58):
        for s in (8, 3, 1) if hidden else (8,):
            far = (2**power + 1) * s
            yield from (((far, s), s), ((s, far + 1), s), ((far - s, far), s), ((-far,), s))
    for layout in random_layouts(300 if hidden else 60, chance, (2, 7)):
        s = chance.choice(_ITEMSIZES)
        steps_in_bytes = [step * s for step in layout.stride]
        if chance.random() < 0.2:
            dim = chance.randrange(layout.ndim)
            steps_in_bytes[dim] = chance.choice((-s, steps_in_bytes[dim] + 1))
        yield tuple(steps_in_bytes), s


@draft.reference
def _reference(byte_strides: Ints, itemsize: int) -> Plain:
    for dim, step in enumerate(byte_strides):
        if step < 0:
            return Refusal("ValueError", f"byte stride {step} of dim {dim} is negative")
        if step % itemsize:
            return Refusal(
                "ValueError", f"byte stride {step} of dim {dim} is no multiple of {itemsize}"
            )
    return tuple(step // itemsize for step in byte_strides)


@draft.rule
def _rule(byte_strides: Ints, itemsize: int) -> str:
    expected = _reference(byte_strides, itemsize)
    if not byte_strides:
        return "rank 0 has no dims, so there is nothing to divide, and nothing to refuse: ()."
    if not isinstance(expected, Refusal):
        steps = ", ".join(f"{step} / {itemsize} = {step // itemsize}" for step in byte_strides)
        return f"a step of so many bytes, counted in elements of {itemsize}: {steps}."
    if "negative" in expected.why:
        return f"torch has no negative strides, so from_numpy refuses: {expected.why}."
    return f"torch counts in whole elements: {expected.why}, so from_numpy refuses."


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    byte_strides, itemsize = case.arguments
    # Those with negative strides come last: they are a matter of their own.
    negative = any(step < 0 for step in byte_strides)
    # With one byte to an element, bytes are elements; not every itemsize can be drawn.
    plain = itemsize > 1 and itemsize in DTYPES
    few = len(byte_strides) != 2
    return (
        negative,
        not plain,
        few,
        len(byte_strides),
        itemsize,
        sum(map(abs, byte_strides)),
        byte_strides,
    )


def _sample(rank: int) -> Ints:
    """A size that shows every stride at work."""
    return (2,) * (rank - 1) + (3,) * (rank > 0)


@draft.picture
def _picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    byte_strides, itemsize = case.arguments
    size = _sample(len(byte_strides))
    if expected is None:
        return draw_array(size, byte_strides, itemsize)
    return draw_over_bytes(
        {
            "array": array(size, byte_strides, itemsize),
            "expected": ByteHeader((size, expected, 0), itemsize),
            "yours": ByteHeader((size, yours, 0), itemsize),
        }
    )


@draft.mistake(
    "this is what you get if negative strides are let through. NumPy has them, torch does not."
)
def _refuses_parts_only(byte_strides: Ints, itemsize: int) -> Any:
    if any(step % itemsize for step in byte_strides):
        raise ValueError
    return _floors(byte_strides, itemsize)


@draft.mistake(
    "this is what you get from floor division: it rounds down what does not divide, and "
    "says nothing. Look at the remainder."
)
def _floors(byte_strides: Ints, itemsize: int) -> Any:
    return tuple(step // itemsize for step in byte_strides)


@draft.mistake(
    "this is what you get if 0 is refused too. Only a negative stride is: expand() makes "
    "strides of 0."
)
def _refuses_zero(byte_strides: Ints, itemsize: int) -> Any:
    if any(step <= 0 or step % itemsize for step in byte_strides):
        raise ValueError
    return _floors(byte_strides, itemsize)


EXERCISE = draft.exercise()
