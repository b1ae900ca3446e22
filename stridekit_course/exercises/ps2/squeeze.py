"""ps2, `squeeze`: a dim of size 1 goes away."""

import random
from itertools import product

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, variants
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.checks.strategies import drop, put
from stridekit_course.exercises import ps2


def _cases(hidden: bool, chance: random.Random) -> Given:
    blocks = [Layout(size, (9, 3, 1)) for size in product((1, 2, 3), repeat=3)]
    # Sizes in which there is a digit 1, of ten or of two.
    digits = [
        Layout((n, 1)[:rank], (7, 2)[:rank]) for rank in (1, 2) for n in (10, 11, 21, 100, 101, 257)
    ]
    alike = [Layout(size, (5, 5, 5)) for size in ((1, 2, 1), (1, 3, 1), (2, 1, 1))]
    for layout in (
        *(each for each in ps2.some_layouts(hidden, 5, (3, 5, ps2.DIMS_MOST)) if each.ndim),
        *(blocks if hidden else blocks[::3]),
        *(*digits, *alike, Layout((1, 3), ps2.HUGE.stride), Layout((2, 3, 2), (6, 1, 3))),
    ):
        for dim in (*ps2.dims_of(layout.ndim), *ps2.bad_dims(layout.ndim)[:3]):
            yield layout, dim
    for layout, dim in ps2.every_dim(hidden):
        yield from ((put(layout.size, dim, n), layout.stride, dim) for n in (0, 1))
    for layout, dim, row in ps2.crossed_dims(
        chance, 3 if hidden else 1, is_one=(True, True, False), others=(True, False)
    ):
        size = layout.size
        if row.is_one and row.side != "none":
            size = put(size, dim, 1)
            # Another one beside it, or none.
            size = put(size, dim + 1, 1 if row.others else 2) if len(size) > 1 else size
        yield size, layout.stride, dim


def _reference(size: Ints, stride: Ints, dim: int) -> Plain:
    if size[dim] != 1:
        return size, stride
    return drop(size, dim), drop(stride, dim)


def _rule(size: Ints, stride: Ints, dim: int) -> str:
    at = dim % len(size)
    named = f"dim {dim}" if dim >= 0 else f"dim {dim}, which is dim {at},"
    if size[at] == 1:
        return (
            f"{named} has size 1, so it goes away, with its stride {stride[at]}; all other dims "
            "stay, those of size 1 too."
        )
    return f"{named} has size {size[at]}, and only a dim of size 1 goes away: nothing changes."


_but = variants(_reference)


EXERCISE = ps2.exercise_on_dims(
    "squeeze",
    ("size", "stride", "dim"),
    place=6,
    named=("dim",),
    returns=SIZE_AND_STRIDE,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    known={
        "if the dim is dropped whatever its size. A dim whose size is not 1 stays: without it, "
        "elements would be lost.": _but("size[dim] != 1", "False"),
        "if all dims of size 1 are dropped. Only `dim` is asked for.": _but(
            "    if size[dim] != 1",
            "    for at in reversed(range(len(size))):\n        if size[at] == 1:\n"
            "            size, stride = drop(size, at), drop(stride, at)\n    if True",
        ),
        "if the dim leaves the size and not the stride. Its stride goes with it.": _but(
            "drop(stride, dim)", "stride"
        ),
        "if nothing is ever dropped.": _but("size[dim] != 1", "True"),
        "if tuples are cut at dim and dim + 1, and dim is -1: dim + 1 is 0 then. Make the dim "
        "positive first.": _but(
            "drop(size, dim), drop(stride, dim)",
            "size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :]",
        ),
        "if a dim of size 0 goes away too. Only one of size 1 does: without a size of 0, a tensor "
        "would get elements.": _but("!= 1", "> 1"),
        "if the first dim of size 1 leaves the size, whichever is asked for.": _but(
            "drop(size, dim)", "drop(size, size.index(1))"
        ),
    },
    refusing={
        "if a dim of another size is refused. torch leaves it as it is, and says nothing.": _but(
            "return size, stride", "raise ValueError"
        ),
        "if a dim that is not there is let through, and nothing changes. It is an IndexError.": (
            _but("if size", "if dim not in range(-len(size), len(size)) or size")
        ),
        ps2.WRAPPED: _but("    if", "    dim %= len(size)\n    if"),
    },
)
