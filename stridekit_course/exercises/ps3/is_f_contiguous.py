"""ps3, `is_f_contiguous`: whether strides are column-major."""

from stridekit.explain import walk
from stridekit.layouts.layout import Ints, contiguous_stride, is_contiguous
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import TRUTH
from stridekit_course.checks.strategies import packed
from stridekit_course.exercises import ps3


def _rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return ps3.NO_ELEMENTS
    if not size:
        return "rank 0 has one element and no dim, so there is no stride that could be wrong."
    steps = walk(size, stride, range(len(size)))
    return f"{ps3.in_words('from the first to the last', steps)}."


_but = ps3.variants_of_walk("range(len(size))")


EXERCISE = Exercise(
    "is_f_contiguous",
    ("size", "stride"),
    place=3,
    returns=TRUTH,
    reordered=("size", "stride"),
    cases=ps3.walk_cases,
    late=ps3.is_late,
    reference=lambda size, stride: is_contiguous(size[::-1], stride[::-1]),
    rule=_rule,
    picture=ps3.beside("column-major", lambda size, _: packed(size, range(len(size)))),
    known={
        "if column-major is taken for the opposite of row-major. A tensor can be both, such as a "
        "vector, and it can be neither.": (
            lambda size, stride: not is_contiguous(size, stride),
            lambda size, stride: 0 in size or stride != contiguous_stride(size),
        ),
        "if the walk goes from the last dim to the first. That "
        "is the test for row-major order.": is_contiguous,
        "if dims of size 1 are not skipped.": _but("size[dim] == 1", "False"),
        "if tensors without elements are walked.": (
            _but("0 in size", "False"),
            _but("0 in size", "False", "*= size[dim]", "*= max(size[dim], 1)"),
        ),
        "if ascending strides are taken for column-major. They must be exactly the products of the"
        " sizes to their left.": lambda size, stride: 0 in size or [*stride] == sorted(stride),
        "if only the first stride is looked at.": lambda size, stride: (
            not size or 0 in size or stride[0] == 1
        ),
    },
)
