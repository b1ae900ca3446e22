"""ps5, `sliding_window`: windows over one dim."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

from stridekit.diagrams import Diagram
from stridekit.layouts.dims import unfold
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Case, Plain
from stridekit_course.checks.cases import weigh_strides
from stridekit_course.checks.exercise import Arguments, Draft
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import SIZE_AND_STRIDE

draft = Draft(
    "sliding_window", ("size", "stride", "dim", "window", "step"), place=4, returns=SIZE_AND_STRIDE
)


_STEPS = (0, 1, 2, 3, 7, 12, 300, 2**53 + 1)


@draft.cases
def _cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    """At most 7 dims, each of at most 1,000; strides as they come."""
    for n, step in product(range(1, 7), (0, 1, 3) if hidden else (3,)):
        yield from _all_windows((n,), (step,), 5 if hidden else 4)
    yield from _all_windows((5,), (0,), 2)
    for size in product(range(4), repeat=2):
        row_major = contiguous_stride(size)
        yield from _all_windows(size, row_major, 3)
        for stride in ((1, 5), (0, 2)) if hidden else ():
            yield from _all_windows(size, stride, 3)
    for size in ((5, 2), (2, 5), (0, 5), (2, 3, 4), (1, 3, 2), (3, 0, 2)):
        yield from _all_windows(size, contiguous_stride(size), 2)
    # Two dims that only differ in their place.
    yield from (((5, 5), (3, 3), dim, window, 2) for dim in (0, 1) for window in (2, 3))
    for size in product(range(3), repeat=3) if hidden else ():
        yield from _all_windows(size, (2, 0, 7), 3)
    yield from _large()
    for _ in range(320 if hidden else 50):
        yield _random(chance)


def _large() -> Iterator[Arguments]:
    """Large numbers, and one window that fits just so, or narrowly not."""
    for n, window, step in (
        *((10, 3, 7), (10, 3, 8), (10, 4, 7), (11, 10, 12), (12, 12, 12), (300, 300, 300)),
        *((300, 299, 1), (1000, 10, 10), (1000, 1, 999), (1000, 1, 1000), (999, 7, 31)),
    ):
        # As an object of its own: what counts is the number.
        own = int(f"{window}")
        yield (n,), (1,), 0, own, step
        yield (2, n), (n, 1), 1, own, step
        yield (n, 2), (2, 1), 0, own, step
        yield (0, n, 3), (300, 2**53 + 1, 7), 1, own, step
    for rank in (4, 5, 6, 7):
        size = (3, 2, 5, 3, 2, 4, 3)[:rank]
        stride = (*range(10, 10 + rank),)
        yield from ((size, stride, dim, 2, 1 + dim % 2) for dim in range(rank))


def _random(chance: random.Random) -> Arguments:
    """Any header. Windows side by side, over each other, and with gaps between."""
    rank = chance.randint(1, 7)
    size = [chance.choice((0, 1, 2, 3, 5)) for _ in range(rank)]
    dim = chance.randrange(rank)
    size[dim] = n = chance.choice((1, 2, 3, 4, 5, 6, 7, 10, 12, 100))
    window = chance.choice((1, n, chance.randint(1, n), chance.randint(1, n)))
    step = chance.choice((1, 2, 3, window, chance.randint(1, n + 2)))
    return tuple(size), tuple(chance.choice(_STEPS) for _ in size), dim, window, step


def _all_windows(size: Ints, stride: Ints, steps: int) -> Iterator[Arguments]:
    for dim, n in enumerate(size):
        for window, step in product(range(1, n + 1), range(1, steps + 1)):
            yield size, stride, dim, window, step


@draft.weigh
def _weigh(case: Case) -> tuple[Any, ...]:
    """First two windows or more, of another number of elements, and a step: they show most."""
    size, _, dim, window, step = case.arguments
    count = (size[dim] - window) // step + 1
    return min(window, count) == 1, step == 1, window == count, weigh_strides(case)


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
        f"{fit}, ({n} - {window}) // {step} + 1 = {count}; the stride of dim {dim} is step × "
        f"stride[{dim}] = {step} × {hop} = {step * hop}; inside a window, which is a new last dim "
        f"of size {window}, the stride stays {hop}."
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


@draft.mistake(
    "this is what you get if the two dims change places. Dim `dim` counts the windows, and the "
    "last dim is inside of one."
)
def _changed_places(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, window, stride[dim], (count, stride[dim] * step))


@draft.mistake("this is what you get if each start counts, also of windows that would not fit.")
def _every_start(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = -(-size[dim] // step)
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


@draft.mistake("this is what you get if the windows are 1 apart. They are `step` elements apart.")
def _step_not_in_count(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = size[dim] - window + 1
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


@draft.mistake("this is what you get if windows are side by side. They are `step` elements apart.")
def _window_is_step(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim] * window, (window, stride[dim]))


@draft.mistake(
    "this is what you get if a single window keeps the dim's stride. torch multiplies it by step "
    "there too."
)
def _single_keeps_stride(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    hop = stride[dim] * (step if count > 1 else 1)
    return _windows(size, stride, dim, count, hop, (window, stride[dim]))


for _always, _name in ((0, "first"), (-1, "last")):

    @draft.mistake(f"this is what you get if it is always the {_name} dim that is cut.")
    def _one_dim(
        size: Ints, stride: Ints, _dim: int, window: int, step: int, always: int = _always
    ) -> Any:
        dim = always % len(size)
        count = (size[dim] - window) // step + 1
        return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


EXERCISE = draft.exercise()
