"""ps5, `expand`: the stride of an expanded tensor."""

from typing import Any

from stridekit.checks.exercise import Draft, Refusal
from stridekit.checks.pictures import draw_headers
from stridekit.checks.returns import INTS
from stridekit.checks.seam import Case, Plain
from stridekit.diagrams import Diagram
from stridekit.exercises.ps5.expansions import expansions, weigh_expansion
from stridekit.layouts.broadcasting import ExpandObstacle, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride

draft = Draft("expand", ("size", "stride", "new_size"), place=2, returns=INTS)
draft.cases(expansions)
draft.weigh(weigh_expansion)


@draft.reference
def _reference(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    plan = plan_expand(Layout(size, stride), new_size)
    if not isinstance(plan, ExpandObstacle):
        return plan.stride
    if plan.dim is None:
        return Refusal("ValueError", "a dim would have to be dropped")
    return Refusal("ValueError", plan.reason)


@draft.rule
def _rule(size: Ints, stride: Ints, new_size: Ints) -> str:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return _misfit_rule(plan)
    lead = len(new_size) - len(size)
    clauses = []
    for dim, (n, step) in enumerate(zip(plan.size, plan.stride, strict=True)):
        if dim < lead and n == 1:
            right = f"{plan.size[dim + 1]} × {plan.stride[dim + 1]}"
            clauses.append(
                f"dim {dim} is new, of size 1, and gets size × stride of the dim to its right, "
                f"{right} = {step}"
            )
        elif dim < lead:
            clauses.append(f"dim {dim} is new, of size {n}, and gets stride 0")
        elif n == size[dim - lead]:
            clauses.append(f"dim {dim} keeps size {n} and so its stride {step}")
        else:
            clauses.append(f"dim {dim} goes from size 1 to {n} and gets stride 0")
    return f"{'; '.join(clauses)}."


def _misfit_rule(obstacle: ExpandObstacle) -> str:
    size, new_size, dim = obstacle.layout.size, obstacle.new_size, obstacle.dim
    if dim is None:
        return (
            "expand adds dims at the left and drops none: of rank "
            f"{len(size)} it cannot make rank {len(new_size)}."
        )
    if obstacle.size is None:
        return f"a new dim needs a size of 0 or more, and dim {dim} is given {new_size[dim]}."
    if new_size[dim] < -1:
        return f"a size is 0 or more, or -1 for a dim that stays: {new_size[dim]} is neither."
    return (
        "aligned at the right, only a dim of size 1 can take another size: dim "
        f"{dim - len(new_size)} has size {obstacle.size} and would become {new_size[dim]}."
    )


@draft.picture
def _picture(case: Case, expected: Plain, returned: Plain) -> Diagram | None:
    size, stride, new_size = case.arguments
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        return draw_headers({"given": (size, stride, 0)})
    return draw_headers(
        {
            "given": (size, stride, 0),
            "expected": (plan.size, expected, 0),
            "yours": (plan.size, returned, 0),
        }
    )


def _expanded(
    size: Ints,
    stride: Ints,
    new_size: Ints,
    *,
    repeated: bool = True,
    ones: bool = False,
    new_ones: str = "right",
) -> Any:
    """The stride of an expand, in one of a few wrong ways."""
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        raise ValueError
    lead = len(new_size) - len(size)
    result = list(plan.stride)
    for dim, n in enumerate(plan.size):
        if dim >= lead and ((n != size[dim - lead] and not repeated) or (n == 1 and ones)):
            result[dim] = 0 if ones else stride[dim - lead]
        if dim < lead and n == 1:
            result[dim] = {
                "right": plan.stride[dim],
                "zero": 0,
                "one": 1,
                "given": size[0] * stride[0],
                "stride": plan.stride[dim + 1],
                "first": plan.size[lead] * plan.stride[lead],
                "minus": new_size[dim + 1] * plan.stride[dim + 1],
                "row-major": contiguous_stride(plan.size)[dim],
            }[new_ones]
    return tuple(result)


_KEEPS = (
    "this is what you get if a repeated dim keeps its stride. With stride 0 its index grows and "
    "the position stays."
)
_ONES = (
    "this is what you get if every dim of size 1 gets stride 0. One that stays 1 keeps its stride."
)


@draft.mistake(_KEEPS)
def _keeps_stride(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, repeated=False)


@draft.mistake(_KEEPS)
def _keeps_stride_new_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, repeated=False, new_ones="zero")


@draft.mistake(
    "this is what you get if a new dim of size 1 looks at the dims as they were given. "
    "Take size × stride of the dim to its right as it is after expanding."
)
def _new_from_given(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="given")


@draft.mistake(
    "this is what you get if a new dim of size 1 takes over the stride to its right. It "
    "gets size × stride."
)
def _new_takes_stride(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="stride")


@draft.mistake(
    "this is what you get if every new dim gets stride 0. One of size 1 repeats "
    "nothing, and gets size × stride of the dim to its right."
)
def _new_always_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="zero")


@draft.mistake(
    "this is what you get if all new dims of size 1 look at the first dim that was there. Each "
    "looks at the dim to its right, which may be a new one of stride 0."
)
def _new_from_first(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="first")


@draft.mistake(
    "this is what you get if -1 is multiplied as it stands. It means the size that the dim has."
)
def _new_from_minus(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="minus")


@draft.mistake(
    "this is what you get if a new dim of size 1 gets the product of all sizes to its right. It "
    "gets size × stride of its neighbour, and the neighbour may have stride 0."
)
def _new_row_major(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, new_ones="row-major")


@draft.mistake(_ONES)
def _ones_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, ones=True)


@draft.mistake(_ONES)
def _ones_zero_new_zero(size: Ints, stride: Ints, new_size: Ints) -> Any:
    return _expanded(size, stride, new_size, ones=True, new_ones="zero")


@draft.mistake("these are the strides of a copy, in row-major order. expand copies nothing.")
def _row_major(size: Ints, stride: Ints, new_size: Ints) -> Any:
    plan = plan_expand(Layout(size, stride), new_size)
    if isinstance(plan, ExpandObstacle):
        raise ValueError
    return contiguous_stride(plan.size)


def _lenient(size: Ints, stride: Ints, new_size: Ints, *, negative_keeps: bool = False) -> Any:
    """The stride where nothing is refused, or where each negative size keeps what is there."""
    steps: list[int] = []
    right = 0
    for place in range(1, len(new_size) + 1):
        own = place <= len(size)
        n, step = (size[-place], stride[-place]) if own else (1, right)
        wanted = new_size[-place]
        if wanted == -1 or (negative_keeps and wanted < 0 and own):
            wanted = n
        if wanted != n:
            if negative_keeps and (n != 1 or wanted < 0):
                raise ValueError
            step = 0
        steps.insert(0, step)
        right = wanted * step
    return tuple(steps)


@draft.mistake(
    "this is what you get if each negative size keeps the size that is there. Only -1 does, and "
    "only for a dim that is there."
)
def _negative_keeps(size: Ints, stride: Ints, new_size: Ints) -> Any:
    if len(new_size) < len(size):
        raise ValueError
    return _lenient(size, stride, new_size, negative_keeps=True)


@draft.mistake(
    "this is what you get if only -1 is refused for a new dim. No negative size fits there."
)
def _new_negative(size: Ints, stride: Ints, new_size: Ints) -> Any:
    lead = len(new_size) - len(size)
    return _reference_or_raise(
        size, stride, tuple(0 if d < lead and n < -1 else n for d, n in enumerate(new_size))
    )


@draft.mistake(
    "this is what you get if leading dims of size 1 may be dropped. expand drops no dim."
)
def _drops_ones(size: Ints, stride: Ints, new_size: Ints) -> Any:
    drop = max(0, len(size) - len(new_size))
    if any(n != 1 for n in size[:drop]):
        raise ValueError
    return _reference_or_raise(size[drop:], stride[drop:], new_size)


def _reference_or_raise(size: Ints, stride: Ints, new_size: Ints) -> Plain:
    right = _reference(size, stride, new_size)
    if isinstance(right, Refusal):
        raise ValueError
    return right


draft.mistake("this is what you get if what does not fit is not refused.", _lenient)
EXERCISE = draft.exercise()
