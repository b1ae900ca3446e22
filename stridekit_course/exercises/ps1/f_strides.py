"""ps1, `f_strides`: the column-major stride of a size."""

from math import prod

from stridekit.layouts.layout import contiguous_stride
from stridekit_course.exercises.ps1 import column_major, stride_rule, strides_exercise

EXERCISE = strides_exercise(
    "f_strides",
    place=2,
    reference=column_major,
    rule=lambda size: stride_rule(size, "left", [size[:dim] for dim in range(len(size))]),
    known={
        "this is row-major order: here the first dim has to have stride 1.": contiguous_stride,
        "this is the row-major stride of the reversed size. The "
        "stride of dim 0 stands last in it.": lambda size: contiguous_stride(size[::-1]),
        "this is the row-major stride, written backwards. Its numbers are products of the sizes to"
        " the right; here those to the left count.": lambda size: contiguous_stride(size)[::-1],
        "if a size of 0 is multiplied as 0. In torch it counts as 1.": lambda size: tuple(
            prod(size[:dim]) for dim in range(len(size))
        ),
        "if a dim's own size is multiplied in. Only the sizes to its left count, and to the left "
        "of dim 0 there is none.": lambda size: tuple(
            prod(max(n, 1) for n in size[: dim + 1]) for dim in range(len(size))
        ),
        "if the size next to a dim alone is its stride. A step jumps over everything to its left: "
        "multiply all of those sizes.": lambda size: (
            tuple(max(n, 1) for n in (1, *size[:-1])) if size else ()
        ),
        "if a product of 0 counts as 1. Each 0 counts as 1 by itself, and the sizes beside it "
        "still count.": lambda size: tuple(max(prod(size[:dim]), 1) for dim in range(len(size))),
    },
)
