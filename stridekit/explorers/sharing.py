"""`sharing`: several tensors, their storages, and a write that some of them see.

The state is what was done, as data; every picture does it again from the start. So Copy code is
just that list, as torch lines.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from stridekit.diagrams import Diagram, draw
from stridekit.diagrams.scenes.captions import joined
from stridekit.diagrams.scenes.scene import Grid
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import (
    Button,
    Choice,
    Explorer,
    HiddenField,
    PictureCell,
    Problem,
    Shown,
    index_of,
)
from stridekit.explorers.header_state import COUNTS, header_of, problem_of, words
from stridekit.explorers.operation_history import (
    MAKES,
    NAMES,
    OF_ARRAYS,
    OF_TENSORS,
    DerivedTensor,
    Sharing,
    World,
    Written,
    arrays_among,
    done,
    fitting_index,
    line_of,
    made_in,
    read_deeds,
    sentence,
    world_of,
    wrote,
)
from stridekit.explorers.parsing import ints_field, whole_field
from stridekit.layouts.layout import Layout, contiguous_stride
from stridekit.tensors.tensor import Tensor


def _change(state: Sharing, changes: Mapping[str, Any]) -> Sharing:
    new = replace(state, **changes)
    if new.size != state.size:
        if "stride" not in changes:
            new = replace(new, stride=contiguous_stride(new.size), storage_offset=0)
        if "deeds" not in changes:
            # What was done was done to another tensor.
            new = replace(new, deeds=(), tensor=changes.get("tensor", "x"))
        if "index" not in changes:
            new = replace(new, index=fitting_index(new.index, new.size))
    return new


def _problem(state: Sharing) -> Problem | None:
    problem = problem_of(state.given)
    if problem is not None:
        return replace(problem, changes={**problem.changes, "deeds": ()})
    try:
        world = world_of(state)
    except StridekitError as error:
        return Problem(
            "What was done cannot be done.", sentence(str(error)), "x alone", {"deeds": ()}
        )
    if state.tensor not in world.tensors:
        return Problem(
            f"There is no tensor {state.tensor} yet.",
            f"There are {', '.join(world.tensors)}.",
            "tensor x",
            {"tensor": "x"},
        )
    return None


def _show(state: Sharing) -> Shown:
    world = world_of(state)
    tensors, groups = world.tensors, world.groups()
    last = state.deeds[-1] if state.deeds else None
    facts = [
        f"On storage {letter}: {joined(group)}."
        for letter, group in zip("ABCDEF", groups, strict=False)
    ]
    facts += [
        f"{name} is a NumPy array: it has a shape, and strides in bytes."
        for name in tensors
        if name in world.arrays
    ]
    written = None
    if isinstance(last, Written):
        seen = world.seers(last)
        others = [name for name in tensors if name not in seen]
        unseen = f"; not by {joined(others)}" if others else ""
        facts.insert(0, f"Seen by {joined(seen)}{unseen}.")
        # What is written is an index of the tensor that stands first.
        tensors = {last.name: tensors[last.name], **tensors}
        written = [last.index]
    share = f"{len(tensors)} tensors on {len(groups)} storage{'s' if len(groups) > 1 else ''}"
    if len(tensors) == 1:
        share = "One tensor on one storage"
    told = f" Done last: {line_of(last)}." if last else ""
    letters = {name: "ABCDEF"[at] for at, group in enumerate(groups) for name in group}

    rows = [
        (name, *_header(each, is_array=name in world.arrays), letters[name])
        for name, each in world.tensors.items()
    ]
    question, truth = _question(state, world)
    return Shown(
        f"{share}.{told}",
        (_in_their_words(draw(tensors, written=written), world.arrays),),
        tuple(facts),
        table=(("", "size", "stride", "offset", "storage"), *rows),
        question=question,
        truth=truth,
        why=_why(state, world) if truth else "",
    )


def _header(each: Tensor, *, is_array: bool) -> tuple[str, str, str]:
    """Size, stride and offset; of an array its shape, and the others in bytes."""
    size, stride, offset = each.shape, each.stride(), each.storage_offset()
    if not is_array:
        return str(size), str(stride), str(offset)
    if not each.numel():
        return f"shape {size}", "strides of its own", ""
    byte_strides = tuple(step * each.element_size() for step in stride)
    return f"shape {size}", f"strides {byte_strides} bytes", f"{offset * each.element_size()} bytes"


def _in_their_words(diagram: Diagram, arrays: set[str]) -> Diagram:
    """The diagram with NumPy's words at what is a NumPy array."""
    if not arrays:
        return diagram

    def told(grid: Grid) -> Grid:
        if grid.name not in arrays:
            return grid
        dims = tuple(
            dim._replace(
                text=f"axis {dim.dim} · length {dim.size} · {dim.stride * grid.unit} bytes"
            )
            for dim in grid.dims
        )
        byte_strides = tuple(dim.stride * grid.unit for dim in sorted(grid.dims))
        size = tuple(dim.size for dim in sorted(grid.dims))
        header = f"NumPy array · shape {size} · strides {byte_strides} bytes"
        return grid._replace(header=header, dims=dims)

    sections = tuple(
        section._replace(grids=tuple(map(told, section.grids)))
        for section in diagram.scene.sections
    )
    return Diagram(diagram.scene._replace(sections=sections))


def _why(state: Sharing, world: World) -> str:
    """Which slot the chosen write hits, and who reaches it."""
    target = world.tensors[state.tensor]
    letter = next("ABCDEF"[at] for at, group in enumerate(world.groups()) if state.tensor in group)
    slot = target.layout.position(state.index)
    seers = world.seers(Written(state.tensor, state.index, state.value))
    group = next(group for group in world.groups() if state.tensor in group)
    beside = [name for name in group if name not in seers]
    told = f"The write hits position {slot} of storage {letter}, which {joined(seers)} reach."
    if len(seers) == 1:
        told = f"The write hits position {slot} of storage {letter}, which only {seers[0]} reaches."
    return told + (f" {joined(beside)} lie there too, beside that slot." if beside else "")


def _question(state: Sharing, world: World) -> tuple[str, str]:
    """Who would see the write that is chosen; nothing, where it cannot be done."""
    deed = Written(state.tensor, state.index, state.value)
    try:
        truth = world.seers(deed)
    except StridekitError:
        return "", ""
    lines = "; ".join(line_of(each) for each in (*state.deeds, deed))
    names = " or ".join(world.tensors)
    return (
        f"x has {words(state.given.layout)}. {lines}: which of {names} see this last write?",
        ", ".join(truth),
    )


def _held(state: Sharing, what: object) -> Mapping[str, Any]:
    """The tensor and the index of a cell; of a slot those of a tensor that reaches it."""
    if not isinstance(what, PictureCell):
        return {}
    world = world_of(state)
    groups = world.groups()
    near = groups[what.section] if 0 <= what.section < len(groups) else []
    if what.index is not None:
        near = [what.name] if what.name in world.tensors else []
    for name in sorted(near, key=lambda each: each != state.tensor):
        index = index_of(what, world.tensors[name].layout)
        if index is not None:
            return {"tensor": name, "index": index}
    return {}


def _makes(state: Sharing) -> tuple[str, ...]:
    return OF_ARRAYS if state.tensor in arrays_among(state.deeds) else OF_TENSORS


def _begins(state: Sharing) -> Layout | None:
    """The header of x, where its size does not tell it all."""
    is_packed = state.stride == contiguous_stride(state.size) and not state.storage_offset
    return None if is_packed else state.given.layout


def _code(state: Sharing) -> str:
    return "\n".join(["import torch", "", state.given.torch_line(), *map(line_of, state.deeds)])


def _from_layout(layout: Layout, length: int) -> Mapping[str, Any]:
    view = "t()" if layout.ndim <= 2 else "flatten()"
    deeds = (DerivedTensor("y", "x", view), DerivedTensor("z", "x", "clone()"))
    return {**header_of(layout, length), "deeds": deeds}


SHARING = Explorer(
    name="sharing",
    title="Who shares the storage?",
    about="Make tensors from tensors, write into one of them, and see which others notice.",
    initial=Sharing(),
    controls=(
        ints_field("size", "size of x", because=COUNTS, hint="3, 4"),
        Choice("tensor", "tensor", NAMES, offered=made_in),
        Choice("make", "make from it", tuple(MAKES), offered=_makes),
        Button("do", "Make", done),
        ints_field("index", "index", least=None, hint="1, 2"),
        whole_field("value", "value", least=None, most=9999),
        Button("write", "Write", wrote),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
    extras={"deeds": HiddenField(read_deeds, lambda deeds: [*map(line_of, deeds)])},
    begins=_begins,
    held=_held,
)
