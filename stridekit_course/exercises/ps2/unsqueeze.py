"""ps2, `unsqueeze`: a new dim of size 1."""

import random
from math import prod

from stridekit.layouts.layout import Ints
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, variants
from stridekit_course.checks.returns import SIZE_AND_STRIDE
from stridekit_course.checks.strategies import insert
from stridekit_course.exercises import ps2


def _cases(hidden: bool, chance: random.Random) -> Given:
    ranks = range(2, ps2.DIMS_MOST) if hidden else (2, 3, 4, ps2.DIMS_MOST - 1)
    for layout in ps2.some_layouts(hidden, 5, ranks):
        bad = ps2.bad_dims(layout.ndim + 1)[: None if layout.ndim in (3, 4) else 2]
        for dim in (*ps2.dims_of(layout.ndim + 1), *bad):
            yield layout, dim
    for layout, dim, _ in ps2.crossed_dims(
        chance, 2 if hidden else 1, ps2.DIMS_MOST - 1, in_result=True
    ):
        yield layout, dim


def _reference(size: Ints, stride: Ints, dim: int) -> Plain:
    at = dim % (len(size) + 1)
    step = 1 if at == len(size) else size[at] * stride[at]
    return insert(size, at, 1), insert(stride, at, step)


def _rule(size: Ints, stride: Ints, dim: int) -> str:
    rank = len(size)
    at = dim % (rank + 1)
    counted = (
        f"dim {dim} counts in the result, of rank {rank + 1}, so it is dim {dim} + {rank + 1} = "
        f"{at} there; "
        if dim < 0
        else ""
    )
    if at == rank:
        return f"{counted}nothing stands to the right of the new dim, so its stride is 1."
    return (
        f"{counted}the new dim {at} has size 1 and stride size × stride of what now stands to its "
        f"right: {size[at]} × {stride[at]} = {size[at] * stride[at]}."
    )


_but = variants(_reference, prod=prod)
_AT = "dim % (len(size) + 1)"


EXERCISE = ps2.exercise_on_dims(
    "unsqueeze",
    ("size", "stride", "dim"),
    place=5,
    named=("dim",),
    in_result=True,
    returns=SIZE_AND_STRIDE,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    known={
        "if the rank is added to a negative dim. The dim counts in the result, which has one dim "
        "more: add rank + 1.": _but(_AT, "dim + len(size) if dim < 0 else dim"),
        "if the new stride is 1. It never matters for reading, but torch makes it size × "
        "stride of the dim to the right.": _but("size[at] * stride[at]", "1"),
        "if the new stride is 0. That is expand's way.": _but("step)", "0)"),
        "if the new dim takes the stride of the dim to its right. It is multiplied by that dim's "
        "size.": _but("size[at] * stride[at]", "stride[at]"),
        "if the last dim's stride is repeated at the end. Where nothing stands to the right, the "
        "new stride is 1.": _but("step = 1 if", "step = (stride or (1,))[-1] if"),
        "if the tensor is taken for row-major. Count with the strides that you are given, not with"
        " the sizes alone.": _but("size[at] * stride[at]", "prod(size[at:])"),
        "if a product of 0 counts as 1. Where size × stride is 0, the new stride is 0.": _but(
            "size[at] * stride[at]", "(size[at] * stride[at] or 1)"
        ),
        "if a size 0 counts as 1. Here torch multiplies by the size as it is.": _but(
            "size[at] * stride[at]", "max(size[at], 1) * stride[at]"
        ),
    },
    refusing={
        "if a dim that is not there is accepted: wrapped around, or cut off at the end. Test the "
        "dim first.": (
            _but(),
            _but(_AT, "max(0, min(dim if dim >= 0 else dim + len(size) + 1, len(size)))"),
        ),
    },
)
