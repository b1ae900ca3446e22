"""ps5, `sliding_window`: windows over one dim."""

import random
from itertools import product

from stridekit.layouts.layout import Ints, contiguous_stride
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Exercise, Given, variants
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.checks.strategies import LARGE_STEPS, RUN_TOGETHER, crossed_layouts, put


def _cases(hidden: bool, chance: random.Random) -> Given:
    """At most 7 dims, each of at most 1,000; strides as they come."""
    odd = ((5, 2), (2, 5), (0, 5), (2, 3, 4), (1, 3, 2), (3, 0, 2))
    for size in (*((n,) for n in range(1, 7)), *product(range(4), repeat=2), *odd):
        stride = tuple(3 * step for step in contiguous_stride(size))
        for dim, n in enumerate(size):
            for window, step in product(range(1, n + 1), range(1, 4)):
                yield size, stride, dim, window, step
    # Two dims that only differ in their place.
    yield from (((5, 5), (3, 3), dim, window, 2) for dim in (0, 1) for window in (2, 3))
    yield from ((each, 0, 1, 1) for each in RUN_TOGETHER)
    # To a float, 49 × (1 / 49) is less than 1.
    yield (50,), (1,), 0, 1, 49
    for layout, row in crossed_layouts(
        chance,
        range(1, 8),
        steps=LARGE_STEPS,
        times=6 if hidden else 1,
        n=(1, 2, 3, 5, 6, 10, 100),
        window=range(4),
        step=range(6),
    ):
        dim = chance.randrange(layout.ndim)
        n = row.n if layout.size[dim] < 2 else layout.size[dim]
        window = (1, min(2, n), chance.randint(1, n), n)[row.window]
        step = (1, 2, 3, window, max(n - window, 1), n + 1)[row.step]
        yield put(layout.size, dim, n), layout.stride, dim, window, step


def _is_late(size: Ints, stride: Ints, dim: int, window: int, step: int) -> tuple[object, ...]:
    """First two windows or more, of another number of elements, and a step: they show most."""
    count = (size[dim] - window) // step + 1
    return min(window, count) == 1, step == 1, window == count, 0 in stride


def _reference(size: Ints, stride: Ints, dim: int, window: int, step: int) -> Plain:
    n, old = size[dim], stride[dim]
    count, hop = (n - window) // step + 1, old * step
    return (*put(size, dim, count), window), (*put(stride, dim, hop), old)


def _rule(size: Ints, stride: Ints, dim: int, window: int, step: int) -> str:
    n, hop = size[dim], stride[dim]
    count = (n - window) // step + 1
    fit = "1 window fits" if count == 1 else f"{count} windows fit"
    return (
        f"{fit}, ({n} - {window}) // {step} + 1 = {count}; the stride of dim {dim} is step × "
        f"stride[{dim}] = {step} × {hop} = {step * hop}; inside a window, which is a new last dim "
        f"of size {window}, the stride stays {hop}."
    )


_but = variants(_reference)
_COUNT = "(n - window) // step + 1"


EXERCISE = Exercise(
    "sliding_window",
    ("size", "stride", "dim", "window", "step"),
    place=4,
    returns=SIZE_AND_STRIDE,
    reordered=("stride",),
    cases=_cases,
    late=_is_late,
    reference=_reference,
    rule=_rule,
    known={
        "if the first window is forgotten: (size - window) // step counts only the moves from one "
        "to the next.": _but(" + 1", ""),
        "if a last window is counted that does not fit. Round down.": _but(
            "(n - window) // step", "-(-(n - window) // step)"
        ),
        "if a window is left out that ends where the dim ends. It fits.": _but(
            _COUNT, "-(-(n - window) // step)"
        ),
        "if size // step is taken for the count.": _but(_COUNT, "n // step"),
        "if the windows' stride is not multiplied by step.": _but("old * step", "old"),
        "if the step goes into the stride inside a window. It is "
        "the windows that are step apart.": (
            _but("old * step", "old", "hop), old)", "hop), old * step)"),
            _but("hop), old)", "hop), hop)"),
        ),
        "if step is taken for a stride. It counts elements of this dim, each of them the dim's "
        "stride apart.": _but("old * step", "step"),
        "if a window's elements are taken for neighbours in memory. They are the dim's stride "
        "apart.": _but("hop), old)", "hop), 1)"),
        "if the new dim stands beside the one it came from. It is "
        "the last dim, as unfold has it.": _but(
            "(*put(size, dim, count), window), (*put(stride, dim, hop), old)",
            "(*size[:dim], count, window, *size[dim + 1 :]), "
            "(*stride[:dim], hop, old, *stride[dim + 1 :])",
        ),
        "if the two dims change places. Dim `dim` counts the windows, and the last dim is inside "
        "of one.": _but(
            "dim, count), window", "dim, window), count", "dim, hop), old", "dim, old), hop"
        ),
        "if each start counts, also of windows that would not fit.": _but(_COUNT, "-(-n // step)"),
        "if the windows are 1 apart, or side by side. They are `step` elements apart.": (
            _but("// step + 1", "+ 1"),
            _but("old * step", "old * window"),
        ),
        "if a single window keeps the dim's stride. torch multiplies it by step there too.": _but(
            "old * step", "old * (step if n - window >= step else 1)"
        ),
        "if it is always the first dim that is cut.": _but("    n, old", "    dim = 0\n    n, old"),
        "if it is always the last dim that is cut.": _but("    n, old", "    dim = -1\n    n, old"),
    },
)
