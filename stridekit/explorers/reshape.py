"""`reshape`: can it be a view, and what it costs if not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw, draw_view
from stridekit.diagrams.scenes.captions import count
from stridekit.errors import SizeError
from stridekit.explorers.explorer import Choice, Explorer, Problem, Shown
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
from stridekit.layouts.layout import Ints, spell
from stridekit.layouts.view_rule import Obstacle, infer_size, plan_view

ITEMSIZE = 8
OWN = "your own"
SOURCES: dict[str, tuple[Ints, Ints, int]] = {
    "row-major": ((3, 4), (4, 1), 0),
    "transposed": ((4, 3), (1, 4), 0),
    "every other column": ((3, 2), (4, 2), 0),
    "a slice of rows": ((2, 4), (4, 1), 4),
    "expanded": ((3, 4), (0, 1), 0),
    "permuted": ((2, 2, 3), (3, 6, 1), 0),
}


@dataclass(frozen=True, slots=True)
class Reshape(HeaderState):
    """A header, and the size that is asked for; -1 is inferred."""

    source: str = "transposed"
    size: Ints = (4, 3)
    stride: Ints = (1, 4)
    new_size: Ints = (12,)


def _change(state: Reshape, changes: Mapping[str, Any]) -> Reshape:
    source = changes.get("source", state.source)
    if source in SOURCES and source != state.source:
        size, stride, offset = SOURCES[source]
        state = replace(state, size=size, stride=stride, storage_offset=offset)
    new = changed(state, changes)
    if "new_size" not in changes and _inferred(new) is None:
        new = replace(new, new_size=(prod(new.size),))
    header = new.size, new.stride, new.storage_offset
    return replace(new, source=next((n for n, h in SOURCES.items() if h == header), OWN))


def _inferred(state: Reshape) -> Ints | None:
    try:
        return infer_size("view", prod(state.size), state.new_size)
    except SizeError:
        return None


def _problem(state: Reshape) -> Problem | None:
    problem = problem_of(state)
    if problem is not None:
        return problem
    if _inferred(state) is not None:
        return None
    numel = rest = prod(state.size)
    # Keep as many of the leading sizes as divide, and let the last one take the rest.
    kept: list[int] = []
    for n in state.new_size[:-1]:
        if n < 1 or rest % n or not numel:
            break
        kept.append(n)
        rest //= n
    nearest = (*kept, rest)
    asked = f"New size {state.new_size}"
    least = min(state.new_size, default=0)
    if state.new_size.count(-1) > 1:
        what = f"{asked} has more than one -1."
    elif least < 0:
        known = -prod(state.new_size)
        what = f"{asked} leaves open what -1 stands for."
        if known or numel:
            what = f"{asked} has a -1 that no number fits: {numel} is no multiple of {known}."
    else:
        what = f"{asked} has {count(prod(state.new_size), 'element')}."
    has = count(numel, "element")
    why = f"x has {has}, and a new size has just as many; one -1 may stand in it."
    return Problem(what, why, f"new size {nearest}", {"new_size": nearest})


def _show(state: Reshape) -> Shown:
    new_size = _inferred(state)
    assert new_size is not None
    tensor = state.tensor()
    told = explain.view(tensor, new_size)
    bytes_ = prod(new_size) * ITEMSIZE
    name = f"view({spell(new_size) or '()'})"
    facts = [str(step) for step in told.steps]
    if told.holds:
        facts.append("reshape gives the same view, and copies nothing.")
        summary = f"{name} of {words(state.layout)} is possible: {told.answer.split(': ', 1)[1]}"
    else:
        facts.append(f"reshape copies all {prod(new_size)} elements: {bytes_:,} bytes.")
        # The message names the call and the header first; here they stand in the fields.
        summary = f"{name} is impossible: {told.answer.split(': ', 1)[1]}"
    contiguous = state.layout.is_contiguous
    facts.append(
        "contiguous() gives x itself, and copies nothing."
        if contiguous
        else f"contiguous() copies {bytes_:,} bytes; after it, every view is possible."
    )
    return Shown(
        summary,
        (draw_view(tensor, new_size, title="x"),),
        tuple(facts),
        question=f"Can {words(state.layout)} be viewed as {new_size}? Yes or no?",
        truth="yes" if told.holds else "no",
        given=lambda: (draw(tensor, title="x"),),
    )


def _code(state: Reshape) -> str:
    new_size = _inferred(state)
    assert new_size is not None
    plan = plan_view(state.layout, new_size)
    asked = arguments(state.new_size)
    if isinstance(plan, Obstacle):
        lines = (
            f"try:\n    x.view({asked})\nexcept RuntimeError as error:\n    print(error)\n"
            f"y = x.reshape({asked})  # a copy"
        )
    else:
        lines = f"y = x.view({asked})\ny.stride()  # {plan.stride}"
    return f"import torch\n\n{state.torch_line()}\n{lines}"


RESHAPE = Explorer(
    name="reshape",
    title="view and reshape",
    about="Ask for a new size. A view is possible where steps stay even; else reshape copies.",
    initial=Reshape(),
    controls=(
        Choice("source", "source", (*SOURCES, OWN)),
        *FIELDS,
        ints_field(
            "new_size",
            "new size",
            least=-1,
            because="A size counts. Only -1 may stand for what is left.",
            hint="12",
        ),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
)
