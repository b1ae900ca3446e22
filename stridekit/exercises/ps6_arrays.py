"""Assignment ps6, NumPy's byte strides: element_strides and numpy_flags."""

import random
from collections.abc import Iterable
from itertools import product
from typing import Any

from stridekit.checks.cases import random_layouts, small_sizes
from stridekit.checks.exercise import Arguments, Mistake, Refusal, plain_exercise
from stridekit.checks.returns import INTS, TRUTH, Record
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps6_pictures import Shown, array, draw_array, draw_over_bytes
from stridekit.layouts.layout import Ints


def _element_strides_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _element_strides(byte_strides: Ints, itemsize: int) -> Plain:
    for dim, step in enumerate(byte_strides):
        if step < 0:
            return Refusal("ValueError", f"byte stride {step} of dim {dim} is negative")
        if step % itemsize:
            return Refusal(
                "ValueError", f"byte stride {step} of dim {dim} is no multiple of {itemsize}"
            )
    return tuple(step // itemsize for step in byte_strides)


def _element_strides_rule(byte_strides: Ints, itemsize: int) -> str:
    expected = _element_strides(byte_strides, itemsize)
    if not byte_strides:
        return "rank 0 has no dims, so there is nothing to divide, and nothing to refuse: ()."
    if not isinstance(expected, Refusal):
        steps = ", ".join(f"{step} / {itemsize} = {step // itemsize}" for step in byte_strides)
        return f"a step of so many bytes, counted in elements of {itemsize}: {steps}."
    if "negative" in expected.why:
        return f"torch has no negative strides, so from_numpy refuses: {expected.why}."
    return f"torch counts in whole elements: {expected.why}, so from_numpy refuses."


def _weigh(case: Case) -> tuple[Any, ...]:
    byte_strides, itemsize = case.arguments
    # Those with negative strides come last: they are a matter of their own.
    negative = any(step < 0 for step in byte_strides)
    return negative, len(byte_strides), itemsize, sum(map(abs, byte_strides)), byte_strides


def _sample(rank: int) -> Ints:
    """A size that shows every stride at work."""
    return (2,) * (rank - 1) + (3,) * (rank > 0)


def _draw_element_strides(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
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


def _floors(byte_strides: Ints, itemsize: int) -> Any:
    return tuple(step // itemsize for step in byte_strides)


def _refuses_parts_only(byte_strides: Ints, itemsize: int) -> Any:
    if any(step % itemsize for step in byte_strides):
        raise ValueError
    return _floors(byte_strides, itemsize)


def _refuses_zero(byte_strides: Ints, itemsize: int) -> Any:
    if any(step <= 0 or step % itemsize for step in byte_strides):
        raise ValueError
    return _floors(byte_strides, itemsize)


ELEMENT_STRIDES = plain_exercise(
    "element_strides",
    ("byte_strides", "itemsize"),
    cases=_element_strides_cases,
    reference=_element_strides,
    returns=INTS,
    rule=_element_strides_rule,
    picture=_draw_element_strides,
    mistakes=(
        Mistake(
            _refuses_parts_only,
            "this is what you get if negative strides are let through. NumPy has them, torch "
            "does not.",
        ),
        Mistake(
            _floors,
            "this is what you get from floor division: it rounds down what does not divide, and "
            "says nothing. Look at the remainder.",
        ),
        Mistake(
            _refuses_zero,
            "this is what you get if 0 is refused too. Only a negative stride is: expand() makes "
            "strides of 0.",
        ),
    ),
    weigh=_weigh,
)


def _numpy_flags_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _numpy_flags(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    if 0 in shape:
        return True, True
    c_gap, f_gap = _gaps(shape, byte_strides, itemsize)
    return c_gap is None, f_gap is None


def _numpy_flags_rule(shape: Ints, byte_strides: Ints, itemsize: int) -> str:
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


def _one_flag_only(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    c, _ = _numpy_flags(shape, byte_strides, itemsize)
    return c, not c


def _in_elements(shape: Ints, byte_strides: Ints, _: int) -> Any:
    return _numpy_flags(shape, byte_strides, 1)


def _ones_not_skipped(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    if 0 in shape:
        return True, True
    c, f = _packed(shape, itemsize), _packed(shape[::-1], itemsize)[::-1]
    return byte_strides == c, byte_strides == f


def _empty_not_exempt(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    c_gap, f_gap = _gaps(shape, byte_strides, itemsize)
    return c_gap is None, f_gap is None


def _either_direction(shape: Ints, byte_strides: Ints, itemsize: int) -> Any:
    return _numpy_flags(shape, tuple(map(abs, byte_strides)), itemsize)


NUMPY_FLAGS = plain_exercise(
    "numpy_flags",
    ("shape", "byte_strides", "itemsize"),
    cases=_numpy_flags_cases,
    reference=_numpy_flags,
    returns=Record((("c_contiguous", TRUTH), ("f_contiguous", TRUTH))),
    rule=_numpy_flags_rule,
    picture=lambda case, *_: draw_array(*case.arguments),
    mistakes=(
        Mistake(
            _one_flag_only,
            "this is what you get if F is taken for the opposite of C. An array can have both "
            "flags, or neither.",
        ),
        Mistake(
            _in_elements,
            "this is what you get if the walk expects 1. Byte strides begin with the itemsize.",
        ),
        Mistake(_ones_not_skipped, "this is what you get if dims of size 1 are not skipped."),
        Mistake(_empty_not_exempt, "this is what you get if arrays without elements are walked."),
        Mistake(
            _either_direction,
            "this is what you get if the sign is dropped. A negative byte stride walks backwards, "
            "and that is neither order.",
        ),
    ),
)
