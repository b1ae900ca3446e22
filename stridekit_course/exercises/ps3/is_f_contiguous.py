"""ps3, `is_f_contiguous`: whether strides are column-major."""

from stridekit.layouts.layout import Ints, is_contiguous
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.strategies import packed
from stridekit_course.exercises.ps3 import (
    NO_ELEMENTS,
    draw_beside,
    in_words,
    is_late,
    kept,
    walk,
    walk_cases,
    walked,
)


def _rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return NO_ELEMENTS
    if not size:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    return f"{in_words('from the first to the last', walk(size, stride, range(len(size))))}."


EXERCISE = Exercise(
    "is_f_contiguous",
    ("size", "stride"),
    place=3,
    returns=TRUTH,
    cases=walk_cases,
    late=is_late,
    reference=lambda size, stride: is_contiguous(size[::-1], stride[::-1]),
    rule=_rule,
    picture=lambda case, *_: draw_beside(
        case, "column-major", packed(case.arguments[0], range(len(case.arguments[0])))
    ),
    known={
        "if column-major is taken for the opposite of row-major. A tensor can be both, such as a "
        "vector, and it can be neither.": (
            lambda size, stride: not is_contiguous(size, stride),
            lambda size, stride: 0 in size or not walked(size, stride, range(len(size))[::-1]),
        ),
        "if the walk goes from the last dim to the first. That "
        "is the test for row-major order.": is_contiguous,
        "if dims of size 1 are not skipped.": lambda size, stride: (
            0 in size or walked(size, stride, range(len(size)))
        ),
        "if tensors without elements are walked.": (
            lambda size, stride: walked(size, stride, kept(size)),
            lambda size, stride: walked([max(n, 1) for n in size], stride, kept(size)),
        ),
        "if ascending strides are taken for column-major. They must be exactly the products of the"
        " sizes to their left.": lambda size, stride: 0 in size or [*stride] == sorted(stride),
        "if only the first stride is looked at.": lambda size, stride: (
            not size or 0 in size or stride[0] == 1
        ),
    },
)
