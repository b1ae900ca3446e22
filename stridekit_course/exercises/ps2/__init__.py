"""What the exercises of ps2 share: dims that there are or not, cases, what all seven ask."""

import random
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import prod
from typing import Any, cast

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import weigh_arguments
from stridekit_course.checks.exercise import Arguments, Draft, Part, Reference, Refusal
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.returns import SIZE_AND_STRIDE, Returns

WRAPPED = (
    "this is what you get if a dim that is not there is wrapped around, such as with %. Test it "
    "first."
)


def dims_of(rank: int) -> range:
    """Every way to name a dim: 0 to rank - 1, and -rank to -1."""
    return range(-rank, rank)


def bad_dims(rank: int) -> Ints:
    """Some dims that are not there, the nearest first: also far outside, and of two digits."""
    return (rank, -rank - 1, 2 * rank + 1, -2 * rank - 3, rank + 9, -rank - 100)


def no_dim(dim: int, rank: int, whose: str = "a tensor") -> Refusal | None:
    """The refusal of a dim that is not there."""
    if dim in dims_of(rank):
        return None
    if not rank:
        return Refusal("IndexError", f"{whose} of rank 0 has no dims")
    return Refusal(
        "IndexError", f"{dim} is none of the dims {-rank} to {rank - 1} of {whose} of rank {rank}"
    )


def rule_of_dims(rank: int) -> str:
    """Which dims there are, as a sentence."""
    if not rank:
        return "rank 0 means that there are no dims, so no dim can be named."
    if rank == 1:
        return "the one dim is called 0, or -1 counted from the right; nothing else is a dim."
    join = "and" if rank == 2 else "to"
    return (
        f"rank {rank} has the dims 0 {join} {rank - 1}, which are {-rank} {join} -1 counted from "
        "the right; nothing else is a dim."
    )


def with_dim(numbers: Ints, dim: int, number: int) -> Ints:
    """The numbers with another one for that dim."""
    return tuple(number if d == dim % len(numbers) else n for d, n in enumerate(numbers))


def without_dim(numbers: Ints, dim: int) -> Ints:
    """The numbers without that of one dim."""
    return tuple(n for d, n in enumerate(numbers) if d != dim % len(numbers))


# What the texts say: so many dims, and the greatest size.
DIMS_MOST, SIZE_MOST = 12, 300
# Strides and offsets of a grid: with gaps, row-major, column-major, expanded, overlapping.
PADDED = ((7, 2), 4)
GRIDS = (PADDED, ((3, 1), 0), ((1, 3), 4), ((0, 1), 0), ((3, 3), 1))
_ROWS = (((1,), 0), ((5,), 4), ((0,), 3))
_BLOCKS = (((9, 3, 1), 4), ((1, 4, 2), 0), ((0, 8, 3), 5), ((2, 2, 2), 0))
_HEADERS = {0: (((), 4), ((), 0)), 1: _ROWS, 2: GRIDS, 3: _BLOCKS}
# Two dims that are alike, and no neighbours; numbers that no float holds.
TWINS = Layout((2, 3, 2), (5, 1, 5), 4)
HUGE = Layout((2, 3), (2**53 + 1, 2), 10**17 + 1)
# Dims that differ, though some sizes and strides are equal.
_SIZES = (2, 3, 1, 4) * 3
_STEPS = (60, 7, 7, 1, 0, 12, 2, 300, 5, 3, 11, 20)


def headers_of(rank: int, sizes: Iterable[Ints], *, count: int = 5) -> Iterator[Layout]:
    """Those sizes, each under the first few strides and offsets for that rank."""
    for size in sizes:
        for stride, offset in _HEADERS[rank][:count]:
            yield Layout(size, stride, offset)


def sizes_of(rank: int, most: int = 3, least: int = 0) -> Iterator[Ints]:
    """Every size of that rank."""
    return product(range(least, most + 1), repeat=rank)


def of_many_dims(rank: int) -> Layout:
    """A header with dims of two digits, if there are so many."""
    return Layout(_SIZES[:rank], _STEPS[:rank], 2)


def larger_headers(count: int, chance: random.Random) -> Iterator[tuple[Layout, int]]:
    """Larger headers, each with one of its dims, counted from either side.

    Some strides and offsets are greater than what a float holds.
    """
    for _ in range(count):
        rank = chance.choice((3, 4, 4, 5, 5, 6, 7, 9, DIMS_MOST))
        size = chance.choices((0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10, 12, 101, 299, SIZE_MOST), k=rank)
        stride = chance.choices((0, 1, 1, 2, 3, 5, 12, 60, 300, 1000, HUGE.stride[0]), k=rank)
        offset = chance.choice((0, 0, 1, 3, 300, HUGE.storage_offset))
        yield Layout(tuple(size), tuple(stride), offset), chance.randrange(-rank, rank)


def simplest_first(reference: Reference) -> Callable[[Case], tuple[Any, ...]]:
    """Cases in the order in which they teach: the plain small ones before the special ones.

    A function that is wrong on plain cases and refuses nothing either should hear of the plain
    cases first, and see a picture with more than one element. Where nothing changes, a number
    comes twice, or a stride is 1, different mistakes give the same answer; so they do where a
    dim is named that is not there, and there is one dim.
    """

    def weigh(case: Case) -> tuple[Any, ...]:
        size, stride = case.arguments[:2]
        expected = reference(*case.arguments)
        if isinstance(expected, Refusal):
            return (True, len(size) < 2, 0 in stride, *weigh_arguments(case))
        least = min(expected[0], default=2)
        repeats = sum(len(numbers) - len(set(numbers)) for numbers in (size, stride))
        special = (
            not expected[0], 0 in size, 1 in size, least == 0, least == 1, 0 in stride, repeats,
            expected[:2] == (size, stride), 1 in stride,
        )  # fmt: skip
        numbers = [*size, *stride, *(n for n in case.arguments[2:] if isinstance(n, int))]
        large = (prod(size) > 24) + (len(size) > 6 or max(map(abs, numbers), default=0) > 60)
        return (False, large, *special, *weigh_arguments(case))

    return weigh


def draw_header_change(
    given: tuple[Ints, Ints, int], expected: Plain, returned: Plain, select: Ints | None = None
) -> Diagram | None:
    """What was given, what is expected, and what came back, over one storage.

    A result may be a header, or a size and a stride, which begin where the given one does.
    `select` is an index of what was given: the way to it is shown.
    """
    headers = {
        "given": given,
        "expected": _as_header(expected, given[2]),
        "yours": _as_header(returned, given[2]),
    }
    if as_layout(given) is None:
        select = None
    return draw_headers({name: each for name, each in headers.items() if each}, select=select)


def draw_size_and_stride(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    """As `draw_header_change`, of a case that begins with a size and a stride."""
    size, stride = case.arguments[:2]
    return draw_header_change((size, stride, 0), expected, returned)


def _as_header(value: Plain, offset: int) -> Plain:
    """The value as a header that can be drawn, or None."""
    if not isinstance(value, tuple):
        return None
    if SIZE_AND_STRIDE.complaint(value) is None:
        value = (*value, offset)
    layout = as_layout(value)
    # What a learner returns may be no tensor at all, or one of more elements than can be counted.
    if layout is None or min(layout.stride, default=0) < 0 or prod(layout.size) > 10**6:
        return None
    return value


class HeaderDraft(Draft):
    """A draft whose cases begin with a size and a stride.

    `named` are the parameters that name dims, one or several each. A dim that is not there is
    refused, and explained, before the reference and the rule are asked. With `in_result` dims
    count in the result, which has one more.
    """

    def __init__(
        self,
        name: str,
        parameters: tuple[str, ...],
        *,
        place: int,
        returns: Returns,
        named: tuple[str, ...] = (),
        in_result: bool = False,
    ) -> None:
        super().__init__(name, parameters, place=place, returns=returns)
        self._naming = tuple(map(parameters.index, named))
        self._in_result = in_result
        self.picture(draw_size_and_stride)

    def reference(self, function: Part) -> Part:
        """See Draft. The plain small cases come first."""

        def expected(*arguments: Any) -> Any:
            return self._refusal(arguments) or function(*arguments)

        self.weigh(simplest_first(expected))
        return cast(Part, super().reference(expected))

    def rule(self, function: Part) -> Part:
        """See Draft."""

        def sentence(*arguments: Any) -> str:
            if self._refusal(arguments) is None:
                return str(function(*arguments))
            rank = self._rank(arguments)
            if not self._in_result:
                return rule_of_dims(rank)
            return (
                f"the new dim counts in the result, of rank {rank - 1} + 1 = {rank}: "
                f"{rule_of_dims(rank)}"
            )

        return cast(Part, super().rule(sentence))

    def _refusal(self, arguments: Arguments) -> Refusal | None:
        whose = "the result, a tensor" if self._in_result else "a tensor"
        refusals = (no_dim(dim, self._rank(arguments), whose) for dim in self._dims(arguments))
        return next((refusal for refusal in refusals if refusal), None)

    def _dims(self, arguments: Arguments) -> Iterator[int]:
        for number in self._naming:
            named = arguments[number]
            yield from named if isinstance(named, tuple) else (named,)

    def _rank(self, arguments: Arguments) -> int:
        return len(arguments[0]) + self._in_result
