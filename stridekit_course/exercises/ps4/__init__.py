"""What the exercises of ps4 share: layouts whose dims merge here and not there, rule, picture."""

import random
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise, product
from math import prod

from stridekit.diagrams import Diagram, draw_view
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.view_rule import Obstacle, chunks, plan_view
from stridekit.tensors.constructors import arange
from stridekit.tensors.tensor import Tensor
from stridekit_course.checks.pictures import as_layout
from stridekit_course.checks.strategies import crossed_layouts, in_every_order, insert, interleaves

LayoutAndSize = tuple[Layout, Ints]

# The most that comes, as the texts say it.
DIMS_MOST, ELEMENTS_MOST = 7, 150
# How a dim stands to its right neighbour: it merges, or there is a gap between the rows, or it
# repeats them, or they overlap.
KINDS = ("merges", "gap", "repeats", "overlaps")
_PAIRS = ((2, 3), (2, 2), (3, 2), (1, 2), (2, 1), (3, 3))
# The positions are not those of an even run, but the first and the last are, and their sum is.
_ALIKE = (
    (Layout((2, 2, 2), (5, 1, 1)), (8,)),
    (Layout((2, 2, 2), (3, 3, 1)), (8,)),
    # So are the first 32 and the last 32.
    (Layout((2, 2, 32), (65, 31, 1)), (128,)),
    (Layout((2, 2, 2, 4), (12, 12, 4, 1)), (32,)),
    (Layout((2, 2, 2, 4), (20, 4, 4, 1)), (8, 4)),
    # They are those of an even run, in another order.
    (Layout((2, 2, 2), (2, 4, 1)), (8,)),
    (Layout((3, 2, 2), (2, 6, 1)), (12,)),
    (Layout((2, 3, 2), (2, 0, 1)), (3, 4)),
    (Layout((2, 2, 2, 2), (2, 4, 8, 1)), (16,)),
    # In one byte, or in two, the left stride is that of dims that merge.
    (Layout((2, 3), (259, 1)), (6,)),
    (Layout((2, 3), (65_539, 1)), (6,)),
    (Layout((2, 3), (120_003, 40_001)), (3, 2)),
    (Layout((2, 3), (120_004, 40_001)), (3, 2)),
    # Told apart by where a number ends.
    (Layout((22, 3), (30, 10)), (3, 22)),
    (Layout((2, 2, 3), (3, 0, 10)), (3, 2, 2)),
    # channels_last, which some copies keep, and those alone.
    (Layout((2, 2, 3, 2), (12, 1, 4, 2)), (24,)),
    (Layout((2, 2, 2, 3, 2), (24, 1, 12, 4, 2)), (48,)),
    # Dims that repeat their elements merge with each other.
    (Layout((2, 5), (0, 0)), (10,)),
    (Layout((3, 2, 4), (1, 0, 0)), (3, 8)),
)
# What becomes of the dims of a size in another one of as many elements.
NEWS = ("same", "turned", "swapped", "merged", "split", "ones", "any", "any")
_NEW_EMPTY = ((0,), (0, 5), (5, 0), (2, 0, 1), (0, 0, 3))


def view_cases(
    hidden: bool, chance: random.Random, *, tensors: bool = False
) -> Iterator[LayoutAndSize]:
    """Layouts, each with new sizes of as many elements; fewer of tensors, which take longer."""
    many, few = hidden and not tensors, tensors and not hidden
    yield from _single(hidden)
    yield from _pairs(_PAIRS if many else _PAIRS[:1] if few else _PAIRS[:3])
    yield from _in_all_splits(((2, 3, 2), (2, 2, 2, 2))[: 1 if few else 2], KINDS[:2])
    for rank in (5, 6, 7) if hidden else (7,):
        yield from _of_many_dims(rank, hidden=many)
    # A 1 at every place, whose stride is odd.
    for kind, place, step in product(KINDS, range(3), (0, 7) if many else (7,)):
        stride = insert(strided((2, 3), (kind,)).stride, place, step)
        for new in ((6,), (2, 3, 1), (3, 1, 2))[: 3 if many else 2]:
            yield Layout(insert((2, 3), place, 1), stride), new
    # Several of them, in both sizes.
    for its, more in product(range(2, 6), range(3, 7)) if hidden else ():
        stride = insert((3, 1), 1, *(7, 0, 1, 100, 2)[:its])
        yield Layout(insert((2, 3), 1, *(1,) * its), stride), insert((6,), more % 2, *(1,) * more)
    yield from _without_elements(4 if many else 1)
    yield from _ALIKE
    if hidden:
        yield Layout((3, 2, 4), (2, 1, 0)), (3, 8)
        for layout in in_every_order((2, 3, 2), chance):
            yield from ((layout, new_size) for new_size in (*splits(12), (2, 1, 3, 2)))
        yield from _in_all_splits(((2, 3, 2), (2, 2, 3), (3, 2, 2)), KINDS[:3])
    if many:
        yield from _in_all_splits(((3, 2, 4), (2, 3, 2, 2), (2, 2, 2, 2, 2)), KINDS[:2])
    ranks, most = range(DIMS_MOST + 1), ELEMENTS_MOST
    rows = crossed_layouts(
        chance, ranks, offsets=(0, 1, 2), most=most, times=1 + many, new=NEWS, to=ranks
    )
    for layout, row in [*rows][: 40 if few else None]:
        yield layout, regrouped(layout.size, chance, row.new, row.to)


def strided(size: Ints, kinds: Iterable[str], last: int = 1) -> Layout:
    """A layout whose dims stand to their right neighbours as it is said, from the left.

    >>> strided((2, 3, 2), ("merges", "gap")).stride
    (9, 3, 1)
    """
    stride = [last] if size else []
    for n, kind in zip(size[:0:-1], tuple(kinds)[::-1], strict=True):
        stride.insert(0, _step(kind, n, stride[0]))
    return Layout(size, tuple(stride))


def _step(kind: str, n: int, right: int) -> int:
    """The step of a dim whose right neighbour has that size and that step."""
    return {"merges": n * right, "gap": n * right + 1, "repeats": 0, "overlaps": right}[kind]


@cache
def splits(numel: int) -> tuple[Ints, ...]:
    """Every size without a 1 that holds so many elements.

    >>> splits(8)
    ((2, 2, 2), (2, 4), (4, 2), (8,))
    """
    if numel == 1:
        return ((),)
    firsts = (n for n in range(2, numel + 1) if numel % n == 0)
    return tuple((first, *rest) for first in firsts for rest in splits(numel // first))


def _single(hidden: bool) -> Iterator[LayoutAndSize]:
    """One dim, and one element."""
    for step in (0, 1, 2):
        yield from ((Layout((2,), (step,)), new_size) for new_size in ((2,), (2, 1), (1, 2)))
        yield from ((Layout((4,), (step,)), new_size) for new_size in splits(4))
    for rank in range(DIMS_MOST + 1) if hidden else (0, 1, 3):
        layout = Layout((1,) * rank, (4, 0, 9, 5, 1, 1, 7)[:rank])
        yield from ((layout, (1,) * new) for new in range(DIMS_MOST + 1 if hidden else 4))


def _pairs(sizes: Iterable[Ints]) -> Iterator[LayoutAndSize]:
    """Two dims: all that matters of the left one's stride, in every new size."""
    for size in sizes:
        n, m = size
        for right in (0, 1, 2):
            for left in dict.fromkeys((m * right, m * right + 1, 0, 1, n)):
                for new_size in (*splits(n * m), (1, n * m), (n * m, 1)):
                    yield Layout(size, (left, right)), new_size


def _in_all_splits(sizes: Iterable[Ints], kinds: tuple[str, ...]) -> Iterator[LayoutAndSize]:
    """Neighbours that merge or do not, in every combination, in every new size."""
    for size in sizes:
        for chosen in product(kinds, repeat=len(size) - 1):
            layout = strided(size, chosen)
            yield from ((layout, new_size) for new_size in splits(layout.numel))


def _of_many_dims(rank: int, *, hidden: bool) -> Iterator[LayoutAndSize]:
    """One seam among dims that merge, and two dims that merge among seams, at every place."""
    for place in range(rank - 1):
        for most, one in (("merges", KINDS[1 + place % 3]), ("gap", "merges")):
            kinds = [most] * (rank - 1)
            kinds[place] = one
            layout, inner = strided((2,) * rank, kinds), 2 ** (rank - 1 - place)
            joined = (*layout.size[:place], 4, *layout.size[place + 2 :])
            yield layout, joined
            yield layout, (2**rank // inner, inner)
            steps = (*layout.stride[:place], *layout.stride[place + 1 :])
            yield Layout(joined, steps), layout.size
            if hidden:
                yield layout, layout.size
                yield layout, (2**rank // inner * 2, inner // 2)


def _without_elements(news: int) -> Iterator[LayoutAndSize]:
    """No elements, and strides that would be in the way if there were any."""
    for size in ((0,), (2, 0), (0, 3), (0, 0), (2, 0, 3), (3, 2, 0), (0, 2, 1, 2)):
        layout = Layout(size, (3, 5, 2, 7)[: len(size)])
        yield layout, size
        yield from ((layout, new_size) for new_size in _NEW_EMPTY[:news])


def regrouped(
    size: Ints, chance: random.Random, kind: str = "any", rank: int | None = None
) -> Ints:
    """A size of as many elements, by a few merges and splits. Often a view finds it.

    It has that rank, if it can, unless its sizes are the same in some order.
    """
    new = [*reversed(size)] if kind == "turned" else [*size]
    others = [place for place, (n, m) in enumerate(pairwise(size)) if n != m]
    if kind == "swapped" and others:
        place = chance.choice(others)
        new[place : place + 2] = new[place + 1], new[place]
    is_reordered = kind in ("same", "turned", "swapped")
    for _ in range(0 if is_reordered else chance.randint(1, 4)):
        dim = chance.randrange(len(new) + 1)
        how = chance.choice(("ones", "merged", "merged", "split")) if kind == "any" else kind
        if how == "ones" and len(new) < DIMS_MOST:
            new.insert(dim, 1)
        elif how == "merged" and dim + 1 < len(new):
            new[dim : dim + 2] = [new[dim] * new[dim + 1]]
        elif how == "split" and dim < len(new) < DIMS_MOST:
            n = new[dim]
            part = chance.choice([k for k in range(1, n + 1) if n % k == 0] or [1])
            new[dim : dim + 1] = [n // part if part else 0, part]
    least = 0 if prod(new) == 1 else 1
    wanted = len(new) if rank is None or is_reordered else max(rank, least)
    while len(new) < wanted:
        new.insert(chance.randrange(len(new) + 1), 1)
    while len(new) > wanted:
        place = chance.randrange(max(len(new) - 1, 1))
        new[place : place + 2] = [prod(new[place : place + 2])][:wanted]
    return tuple(new)


def counting_tensor(layout: Layout, length: int = 0) -> Tensor:
    """A tensor of that layout over a storage that counts, of at least that length."""
    storage = arange(max(length, layout.needed))
    return Tensor(layout, storage.untyped_storage(), storage.dtype)


def is_late(size: Ints, stride: Ints, new_size: Ints = ()) -> tuple[bool, ...]:
    """What makes a case come late: the size stays, or elements come twice, or dims overlap.

    A transpose teaches more than the same counterexample in elements that are there twice.
    """
    return new_size == size, interleaves(size, stride)


def kept_dims(size: Ints) -> list[int]:
    """The numbers of the dims that are ever stepped along, when there are elements."""
    return [dim for dim, n in enumerate(size) if n != 1]


def seams_of(size: Ints, stride: Ints, *, of_left: bool = False) -> list[int]:
    """The left dims of neighbours that cannot merge, dims of size 1 aside.

    With `of_left`, a mistake, the size of the left dim is taken in place of the right one's.
    """
    pairs = pairwise(kept_dims(size))
    counted = ((left, right, left if of_left else right) for left, right in pairs)
    return [left for left, right, dim in counted if stride[left] != size[dim] * stride[right]]


def is_viewable(size: Ints, stride: Ints, new_size: Ints) -> bool:
    """Whether torch can view those strides in that size."""
    return isinstance(plan_view(Layout(size, stride), new_size), Layout)


def view_rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    """Why the view is possible, or is not."""
    layout = Layout(size, stride)
    if layout.numel == 0:
        return "what holds no elements can always be viewed: no stride of it is ever used."
    plan = plan_view(layout, new_size)
    if isinstance(plan, Obstacle):
        return f"{new_size} would need one dim across two that do not merge: {plan.reason}."
    runs = [chunk for chunk in chunks(layout, new_size) if chunk.numel > 1]
    if not runs:
        return "a single element can be viewed in any size that holds one."
    if len(runs) == 1:
        return (
            f"the {runs[0].numel} elements lie in one even run, {runs[0].stride} apart, and every "
            "size that holds them can share it out."
        )
    spelt = "; then ".join(
        f"{run.numel} elements, {run.stride} apart, by {tuple(new_size[d] for d in run.new_dims)}"
        for run in runs
        if run.new_dims
    )
    return (
        "dims that merge form even runs, and the new sizes fill each exactly, from the right: "
        f"{spelt}."
    )


def draw_view_of(size: Ints, stride: Ints, new_size: Ints) -> Diagram | None:
    """The view of a header that begins at 0, or what makes it impossible."""
    layout = as_layout((size, stride, 0))
    if layout is None:
        return None
    return draw_view(counting_tensor(layout), new_size, title="given")
