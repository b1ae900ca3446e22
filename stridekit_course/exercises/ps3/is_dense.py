"""ps3, `is_dense`: whether elements fill their memory without gap or overlap."""

from math import prod

from stridekit.explain import walk
from stridekit.layouts.layout import Ints, Layout, is_contiguous
from stridekit.layouts.memory_formats import is_dense, preserved_stride
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises import ps3


def _rule(size: Ints, stride: Ints) -> str:
    if 0 in size:
        return ps3.NO_ELEMENTS
    if not size:
        return "rank 0 has one element: a run of one position, without a gap."
    order = sorted(range(len(size)), key=lambda dim: (stride[dim], size[dim]))
    steps = walk(size, stride, order)
    words = ps3.in_words("by ascending stride", steps)
    if all(step.ok is None for step in steps):
        return f"{words}."
    last = steps[-1]
    if last.ok is not False:
        return f"{words}, so there is no gap and no overlap."
    found = "some indices share a position" if last.stride < last.expected else "there is a gap"
    return f"{words}, so {found}."


_KEY = "(stride[dim], size[dim])"
_but = ps3.variants_of_walk(f"sorted(range(len(size)), key=lambda dim: {_KEY})")


EXERCISE = Exercise(
    "is_dense",
    ("size", "stride"),
    place=5,
    returns=TRUTH,
    reordered=("size", "stride"),
    cases=ps3.walk_cases,
    late=ps3.is_late,
    reference=is_dense,
    rule=_rule,
    picture=ps3.beside("dense, in the same order", preserved_stride),
    known={
        "if gaps are ignored. Dense means that every position between the first and the last is "
        "used.": _but(
            *("[dim] !=", "[dim] <", "*= size[dim]", "= max(expected, size[dim] * stride[dim])")
        ),
        "if the reach is compared with the number of elements. An overlap and a gap can make up "
        "for each other.": lambda size, stride: Layout(size, stride).needed == prod(size),
        "if only row-major order is accepted.": is_contiguous,
        "if only row-major and column-major order are accepted. Any order of the dims is dense, if"
        " there is no gap.": lambda size, stride: (
            is_contiguous(size, stride) or is_contiguous(size[::-1], stride[::-1])
        ),
        "if overlaps are ignored. Dense means that each position is used by one index only.": _but(
            *("[dim] !=", "[dim] >", "*= size[dim]", "+= (size[dim] - 1) * stride[dim]")
        ),
        "if the dims are sorted by their sizes. Which dim runs faster is told by the strides.": (
            _but(_KEY, "size[dim]"),
            _but(_KEY, "(size[dim], stride[dim])"),
        ),
        "if dims of size 1 are not skipped.": (
            _but("size[dim] == 1", "False", _KEY, "stride[dim]"),
            _but("size[dim] == 1", "False"),
        ),
        "if tensors without elements are walked.": _but("0 in size", "False"),
    },
)
