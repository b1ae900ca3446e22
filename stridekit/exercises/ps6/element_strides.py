"""ps6, `element_strides`: NumPy's byte strides in elements."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments, Draft, Refusal
from stridekit.checks.returns import INTS
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps6.byte_pictures import Shown, array, draw_array, draw_over_bytes
from stridekit.layouts.layout import Ints

draft = Draft("element_strides", ("byte_strides", "itemsize"), place=1, returns=INTS)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for s in (1, 2, 4, 8, 16) if hidden else (1, 2, 4, 8):
        good = (0, s, 2 * s, 3 * s, 4 * s, 6 * s, 7 * s, 10 * s)
        steps = (*good, -s, s + s // 2, s + 1)
        for rank in range(4 if hidden else 3):
            for byte_strides in product(steps if rank < 3 else steps[1::2], repeat=rank):
                yield byte_strides, s
    for layout in random_layouts(1000 if hidden else 250, chance):
        s = chance.choice((1, 2, 4, 8))
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
    return negative, len(byte_strides), itemsize, sum(map(abs, byte_strides)), byte_strides


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
            "expected": Shown((size, expected, 0), itemsize),
            "yours": Shown((size, yours, 0), itemsize),
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
