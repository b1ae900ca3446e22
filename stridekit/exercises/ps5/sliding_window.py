"""ps5, `sliding_window`: windows over one dim."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.checks.cases import random_layouts
from stridekit.checks.exercise import Arguments, Draft
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import SIZE_AND_STRIDE
from stridekit.checks.seam import Case, Plain
from stridekit.checks.weights import weigh_strides
from stridekit.diagrams import Diagram
from stridekit.layouts.dims import unfold
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

draft = Draft(
    "sliding_window", ("size", "stride", "dim", "window", "step"), place=4, returns=SIZE_AND_STRIDE
)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for n, stride in product(range(1, 6), (0, 1, 3)):
        yield from _all_windows((n,), (stride,), 4)
    for size in product(range(4), repeat=2):
        for steps in (contiguous_stride(size), (1, 5), (0, 2)):
            yield from _all_windows(size, steps, 3)
    if hidden:
        for size in product(range(4), repeat=3):
            for steps in (contiguous_stride(size), (2, 0, 7)):
                yield from _all_windows(size, steps, 4)
    for layout in random_layouts(600 if hidden else 120, chance):
        dims = [dim for dim, n in enumerate(layout.size) if n]
        if dims:
            dim = chance.choice(dims)
            window = chance.randint(1, layout.size[dim])
            yield layout.size, layout.stride, dim, window, chance.randint(1, 5)


def _all_windows(size: Ints, stride: Ints, steps: int) -> Iterator[Arguments]:
    for dim, n in enumerate(size):
        for window, step in product(range(1, n + 1), range(1, steps + 1)):
            yield size, stride, dim, window, step


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """First the cases with two windows or more, of two elements or more: they show most."""
    size, _, dim, window, step = case.arguments
    return min(window, (size[dim] - window) // step + 1) == 1, weigh_strides(case)


@draft.reference
def _reference(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Plain:
    layout = unfold(Layout(size, stride), dim, window, step)
    return layout.size, layout.stride


@draft.rule
def _rule(size: Ints, stride: Ints, dim: int, window: int, step: int) -> str:
    n, hop = size[dim], stride[dim]
    count = (n - window) // step + 1
    fit = "1 window fits" if count == 1 else f"{count} windows fit"
    return (
        f"{fit}, ({n} - {window}) // {step} + 1 = {count}; their stride is step × stride[{dim}] = "
        f"{step} × {hop} = {step * hop}; inside a window, which is a new last dim of size "
        f"{window}, the stride stays {hop}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride = case.arguments[:2]
    headers = {"given": (size, stride, 0), "expected": (*expected, 0)}
    if isinstance(returned, tuple) and len(returned) == 2:
        headers["yours"] = (*returned, 0)
    return draw_headers(headers)


def _windows(
    size: Ints, stride: Ints, dim: int, count: int, hop: int, inner: tuple[int, int]
) -> Any:
    return (
        (*size[:dim], count, *size[dim + 1 :], inner[0]),
        (*stride[:dim], hop, *stride[dim + 1 :], inner[1]),
    )


_INSIDE = (
    "this is what you get if the step goes into the stride inside a window. It is the windows "
    "that are step apart."
)


@draft.mistake(
    "this is what you get if the first window is forgotten: (size - window) // step "
    "counts only the moves from one to the next."
)
def _off_by_one(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


@draft.mistake("this is what you get if a last window is counted that does not fit. Round down.")
def _rounded_up(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = -(-(size[dim] - window) // step) + 1
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


@draft.mistake("this is what you get if size // step is taken for the count.")
def _side_by_side(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = size[dim] // step
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


@draft.mistake("this is what you get if the windows' stride is not multiplied by step.")
def _step_not_in_stride(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim], (window, stride[dim]))


@draft.mistake(_INSIDE)
def _step_inside(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim], (window, stride[dim] * step))


@draft.mistake(_INSIDE)
def _step_in_both(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count, hop = (size[dim] - window) // step + 1, stride[dim] * step
    return _windows(size, stride, dim, count, hop, (window, hop))


@draft.mistake(
    "this is what you get if step is taken for a stride. It counts elements of this "
    "dim, each of them the dim's stride apart."
)
def _step_is_stride(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, step, (window, stride[dim]))


@draft.mistake(
    "this is what you get if a window's elements are taken for neighbours"
    " in memory. They are the dim's stride apart."
)
def _inner_one(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim] * step, (window, 1))


@draft.mistake(
    "this is what you get if the new dim stands beside the one it came from. It is the "
    "last dim, as unfold has it."
)
def _beside_its_dim(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return (
        (*size[:dim], count, window, *size[dim + 1 :]),
        (*stride[:dim], stride[dim] * step, stride[dim], *stride[dim + 1 :]),
    )


EXERCISE = draft.exercise()
