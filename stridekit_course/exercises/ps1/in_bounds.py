"""ps1, `in_bounds`: whether a header stays inside of its storage."""

import random
from itertools import product
from math import prod

from stridekit.diagrams import Diagram, draw_as_strided
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.constructors import arange
from stridekit_course.checks.callee import Argument, Function
from stridekit_course.checks.exercise import Arguments, Exercise, Given, variants
from stridekit_course.checks.pictures import LONGEST
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.strategies import RUN_TOGETHER, insert, put
from stridekit_course.exercises.ps1 import DIMS_MOST, FAR, hops, is_late, larger_headers


def _around_the_edges(size: Ints, stride: Ints, room: int = 0) -> list[Arguments]:
    """What just fits, with so much room below, and what is short by one on either side."""
    low, high = Layout(size, stride).reach or (0, 0)
    length = room + high - low
    ends = (room - low, length + 1), (room - low, length), (max(-low - 1, 0), length + 9)
    return [(size, stride, *each) for each in ends]


def _cases(hidden: bool, chance: random.Random) -> Given:
    ends = [*(product((0, 1, 2, 4), range(6)) if hidden else product((0, 2), (0, 2, 3)))]
    yield from (((), (), *each) for each in ends)
    for n, step, each in product((0, 1, 2, 3), (-2, -1, 0, 1, 3), ends):
        yield (n,), (step,), *each
    for two in ((1, 2), (2, 2), (3, 1), (2, 3), (3, 2), (2, 0), *[(3, 3)] * hidden):
        for pair in product((-2, -1, 0, 2, 3) if hidden else (-1, 0, 2), repeat=2):
            yield from _around_the_edges(two, pair)
    # Without elements in many dims, from an offset behind a storage of no length.
    for rank in range(4, DIMS_MOST + 1) if hidden else ():
        yield put(((2, 1, 3) * 4)[:rank], -2, 0), ((-1, 0, 2) * 4)[:rank], 3, 0
    # All ways in which signs can meet: neither two dims nor three tell of all.
    for rank in range(3, 6 if hidden else 5):
        for signs in product((-1, 1), repeat=rank):
            size = tuple(chance.sample((2, 2, 2, 2, 3, 3), k=rank))
            steps = chance.sample((1, 2, 3, 5, 8, 13, 21, 34), k=rank)
            yield from _around_the_edges(size, tuple(map(int.__mul__, signs, steps)))
    # A negative stride that is never used.
    for place in range(3):
        yield from _around_the_edges(insert((2, 3), place, 1), insert((1, -2), place, -4))
    # Of many dims as many as there may be elements; and far out. Upwards, and downwards.
    ranks = range(5, DIMS_MOST + 1 if hidden else 9)
    many = [insert((2,) * min(rank, 8), 4, *(1,) * (rank - 8)) for rank in ranks]
    packed = [(size, contiguous_stride(size), 0) for size in many]
    for (size, stride, _), sign in product((*packed, *FAR), (1, -1)):
        yield from _around_the_edges(size, tuple(sign * step for step in stride))
    yield from ((each, 2) for each in RUN_TOGETHER)
    larger = larger_headers(1, chance)
    for layout in larger if hidden else larger[:20]:
        signed = tuple(chance.choice((1, -1)) * step for step in layout.stride)
        edges = _around_the_edges(layout.size, signed, layout.storage_offset)
        yield from edges if 0 not in layout.size else chance.sample(edges, 1)


def _reference(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> bool:
    ways = [(n - 1) * step for n, step in zip(size, stride, strict=True)]
    low = storage_offset + sum(min(way, 0) for way in ways)
    high = storage_offset + sum(max(way, 0) for way in ways)
    return 0 in size or (low >= 0 and high < storage_length)


def _rule(size: Ints, stride: Ints, storage_offset: int, storage_length: int) -> str:
    if 0 in size:
        return (
            f"size {size} has no elements, so nothing lies outside, whatever the rest says: True."
        )
    ends = []
    for side, sign in (("lowest", -1), ("highest", 1)):
        index = tuple((n - 1) * (step * sign > 0) for n, step in zip(size, stride, strict=True))
        whose = f"index {index}" if len(size) < 7 else "one position"
        ends.append(f"{whose} is {side}, at {hops(index, stride, storage_offset)}")
    inside = f"positions must be at least 0 and below storage_length, {storage_length}: "
    return inside + ", and ".join(ends) + "."


def _picture(_: object, __: object, *arguments: Argument) -> Diagram | None:
    *header, length = arguments
    title = f"a storage of {length}"
    return None if length > LONGEST else draw_as_strided(arange(length), *header, title=title)


_but = variants(_reference)
_LOW, _HIGH = "sum(min(way, 0) for way in ways)", "sum(max(way, 0) for way in ways)"


def _either(low: str, high: str) -> tuple[Function, ...]:
    """Both ends are taken for these, or one."""
    return _but(_LOW, low, _HIGH, high), _but(_LOW, low), _but(_HIGH, high)


EXERCISE = Exercise(
    "in_bounds",
    ("size", "stride", "storage_offset", "storage_length"),
    place=7,
    returns=TRUTH,
    reordered=("size", "stride"),
    cases=_cases,
    late=is_late,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if only the last element is checked. With a negative stride the last one is not the "
        "highest.": _but(_LOW, "sum(ways)", _HIGH, "sum(ways)"),
        "if the lowest or the highest position is taken to be that of the first or the last "
        "element. Where strides of both signs meet, it is neither.": _either(
            "min(sum(ways), 0)", "max(sum(ways), 0)"
        ),
        "if negative positions are let through. Each of them is outside too: it does not "
        "count from the end.": _but("low >= 0 and ", ""),
        "if a position may be equal to storage_length. The last is storage_length - 1.": _but(
            "< storage_length", "<= storage_length"
        ),
        "if each dim is looked at by itself. The ways along several dims add up.": _either(
            "min([0, *ways])", "max([0, *ways])"
        ),
        "if as many steps are taken as the size says, and not one fewer.": _but("(n - 1)", "n"),
        "if position 0 is taken to be outside.": _but("low >= 0", "low > 0"),
        "if a negative stride is taken for a positive one.": _but("* step", "* abs(step)"),
        "if storage_offset is forgotten.": _but("    low =", "    storage_offset = 0\n    low ="),
        "if the elements are only counted, wherever they lie.": lambda size, _, offset, length: (
            offset + prod(size) <= length
        ),
    },
)
