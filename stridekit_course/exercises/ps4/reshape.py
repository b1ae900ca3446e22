"""ps4, `reshape`: a view where there is one, and a copy where there is none."""

import random
from collections.abc import Callable
from typing import Any

from stridekit.diagrams import Diagram, draw_view
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.view_rule import plan_view
from stridekit_course.checks.callee import Outcome, TensorData
from stridekit_course.checks.exercise import Exercise, Given
from stridekit_course.checks.pictures import as_layout, draw_headers
from stridekit_course.checks.rules import without
from stridekit_course.checks.strategies import crossed_layouts, header, in_every_order, tensor_data
from stridekit_course.checks.tensor_results import DTYPES, no_tensor, other_kind, other_values
from stridekit_course.exercises import ps4


def _cases(hidden: bool, chance: random.Random) -> Given:
    yield from ps4.view_cases(hidden, chance, tensors=True)
    for dtype in DTYPES:
        # All eight odd values, and so many that processors convert several at once, which makes
        # another nan. Then in every order, and most of them again and again.
        layouts = [Layout((2, 4), (1, 2), 1), Layout((2, 4), (4, 1)), Layout((2, 32), (1, 2))]
        if hidden:
            layouts += [*in_every_order((2, 3, 2), chance), Layout((3, 2, 2), (0, 0, 5))]
        for place, layout in enumerate(layouts):
            ones = (1,) * (place % ps4.DIMS_MOST)
            yield tensor_data(layout, dtype=dtype, odd=True), (*ones, layout.numel)
    ranks, dtypes = range(ps4.DIMS_MOST + 1), DTYPES
    rows = [*crossed_layouts(chance, ranks, most=24, dtype=dtypes, new=ps4.NEWS[1:], to=ranks)]
    for layout, row in rows if hidden else rows[:16]:
        new_size = ps4.regrouped(layout.size, chance, row.new, row.to)
        yield tensor_data(layout, dtype=row.dtype, odd=True), new_size


def _reference(given: TensorData, new_size: Ints) -> tuple[bytes, bool]:
    """The values, and whether there is a view."""
    return given.values(), ps4.is_viewable(given.size, given.stride, new_size)


def _complaint(
    expected: tuple[bytes, bool], outcome: Outcome, given: TensorData, new_size: Ints
) -> str | None:
    values, is_view = expected
    result = outcome.value
    problem = no_tensor(outcome, new_size) or other_kind(result, given.dtype, new_size)
    if problem or not values:
        return problem
    if outcome.aliases is None and is_view:
        return "returned a copy; expected a view, on the tensor's own storage."
    if outcome.aliases is not None and not is_view:
        return (
            f"returned stride {result.stride} on the tensor's own storage; expected a copy on new "
            "storage, because no view of this size is possible."
        )
    return other_values(result, values)


def _rule(tensor: TensorData, new_size: Ints) -> str:
    why = ps4.view_rule(tensor.size, tensor.stride, new_size)
    if ps4.is_viewable(tensor.size, tensor.stride, new_size):
        return f"a view is possible, so nothing may be copied: {why}"
    return f"no view is possible, so the elements are copied in the tensor's reading order: {why}"


def _picture(_: object, outcome: Outcome, given: TensorData, new_size: Ints) -> Diagram | None:
    layout = as_layout(header(given.layout))
    if layout is None:
        return None
    plan = plan_view(layout, new_size)
    if not isinstance(plan, Layout):
        return draw_view(ps4.counting_tensor(layout), new_size, title="tensor")
    headers = {"tensor": layout, "expected": plan}
    if isinstance(outcome.value, TensorData) and outcome.aliases == 0:
        headers["yours"] = outcome.value.layout
    return draw_headers({name: header(each) for name, each in headers.items()})


def _or_view(copy: Callable[[Any], Any], begin: int | None = None) -> Callable[[Any, Ints], Any]:
    """A view where there is one, at `begin` if that is given; and of a wrong copy elsewhere."""

    def reshapes(tensor: Any, new_size: Ints) -> Any:
        if not ps4.is_viewable(tuple(tensor.size()), tensor.stride(), new_size):
            return copy(tensor).view(new_size).to(tensor.dtype)
        view = tensor.view(new_size)
        return view.as_strided(new_size, view.stride(), begin)

    return reshapes


EXERCISE = Exercise(
    "reshape",
    ("tensor", "new_size"),
    place=5,
    rules=without(
        "reshape has to choose between view and copy itself: that call chooses.",
        *("reshape", "reshape_as", "_reshape_from_tensor", "flatten", "ravel"),
    ),
    cases=_cases,
    late=lambda given, new_size: ps4.is_late(given.size, given.stride, new_size),
    reference=_reference,
    complaint=_complaint,
    rule=_rule,
    picture=_picture,
    known={
        "if every tensor is copied.": lambda tensor, new_size: (
            tensor.clone().contiguous().view(new_size)
        ),
        "if every tensor that is not contiguous is copied. Some of them can be viewed all the "
        "same.": lambda tensor, new_size: tensor.contiguous().view(new_size),
        "if the values pass through float64 on the way. It cannot hold every whole number, nor "
        "complex ones.": _or_view(lambda tensor: tensor.double().contiguous()),
        "from view alone. Where it raises, copy first.": lambda tensor, new_size: tensor.view(
            new_size
        ),
        "from clone. It may keep the strides, and where there was no view there is none again: "
        "contiguous() copies in reading order.": _or_view(lambda tensor: tensor.clone()),
        "if row-major strides are laid over the tensor's storage.": lambda tensor, new_size: (
            tensor.as_strided(new_size, contiguous_stride(new_size))
        ),
        "if the view begins at position 0. It begins where "
        "the tensor does, at its storage_offset.": _or_view(lambda tensor: tensor.contiguous(), 0),
        "if the first dim runs fastest. In reading order the last one does.": _or_view(
            lambda tensor: tensor.permute(*range(tensor.dim())[::-1]).contiguous()
        ),
        "if the elements are copied in storage order. Copy them in the order of the indices.": (
            _or_view(
                lambda tensor: tensor.permute(
                    sorted(range(tensor.dim()), key=tensor.stride, reverse=True)
                ).contiguous()
            )
        ),
    },
)
