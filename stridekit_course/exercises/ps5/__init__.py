"""What the exercises of ps5 share on overlap: layouts, which indices meet, half answers."""

import random
from collections.abc import Callable, Iterator
from itertools import combinations, combinations_with_replacement, pairwise, product
from math import gcd, prod

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.exercise import Known
from stridekit_course.checks.returns import listed
from stridekit_course.checks.strategies import (
    IN_TABLES,
    RUN_TOGETHER,
    insert,
    interleaves,
    layouts,
    put,
    small_layouts,
)

# The most that comes, as the texts say it.
DIMS_MOST, ELEMENTS_MOST = 7, 400
# Strides of dims of size 2 that meet all together, and nowhere if any dim is left out: such as
# 3 + 6 = 4 + 5. One dim against the rest comes first, then half of them against the others.
_ONLY_TOGETHER = (
    *((1, 2, 3), (1, 2, 4, 7), (1, 2, 4, 8, 15)),
    *((1, 2, 4, 8, 16, 31), (1, 2, 4, 8, 16, 32, 63)),
    *((3, 4, 5, 6), (3, 6, 10, 11, 12)),
    *((5, 15, 22, 25, 28, 29), (7, 9, 14, 36, 37, 54, 65)),
)
# Two strides that first meet far out, at their product.
_COPRIME = ((2, 3), (4, 7), (7, 9), (11, 13))


def overlap_layouts(hidden: bool, chance: random.Random) -> Iterator[Layout]:
    """Small layouts of every kind, and larger ones that overlap in every way, or narrowly not."""
    steps = (0, 1, 2, 3, 5) if hidden else (0, 1, 2, 3)
    yield from small_layouts(1, (0, 1, 2, 3, 5))
    for layout in small_layouts(2, steps):
        if layout.ndim == 2 and (
            hidden or 0 not in layout.size or layout.stride in ((0, 1), (2, 0))
        ):
            yield layout
    for three in ((2, 2, 2), (2, 2, 3), (3, 2, 2)):
        yield from (Layout(three, stride) for stride in product((1, 2, 3), repeat=3))
    for dim, step, others in product(range(3), (0, 4), ((1, 1), (3, 1), (0, 1))):
        # A dim of size 1 beside others that meet, or do not.
        yield Layout(insert((2, 3), dim, 1), insert(others, dim, step))
    if hidden:
        # What they share does not depend on the order of the dims: one order of each is enough.
        for sizes in product((2, 3), repeat=3):
            for strides in combinations_with_replacement((0, 1, 2, 3, 4, 5, 7), 3):
                yield _shuffled(sizes, strides, chance)
        # What meets far out or all together, between dims of size 1.
        for layout in (*_far_out(), *(Layout((2,) * len(each), each) for each in _ONLY_TOGETHER)):
            ones = [(1, step) for step in (0, 1, 7, 0, 100, 6)[: DIMS_MOST - layout.ndim]]
            yield Layout.over((*ones[::2], *layout.dims, *ones[1::2]), 0)
    for rank, step in product(range(3, DIMS_MOST + 1), (0, 1, 6)):
        # A stride of 0 that repeats nothing, for there is nothing; and all alike, as of windows in
        # windows.
        yield Layout((*(2,) * (rank - 1), 0), (0, *(step,) * (rank - 1)))
        yield Layout((2,) * rank, (step,) * rank)
    for rank, dim in product(range(3, DIMS_MOST + 1), (0, 1, -1)):
        # One dim alone repeats, the first, the last, or one between.
        yield Layout((2,) * rank, put(contiguous_stride((2,) * rank), dim, 0))
    yield from (*RUN_TOGETHER, *IN_TABLES, *_far_out())
    for together in _ONLY_TOGETHER:
        yield Layout((2,) * len(together), together)
        scaled = tuple(40 * step for step in together)
        yield _shuffled((2,) * len(together), scaled, chance)
        # One dim of size 1, and all are apart; whatever its stride.
        dim = chance.randrange(len(scaled))
        one, its = put((2,) * len(scaled), dim, 1), (scaled[dim], 0)[: 1 + hidden]
        yield from (Layout(one, put(scaled, dim, step)) for step in its)
    yield from random_overlaps(300 if hidden else 40, chance)


def _far_out() -> Iterator[Layout]:
    """Layouts that meet first where numbers are large, or only at one position."""
    for s, t in _COPRIME:
        # They meet at the last indices of both, or between the first and the last.
        yield from (Layout((t + more, s + more), (s, t)) for more in (1, 3))
        yield Layout((s + 1, t), (100 * t, 100 * s))
    yield Layout((20, 18), (17 * 300, 19 * 300))
    yield from (Layout((n,), (step,)) for n, step in ((12, 0), (300, 0), (300, 1), (20, 5000)))
    yield from (Layout((12, 20), (step, 1)) for step in (20, 19))


def _shuffled(size: Ints, stride: Ints, chance: random.Random) -> Layout:
    dims = [*zip(size, stride, strict=True)]
    chance.shuffle(dims)
    return Layout(tuple(n for n, _ in dims), tuple(step for _, step in dims))


def random_overlaps(count: int, chance: random.Random) -> Iterator[Layout]:
    """Larger layouts: of every kind, of any strides, and windows."""
    made = layouts(chance, range(1, DIMS_MOST + 1), offsets=(0,), most=ELEMENTS_MOST)
    for layout in [*made][: count // 2]:
        yield layout
        size = [n for n in layout.size if n < 12][: DIMS_MOST - 1]
        if chance.random() < 0.5:
            factor = chance.choice((1, 1, 100))
            steps = [factor * chance.choice((0, 1, 2, 3, 4, 6, 7, 9, 13, 20)) for _ in size]
        else:
            hop, size = chance.randint(1, 4), [n for n in size if prod(size) <= 100]
            steps = [step * hop for step in contiguous_stride((*size,))]
            size, steps = [*size, chance.randint(2, 4)], [*steps, 1]
        yield _shuffled((*size,), (*steps,), chance)


def distinct_positions(size: Ints, stride: Ints) -> set[int]:
    """The positions that indices reach, from offset 0.

    >>> sorted(distinct_positions((3, 2), (1, 1)))
    [0, 1, 2, 3]
    """
    reached = {0}
    for n, step in zip(size, stride, strict=True):
        reached = {position + i * step for position in reached for i in range(n)}
    return reached


def overlaps(size: Ints, stride: Ints) -> bool:
    """Whether two indices share a position.

    >>> overlaps((3, 2), (1, 1)), overlaps((3, 2), (2, 3))
    (True, False)
    """
    return len(distinct_positions(size, stride)) < prod(size)


def _first_shared(size: Ints, stride: Ints) -> tuple[Ints, Ints, int] | None:
    """Two indices that share a position, the first in reading order, and the position."""
    layout = Layout(size, stride)
    first: dict[int, Ints] = {}
    for index, position in zip(layout.indices(), layout.positions(), strict=True):
        if position in first:
            return first[position], index, position
        first[position] = index
    return None


def meeting(size: Ints, stride: Ints) -> str:
    """Which two indices share a position, in words."""
    shared = _first_shared(size, stride)
    assert shared is not None
    one, other, position = shared
    return f"the indices {one} and {other} both lie at position {position}"


def apart(size: Ints, stride: Ints) -> str:
    """Why no two indices share a position."""
    count = prod(size)
    if count == 0:
        return "without elements there is no index, and so no two that share a position."
    if count == 1:
        return "a single element shares its position with no other, whatever the strides."
    still = any(n == 1 and step == 0 for n, step in zip(size, stride, strict=True))
    aside = " (a dim of size 1 repeats nothing, even with stride 0)" if still else ""
    positions = listed(Layout(size, stride).positions())
    return f"its {count} indices lie at {count} different positions, {positions}{aside}."


def zero_repeats(size: Ints, stride: Ints) -> bool:
    """Whether some dim of size above 1 has stride 0."""
    return bool(Layout(size, stride).repeated)


def only_zero(size: Ints, stride: Ints) -> bool:
    """Whether some dim repeats its elements by stride 0: the usual half of the answer."""
    return prod(size) > 0 and zero_repeats(size, stride)


def _equal_strides(size: Ints, stride: Ints) -> bool:
    steps = [step for n, step in zip(size, stride, strict=True) if n > 1]
    return prod(size) > 0 and (0 in steps or len(set(steps)) < len(steps))


def _too_many(size: Ints, stride: Ints) -> bool:
    return prod(size) > Layout(size, stride).needed


def _too_many_for_multiples(size: Ints, stride: Ints) -> bool:
    """The same, with the common divisor of the strides taken out, and equal ones looked for."""
    divisor = gcd(*(step for n, step in zip(size, stride, strict=True) if n > 1)) or 1
    return _equal_strides(size, stride) or _too_many(size, tuple(s // divisor for s in stride))


def _some_dims(most: int) -> Callable[[Ints, Ints], bool]:
    """Whether so many dims meet, without the others."""

    def meet(size: Ints, stride: Ints) -> bool:
        dims = [*zip(size, stride, strict=True)]
        return 0 not in size and any(
            overlaps(*zip(*some, strict=True))
            for count in range(1, most + 1)
            for some in combinations(dims, count)
        )

    return meet


def _near_indices(most: int) -> Callable[[Ints, Ints], bool]:
    """Whether so many of the first indices of each dim meet."""
    return lambda size, stride: overlaps(tuple(min(n, most) for n in size), stride)


def _one_against_the_rest(size: Ints, stride: Ints) -> bool:
    """Whether steps along one dim lead where the other dims lead."""
    if prod(size) == 0:
        return False
    dims = [*zip(size, stride, strict=True)]
    for dim, (n, step) in enumerate(dims):
        others = dims[:dim] + dims[dim + 1 :]
        rest = distinct_positions(tuple(m for m, _ in others), tuple(s for _, s in others))
        if any(i * step in rest for i in range(1, n)):
            return True
    return False


def _neighbouring_rows(size: Ints, stride: Ints) -> bool:
    """Whether a row meets itself or the next one."""
    if not size or prod(size) == 0:
        return False
    n, step = size[-1], stride[-1]
    starts = [*Layout(size[:-1], stride[:-1]).positions()]
    rows = [{start + i * step for i in range(n)} for start in starts]
    return len(rows[0]) < n or any(one & other for one, other in pairwise(rows))


def _near_positions(size: Ints, stride: Ints) -> bool:
    positions = [at for at in Layout(size, stride).positions() if at <= 256]
    return len({*positions}) < len(positions)


HALF_ANSWERS: dict[str, Known] = {
    "if only stride 0 and equal strides are looked for. 2 + 2 and 4 meet as well.": _equal_strides,
    "if elements are only counted against positions. Where there are gaps, two can share a "
    "position although there would be room.": (_too_many, _too_many_for_multiples),
    "if every stride has to clear all the smaller dims. That is enough to be free of overlap, but "
    "not needed: strides can interleave.": lambda size, stride: (
        0 not in size and interleaves(size, stride)
    ),
    "if dims are compared two at a time. Three can meet where no two do: strides 1, 2 and "
    "3.": _some_dims(2),
    "if some dims are looked at, and never all together. All can meet where fewer do not: four of "
    "size 2 with strides 1, 2, 4 and 7, say.": tuple(map(_some_dims, (3, 4, 5))),
    "if each dim is compared with all the others. Two of them can meet two others: strides 3 and 6 "
    "lead as far as 4 and 5.": _one_against_the_rest,
    "if a row is only compared with the next one. Rows can also meet that are further "
    "apart.": _neighbouring_rows,
    "if only indices are compared that are near each other. Two can be far apart, and their "
    "position the same.": tuple(map(_near_indices, (2, 3, 5))),
    "if positions are compared with `is`, which is only sure to work up to 256. With == any two "
    "numbers can be compared.": _near_positions,
}
"""Tests for overlap that are right now and then, by what is said of them."""
