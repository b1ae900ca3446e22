"""ps6, `view_dtype`: the same bytes in elements of another size."""

import random
from itertools import product

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Argument, Outcome, Plain
from stridekit_course.checks.exercise import Exercise, Given, Refusal, variants
from stridekit_course.checks.returns import HEADER
from stridekit_course.checks.strategies import LARGE_STEPS, crossed_layouts
from stridekit_course.exercises.ps6 import ByteHeader, draw_over_bytes

# Smaller and larger elements, by every ratio; and the same.
_PAIRS = tuple(product((8, 4, 2, 16, 1), repeat=2))


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 7 dims."""
    sizes, strides = ((2, 4), (1, 2), (2, 0), (3, 3), (2, 1)), ((4, 1), (3, 1), (4, 2))
    for header in product(sizes, strides, range(3)):
        yield from ((*header, *pair) for pair in ((8, 4), (4, 8), (4, 4)))
    yield (2, 2), (2, 2), 0, 4, 4
    # Told apart by where a number ends.
    yield from (((4, 8), stride, 2, 2, 1) for stride in ((11, 1), (1, 11)))
    for pair in _PAIRS:
        yield from (((), (), offset, *pair) for offset in range(3 if hidden else 1))
        yield ((2**53 + 1) * max(pair[1] // pair[0], 1),), (1,), 0, *pair
    for layout, row in crossed_layouts(
        chance,
        range(1, 8),
        # No more elements than torch can count the bytes of, under a huge stride.
        sizes=("twos", "mixed", "alike", "ones", "none"),
        offsets=(0, 1, 3, 2**54 + 1),
        steps=LARGE_STEPS,
        most=10**4,
        times=2 if hidden else 1,
        pair=_PAIRS if hidden else _PAIRS[1::2],
        # What divides by half the ratio alone; a last stride of 2 or 0, or one that comes out as 1.
        odd=(*("nothing",) * 3, "offset", "size", "stride", "stride twice", "2", "0", "ratio"),
        place=range(6),
    ):
        ratio = max(row.pair[1] // row.pair[0], 1)
        half = ratio // 2 or 1
        stride = [step * ratio for step in layout.stride]
        for place in {"stride": (0,), "stride twice": (0, 1)}.get(row.odd, ()):
            stride[(row.place + place) % max(layout.ndim - 1, 1)] += half
        stride[-1] = {"2": 2, "0": 0, "ratio": ratio}.get(row.odd, 1)
        last = layout.size[-1] * ratio + (half if row.odd == "size" else 0)
        offset = layout.storage_offset * ratio + (half if row.odd == "offset" else 0)
        yield (*layout.size[:-1], last), tuple(stride), offset, *row.pair


def _reference(
    size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int
) -> Plain:
    if itemsize == new_itemsize:
        return size, stride, storage_offset
    if not size:
        return Refusal("ValueError", "rank 0 has no last dim that could grow or shrink")
    if stride[-1] != 1:
        return Refusal("ValueError", f"stride[-1] is {stride[-1]} and not 1")
    numbers = (size[-1], storage_offset, *stride[:-1])
    names = ("size[-1]", "storage_offset", *(f"stride[{dim}]" for dim in range(len(size))))
    for name, n in zip(names, numbers, strict=False):
        if n * itemsize % new_itemsize:
            ratio = new_itemsize // itemsize
            return Refusal("ValueError", f"{name} is {n}, which does not divide by {ratio}")
    last, offset, *outer = (n * itemsize // new_itemsize for n in numbers)
    return (*size[:-1], last), (*outer, 1), offset


def _rule(size: Ints, stride: Ints, storage_offset: int, itemsize: int, new_itemsize: int) -> str:
    if itemsize == new_itemsize:
        return "elements of the same itemsize lie where the old ones lie: the header stays."
    if isinstance(_reference(size, stride, storage_offset, itemsize, new_itemsize), Refusal):
        return (
            "elements of another itemsize are only taken apart or joined where the last stride is "
            "1, whatever the last size; and joined only where the last size, the other strides and "
            "the offset divide by the number of elements that become one."
        )
    ratio = max(itemsize, new_itemsize) // min(itemsize, new_itemsize)
    becomes, done = f"each element becomes {ratio}", "multiplied"
    if new_itemsize > itemsize:
        becomes, done = f"{ratio} elements become one", "divided"
    numbers = f"the last size, the other strides and the offset are {done} by {ratio}"
    return f"{becomes}: {numbers}, and the last stride stays 1."


def _picture(expected: Plain, outcome: Outcome, *arguments: Argument) -> Diagram | None:
    *given, itemsize, new_itemsize = arguments
    if 0 in given[0]:
        return None
    told = {"expected": expected, "yours": outcome.value}
    shown = {name: ByteHeader(each, new_itemsize) for name, each in told.items()}
    return draw_over_bytes({"given": ByteHeader(tuple(given), itemsize), **shown}, bytes=True)


_but = variants(_reference)
EXERCISE = Exercise(
    "view_dtype",
    ("size", "stride", "storage_offset", "itemsize", "new_itemsize"),
    place=4,
    returns=HEADER,
    reordered=("size", "stride"),
    cases=_cases,
    # Two dims show more than one: there is another stride.
    late=lambda size, *_: len(size) != 2,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    refusing={
        "if storage_offset is left as it is. It counts elements too, and they have another size "
        "now.": _but("], storage_offset, ", "], 0, ", "1), offset", "1), storage_offset"),
        "if the last stride is not looked at where the last size is 0 or 1. Here torch looks at it "
        "always.": _but("!= 1", "!= 1 and size[-1] > 1"),
        "if the other strides are left as they are. They count elements too, and these have "
        "another size now.": _but(", *stride[:-1])", ")", "(*outer, 1)", "stride"),
    },
)
