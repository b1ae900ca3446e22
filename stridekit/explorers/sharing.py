"""`sharing`: several tensors, their storages, and a write that some of them see.

The state is what was done, as data; every picture does it again from the start. So Copy code is
just that list, as torch lines.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import joined
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import Button, Choice, Explorer, MisreadError, Problem, Shown
from stridekit.explorers.header_state import COUNTS, HeaderState, header_of, problem_of, words
from stridekit.explorers.history import MAKES, NAMES, Deed, Made, World, Written, replay
from stridekit.explorers.parsing import ints_field, whole_field
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell
from stridekit.tensors.tensor import Tensor

MOST_DEEDS = 24


@dataclass(frozen=True, slots=True)
class Sharing:
    """x, what was done with it, in order; and what is chosen for the next deed."""

    size: Ints = (3, 4)
    stride: Ints = (4, 1)
    storage_offset: int = 0
    deeds: tuple[Deed, ...] = (Made("y", "x", "t()"), Made("z", "x", "clone()"))
    tensor: str = "x"
    make: str = "every other column"
    index: Ints = (1, 2)
    value: int = 100

    @property
    def given(self) -> HeaderState:
        """The header of x."""
        return HeaderState(self.size, self.stride, self.storage_offset)


def world_of(state: Sharing) -> World:
    """x, and all that came of what was done. Raises what a deed raises."""
    return replay(state.given.tensor(), state.deeds)


def _done(state: Sharing) -> Sharing:
    """The state after the deed that is chosen: a new tensor, or resize_ in place."""
    used = _made(state)
    for make in (state.make, *MAKES):
        how = MAKES[make]
        free = [state.tensor] if how.startswith("resize_") else [
            each for each in NAMES if each not in used
        ]  # fmt: skip
        if not free:
            raise _refused(
                "There are six tensors.", "More do not fit on a page.", "Undo", _undone(state)
            )
        new = _with(state, Made(free[0], state.tensor, how))
        try:
            world_of(new)
        except StridekitError as error:
            if make == state.make:
                line, why = _line(new.deeds[-1]), str(error)
            continue
        if make == state.make:
            return new
        raise _refused(f"{line} is refused.", _sentence(why), make, replace(state, make=make))
    raise AssertionError("flatten() is always possible")


def _wrote(state: Sharing) -> Sharing:
    """The state after the write that is chosen."""
    new = _with(state, Written(state.tensor, state.index, state.value))
    try:
        world_of(new)
    except StridekitError as error:
        size = world_of(state).tensors[state.tensor].shape
        what, why = f"{_line(new.deeds[-1])} is refused.", _sentence(str(error))
        index = fitting_index(state.index, size)
        if not prod(size):
            raise MisreadError(Problem(what, why)) from error
        raise _refused(what, why, f"index {index}", replace(state, index=index)) from error
    return new


def _with(state: Sharing, deed: Deed) -> Sharing:
    if len(state.deeds) == MOST_DEEDS:
        what, why = f"{MOST_DEEDS} things were done.", "More do not fit on a page."
        raise _refused(what, why, "Undo", _undone(state))
    return replace(state, deeds=(*state.deeds, deed))


def fitting_index(index: Ints, size: Ints) -> Ints:
    """The nearest index that has a number for each dim and stays inside, where that can be.

    >>> fitting_index((5,), (3, 4)), fitting_index((1, -9), (3, 4))
    ((2, 0), (1, -4))
    """
    padded = (*index, *(0 for _ in size))[: len(size)]
    return tuple(min(max(i, -n), max(n - 1, 0)) for i, n in zip(padded, size, strict=True))


def _undone(state: Sharing) -> Sharing:
    undone = replace(state, deeds=state.deeds[:-1])
    return undone if state.tensor in _made(undone) else replace(undone, tensor="x")


def _refused(what: str, why: str, nearest: str, works: Sharing) -> MisreadError:
    """A refusal, and a state that works."""
    names = ("deeds", "tensor", "make", "index")
    return MisreadError(Problem(what, why, nearest, {name: getattr(works, name) for name in names}))


def _sentence(text: str) -> str:
    # A name stays as it is written: x, t(), storage_offset.
    is_word = re.match(r"[a-z]{2,}[ ,]", text)
    return (text[0].upper() + text[1:] if is_word else text) + ("" if text.endswith(".") else ".")


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
            "What was done cannot be done.", _sentence(str(error)), "x alone", {"deeds": ()}
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
    facts += [f"{name} is a NumPy array." for name in tensors if name in world.arrays]
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
    told = f" The last deed: {_line(last)}." if last else ""
    letters = {name: "ABCDEF"[at] for at, group in enumerate(groups) for name in group}

    def stride(name: str, each: Tensor) -> str:
        return "its own" if name in world.arrays and not each.numel() else str(each.stride())

    rows = [
        (name, str(each.shape), stride(name, each), str(each.storage_offset()), letters[name])
        for name, each in world.tensors.items()
    ]
    question, truth = _question(state, world)
    return Shown(
        f"{share}.{told}",
        (draw(tensors, written=written),),
        tuple(facts),
        table=(("", "size", "stride", "offset", "storage"), *rows),
        question=question,
        truth=truth,
    )


def _question(state: Sharing, world: World) -> tuple[str, str]:
    """Who would see the write that is chosen; nothing, where it cannot be done."""
    deed = Written(state.tensor, state.index, state.value)
    try:
        truth = world.seers(deed)
    except StridekitError:
        return "", ""
    lines = "; ".join(_line(each) for each in (*state.deeds, deed))
    names = " or ".join(world.tensors)
    return (
        f"x has {words(state.given.layout)}. {lines}: which of {names} see this last write?",
        ", ".join(truth),
    )


def _line(deed: Deed) -> str:
    if isinstance(deed, Written):
        return f"{deed.name}[{spell(deed.index) or '()'}] = {deed.value}"
    made = f"{deed.source}{deed.how if deed.how.startswith('[') else f'.{deed.how}'}"
    return made if deed.name == deed.source else f"{deed.name} = {made}"


def _made(state: Sharing) -> set[str]:
    return {"x", *(deed.name for deed in state.deeds)}


def _code(state: Sharing) -> str:
    return "\n".join(["import torch", "", state.given.torch_line(), *map(_line, state.deeds)])


def _from_layout(layout: Layout, length: int) -> Mapping[str, Any]:
    view = "t()" if layout.ndim <= 2 else "flatten()"
    deeds = (Made("y", "x", view), Made("z", "x", "clone()"))
    return {**header_of(layout, length), "deeds": deeds}


SHARING = Explorer(
    name="sharing",
    title="Who shares the storage?",
    about="Make tensors from tensors, write into one of them, and see which others notice.",
    initial=Sharing(),
    controls=(
        ints_field("size", "size of x", because=COUNTS, hint="3, 4"),
        Choice("tensor", "tensor", NAMES, offered=_made),
        Choice("make", "make from it", tuple(MAKES)),
        Button("do", "Make", _done),
        ints_field("index", "index", least=None, hint="1, 2"),
        whole_field("value", "value", least=None, most=9999),
        Button("write", "Write", _wrote),
        Button("undo", "Undo", _undone),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
)
