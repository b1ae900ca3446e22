"""ps2, `slice_dim`: some indices of a dim, so many apart."""

import random
from itertools import product

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, Refusal, variants
from stridekit_course.checks.returns import HEADER, listed
from stridekit_course.checks.strategies import RUN_TOGETHER, put
from stridekit_course.exercises import ps2

# Start, stop and step.
_KEYS = (1, 3, 2), (-2, 9, 1), (0, -1, 2), (2, 1, 1), (0, 2, -1), (2, 0, 0), (5, 9, 1), (-9, 2, 1)
# The stop is the size; 297 × (1 / 99) is more than 3, and 98 × (1 / 49) less than 2.
_FAR = ((1, 1), (1, 299), (1, 300), (1, 10**6), (3, 99), (250, 49), (ps2.SIZE_MOST, 1))


def _cases(hidden: bool, chance: random.Random) -> Given:
    for n, step in product(range(4), (1, 2, 3)) if hidden else ((0, 1), (1, 2), (3, 2)):
        for start, stop in product(range(-n - 1, n + 2), repeat=2):
            yield (n,), (2,), 4, 0, start, stop, step
    for (start, step), size in product(_FAR, ((ps2.SIZE_MOST,), (2, ps2.SIZE_MOST))):
        yield size, (ps2.SIZE_MOST, 1)[-len(size) :], 4, len(size) - 1, start, ps2.SIZE_MOST, step
    for layout in (
        *ps2.small_grids(((2, 3), (3, 2), (0, 3)), 3 if hidden else 1),
        *(*map(ps2.of_many_dims, (1, 3)), ps2.TWINS, ps2.HUGE, Layout((3, 2), (7, 2), 300)),
    ):
        for dim, key in product(ps2.dims_of(layout.ndim), _KEYS):
            yield (layout, dim, *key)
    bad = *product((3,), ps2.bad_dims(3)), (0, 0), (0, -1)
    yield from ((ps2.of_many_dims(rank), dim, 1, 3, 2) for rank, dim in bad)
    yield from ((each, 0, 0, 1, 1) for each in RUN_TOGETHER[:2])
    for each, key in product(ps2.every_dim(hidden), ((-1, 9, 2), (3, 0, 1))):
        yield *each, *key
    for layout, dim, row in ps2.crossed_dims(
        chance,
        3 if hidden else 1,
        start=(*("first",) * 3, "any", "any", "any", "size", -1, 1, 1000, -1000),
        stop=(*("size",) * 3, "any", "any", "any", -1, 1000, -1000),
        step=(1, 1, 2, 3, 5, 1000, 0, -100),
    ):
        is_there = dim in ps2.dims_of(layout.ndim)
        n = layout.size[dim] if is_there else 3
        bounds = {"first": 0, "size": n, "any": chance.randint(-n - 1, n + 1)}
        start, stop = (bounds.get(each, each) for each in (row.start, row.stop))
        yield (layout, dim, start, stop, row.step if is_there else 1)


def _reference(
    size: Ints, stride: Ints, storage_offset: int, dim: int, start: int, stop: int, step: int
) -> Plain:
    if step < 1:
        return Refusal("ValueError", f"the step is {step}, and it has to be at least 1")
    n, old = size[dim], stride[dim]
    start, stop, _ = slice(start, stop).indices(n)
    left = len(range(start, stop, step))
    return put(size, dim, left), put(stride, dim, old * step), storage_offset + start * old


def _rule(size: Ints, stride: Ints, _: int, dim: int, start: int, stop: int, step: int) -> str:
    if step < 1:
        return "torch has no negative strides, and a step of 0 leads nowhere: steps are 1 or more."
    n, old = size[dim], stride[dim]
    first, last, _ = slice(start, stop, step).indices(n)
    taken = range(first, last, step)
    return (
        f"{start}:{stop}:{step} in a dim of size {n} means {first}:{last}:{step} (negative bounds "
        f"count from the end, and what is too far is cut off); ({last} - {first}) / {step}, "
        f"rounded up and at least 0, is {len(taken)}; taken: {listed(taken, 4) or 'none'}; the "
        f"stride is {old} × {step} = {old * step}; the offset moves by {first} × {old} = "
        f"{first * old}, also when nothing is left."
    )


_but = variants(_reference)
_COUNT, _BOUNDS = "len(range(start, stop, step))", "slice(start, stop).indices(n)"
EXERCISE = ps2.exercise_on_dims(
    "slice_dim",
    ("size", "stride", "storage_offset", "dim", "start", "stop", "step"),
    place=2,
    named=("dim",),
    returns=HEADER,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    begins=lambda size, _stride, _offset, dim, *key: put(
        (0,) * len(size), dim, slice(*key).indices(size[dim])[0]
    ),
    known={
        "if the new size is rounded down. 0:3:2 takes two indices, and 3 // 2 is 1.": _but(
            _COUNT, "max(0, (stop - start) // step)"
        ),
        "if 1 is added to the quotient, also where it is exact. 0:2:2 takes one index.": _but(
            _COUNT, "(stop - start) // step + 1 if stop > start else 0"
        ),
        "if the stride stays. One step in the result is `step` steps in the given tensor.": _but(
            "old * step", "old"
        ),
        "if the step becomes the stride, and does not multiply it.": _but("old * step", "step"),
        "if the offset stays: the result would begin at index 0.": _but("start * old", "0"),
        "if the offset moves by start. It moves by start × stride.": _but("start * old", "start"),
        "if start is multiplied by the new stride.": _but("start * old", "start * step * old"),
        "if an empty slice leaves the stride as it was, or the offset. Both change, as in torch.": (
            _but("old * step", "old * step if left else old"),
            _but("start * old", "(start * old if left else 0)"),
        ),
        "if a slice that ends before it starts gets a negative size.": _but(
            _COUNT, "-((start - stop) // step)"
        ),
        "if a negative start or stop is clamped to 0. First add the size to it, then clamp.": _but(
            _BOUNDS, "min(max(start, 0), n), min(max(stop, 0), n), 1"
        ),
        "if start and stop are not clamped into 0 to size.": _but(
            _BOUNDS, "start + (n if start < 0 else 0), stop + (n if stop < 0 else 0), 1"
        ),
        "if a stop of -1 means the end. It means the last index, and stops there.": _but(
            "slice(start, stop)", "slice(start, n if stop == -1 else stop)"
        ),
        "if bounds outside are wrapped around, such as with %. They are cut off at the end.": _but(
            _BOUNDS, "start % n, stop if 0 <= stop <= n else stop % n, 1"
        ),
    },
    refusing={
        ps2.WRAPPED: lambda size, stride, offset, dim, *key: _reference(
            size, stride, offset, dim % len(size), *key
        ),
    },
)
