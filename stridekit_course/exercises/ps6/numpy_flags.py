"""ps6, `numpy_flags`: NumPy's two flags of contiguity."""

import random
from collections.abc import Callable
from itertools import product

from stridekit.explain import WalkStep, walk
from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Function
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import TRUTH, named_parts
from stridekit_course.checks.strategies import REACHES, RUN_TOGETHER, crossed_layouts
from stridekit_course.exercises import ps3
from stridekit_course.exercises.ps6 import DTYPES, draw_array

# No powers of two among them. The smallest shapes take those that can be drawn.
_ITEMSIZES = (8, 12, 3, 1, 16, 4, 2, 6)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 7 dims and 600 elements."""
    yield from (((), (), s) for s in _ITEMSIZES)
    for n, s in product((0, 1, 2, 3, 12), _ITEMSIZES[: 8 if hidden else 3]):
        for step in dict.fromkeys((s, 0, 1, 2 * s, n * s, -s, s + 1)):
            yield (n,), (step,), s
    # The same array, but for the itemsize.
    for one in (((2, 3), (24, 8)), ((3, 2), (8, 24)), ((2, 1, 2), (16, 8, 8))):
        yield from ((*one, s) for s in (8, 4, 12, 1))
    # Every small shape, in steps that each walk may expect, and in others.
    for shape in product(range(4) if hidden else (1, 2, 3), repeat=2):
        s = _ITEMSIZES[sum(shape)]
        factors = (1, shape[0], shape[1], -1, 4, 0) if hidden else (1, *shape, -1)
        for pair in product(dict.fromkeys(factor * s for factor in factors), repeat=2):
            yield shape, pair, s
    # From end to end as long as without gaps; and one step at each place that is in neither order.
    for layout in (*REACHES, *RUN_TOGETHER, *ps3.one_of_many((0, -1))):
        byte_strides = tuple(step * 8 for step in layout.stride)
        yield layout.size, byte_strides, 8
        yield layout.size[::-1], byte_strides[::-1], 8
    for layout, row in crossed_layouts(
        chance,
        range(2, 8),
        offsets=(0,),
        most=600,
        times=3 if hidden else 1,
        itemsize=_ITEMSIZES,
        change=("one more", "no", "no", "negative", "all negative"),
    ):
        steps = [step * row.itemsize for step in layout.stride]
        dim = chance.randrange(layout.ndim)
        steps[dim] += row.change == "one more"
        for each in range(layout.ndim) if row.change == "all negative" else (dim,):
            steps[each] *= -1 if "negative" in row.change else 1
        yield layout.size, tuple(steps), row.itemsize


def _walks(shape: Ints, byte_strides: Ints, itemsize: int) -> list[tuple[WalkStep, ...]]:
    """From the last dim, and from the first, as far as byte strides are as expected."""
    dims = range(len(shape))
    return [walk(shape, byte_strides, order, itemsize) for order in (dims[::-1], dims)]


def _reference(shape: Ints, byte_strides: Ints, itemsize: int) -> tuple[bool, bool]:
    c, f = map(ps3.holds, _walks(shape, byte_strides, itemsize))
    return (True, True) if 0 in shape else (c, f)


def _rule(shape: Ints, byte_strides: Ints, itemsize: int) -> str:
    if 0 in shape:
        return "an array without elements has both flags: there is nothing to be out of order."
    if all(n == 1 for n in shape):
        return "an array of one element has both flags: no byte stride is ever stepped."
    words = []
    for flag, side, steps in zip(
        "CF", ("last", "first"), _walks(shape, byte_strides, itemsize), strict=True
    ):
        where, met = f"{flag}, from the {side} dim on, ", steps[-1]
        if ps3.holds(steps):
            words.append(where + "meets what it expects")
        else:
            expects = f"expects byte stride {met.expected} at dim {met.dim}"
            words.append(f"{where}{expects} and meets {met.stride}")
    ones = "; dims of size 1 are skipped" if 1 in shape else ""
    return f"both walks begin by expecting {itemsize}, the itemsize: {'; '.join(words)}{ones}."


def _is_late(shape: Ints, _: Ints, itemsize: int) -> tuple[object, ...]:
    """With one byte to an element, bytes are elements; and not every itemsize can be drawn."""
    return not (itemsize > 1 and itemsize in DTYPES), len(shape) != 2


_c, _f = map(ps3.variants_of_walk, ("reversed(range(len(size)))", "range(len(size))"))


def _but(*changes: str) -> Function:
    c, f = _c(*changes), _f(*changes)
    return lambda *array: (c(*array), f(*array))


def _with_flags(changed: Callable[[bool, bool], tuple[bool, bool]]) -> Function:
    return lambda *array: changed(*_reference(*array))


_never_both = _with_flags(lambda c, f: (c, f and not c))
EXERCISE = Exercise(
    "numpy_flags",
    ("shape", "byte_strides", "itemsize"),
    place=2,
    returns=named_parts(c_contiguous=TRUTH, f_contiguous=TRUTH),
    reordered=("shape", "byte_strides"),
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    picture=lambda _, __, *array: draw_array(*array),
    known={
        "if F is taken for the opposite of C. An array can have both flags, or neither.": (
            _with_flags(lambda c, _: (c, not c))
        ),
        "if an array never has both flags. It has, where at most one dim has a size other than 1: "
        "then both walks go through the same dims.": (
            _never_both,
            lambda shape, *rest: (True, True) if 0 in shape else _never_both(shape, *rest),
        ),
        "these are the two flags the other way round: C comes first.": _with_flags(
            lambda c, f: (f, c)
        ),
        "if byte strides are only compared with one another. They have to be exactly what the walk"
        " expects: more means gaps.": _but(
            *("    for", "    expected = -(2**64)\n    for", "!= expected", "< expected"),
            *("expected *= size[dim]", "expected = stride[dim]"),
        ),
        "if only the fastest dim is looked at: the last one for C, the first one for F. The walk "
        "goes on.": _but("expected *= size[dim]", "break"),
        "if the walk expects 1. Byte strides begin with the itemsize.": _but(
            "    for", "    expected = 1\n    for"
        ),
        "if dims of size 1 are not skipped.": _but("size[dim] == 1", "False"),
        "if arrays without elements are walked.": _but("0 in size", "False"),
        "if the sign is dropped. A negative byte stride walks backwards, and that is neither "
        "order.": _but("stride[dim] !=", "abs(stride[dim]) !="),
    },
)
