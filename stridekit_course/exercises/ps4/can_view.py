"""ps4, `can_view`: whether strides can be viewed in another size."""

from collections.abc import Iterable
from math import prod

from stridekit.layouts.layout import Ints, is_contiguous
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises import ps4


def _ones_not_dropped(size: Ints, stride: Ints, new_size: Ints) -> bool:
    seams = {d for d in range(1, len(size)) if stride[d - 1] != size[d] * stride[d]}
    return _keeps_apart(size, seams, new_size)


def _keeps_apart(size: Ints, seams: Iterable[int], new_size: Ints) -> bool:
    """Whether the new size has a boundary before each of those dims."""
    ends = {prod(new_size[dim:]) for dim in range(len(new_size) + 1)}
    return 0 in size or all(prod(size[dim:]) in ends for dim in seams)


EXERCISE = Exercise(
    "can_view",
    ("size", "stride", "new_size"),
    place=2,
    returns=TRUTH,
    reordered=("size", "stride", "new_size"),
    cases=ps4.view_cases,
    late=ps4.is_late,
    reference=ps4.is_viewable,
    rule=ps4.view_rule,
    picture=lambda _, __, *given: ps4.draw_view_of(*given),
    known={
        "if only contiguous tensors can be viewed, at least in another size. A view needs less: "
        "only dims that have to merge must follow one another evenly.": (
            lambda size, stride, _: is_contiguous(size, stride),
            lambda size, stride, new: size == new or is_contiguous(size, stride),
        ),
        "if all dims have to merge into one. The new size may keep some of them apart.": (
            lambda size, stride, _: 0 in size or not ps4.seams_of(size, stride)
        ),
        "if strides of dims of size 1 are looked at. They are never stepped along: drop those dims"
        " first.": _ones_not_dropped,
        "if the size of the left dim is used. The left stride has to jump over the right dim, so "
        "the right size counts.": lambda size, stride, new_size: _keeps_apart(
            size, [left + 1 for left in ps4.seams_of(size, stride, of_left=True)], new_size
        ),
        "if the right number of elements is enough. The strides decide.": lambda *_: True,
    },
)
