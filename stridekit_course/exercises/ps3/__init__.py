"""What the exercises of ps3 share: strides in order or nearly so, and walks along the dims."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, permutations, product
from math import prod
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.diagrams.scenes.captions import joined
from stridekit.explain import WalkStep
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Case, TensorData
from stridekit_course.checks.cases import weigh_arguments
from stridekit_course.checks.exercise import Arguments
from stridekit_course.checks.pictures import draw_headers

# The dims of an image, the fastest first.
CHANNELS_LAST = (1, 3, 2, 0)
SizeAndStride = tuple[Ints, Ints]
Orders = tuple[Ints, ...]

# The most that comes, as the texts say it.
DIMS_MOST, ELEMENTS_MOST = 7, 600
# A tensor that is copied element by element takes as long as it has elements: few of them suffice
# for an odd header.
_USUAL_MOST = 48

# Neither the first dim leads nor the last: among them the orders of images and of volumes.
_MIXED = (CHANNELS_LAST, (1, 4, 3, 2, 0), (1, 3, 0, 2), (2, 0, 3, 1), (2, 4, 1, 3, 0))
# As many positions as elements from the first to the last, and yet not dense. In the third each
# stride divides the next. Further down each two dims alone do not overlap, then each three, then
# each four; of the last the squares of the positions add up to the right number, too.
_REACHES = (
    ((2, 2, 3), (5, 4, 1)),
    ((2, 2, 3), (7, 2, 1)),
    ((2, 2, 4), (10, 2, 1)),
    ((3, 5), (3, 2)),
    ((3, 5), (7, 0)),
    ((2, 2, 2, 2), (7, 5, 2, 1)),
    ((2, 2, 2, 2), (7, 4, 3, 1)),
    ((2, 2, 2, 2, 2), (17, 7, 4, 2, 1)),
    ((2, 2, 2, 2, 2, 2), (33, 15, 8, 4, 2, 1)),
    ((2, 2, 2, 2, 2, 2), (33, 13, 9, 4, 3, 1)),
)
_WITH_ONES: tuple[Ints, ...] = ((2, 1, 3), (1, 2, 3), (2, 3, 1), (2, 1, 1, 3), (1, 3, 1, 1, 2))
_WITH_ZEROS: tuple[Ints, ...] = (
    *((0,), (0, 2), (2, 0), (0, 0), (1, 0), (0, 1), (0, 2, 3), (2, 0, 3), (2, 3, 0)),
    *((1, 2, 0), (2, 3, 0, 2), (0, 2, 3, 2), (2, 2, 3, 2, 0), (3, 2, 2, 0, 2, 1, 2)),
)
# Of many dims, and of sizes with two digits. Strides beyond 256 are other objects than numbers
# that are equal to them.
_LARGE: tuple[Ints, ...] = (
    *((2, 3, 2, 2), (2, 2, 1, 3, 2), (2, 1, 2, 2, 1, 3), (2,) * 6, (2,) * 7),
    *((12, 11), (2, 11), (10, 3, 11), (2, 260), (260, 2), (1, 20, 13, 2)),
)


def forwards(size: Ints) -> Ints:
    """The dims in the order in which those of a column-major tensor move, the fastest first."""
    return tuple(range(len(size)))


def backwards(size: Ints) -> Ints:
    """The dims in the order in which those of a row-major tensor move, the fastest first."""
    return forwards(size)[::-1]


def packed(size: Ints, order: Iterable[int]) -> Ints:
    """The strides of a tensor without gaps, whose dims move fastest in that order.

    >>> packed((2, 3), (0, 1))
    (1, 2)
    """
    stride = [0] * len(size)
    step = 1
    for dim in order:
        stride[dim] = step
        step *= size[dim]
    return tuple(stride)


def near(size: Ints, order: Iterable[int], *, few: bool = False) -> Iterator[SizeAndStride]:
    """The packed strides, and those with one of them changed: in few ways, or in more."""
    stride = packed(size, order)
    yield size, stride
    yield size, stride[::-1]
    for dim, step in enumerate(stride):
        for other in (step + 1,) if few else (step + 1, 0, 2 * step):
            yield size, (*stride[:dim], other, *stride[dim + 1 :])


def in_any_order(*sizes: Ints) -> Iterator[SizeAndStride]:
    """Every order of the dims, packed."""
    for size in sizes:
        for order in permutations(range(len(size))):
            yield size, packed(size, order)


def small(sizes: Iterable[Ints], strides: Ints) -> Iterator[SizeAndStride]:
    """Each of the sizes, with all of those strides."""
    for size in sizes:
        for stride in product(strides, repeat=len(size)):
            yield size, stride


def empty() -> Iterator[SizeAndStride]:
    """Without elements: a 0 in every place, with strides that are in order and that are not."""
    for size in _WITH_ZEROS:
        yield size, contiguous_stride(size)
        yield size, (3, 5, 2, 7, 0, 4, 1)[: len(size)]
        yield size, (0,) * len(size)


def walk_cases(hidden: bool, chance: random.Random) -> Iterator[SizeAndStride]:
    """What shows whether a walk is right: small ones, and what goes wrong only in larger ones."""
    yield from small(_sizes((1, 2, 3)), (0, 1, 2, 3, 6) if hidden else (0, 1, 2, 3))
    yield from empty()
    yield from in_any_order((2, 3, 4))
    yield from _mixed()
    for in_order in (backwards, forwards):
        for size in _WITH_ONES[: 5 if hidden else 2]:
            yield from near(size, in_order(size))
        for size in _LARGE:
            yield from near(size, in_order(size), few=not hidden or prod(size) > _USUAL_MOST)
    for size, stride in _REACHES:
        yield size, stride
        yield size[::-1], stride[::-1]
    if hidden:
        yield from small([(2, 2, 2)], (0, 1, 2, 4))
        for order in permutations(range(3)):
            for size in ((2, 3, 4), (2, 3, 2), (3, 1, 2)):
                yield from near(size, order, few=True)
        yield from in_any_order((3, 1, 2, 2), (2, 3, 4, 5))
    yield from chance_walks(80 if hidden else 20, chance)


def tensor_walks(hidden: bool, chance: random.Random) -> Iterator[SizeAndStride]:
    """The same for tensors, which take longer than numbers; those near row-major order."""
    yield from small(_sizes((1, 2, 3) if hidden else (1, 2)), (0, 1, 2, 3))
    yield from small([(2, 3), (3, 2)], (0, 1, 2, 3))
    yield from (header for number, header in enumerate(empty()) if hidden or number % 3 < 2)
    yield from in_any_order((2, 3, 4))
    yield from _mixed()
    for size in _WITH_ONES[: 5 if hidden else 2]:
        yield from near(size, backwards(size))
    for size in _LARGE:
        ways = filter(_is_close, near(size, backwards(size), few=not hidden))
        yield from ways if prod(size) <= 2 * _USUAL_MOST else islice(ways, 2)
    yield from _REACHES
    if hidden:
        yield from small([(2, 2, 2)], (0, 1, 2, 4))
        for order in permutations(range(3)):
            for size in ((2, 3, 2), (3, 1, 2), (2, 2, 3)):
                yield from near(size, order, few=True)
        yield from in_any_order((2, 3, 2, 2), (3, 1, 2, 2))
    yield from chance_walks(130 if hidden else 10, chance, most=_USUAL_MOST)
    yield from chance_walks(6 if hidden else 2, chance)


def _is_close(header: SizeAndStride) -> bool:
    """Whether the storage that it needs is no hundred times as large as what it shows."""
    reach = Layout(*header).reach
    return reach is None or reach[1] < 100 * prod(header[0])


def _mixed() -> Iterator[SizeAndStride]:
    for order in _MIXED:
        size = (2, 3, 2, 2, 2)[: len(order)]
        yield size, packed(size, order)


def _sizes(sizes: Ints) -> Iterator[Ints]:
    """Every size of at most two dims."""
    return chain.from_iterable(product(sizes, repeat=rank) for rank in range(3))


def placed(header: SizeAndStride) -> Layout:
    """The header somewhere in memory; with few elements, at its beginning."""
    size, stride = header
    return Layout(size, stride, 0 if 0 < prod(size) <= 8 else sum(stride) % 4)


def with_elements(headers: Iterable[SizeAndStride]) -> Iterator[SizeAndStride]:
    """Those that hold elements."""
    return ((size, stride) for size, stride in headers if 0 not in size)


def chance_size(chance: random.Random, rank: int, most: int = ELEMENTS_MOST) -> Ints:
    """A size of that rank, of at most so many elements. Some hold a 1."""
    size, left = [], most
    for _ in range(rank):
        n = min(chance.choice((1, 1, 2, 2, 3, 4, 5, 8, 11)), left)
        size.append(n)
        left //= n
    chance.shuffle(size)
    return tuple(size)


def chance_walks(
    count: int,
    chance: random.Random,
    orders: Orders = (),
    ranks: Sequence[int] = range(3, DIMS_MOST + 1),
    most: int = ELEMENTS_MOST,
) -> Iterator[SizeAndStride]:
    """Larger ones: packed in row-major, column-major or another order, half of them nearly so.

    Dims of size 1 often have odd strides. `orders` are taken as often as the usual ones.
    """
    for _ in range(count):
        size = chance_size(chance, chance.choice(ranks), most)
        dims = forwards(size)
        shuffled = tuple(chance.sample(dims, len(dims)))
        stride = list(packed(size, chance.choice((dims, dims[::-1], shuffled, *orders))))
        for dim, n in enumerate(size):
            if n == 1 and chance.random() < 0.5:
                stride[dim] = chance.choice((0, 1, 7, 100))
        if chance.random() < 0.5:
            dim = chance.choice(dims)
            stride[dim] = chance.choice((0, 1, stride[dim] + 1, stride[dim] * 2))
        yield size, tuple(stride)


WAY = "from the last to the first"
NO_ELEMENTS = (
    "a size of 0 means that there are no elements, and then nothing can be out of order: True."
)


def row_major_walk(size: Ints, stride: Ints) -> Any:
    """The walk from the last dim to the first."""
    return walk(size, stride, reversed(range(len(size))))


def walked(size: Ints, stride: Ints, order: Iterable[int]) -> bool:
    """A walk without any exception: what most mistakes do."""
    expected = 1
    for dim in order:
        if stride[dim] != expected:
            return False
        expected *= size[dim]
    return True


def kept(size: Ints) -> list[int]:
    """The dims of another size than 1."""
    return [dim for dim, n in enumerate(size) if n != 1]


def walk(size: Ints, stride: Ints, order: Iterable[int]) -> tuple[WalkStep, ...]:
    """The steps along the dims in that order, up to the first stride that is not as expected.

    >>> [step.ok for step in walk((4, 1, 3), (4, 9, 1), (2, 1, 0))]
    [True, None, False]
    """
    steps = []
    expected = 1
    for dim in order:
        ok = None if size[dim] == 1 else stride[dim] == expected
        steps.append(WalkStep(dim, size[dim], stride[dim], expected, ok))
        if ok is False:
            break
        expected *= size[dim]
    return tuple(steps)


def holds(steps: Iterable[WalkStep]) -> bool:
    """Whether no step has failed."""
    return all(step.ok is not False for step in steps)


def in_words(way: str, steps: Sequence[WalkStep]) -> str:
    """What a walk has come to, with its numbers, as a sentence without a full stop."""
    skipped = [step.dim for step in steps if step.ok is None]
    walked = [step for step in steps if step.ok is not None]
    if not walked:
        stride = tuple(step.stride for step in sorted(steps, key=lambda step: step.dim))
        return f"nothing steps along a dim of size 1, so here any stride will do, {stride} too"
    begin = f"walk the dims {way}"
    if skipped:
        begin += f" and skip {_dims(skipped)}, of size 1"
    last = walked[-1]
    if last.ok:
        have, are = ("stride", "is") if len(walked) == 1 else ("strides", "are")
        strides = joined([str(step.stride) for step in walked])
        return f"{begin}: the {have} {strides} {are} as expected"
    return f"{begin}: dim {last.dim} has stride {last.stride}, and {_expected(walked)} is expected"


def _expected(walked: Sequence[WalkStep]) -> str:
    """What the last step expects, as the product of the sizes before it."""
    passed = [str(step.size) for step in walked[:-1]]
    if not passed:
        return "1"
    return f"{' × '.join(['1', *passed])} = {walked[-1].expected}"


def _dims(dims: Sequence[int]) -> str:
    words = joined([str(dim) for dim in sorted(dims)])
    return f"dim {words}" if len(dims) == 1 else f"dims {words}"


def weigh_image(case: Case) -> tuple[Any, ...]:
    """Smallest first, and of the same number of elements those with more channels first.

    So a wrong order of all dims differs earlier than one of H and W alone. Without elements those
    with one 0 come first.
    """
    none, count, *rest = weigh_arguments(case)
    first = case.arguments[0]
    size = first.size if isinstance(first, TensorData) else first
    channels = size[1] if len(size) == 4 and not none else 0
    return none, count, size.count(0), repeats(case), -channels, *rest


def repeats(case: Case) -> bool:
    """Whether a tensor of a case has the same element at several indices by a stride of 0."""
    return any(
        n > 1 and step == 0
        for each in case.tensors
        for n, step in zip(each.size, each.stride, strict=True)
    )


def draw_beside(arguments: Arguments, name: str, other: Ints) -> Diagram | None:
    """The size and stride of a case, and the size with other strides, unless they are the same."""
    size, stride = arguments
    if not prod(size):
        return None
    headers = {"given": (size, stride, 0)}
    if other != stride:
        headers[name] = (size, other, 0)
    return draw_headers(headers)
