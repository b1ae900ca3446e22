"""Assignment ps5: broadcasting and overlap. Here are bytes_saved and sliding_window."""

import random
from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

from stridekit.checks.cases import random_layouts, small_layouts, tensor_data
from stridekit.checks.exercise import Arguments, Mistake, plain_exercise
from stridekit.checks.pictures import as_layout, draw_headers, draw_tensors
from stridekit.checks.returns import SIZE_AND_STRIDE, WHOLE
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps5_broadcasting import BROADCAST_SIZES, EXPAND
from stridekit.exercises.ps5_overlap import (
    HAS_OVERLAP,
    distinct_positions,
    overlap_layouts,
    weigh_strides,
)
from stridekit.exercises.ps5_writes import INPLACE_VERDICT, WRITES_PER_POSITION
from stridekit.layouts.dims import unfold
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

# bytes_saved


def _bytes_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
    for layout in small_layouts(2, (0, 1, 2, 3, 5)):
        for itemsize in (2, 8):
            yield layout.size, layout.stride, itemsize
    for layout in overlap_layouts(hidden, chance):
        yield layout.size, layout.stride, (1, 2, 4, 8)[sum(layout.stride) % 4]


def _bytes_reference(size: Ints, stride: Ints, itemsize: int) -> int:
    return itemsize * (prod(size) - len(distinct_positions(size, stride)))


def _bytes_rule(size: Ints, stride: Ints, itemsize: int) -> str:
    count, reached = prod(size), distinct_positions(size, stride)
    if not count:
        return "without elements there is nothing to copy, and no position is reached."
    gaps = ""
    if max(reached) >= len(reached):
        gaps = " (gaps between them hold none of its elements)"
    distinct = "1 position" if len(reached) == 1 else f"{len(reached)} distinct positions"
    return (
        f"a copy needs {count} × {itemsize} = {count * itemsize} bytes, one place for each "
        f"element; now the elements lie at {distinct}{gaps}: {len(reached)} × {itemsize} = "
        f"{len(reached) * itemsize} bytes."
    )


def _bytes_picture(case: Case, *_: Plain) -> Diagram | None:
    size, stride, itemsize = case.arguments
    layout = as_layout((size, stride, 0))
    if layout is None:
        return None
    # Of a dtype of that itemsize, so that the picture speaks of as many bytes.
    return draw_tensors(("given",), (tensor_data(layout, dtype=f"int{8 * itemsize}"),))


def _bytes_reach(size: Ints, stride: Ints, itemsize: int) -> Any:
    reach = Layout(size, stride).reach
    return itemsize * (prod(size) - (0 if reach is None else reach[1] + 1))


def _bytes_reach_not_negative(size: Ints, stride: Ints, itemsize: int) -> Any:
    return max(0, _bytes_reach(size, stride, itemsize))


def _bytes_stride_zero(size: Ints, stride: Ints, itemsize: int) -> Any:
    own = prod(n for n, step in zip(size, stride, strict=True) if step)
    return itemsize * (prod(size) - own)


def _bytes_stride_zero_empty(size: Ints, stride: Ints, itemsize: int) -> Any:
    return max(0, _bytes_stride_zero(size, stride, itemsize))


def _bytes_held(size: Ints, stride: Ints, itemsize: int) -> Any:
    return itemsize * len(distinct_positions(size, stride))


def _bytes_of_copy(size: Ints, _stride: Ints, itemsize: int) -> Any:
    return itemsize * prod(size)


def _elements_saved(size: Ints, stride: Ints, _itemsize: int) -> Any:
    return _bytes_reference(size, stride, 1)


_STORAGE = (
    "this is what you get if the storage is counted up to the last position, gaps and all. Count "
    "the positions that some index reaches."
)
_ZERO_STRIDES = (
    "this is what you get if only dims with stride 0 are taken to repeat. Other strides can "
    "reach one position twice as well."
)

BYTES_SAVED = plain_exercise(
    "bytes_saved",
    ("size", "stride", "itemsize"),
    cases=_bytes_cases,
    reference=_bytes_reference,
    returns=WHOLE,
    rule=_bytes_rule,
    picture=_bytes_picture,
    mistakes=(
        Mistake(_bytes_reach, _STORAGE),
        Mistake(_bytes_reach_not_negative, _STORAGE),
        Mistake(_bytes_stride_zero, _ZERO_STRIDES),
        Mistake(_bytes_stride_zero_empty, _ZERO_STRIDES),
        Mistake(_elements_saved, "these are elements. Multiply by itemsize to get bytes."),
        Mistake(_bytes_held, "these are the bytes that it holds, not those that it saves."),
        Mistake(_bytes_of_copy, "these are the bytes of a copy. Take away what there is already."),
    ),
)


# sliding_window


def _window_cases(hidden: bool, chance: random.Random) -> Iterable[Arguments]:
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


def _weigh_windows(case: Case) -> tuple[Any, ...]:
    """First the cases with two windows or more, of two elements or more: they show most."""
    size, _, dim, window, step = case.arguments
    return min(window, (size[dim] - window) // step + 1) == 1, weigh_strides(case)


def _window_reference(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Plain:
    layout = unfold(Layout(size, stride), dim, window, step)
    return layout.size, layout.stride


def _window_rule(size: Ints, stride: Ints, dim: int, window: int, step: int) -> str:
    n, hop = size[dim], stride[dim]
    count = (n - window) // step + 1
    fit = "1 window fits" if count == 1 else f"{count} windows fit"
    return (
        f"{fit}, ({n} - {window}) // {step} + 1 = {count}; their stride is step × stride[{dim}] = "
        f"{step} × {hop} = {step * hop}; inside a window, which is a new last dim of size "
        f"{window}, the stride stays {hop}."
    )


def _window_picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
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


def _off_by_one(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


def _rounded_up(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = -(-(size[dim] - window) // step) + 1
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


def _side_by_side(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = size[dim] // step
    return _windows(size, stride, dim, count, stride[dim] * step, (window, stride[dim]))


def _step_not_in_stride(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim], (window, stride[dim]))


def _step_inside(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim], (window, stride[dim] * step))


def _step_in_both(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count, hop = (size[dim] - window) // step + 1, stride[dim] * step
    return _windows(size, stride, dim, count, hop, (window, hop))


def _step_is_stride(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, step, (window, stride[dim]))


def _inner_one(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return _windows(size, stride, dim, count, stride[dim] * step, (window, 1))


def _beside_its_dim(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Any:
    count = (size[dim] - window) // step + 1
    return (
        (*size[:dim], count, window, *size[dim + 1 :]),
        (*stride[:dim], stride[dim] * step, stride[dim], *stride[dim + 1 :]),
    )


_INSIDE = (
    "this is what you get if the step goes into the stride inside a window. It is the windows "
    "that are step apart."
)

SLIDING_WINDOW = plain_exercise(
    "sliding_window",
    ("size", "stride", "dim", "window", "step"),
    cases=_window_cases,
    reference=_window_reference,
    returns=SIZE_AND_STRIDE,
    rule=_window_rule,
    picture=_window_picture,
    weigh=_weigh_windows,
    mistakes=(
        Mistake(
            _off_by_one,
            "this is what you get if the first window is forgotten: (size - window) // step "
            "counts only the moves from one to the next.",
        ),
        Mistake(
            _rounded_up,
            "this is what you get if a last window is counted that does not fit. Round down.",
        ),
        Mistake(_side_by_side, "this is what you get if size // step is taken for the count."),
        Mistake(
            _step_not_in_stride,
            "this is what you get if the windows' stride is not multiplied by step.",
        ),
        Mistake(_step_inside, _INSIDE),
        Mistake(_step_in_both, _INSIDE),
        Mistake(
            _step_is_stride,
            "this is what you get if step is taken for a stride. It counts elements of this "
            "dim, each of them the dim's stride apart.",
        ),
        Mistake(_inner_one, "this is what you get if a window's elements are taken for neighbours"
                " in memory. They are the dim's stride apart."),
        Mistake(
            _beside_its_dim,
            "this is what you get if the new dim stands beside the one it came from. It is the "
            "last dim, as unfold has it.",
        ),
    ),
)  # fmt: skip

EXERCISES = (
    BROADCAST_SIZES,
    EXPAND,
    BYTES_SAVED,
    SLIDING_WINDOW,
    HAS_OVERLAP,
    WRITES_PER_POSITION,
    INPLACE_VERDICT,
)
