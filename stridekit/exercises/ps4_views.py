"""Assignment ps4: whether a view is possible, and with which strides."""

import random
from collections.abc import Iterable, Iterator
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.pictures import as_layout, draw_headers
from stridekit.checks.returns import INTS, TRUTH, Maybe
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram, draw_view
from stridekit.diagrams.scenes.captions import count
from stridekit.exercises.ps4_seams import STRIDES, counting_tensor, plain_first, seams_of
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, is_contiguous
from stridekit.layouts.view_rule import Obstacle, chunks, plan_view


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


def _arguments(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _draw_view(size: Ints, stride: Ints, new_size: Ints) -> Diagram | None:
    layout = as_layout((size, stride, 0))
    if layout is None:
        return None
    return draw_view(counting_tensor(layout), new_size, title="given")


def _contiguous_only(size: Ints, stride: Ints, _new_size: Ints) -> bool:
    return is_contiguous(size, stride)


def _contiguous_or_same(size: Ints, stride: Ints, new_size: Ints) -> bool:
    return size == new_size or is_contiguous(size, stride)


def _one_run_only(size: Ints, stride: Ints, _new_size: Ints) -> bool:
    return prod(size) == 0 or not seams_of(size, stride)


def _ones_not_dropped(size: Ints, stride: Ints, new_size: Ints) -> bool:
    if prod(size) == 0:
        return True
    ends = {prod(new_size[dim:]) for dim in range(len(new_size) + 1)}
    return all(
        stride[dim - 1] == size[dim] * stride[dim] or prod(size[dim:]) in ends
        for dim in range(1, len(size))
    )


def _always(_size: Ints, _stride: Ints, _new_size: Ints) -> bool:
    return True


CAN_VIEW = plain_exercise(
    "can_view",
    ("size", "stride", "new_size"),
    cases=_arguments,
    reference=can_view,
    returns=TRUTH,
    rule=view_rule,
    picture=lambda case, *_: _draw_view(*case.arguments),
    weigh=plain_first,
    mistakes=(
        Mistake(
            _contiguous_only,
            "this is what you get if only contiguous tensors can be viewed. A view needs less: "
            "only dims that have to merge must follow one another evenly.",
        ),
        Mistake(
            _contiguous_or_same,
            "this is what you get if only contiguous tensors can be viewed in another size. A "
            "view needs less: only dims that have to merge must follow one another evenly.",
        ),
        Mistake(
            _one_run_only,
            "this is what you get if all dims have to merge into one. The new size may keep some "
            "of them apart.",
        ),
        Mistake(
            _ones_not_dropped,
            "this is what you get if strides of dims of size 1 are looked at. They are never "
            "stepped along: drop those dims first.",
        ),
        Mistake(
            _always,
            "this is what you get if the right number of elements is enough. The strides decide.",
        ),
    ),
)


def _view_stride(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_view(Layout(size, stride), new_size)
    return plan.stride if isinstance(plan, Layout) else None


def _strides_agree(arguments: Arguments, expected: Plain, value: Plain) -> bool:
    _, _, new_size = arguments
    if expected is None or value is None:
        return value is expected
    if len(value) != len(new_size):
        return False
    free = prod(new_size) == 0
    pairs = zip(new_size, expected, value, strict=True)
    return all(free or n == 1 or a == b for n, a, b in pairs)


def _view_stride_rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    wanted = _view_stride(size, stride, new_size)
    if wanted is None:
        return view_rule(size, stride, new_size)
    free = f"any tuple of {count(len(new_size), 'int')}" if new_size else "the empty tuple"
    if prod(size) == 0:
        return (
            f"what holds no elements can always be viewed, and no stride is used: {free} will do."
        )
    runs = [chunk for chunk in chunks(Layout(size, stride), new_size) if chunk.numel > 1]
    steps = []
    for run in runs:
        inner = 1
        for dim in reversed(run.new_dims or ()):
            if new_size[dim] > 1:
                steps.append(f"stride[{dim}] = {inner} x {run.stride}")
            inner *= new_size[dim]
    if not steps:
        return f"a single element is never stepped away from: {free} will do."
    return (
        "within one even run of elements, a new dim's stride is the number of elements to its "
        f"right in that run, times the step between them: {', '.join(steps)}."
    )


def _view_stride_picture(case: Case, expected: Plain, yours: Plain) -> Diagram | None:
    size, stride, new_size = case.arguments
    if expected is None:
        return _draw_view(size, stride, new_size)
    return draw_headers(
        {
            "given": (size, stride, 0),
            "expected": (new_size, expected, 0),
            "yours": (new_size, yours, 0),
        }
    )


def _c_always(_size: Ints, _stride: Ints, new_size: Ints) -> Any:
    return contiguous_stride(new_size)


def _c_where_contiguous(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return contiguous_stride(new_size) if is_contiguous(size, stride) else None


def _last_step_everywhere(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if prod(size) == 0 or not can_view(size, stride, new_size):
        return _view_stride(size, stride, new_size)
    step = next((s for n, s in zip(size[::-1], stride[::-1], strict=True) if n != 1), 1)
    return tuple(step * inner for inner in contiguous_stride(new_size))


def _never_none(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if can_view(size, stride, new_size):
        return _view_stride(size, stride, new_size)
    return contiguous_stride(new_size)


VIEW_STRIDE = plain_exercise(
    "view_stride",
    ("size", "stride", "new_size"),
    cases=_arguments,
    reference=_view_stride,
    returns=Maybe(INTS),
    rule=_view_stride_rule,
    picture=_view_stride_picture,
    agrees=_strides_agree,
    weigh=plain_first,
    mistakes=(
        Mistake(
            _c_always,
            "this is what you get if every view gets row-major strides. Where the old elements lie "
            "further apart, so do the new ones.",
        ),
        Mistake(
            _c_where_contiguous,
            "this is what you get if only contiguous tensors can be viewed. A view needs less: "
            "only dims that have to merge must follow one another evenly.",
        ),
        Mistake(
            _last_step_everywhere,
            "this is what you get if the step of the last dim is used everywhere. Each run of "
            "dims that merge has its own.",
        ),
        Mistake(
            _never_none,
            "this is what you get if an impossible view gets row-major strides. It has none.",
        ),
    ),
)
