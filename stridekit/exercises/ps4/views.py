"""What ps4 shares on views: the order of cases, dims that merge, the rule, the picture."""

import random
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from stridekit.checks.exercise import Arguments
from stridekit.checks.pictures import as_layout
from stridekit.checks.seam import Case, TensorData
from stridekit.checks.weights import weigh_arguments
from stridekit.diagrams import Diagram, draw_view
from stridekit.exercises.ps4.headers import view_cases
from stridekit.layouts.layout import Ints, Layout
from stridekit.layouts.view_rule import Obstacle, chunks, plan_view
from stridekit.tensors.constructors import arange
from stridekit.tensors.tensor import Tensor


def counting_tensor(layout: Layout, length: int = 0) -> Tensor:
    """A tensor of that layout over a storage that counts, of at least that length."""
    ends = layout.reach[1] + 1 if layout.reach else 0
    storage = arange(max(length, ends))
    return Tensor(layout, storage.untyped_storage(), storage.dtype)


def plain_first(case: Case) -> tuple[Any, ...]:
    """As `weigh_arguments`, but later where little shows, or dims overlap, or repeat elements.

    Little shows in two elements, and where the size stays. A transpose teaches more than the same
    counterexample in elements that are there twice.
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
    shows_little = numel < 4 or rest[-1] == size
    return (is_empty, shows_little, numel, length, overlaps, is_odd, *others)


def kept_dims(size: Ints) -> list[int]:
    """The numbers of the dims that are ever stepped along, when there are elements."""
    return [dim for dim, n in enumerate(size) if n != 1]


def seams_of(size: Ints, stride: Ints) -> list[int]:
    """The left dims of neighbours that cannot merge, dims of size 1 aside."""
    pairs = pairwise(kept_dims(size))
    return [left for left, right in pairs if stride[left] != size[right] * stride[right]]


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
