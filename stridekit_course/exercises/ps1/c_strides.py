"""ps1, `c_strides`: the row-major stride of a size."""

from math import prod

from stridekit.layouts.layout import contiguous_stride
from stridekit_course.exercises.ps1 import column_major, stride_rule, strides_exercise

EXERCISE = strides_exercise(
    "c_strides",
    place=1,
    reference=contiguous_stride,
    rule=lambda size: stride_rule(size, "right", [size[d + 1 :] for d in range(len(size))]),
    known={
        "this is column-major order: the last dim has to have stride 1.": column_major,
        "if a size of 0 is multiplied as 0. In torch it counts as 1.": lambda size: tuple(
            prod(size[dim + 1 :]) for dim in range(len(size))
        ),
        "if a dim's own size is multiplied in. Only the sizes to its right count, and to the right"
        " of the last dim there is none.": lambda size: tuple(
            prod(max(n, 1) for n in size[dim:]) for dim in range(len(size))
        ),
        "if the size next to a dim alone is its stride. A step jumps over everything to its right:"
        " multiply all of those sizes.": lambda size: (
            tuple(max(n, 1) for n in (*size[1:], 1)) if size else ()
        ),
        "this is what you get in bytes, 8 to an "
        "element. Here strides count elements.": lambda size: tuple(
            8 * step for step in contiguous_stride(size)
        ),
        "if a product of 0 counts as 1. Each 0 counts as 1 by itself, and the sizes beside it "
        "still count.": lambda size: tuple(
            max(prod(size[dim + 1 :]), 1) for dim in range(len(size))
        ),
    },
)
