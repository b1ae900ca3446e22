"""`permute`: dims in another order, and what that does to contiguity."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import count
from stridekit.explorers.explorer import Button, Chips, Explorer, Handle, Problem, Shown
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    arguments,
    changed,
    header_of,
    problem_of,
    words,
)
from stridekit.explorers.parsing import ints_field
from stridekit.layouts import dims as rules
from stridekit.layouts.layout import Ints, contiguous_stride, spell


@dataclass(frozen=True, slots=True)
class Order(HeaderState):
    """A header, and the order of its dims that permute is asked for."""

    # Each slice along the slowest dim has a colour: here they are four.
    size: Ints = (4, 2, 3)
    stride: Ints = (6, 3, 1)
    dims: Ints = (2, 0, 1)


def _change(state: Order, changes: Mapping[str, Any]) -> Order:
    new = changed(state, changes)
    ndim = len(new.size)
    if "dims" not in changes and ndim != len(new.dims):
        # Those that are still there keep their order, and new ones come last.
        wrapped = (dim % len(new.dims) for dim in new.dims)
        kept = [dim for dim in wrapped if dim < ndim]
        new = replace(new, dims=(*kept, *range(len(new.dims), ndim)))
    return new


def _problem(state: Order) -> Problem | None:
    problem = problem_of(state)
    if problem is not None:
        return problem
    ndim = len(state.size)
    wrapped = [dim + ndim if -ndim <= dim < 0 else dim for dim in state.dims]
    if sorted(wrapped) == [*range(ndim)]:
        return None
    kept = [*dict.fromkeys(dim for dim in wrapped if 0 <= dim < ndim)]
    nearest = tuple(kept + [dim for dim in range(ndim) if dim not in kept])
    outside = [dim for dim in state.dims if not -ndim <= dim < ndim]
    why = f"x has {count(ndim, 'dim')}, and each stands in it once."
    if not ndim:
        why = "x has rank 0, and so no dims."
    elif outside:
        why = f"There is no dim {outside[0]}: the dims are 0 to {ndim - 1}."
    return Problem(f"dims {state.dims} is no order.", why, f"dims {nearest}", {"dims": nearest})


def _show(state: Order) -> Shown:
    tensor = state.tensor()
    result = tensor.permute(state.dims)
    trace = explain.contiguity(result)
    name = f"x.permute({spell(state.dims) or '()'})"
    verdict = "It is contiguous."
    if not trace.holds:
        verdict = f"It is not contiguous: {trace.answer.removeprefix('No: ')}"
    moves = [f"dim {new} is x's dim {dim % len(state.dims)}" for new, dim in enumerate(state.dims)]
    why = f"Size and stride of a dim move together: {', '.join(moves)}." if moves else ""
    return Shown(
        f"{name} has {words(result.layout)}. {verdict}",
        (draw({"x": tensor, name: result}),),
        (
            "The storage is the same: only the header is another.",
            f"Is {name} contiguous? Walk its dims from the right, and expect stride 1 first:",
            *(str(step) for step in trace.steps),
            trace.answer,
        ),
        table=(
            ("", "size", "stride"),
            ("x", str(state.size), str(state.stride)),
            (name, str(result.size()), str(result.stride())),
        ),
        question=f"What is the stride of {name}, for x of {words(state.layout)}?",
        truth=str(result.stride()),
        given=lambda: (draw(tensor, title="x"),),
        why=why,
        slips=(
            (str(state.stride), "That is x's own stride; permute puts it in another order."),
            (
                str(contiguous_stride(result.shape)),
                "That would be a copy in row-major order; permute moves no element.",
            ),
        ),
    )


def _code(state: Order) -> str:
    result = rules.permute(state.layout, state.dims)
    return (
        f"import torch\n\n{state.torch_line()}\ny = x.permute({arguments(state.dims)})\n"
        f"y.stride()  # {result.stride}\ny.is_contiguous()  # {result.is_contiguous}"
    )


def _handles(state: Order) -> tuple[Handle, ...]:
    ndim = len(state.dims)
    order = tuple(dim % ndim for dim in state.dims)
    labels = tuple(f"dim {dim}, size {state.size[dim]}" for dim in range(ndim))
    return (
        (Chips("dims", "Order of dims: drag, or Left and Right", order, labels),)
        if ndim > 1
        else ()
    )


def _turned(state: Order) -> Order:
    return replace(state, dims=(*state.dims[1:], *state.dims[:1]))


def _applied(state: Order) -> Order:
    """The result becomes the tensor that is given."""
    result = rules.permute(state.layout, state.dims)
    return replace(state, size=result.size, stride=result.stride)


PERMUTE = Explorer(
    name="permute",
    title="permute",
    about="Put the dims in another order. Sizes and strides move together; no element moves.",
    initial=Order(),
    controls=(
        *FIELDS,
        ints_field("dims", "dims", least=None, hint="2, 0, 1"),
        Button("reverse", "Reverse dims", lambda state: replace(state, dims=state.dims[::-1])),
        Button("turn", "Turn dims by one", _turned),
        Button("apply", "Go on from the result", _applied),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
    handles=_handles,
)
