"""The layouts that ps5 asks about overlap: small ones, and such as meet, or narrowly do not."""

import random
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product

from stridekit.checks.exercise import Arguments
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

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
    """Small layouts of every kind, and larger ones that overlap in every way, or narrowly not.

    At most 7 dims and 400 elements, and positions below 100,000.
    """
    yield Layout((), ())
    yield from (Layout((n,), (step,)) for n in range(4) for step in (0, 1, 2, 3, 5))
    yield from _of_rank_two(hidden)
    yield from (Layout((2, 2, 2), strides) for strides in product((1, 2, 3), repeat=3))
    yield from (Layout((2, 2, 3), strides) for strides in product((1, 2), repeat=3))
    yield from (Layout((3, 2, 2), strides) for strides in product((1, 2, 3), repeat=3))
    for dim, step, others in product(range(3), (0, 4), ((1, 1), (3, 1), (0, 1))):
        # A dim of size 1 beside others that meet, or do not.
        size = (*(2, 3)[:dim], 1, *(2, 3)[dim:])
        yield Layout(size, (*others[:dim], step, *others[dim:]))
    if hidden:
        # What they share does not depend on the order of the dims: one order of each is enough.
        for sizes in product((2, 3), repeat=3):
            steps = (0, 1, 2, 3, 4, 5, 7) if sizes == (2, 2, 2) else (0, 1, 2, 3, 5)
            for strides in combinations_with_replacement(steps, 3):
                yield _shuffled(sizes, strides, chance)
    yield from (Layout(sizes, (0, 1, 1)) for sizes in product((0, 2), (0, 1, 2), (0, 2)))
    yield from _far_out()
    for together in _ONLY_TOGETHER:
        yield Layout((2,) * len(together), together)
        scaled = tuple(40 * step for step in together)
        yield _shuffled((2,) * len(together), scaled, chance)
        # One dim of size 1, and all are apart; whatever its stride.
        sizes, *both = _but_one(scaled, chance)
        yield from (Layout(sizes, each) for each in both[: 2 if hidden else 1])
    yield from random_overlaps(250 if hidden else 40, chance)


def _of_rank_two(hidden: bool) -> Iterator[Layout]:
    for size in product(range(4), repeat=2):
        if hidden:
            strides = [*product((0, 1, 2, 3, 5), repeat=2)]
        elif 0 in size:
            strides = [(0, 1), (1, 1), (2, 0)]
        else:
            strides = [*product((0, 1, 2, 3), repeat=2)]
        yield from (Layout(size, stride) for stride in strides)


def _far_out() -> Iterator[Layout]:
    """Layouts that meet first where numbers are large, or only at one position."""
    for s, t in _COPRIME:
        yield Layout((t + 1, s + 1), (s, t))
        yield Layout((s + 1, t), (100 * t, 100 * s))
    yield Layout((20, 18), (17 * 100, 19 * 100))
    yield from (Layout((n,), (step,)) for n, step in ((12, 0), (300, 0), (300, 1), (20, 5000)))
    yield from (Layout((12, 20), (step, 1)) for step in (20, 19))
    # Apart, but not in a table of so many places.
    yield from (Layout((2,), (step,)) for step in (256, 1000, 1024, 4096, 10_000, 65_536))
    # More elements at a time than a hand has fingers, in the last of many dims.
    for rank in (4, 5, 6, 7):
        steps = contiguous_stride((*(1,) * (rank - 3), 2, 2, 12))
        yield Layout((*(1,) * (rank - 3), 2, 2, 12), steps)
        yield Layout((*(1,) * (rank - 3), 2, 2, 12), (*steps[:-1], 0))
        yield Layout((2,) * rank, (0, *contiguous_stride((2,) * (rank - 1))))
        # The first stride of 0 repeats nothing, and a later one does.
        yield Layout((1, 3, *(2,) * (rank - 2)), (0, 0, *contiguous_stride((2,) * (rank - 2))))


def _shuffled(size: Ints, stride: Ints, chance: random.Random) -> Layout:
    dims = [*zip(size, stride, strict=True)]
    chance.shuffle(dims)
    return Layout(tuple(n for n, _ in dims), tuple(step for _, step in dims))


def _but_one(strides: Ints, chance: random.Random) -> tuple[Ints, Ints, Ints]:
    """Sizes of 2 but for one dim of 1; and two strides, one of them with 0 there."""
    dim = chance.randrange(len(strides))
    size = tuple(1 if each == dim else 2 for each in range(len(strides)))
    return size, strides, (*strides[:dim], 0, *strides[dim + 1 :])


def random_overlaps(count: int, chance: random.Random) -> Iterator[Layout]:
    """Larger layouts: of any strides, row-major but for one dim, and windows."""
    for _ in range(count):
        size, room = [], chance.choice((8, 24, 60))
        for _ in range(chance.choice((2, 2, 3, 3, 4, 5, 6))):
            size.append(chance.choice([n for n in (1, 2, 2, 3, 4, 5, 8, 11) if n <= room]))
            room //= size[-1]
        if chance.random() < 0.05:
            size[chance.randrange(len(size))] = 0
        steps = [*contiguous_stride(tuple(size))]
        kind = chance.random()
        if kind < 0.4:
            factor = chance.choice((1, 1, 100))
            steps = [factor * chance.choice((0, 1, 2, 3, 4, 6, 7, 9, 13, 20)) for _ in size]
        elif kind < 0.7:
            dim = chance.randrange(len(size))
            steps[dim] = chance.choice((0, 1, 7, steps[dim] * 2, steps[dim] + 1))
        else:
            hop = chance.randint(1, 4)
            size, steps = [*size, chance.randint(2, 4)], [*(step * hop for step in steps), 1]
        yield _shuffled(tuple(size), tuple(steps), chance)


def overlap_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """The layouts, as the arguments size and stride."""
    for layout in overlap_layouts(hidden, chance):
        yield layout.size, layout.stride
