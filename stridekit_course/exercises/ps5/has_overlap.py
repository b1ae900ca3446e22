"""ps5, `has_overlap`: whether two indices share a position."""

from stridekit.layouts.layout import Ints, Layout
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.returns import TRUTH
from stridekit_course.exercises import ps5


def _rule(size: Ints, stride: Ints) -> str:
    if ps5.overlaps(size, stride):
        meeting = ps5.meeting(size, stride)
        return f"it overlaps if two indices share a position, and {meeting}."
    return ps5.apart(size, stride)


EXERCISE = Exercise(
    "has_overlap",
    ("size", "stride"),
    place=5,
    returns=TRUTH,
    cases=ps5.overlap_layouts,
    reference=ps5.overlaps,
    rule=_rule,
    known={
        "if only stride 0 is taken for overlap. Equal strides, and others too, can lead two "
        "indices to one position.": (
            ps5.only_zero,
            ps5.zero_repeats,
            lambda size, stride: 0 not in size and 0 in stride,
            lambda _, stride: 0 in stride,
        ),
        "if every stride 0 counts. On a dim of size 1 it repeats nothing.": (
            lambda size, stride: 0 in stride or ps5.overlaps(size, stride)
        ),
        "if a stride 0 counts in a tensor without elements.": (
            lambda size, stride: ps5.zero_repeats(size, stride) or ps5.overlaps(size, stride),
            lambda size, stride: (0 in size and 0 in stride) or ps5.overlaps(size, stride),
        ),
        **ps5.HALF_ANSWERS,
        "if all that is not contiguous is taken for overlap.": (
            lambda size, stride: not Layout(size, stride).is_contiguous
        ),
    },
)
