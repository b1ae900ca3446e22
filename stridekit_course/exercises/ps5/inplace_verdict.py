"""ps5, `inplace_verdict`: what an in-place operation does where elements overlap."""

from collections.abc import Callable
from math import prod

from stridekit.diagrams import Diagram, draw_change
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange
from stridekit_course.checks.exercise import Exercise, Known
from stridekit_course.checks.pictures import draw_headers
from stridekit_course.checks.returns import word
from stridekit_course.exercises import ps5
from stridekit_course.exercises.ps5 import overlaps

Test = Callable[[Ints, Ints], bool]


def _verdict(is_refused: Test, is_silent: Test = overlaps) -> Callable[[Ints, Ints], str]:
    """What comes of two tests: whether torch refuses, and whether elements overlap."""
    return lambda size, stride: (
        "refused" if is_refused(size, stride) else "silent" if is_silent(size, stride) else "safe"
    )


_reference = _verdict(ps5.only_zero)


def _rule(size: Ints, stride: Ints) -> str:
    verdict = _reference(size, stride)
    if 0 in size:
        return "without elements nothing is written, and torch has nothing to refuse."
    if verdict == "safe":
        return f"nothing is written twice: {ps5.apart(size, stride)}"
    if verdict == "refused":
        dim = Layout(size, stride).repeated[0]
        return (
            "torch refuses to write where a dim of size above 1 has stride 0, and dim "
            f"{dim} has size {size[dim]} and stride 0."
        )
    return (
        f"{ps5.meeting(size, stride)}, which is written twice; torch looks for nothing but "
        "stride 0 on a dim of size above 1, and finds none."
    )


def _picture(expected: str, _: object, size: Ints, stride: Ints) -> Diagram | None:
    given = draw_headers({"given": (size, stride, 0)})
    if expected == "refused" or given is None or 0 in size:
        return given
    tensor = arange(Layout(size, stride).needed).as_strided(size, stride)
    return draw_change({"given": tensor}, lambda given: given.add_(1), title="add_(1)")


def _half(known: Known) -> Known:
    """The verdict of somebody who knows what torch refuses, and has half a test for overlap."""
    if isinstance(known, tuple):
        return tuple(_verdict(ps5.only_zero, each) for each in known)
    return _verdict(ps5.only_zero, known)


EXERCISE = Exercise(
    "inplace_verdict",
    ("size", "stride"),
    place=7,
    returns=word("safe", "refused", "silent"),
    cases=ps5.overlap_layouts,
    reference=_reference,
    rule=_rule,
    picture=_picture,
    known={
        "if torch is thought to refuse every overlap. It only looks for stride 0.": (
            _verdict(overlaps)
        ),
        "if all that torch lets pass is taken for safe.": _verdict(ps5.only_zero, lambda *_: False),
        "if every stride 0 is refused. On a dim of size 1 it repeats nothing, and torch lets it "
        "pass.": (
            _verdict(lambda size, stride: prod(size) > 0 and 0 in stride),
            _verdict(lambda _, stride: 0 in stride),
            _verdict(lambda size, stride: overlaps(size, stride) and 0 in stride),
        ),
        "if torch is thought to refuse a tensor without elements.": (
            _verdict(ps5.zero_repeats),
            _verdict(
                lambda size, stride: 0 in stride and (0 in size or ps5.only_zero(size, stride))
            ),
        ),
        "if torch is thought to refuse nothing.": _verdict(lambda *_: False),
        "if only the first stride of 0 is looked at. It may be on a dim of size 1, and another one"
        " not.": _verdict(
            lambda size, stride: (
                overlaps(size, stride) and 0 in stride and size[stride.index(0)] > 1
            )
        ),
        "if torch is thought to refuse only where all elements lie at one position. One dim that "
        "stride 0 repeats is enough.": _verdict(
            lambda size, stride: (
                overlaps(size, stride) and len(ps5.distinct_positions(size, stride)) == 1
            )
        ),
        **{said: _half(known) for said, known in ps5.HALF_ANSWERS.items()},
    },
)
