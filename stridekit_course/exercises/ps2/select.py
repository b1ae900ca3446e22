"""ps2, `select`: one index of a dim, which goes away."""

import random

from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit_course.checks.callee import Plain
from stridekit_course.checks.exercise import Given, Refusal, variants
from stridekit_course.checks.returns import HEADER
from stridekit_course.checks.strategies import drop, put
from stridekit_course.exercises import ps2


def _cases(hidden: bool, chance: random.Random) -> Given:
    for layout in ps2.some_layouts(hidden, 1, (4, 5) if hidden else ()):
        for dim in ps2.dims_of(layout.ndim):
            n = layout.size[dim]
            yield from ((layout, dim, index) for index in (*range(-n - 1, n + 1), n + 4))
    # Dims that are not there, of tensors whose dims are asked for as well.
    for rank, index in ((0, 0), (2, 0), (2, 9)):
        layout = ps2.of_many_dims(rank)
        yield from ((layout, dim, index) for dim in (*ps2.dims_of(rank), *ps2.bad_dims(rank)))
    # Numbers that are equal, and not the same object; and of more than eight bits.
    wide, n = Layout((2, ps2.SIZE_MOST), (1, 2), 3), ps2.SIZE_MOST
    yield from ((wide, dim, index) for dim in (1, -1) for index in (n, n - 1, -n))
    yield from ((layout, dim, -1) for layout, dim in ps2.every_dim(hidden))
    places = ("first", "last", "from the end", "inside", "beyond", "before")
    for layout, dim, row in ps2.crossed_dims(chance, 3 if hidden else 1, index=places):
        n = layout.size[dim] if dim in ps2.dims_of(layout.ndim) else 2
        index = {
            "first": 0,
            "last": n - 1,
            "from the end": -chance.randint(1, max(n, 1)),
            "inside": n // 2,
            "beyond": n + chance.choice((0, 3)),
            "before": -n - chance.choice((1, n + 1)),
        }[row.index]
        yield (layout, dim, index)


def _reference(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> Plain:
    n, step = size[dim], stride[dim]
    if index not in range(-n, n):
        return Refusal("IndexError", f"index {index} is outside of a dim of size {n}")
    moved = index % n * step
    return drop(size, dim), drop(stride, dim), storage_offset + moved


def _rule(size: Ints, stride: Ints, storage_offset: int, dim: int, index: int) -> str:
    n, step = size[dim], stride[dim]
    if n == 0:
        return "a dim of size 0 has no index at all, so nothing can be selected in it."
    if not -n <= index < n:
        if n == 1:
            return "a dim of size 1 has one index: 0, or -1 counted from the end."
        return f"a dim of size {n} has the indices 0 to {n - 1}, and from the end {-n} to -1."
    from_end = f"index {index} of a dim of size {n} is index {index % n}; " if index < 0 else ""
    return (
        f"{from_end}dim {dim % len(size)} goes away, with its size {n} and its stride {step}, and "
        f"the offset moves by index × stride = {index % n} × {step} = {index % n * step}, from "
        f"{storage_offset} to {storage_offset + index % n * step}."
    )


_but = variants(_reference, contiguous_stride=contiguous_stride)
_IS_OUTSIDE = "index not in range(-n, n)"


EXERCISE = ps2.exercise_on_dims(
    "select",
    ("size", "stride", "storage_offset", "dim", "index"),
    place=1,
    named=("dim",),
    returns=HEADER,
    cases=_cases,
    reference=_reference,
    rule=_rule,
    begins=lambda size, _stride, _offset, dim, index: put((0,) * len(size), dim, index % size[dim]),
    known={
        "if the dim stays, with size 1. That is a slice of length 1: select drops the dim from "
        "size and from stride.": _but(
            "drop(size, dim), drop(stride, dim)", "put(size, dim, 1), stride"
        ),
        "if the offset stays as it was: then every index gives the same part of the tensor.": _but(
            "index % n * step", "0"
        ),
        "if the storage_offset that was given is forgotten. Add to it.": _but(
            "storage_offset + ", ""
        ),
        "if the offset moves by the index. It moves by index × stride.": _but("n * step", "n"),
        "if a negative index is multiplied as it is. Add the size first.": _but(
            "index % n", "index"
        ),
        "if tuples are cut at dim and dim + 1, and dim is -1: dim + 1 is 0 then. Make the dim "
        "positive first.": _but(
            "drop(size, dim), drop(stride, dim)",
            "size[:dim] + size[dim + 1 :], stride[:dim] + stride[dim + 1 :]",
        ),
        "if the tensor is taken for row-major. One step along the dim is its stride, whatever the "
        "other sizes are.": _but(
            "index % n * step", "range(n)[index] * contiguous_stride(size)[dim]"
        ),
    },
    refusing={
        "if an index that is outside is wrapped around, such as with %. Refuse it first.": _but(
            _IS_OUTSIDE, "False"
        ),
        "if the size is added to a negative index, and that is all. If it is still negative, it is"
        " outside.": _but(_IS_OUTSIDE, "False", "index % n", "(index + n if index < 0 else index)"),
        "if an index of n or more is let through in a dim of size n. The last one is n - 1.": _but(
            _IS_OUTSIDE, "index < -n", "index % n", "(index + n if index < 0 else index)"
        ),
        ps2.WRAPPED: lambda size, stride, offset, dim, index: _reference(
            size, stride, offset, dim % len(size), index
        ),
    },
)
