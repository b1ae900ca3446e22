"""What ps4 shares on views: cases, their order, dims that merge, the rule, the picture."""

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments
from stridekit.checks.pictures import as_layout
from stridekit.checks.seam import Case, TensorData
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram, draw_view
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.view_rule import Obstacle, chunks, plan_view
from stridekit.tensors.constructors import arange
from stridekit.tensors.tensor import Tensor

# Stride 6 makes rows of 3 two apart, and 0 repeats them.
STRIDES = (0, 1, 2, 3, 6)


def counting_tensor(layout: Layout, length: int = 0) -> Tensor:
    """A tensor of that layout over a storage that counts, of at least that length."""
    ends = layout.reach[1] + 1 if layout.reach else 0
    storage = arange(max(length, ends))
    return Tensor(layout, storage.untyped_storage(), storage.dtype)


def plain_first(case: Case) -> tuple[Any, ...]:
    """As `weigh_arguments`, but where dims overlap, or repeat elements, a case comes later.

    A transpose teaches more than the same counterexample in elements that are there twice.
    """
    first, *rest = case.arguments
    size, stride = (first.size, first.stride) if isinstance(first, TensorData) else (first, rest[0])
    reach, overlaps = 0, False
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1:
            overlaps = overlaps or step <= reach
            reach += (n - 1) * step
    is_odd = isinstance(first, TensorData) and first.dtype != "int64"
    is_empty, numel, length, *others = weigh_arguments(case)
    return (is_empty, numel, length, overlaps, is_odd, *others)


def kept_dims(size: Ints) -> list[int]:
    """The numbers of the dims that are ever stepped along, when there are elements."""
    return [dim for dim, n in enumerate(size) if n != 1]


def seams_of(size: Ints, stride: Ints) -> list[int]:
    """The left dims of neighbours that cannot merge, dims of size 1 aside."""
    pairs = pairwise(kept_dims(size))
    return [left for left, right in pairs if stride[left] != size[right] * stride[right]]


def view_cases(hidden: bool, chance: random.Random) -> Iterator[tuple[Layout, Ints]]:
    """Layouts, each with new sizes of as many elements."""
    for layout in small_layouts(2, STRIDES, least=1):
        yield from ((layout, size) for size in sizes_of(layout.numel, 2))
    # Without elements everything goes, so that a few strides are enough.
    for layout in small_layouts(2, (1, 2)):
        if layout.numel == 0:
            yield from ((layout, size) for size in (layout.size, (0,), (2, 0)))
    for layout in small_layouts(3, (1, 2, 4), least=1):
        if layout.ndim == 3 and max(layout.size) == 2:
            yield from ((layout, size) for size in sizes_of(layout.numel, 2))
    if hidden:
        for layout in small_layouts(3, (1, 2, 6), least=1):
            if layout.ndim == 3:
                yield from ((layout, size) for size in sizes_of(layout.numel, 2))
                yield layout, regrouped(layout.size, chance)
    for layout in random_layouts(1500 if hidden else 200, chance):
        yield layout, regrouped(layout.size, chance)


def sizes_of(numel: int, rank: int) -> list[Ints]:
    """Every size of up to so many dims that holds so many elements, at least one.

    >>> sizes_of(4, 2)
    [(4,), (1, 4), (2, 2), (4, 1)]
    """
    found: list[Ints] = [()] if numel == 1 else []
    if rank:
        for first in range(1, numel + 1):
            if numel % first == 0:
                rests = sizes_of(numel // first, rank - 1)
                found += [(first, *rest) for rest in rests]
    return sorted(set(found), key=lambda size: (len(size), size))


def regrouped(size: Ints, chance: random.Random) -> Ints:
    """A size of as many elements, by a few merges and splits. Often a view finds it."""
    new = list(size)
    for _ in range(chance.randint(1, 4)):
        dim = chance.randrange(len(new) + 1)
        kind = chance.random()
        if kind < 0.15:
            new.insert(dim, 1)
        elif kind < 0.6 and dim + 1 < len(new):
            new[dim : dim + 2] = [new[dim] * new[dim + 1]]
        elif dim < len(new):
            n = new[dim]
            part = chance.choice([k for k in range(1, n + 1) if n % k == 0] or [2, 3])
            new[dim : dim + 1] = [n // part, part]
    return tuple(new)


def view_arguments(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """The cases, as the arguments size, stride, new_size."""
    for layout, new_size in view_cases(hidden, chance):
        yield layout.size, layout.stride, new_size


def can_view(size: Ints, stride: Ints, new_size: Ints) -> bool:
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
