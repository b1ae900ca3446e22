"""ps6, `numpy_flags`: NumPy's two flags of contiguity."""

import random
from collections.abc import Callable
from itertools import product
from math import prod

from stridekit.explain import WalkStep, walk
from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Function
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import TRUTH, named_parts
from stridekit_course.checks.strategies import REACHES, RUN_TOGETHER, crossed_layouts, small_sizes
from stridekit_course.exercises import ps3
from stridekit_course.exercises.ps6 import DTYPES, draw_array

# No powers of two among them. The smallest shapes take those that can be drawn.
_ITEMSIZES = (8, 12, 3, 1, 16, 4, 2, 49)


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 7 dims and 600 elements."""
    yield from (((), (), s) for s in _ITEMSIZES)
    # Every small shape, in steps that each walk may expect, and in others.
    for shape in (*small_sizes(2, least=1), (12,), (0,)):
        s = _ITEMSIZES[sum(shape) % 7]
        some = dict.fromkeys((s, *(n * s for n in shape), -s, s + 1, *(4 * s, 0) * hidden))
        for steps in product(some, repeat=len(shape)):
            yield from ((shape, steps, each) for each in (s, 8))
    # From end to end as long as without gaps; and one step at each place that is in neither order.
    for layout in (*REACHES, *RUN_TOGETHER, *ps3.one_of_many((0, -1))):
        steps = tuple(step * 8 for step in layout.stride)
        yield from ((layout.size[::way], steps[::way], 8) for way in (1, -1))
    for layout, row in crossed_layouts(
        chance,
        range(2, 8),
        offsets=(0,),
        most=600,
        times=3 if hidden else 1,
        itemsize=_ITEMSIZES,
        sign=(1, 1, -1),
        its_sign=(1, 1, -1),
        more=(0, 0, 0, 1),
    ):
        byte_strides = [step * row.itemsize * row.sign for step in layout.stride]
        dim = chance.randrange(layout.ndim)
        byte_strides[dim] = byte_strides[dim] * row.its_sign + row.more
        yield layout.size, tuple(byte_strides), row.itemsize


def _walks(shape: Ints, byte_strides: Ints, itemsize: int) -> list[tuple[WalkStep, ...]]:
    """From the last dim, and from the first, as far as byte strides are as expected."""
    dims = range(len(shape))
    return [walk(shape, byte_strides, order, itemsize) for order in (dims[::-1], dims)]


def _reference(shape: Ints, byte_strides: Ints, itemsize: int) -> tuple[bool, bool]:
    c, f = map(ps3.holds, _walks(shape, byte_strides, itemsize))
    return (True, True) if 0 in shape else (c, f)


def _rule(shape: Ints, byte_strides: Ints, itemsize: int) -> str:
    if prod(shape) < 2:
        which = "without elements" if 0 in shape else "of one element"
        return f"an array {which} has both flags: no byte stride is ever stepped."
    words = [f"both walks begin by expecting {itemsize}, the itemsize"]
    for flag, steps in zip("CF", _walks(shape, byte_strides, itemsize), strict=True):
        met, side = steps[-1], "last" if flag == "C" else "first"
        told = f"expects byte stride {met.expected} at dim {met.dim} and meets {met.stride}"
        told = "meets what it expects" if ps3.holds(steps) else told
        words.append(f"{flag}, from the {side} dim on and past sizes of 1, {told}")
    return "; ".join(words) + "."


_c, _f = map(ps3.variants_of_walk, ("reversed(range(len(size)))", "range(len(size))"))


def _but(*changes: str) -> Function:
    c, f = _c(*changes), _f(*changes)
    return lambda *array: (c(*array), f(*array))


def _with_flags(changed: Callable[[bool, bool], tuple[bool, bool]]) -> Function:
    return lambda *array: changed(*_reference(*array))


EXERCISE = Exercise(
    "numpy_flags",
    ("shape", "byte_strides", "itemsize"),
    place=2,
    returns=named_parts(c_contiguous=TRUTH, f_contiguous=TRUTH),
    reordered=("shape", "byte_strides"),
    cases=_cases,
    # With one byte to an element, bytes are elements; and not every itemsize can be drawn.
    late=lambda shape, _, itemsize: (itemsize == 1 or itemsize not in DTYPES, len(shape) != 2),
    reference=_reference,
    rule=_rule,
    picture=lambda _, __, *array: draw_array(*array),
    known={
        "if F is taken for the opposite of C. An array can have both, or neither.": _with_flags(
            lambda c, _: (c, not c)
        ),
        "if an array never has both flags. It has, where at most one dim has a size other than 1: "
        "then both walks go through the same dims.": _with_flags(lambda c, f: (c, f and not c)),
        "these are the flags in the other order: C comes first.": _with_flags(lambda c, f: (f, c)),
        "if byte strides are only compared with one another: more than expected means gaps.": _but(
            *("    for", "    expected = -(2**64)\n    for", "!= expected", "< expected"),
            *("expected *= size[dim]", "expected = stride[dim]"),
        ),
        "if only the fastest dim is looked at: the last one for C, the first one for F. The walk "
        "goes on.": _but("expected *= size[dim]", "break"),
        "if the walk expects 1, and not the itemsize.": _but(
            "    for", "    expected = 1\n    for"
        ),
        "if dims of size 1 are not skipped.": _but("size[dim] == 1", "False"),
        "if arrays without elements are walked.": _but("0 in size", "False"),
        "if the sign is dropped. A negative byte stride walks backwards, and that is neither "
        "order.": _but("stride[dim] !=", "abs(stride[dim]) !="),
    },
)
