"""ps4, `view_stride`: the stride of a view, or None."""

from math import prod

from stridekit.diagrams import Diagram
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count, is_contiguous
from stridekit.layouts.view_rule import chunks, plan_view
from stridekit_course.checks.callee import Outcome, Plain
from stridekit_course.checks.exercise import Exercise
from stridekit_course.checks.pictures import draw_change
from stridekit_course.checks.returns import INTS, maybe
from stridekit_course.exercises import ps4


def _reference(size: Ints, stride: Ints, new_size: Ints) -> Ints | None:
    plan = plan_view(Layout(size, stride), new_size)
    return plan.stride if isinstance(plan, Layout) else None


def _free(_size: Ints, _stride: Ints, new_size: Ints) -> tuple[bool, ...]:
    """Strides that are never stepped along."""
    return tuple(n == 1 or 0 in new_size for n in new_size)


def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    wanted = _reference(size, stride, new_size)
    if wanted is None:
        return ps4.view_rule(size, stride, new_size)
    free = f"any tuple of {count(len(new_size), 'int')}" if new_size else "the empty tuple"
    if prod(size) == 0:
        return (
            f"what holds no elements can always be viewed, and no stride is used: {free} will do."
        )
    runs = [chunk for chunk in chunks(Layout(size, stride), new_size) if chunk.numel > 1]
    steps = []
    for run in runs:
        inner = 1
        for dim in reversed(run.new_dims or ()):
            if new_size[dim] > 1:
                steps.append(f"stride[{dim}] = {inner} × {run.stride}")
            inner *= new_size[dim]
    if not steps:
        return f"a single element is never stepped away from: {free} will do."
    return (
        "within one even run of elements, a new dim's stride is the number of elements to its "
        f"right in that run, times the step between them: {', '.join(steps)}."
    )


def _picture(
    expected: Plain, outcome: Outcome, size: Ints, stride: Ints, new_size: Ints
) -> Diagram | None:
    if expected is None:
        return ps4.draw_view_of(size, stride, new_size)
    return draw_change((size, stride, 0), (new_size, expected), (new_size, outcome.value))


def _last_step_everywhere(size: Ints, stride: Ints, new_size: Ints) -> Ints | None:
    if prod(size) == 0 or not ps4.is_viewable(size, stride, new_size):
        return _reference(size, stride, new_size)
    step = next((s for n, s in zip(size[::-1], stride[::-1], strict=True) if n != 1), 1)
    return tuple(step * inner for inner in contiguous_stride(new_size))


def _unchecked(size: Ints, stride: Ints, new_size: Ints) -> Ints | None:
    positions = [*Layout(size, stride).positions()]
    if not positions:
        return _reference(size, stride, new_size)
    # A dim of size 1 at the left would step beyond the last of them.
    return tuple(positions[number % len(positions)] for number in contiguous_stride(new_size))


EXERCISE = Exercise(
    "view_stride",
    ("size", "stride", "new_size"),
    place=3,
    returns=maybe(INTS),
    reordered=("size", "stride", "new_size"),
    cases=ps4.view_cases,
    late=ps4.is_late,
    reference=_reference,
    free=_free,
    rule=_rule,
    picture=_picture,
    known={
        "if every view gets row-major strides. Where the old elements lie further apart, so do the"
        " new ones.": lambda *given: contiguous_stride(given[-1]),
        "if only contiguous tensors can be viewed. A view needs less: only dims that have to merge"
        " must follow one another evenly.": lambda size, stride, new_size: (
            contiguous_stride(new_size) if is_contiguous(size, stride) else None
        ),
        "if the step of the last dim is used everywhere. Each run "
        "of dims that merge has its own.": _last_step_everywhere,
        "if each stride leads to the right neighbour of the first element, and nobody asks whether"
        " they lead to all the others. First see whether a view is possible.": _unchecked,
        "if an impossible view gets row-major strides. It has none.": lambda *given: (
            _reference(*given) if ps4.is_viewable(*given) else contiguous_stride(given[-1])
        ),
    },
)
