"""ps3, `is_channels_last`: whether strides are those of channels_last."""

import random
from itertools import product

from stridekit.explain import walk
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.memory_formats import channels_last, follows, packed_stride
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.strategies import CHANNELS_LAST, ORDERS, insert, layouts, packed, put
from stridekit_course.exercises import ps3

# The strides of N, C, H, W: as many positions as elements from the first to the last, and ascending
# as they should, and yet with gaps and overlaps.
_REACHES = ((7, 1, 5, 2), (7, 1, 4, 3), (6, 1, 5, 3), (9, 1, 3, 2))


def _cases(hidden: bool, chance: random.Random) -> Given:
    # The packed strides, and those with one of them changed.
    for size in product((0, 1, 2, 3) if hidden else (0, 1, 2), repeat=4):
        stride = packed(size, CHANNELS_LAST)
        # A walk multiplies a size of 0 as it is.
        zeros = packed_stride(size, CHANNELS_LAST)
        yield size, stride
        yield size, zeros
        dim = chance.randrange(4)
        yield size, put(zeros, dim, zeros[dim] + 1)
    yield from (((2, 2, 2, 2), stride) for stride in _REACHES)
    # A stride that is not the same object as the number that it is equal to.
    yield (1, 3, 2, 100), (600, 1, 300, 3)
    # With the same digits.
    yield from (((1, 2, 1, 1), stride) for stride in ((11, 1, 1, 1), (1, 11, 1, 1)))
    # With a dim too much.
    for size, place in product(((2, 3, 2, 2), (1, 2, 3, 2)), range(5)):
        stride = packed(size, CHANNELS_LAST)
        for n, step in ((1, 1), (1, 0), (2, 100)):
            yield insert(size, place, n), insert(stride, place, step)
    orders = (*("channels last",) * 3, *ORDERS)
    times = 4 if hidden else 1
    yield from layouts(chance, (4,) * 8, orders=orders, most=ps3.ELEMENTS_MOST, times=times)
    ranks = (0, 1, 2, 3, 5, 6, ps3.DIMS_MOST)
    yield from [*layouts(chance, ranks, most=ps3.ELEMENTS_MOST)][:: 1 if hidden else 3]


def _rule(size: Ints, stride: Ints) -> str:
    if len(size) != 4:
        return f"channels_last is for the four dims N, C, H, W, and here is rank {len(size)}."
    words = ps3.in_words("C, W, H, N (1, 3, 2, 0)", walk(size, stride, CHANNELS_LAST))
    if 0 in size:
        return f"a tensor without elements is walked like any other. {words[0].upper()}{words[1:]}."
    return f"{words}."


_ORDER = "(1, 3, 2, 0)"
_but = ps3.variants_of_walk(_ORDER, "0 in size", "len(size) != 4", "True\n    f", "False\n    f")


EXERCISE = Exercise(
    "is_channels_last",
    ("size", "stride"),
    place=4,
    returns=TRUTH,
    reordered=("size", "stride"),
    cases=_cases,
    # Of images those without equal sizes come first: a wrong order of two dims shows in them.
    late=lambda size, stride: (len(size) != 4, 0 in stride),
    reference=lambda size, stride: follows(Layout(size, stride), channels_last),
    rule=_rule,
    picture=ps3.beside(
        "channels_last",
        lambda size, stride: packed(size, CHANNELS_LAST) if len(size) == 4 else stride,
    ),
    known={
        "if tensors without elements are exempt. For contiguous they are, for channels_last they "
        "are not.": _but("    for", "    if 0 in size:\n        return True\n    for"),
        "if a size of 0 is multiplied as 1.": _but("*= size[dim]", "*= max(size[dim], 1)"),
        "if H comes before W. In a channels_last image the next pixel is the one to the right, so "
        "W runs faster.": _but(_ORDER, "(1, 2, 3, 0)"),
        "if W comes before C. The channels of a pixel are neighbours in memory, so the walk begins"
        " with C: C, W, H, N.": (_but(_ORDER, "(3, 2, 1, 0)"), _but(_ORDER, "(0, 2, 3, 1)")),
        "if dims of size 1 are not skipped.": _but("size[dim] == 1", "False"),
        "if only the stride of C is looked at.": _but(_ORDER, "(1,)", "size[dim] == 1", "False"),
    },
)
