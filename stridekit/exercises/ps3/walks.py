"""What ps3 shares on walks: along the dims, each stride held against what is expected."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product
from math import prod
from typing import Any

from stridekit.checks.cases import random_sizes, small_layouts, small_sizes
from stridekit.checks.exercise import Arguments
from stridekit.checks.pictures import draw_headers
from stridekit.checks.seam import Case, TensorData
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram
from stridekit.diagrams.scenes.captions import joined
from stridekit.explain import WalkStep
from stridekit.layouts.layout import Ints

SizeAndStride = tuple[Ints, Ints]

WAY = "from the last to the first"
NO_ELEMENTS = (
    "a size of 0 means that there are no elements, and then nothing can be out of order: True."
)


def row_major_walk(size: Ints, stride: Ints) -> Any:
    """The walk from the last dim to the first."""
    return walk(size, stride, reversed(range(len(size))))


def walk_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """Every small size and stride, and larger ones."""
    yield from small_walks(hidden=hidden)
    yield from random_walks(500 if hidden else 150, chance)
    # Numbers that Python does not keep, so that two equal ones are two objects.
    for size in ((300, 2), (2, 300), (20, 30, 40), (1, 700, 9, 11)):
        for order in (range(len(size)), reversed(range(len(size)))):
            yield size, packed(size, order)


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


def near(size: Ints, order: Iterable[int]) -> Iterator[SizeAndStride]:
    """The packed strides, and those with one of them changed."""
    stride = packed(size, order)
    yield size, stride
    for dim, step in enumerate(stride):
        for other in (0, step + 1):
            yield size, (*stride[:dim], other, *stride[dim + 1 :])


def in_any_order(sizes: Iterable[Ints]) -> Iterator[SizeAndStride]:
    """Every order of the dims, packed."""
    for size in sizes:
        for order in permutations(range(len(size))):
            yield size, packed(size, order)


def small_walks(*, hidden: bool, least: int = 0) -> Iterator[SizeAndStride]:
    """Every small size and stride, and those of three dims that are packed or nearly so.

    Hidden: also three dims with any strides from a small set, and four that are nearly packed.
    """
    for layout in small_layouts(2, (0, 1, 2, 3, 5), least=least):
        yield layout.size, layout.stride
    for size in product(range(1, 4), repeat=3):
        for order in permutations(range(3)):
            yield from near(size, order)
    if least == 0:
        for size in product((0, 1, 2), repeat=3):
            yield size, packed(size, (2, 1, 0))
            yield size, (3, 5, 2)
    if hidden:
        for layout in small_layouts(3, (1, 2, 4, 6), least=least):
            yield layout.size, layout.stride
        sizes = [size for size in small_sizes(4, least=1) if len(size) == 4]
        yield from in_any_order(sizes)
        for size in sizes:
            yield from near(size, (0, 1, 2, 3))
            yield from near(size, (3, 2, 1, 0))


def random_walks(
    count: int,
    chance: random.Random,
    orders: Sequence[Ints] = (),
    *,
    rank: int | None = None,
    least: int = 0,
) -> Iterator[SizeAndStride]:
    """Larger ones: packed in row-major, column-major or another order, half of them nearly so.

    Dims of size 1 often have odd strides. `orders` are taken as often as the usual ones.
    """
    ranks = (3, 6) if rank is None else (rank, rank)
    for given in random_sizes(count, chance, ranks):
        size = tuple(max(n, least) for n in given)
        dims = tuple(range(len(size)))
        shuffled = tuple(chance.sample(dims, len(dims)))
        order = chance.choice((dims, dims[::-1], shuffled, *orders))
        stride = list(packed(size, order))
        for dim, n in enumerate(size):
            if n == 1 and chance.random() < 0.5:
                stride[dim] = chance.choice((0, 1, 7, 100))
        if chance.random() < 0.5:
            dim = chance.choice(dims)
            stride[dim] = chance.choice((0, 1, stride[dim] + 1, stride[dim] * 2))
        yield size, tuple(stride)


def weigh_image(case: Case) -> tuple[Any, ...]:
    """Smallest first, and of the same number of elements those with more channels first.

    So a wrong order of all dims differs earlier than one of H and W alone.
    """
    none, count, *rest = weigh_arguments(case)
    first = case.arguments[0]
    size = first.size if isinstance(first, TensorData) else first
    channels = size[1] if len(size) == 4 and not none else 0
    return none, count, repeats(case), -channels, *rest


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
