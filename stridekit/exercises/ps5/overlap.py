"""What ps5 shares on overlap: positions, which indices meet, the usual half answers."""

from collections.abc import Callable, Iterable
from itertools import combinations, pairwise
from math import gcd, prod
from typing import Any

from stridekit.layouts.layout import Ints, Layout, spell

LISTED_MOST = 12


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


def listed_positions(positions: Iterable[int]) -> str:
    """Positions as they stand in a sentence, the first few of them."""
    listed = [*positions]
    more = ", …" if len(listed) > LISTED_MOST else ""
    return f"{spell(listed[:LISTED_MOST])}{more}"


def apart(size: Ints, stride: Ints) -> str:
    """Why no two indices share a position."""
    count = prod(size)
    if count == 0:
        return "without elements there is no index, and so no two that share a position."
    if count == 1:
        return "a single element shares its position with no other, whatever the strides."
    still = any(n == 1 and step == 0 for n, step in zip(size, stride, strict=True))
    aside = " (a dim of size 1 repeats nothing, even with stride 0)" if still else ""
    positions = listed_positions(Layout(size, stride).positions())
    return f"its {count} indices lie at {count} different positions, {positions}{aside}."


def zero_repeats(size: Ints, stride: Ints) -> bool:
    """Whether some dim of size above 1 has stride 0."""
    return any(n > 1 and step == 0 for n, step in zip(size, stride, strict=True))


def only_zero(size: Ints, stride: Ints) -> Any:
    """Whether some dim repeats its elements by stride 0: the usual half of the answer."""
    return prod(size) > 0 and zero_repeats(size, stride)


def _equal_strides(size: Ints, stride: Ints) -> Any:
    steps = [step for n, step in zip(size, stride, strict=True) if n > 1]
    return prod(size) > 0 and (0 in steps or len(set(steps)) < len(steps))


def _too_many(size: Ints, stride: Ints) -> Any:
    reach = Layout(size, stride).reach
    return reach is not None and prod(size) > reach[1] + 1


def _too_many_for_multiples(size: Ints, stride: Ints) -> Any:
    """The same, with the common divisor of the strides taken out, and equal ones looked for."""
    divisor = gcd(*(step for n, step in zip(size, stride, strict=True) if n > 1)) or 1
    return _equal_strides(size, stride) or _too_many(size, tuple(s // divisor for s in stride))


def _not_nested(size: Ints, stride: Ints) -> Any:
    """The usual quick test: from the smallest stride up, each must clear what is below it."""
    if prod(size) == 0:
        return False
    below = 0
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1:
            if step <= below:
                return True
            below += (n - 1) * step
    return False


def _some_dims(most: int) -> Callable[[Ints, Ints], Any]:
    """Whether so many dims meet, without the others."""

    def meet(size: Ints, stride: Ints) -> Any:
        dims = [*zip(size, stride, strict=True)]
        return 0 not in size and any(
            overlaps(*zip(*some, strict=True))
            for count in range(1, most + 1)
            for some in combinations(dims, count)
        )

    return meet


def _near_indices(most: int) -> Callable[[Ints, Ints], Any]:
    """Whether so many of the first indices of each dim meet."""
    return lambda size, stride: overlaps(tuple(min(n, most) for n in size), stride)


def _one_against_the_rest(size: Ints, stride: Ints) -> Any:
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


def _neighbouring_rows(size: Ints, stride: Ints) -> Any:
    """Whether a row meets itself or the next one."""
    if not size or prod(size) == 0:
        return False
    n, step = size[-1], stride[-1]
    starts = [*Layout(size[:-1], stride[:-1]).positions()]
    rows = [{start + i * step for i in range(n)} for start in starts]
    return len(rows[0]) < n or any(one & other for one, other in pairwise(rows))


def _near_positions(size: Ints, stride: Ints) -> Any:
    positions = [at for at in Layout(size, stride).positions() if at <= 256]
    return len({*positions}) < len(positions)


_ROOM = (
    "this is what you get if elements are only counted against positions. Where there are gaps, "
    "two can share a position although there would be room."
)
_TOGETHER = (
    "this is what you get if some dims are looked at, and never all together. All can meet where "
    "fewer do not: four of size 2 with strides 1, 2, 4 and 7, say."
)
_NEAR = (
    "this is what you get if only indices are compared that are near each other. Two can be far "
    "apart, and their position the same."
)
HALF_ANSWERS: tuple[tuple[str, Callable[[Ints, Ints], Any]], ...] = (
    (
        "this is what you get if only stride 0 and equal strides are looked for. 2 + 2 and 4 "
        "meet as well.",
        _equal_strides,
    ),
    (_ROOM, _too_many),
    (_ROOM, _too_many_for_multiples),
    (
        "this is what you get if every stride has to clear all the smaller dims. That is enough "
        "to be free of overlap, but not needed: strides can interleave.",
        _not_nested,
    ),
    (
        "this is what you get if dims are compared two at a time. Three can meet where no two "
        "do: strides 1, 2 and 3.",
        _some_dims(2),
    ),
    *((_TOGETHER, _some_dims(most)) for most in (3, 4, 5)),
    (
        "this is what you get if each dim is compared with all the others. Two of them can meet "
        "two others: strides 3 and 6 lead as far as 4 and 5.",
        _one_against_the_rest,
    ),
    (
        "this is what you get if a row is only compared with the next one. Rows can also meet "
        "that are further apart.",
        _neighbouring_rows,
    ),
    *((_NEAR, _near_indices(most)) for most in (2, 3, 5)),
    (
        "this is what you get if positions are compared with `is`, which is only sure to work up "
        "to 256. With == any two numbers can be compared.",
        _near_positions,
    ),
)
"""Tests for overlap that are right now and then, each with its hint."""
