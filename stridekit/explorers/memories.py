"""The explorer of sharing: several tensors, their storages, and a write that some of them see.

The state is what was done, as data; every picture does it again from the start. So Copy code is
just that list, as torch lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.diagrams import draw
from stridekit.errors import StridekitError
from stridekit.explorers.core import Choice, Explorer, MisreadError, Press, Problem, Shown
from stridekit.explorers.given import Given, header_of, problem_of
from stridekit.explorers.reading import ints_field, spell, whole_field
from stridekit.layout import Ints, Layout, contiguous_stride
from stridekit.tensor import Tensor

NAMES = ("x", "y", "z", "u", "v", "w")
MAKES = {
    "t()": "t()",
    "one row": "[1]",
    "every other column": "[:, ::2]",
    "flatten()": "flatten()",
    "contiguous()": "contiguous()",
    "clone()": "clone()",
    "numpy()": "numpy()",
    "resize_(2, 2)": "resize_(2, 2)",
    "resize_(4, 4)": "resize_(4, 4)",
}


@dataclass(frozen=True, slots=True)
class Made:
    """A tensor made from another one."""

    name: str
    source: str
    how: str


@dataclass(frozen=True, slots=True)
class Written:
    """A number written into a tensor."""

    name: str
    index: Ints
    value: int


Deed = Made | Written


@dataclass(frozen=True, slots=True)
class Sharing:
    """What was done, in order; and what is chosen for the next deed."""

    size: Ints = (3, 4)
    deeds: tuple[Deed, ...] = (Made("y", "x", "t()"), Made("z", "x", "clone()"))
    tensor: str = "x"
    make: str = "every other column"
    index: Ints = (1, 2)
    value: int = 100


def _replay(state: Sharing) -> dict[str, Tensor]:
    """All tensors, after all that was done. Raises what a deed raises."""
    given = Given(state.size, contiguous_stride(state.size)).tensor()
    tensors = {"x": given}
    for deed in state.deeds:
        if isinstance(deed, Written):
            tensors[deed.name][deed.index] = deed.value
        elif deed.name == deed.source:
            _make(tensors[deed.source], deed.how)
        else:
            tensors[deed.name] = _make(tensors[deed.source], deed.how)
    return tensors


def _make(source: Tensor, how: str) -> Tensor:
    made: Tensor
    if how == "[1]":
        made = source[1]
    elif how == "[:, ::2]":
        made = source[:, ::2]
    elif how.startswith("resize_"):
        made = source.resize_(*(int(n) for n in how[8:-1].split(",")))
    elif how == "numpy()":
        made = source.view(*source.size())
    else:
        made = getattr(source, how[:-2])()
    return made


def _done(state: Sharing) -> Sharing:
    """The state after the deed that is chosen: a new tensor, or resize_ in place."""
    how = MAKES[state.make]
    if how.startswith("resize_"):
        name = state.tensor
    else:
        used = {"x", *(deed.name for deed in state.deeds)}
        free = [each for each in NAMES if each not in used]
        if not free:
            raise _refused("There are six tensors.", "More do not fit on a page.", "Reset")
        name = free[0]
    return _tried(replace(state, deeds=(*state.deeds, Made(name, state.tensor, how))))


def _wrote(state: Sharing) -> Sharing:
    """The state after the write that is chosen."""
    return _tried(
        replace(state, deeds=(*state.deeds, Written(state.tensor, state.index, state.value)))
    )


def _undone(state: Sharing) -> Sharing:
    kept = state.deeds[:-1]
    names = {"x", *(deed.name for deed in kept)}
    return replace(state, deeds=kept, tensor=state.tensor if state.tensor in names else "x")


def _tried(state: Sharing) -> Sharing:
    try:
        _replay(state)
    except StridekitError as error:
        raise _refused(f"{_line(state.deeds[-1])} is refused.", str(error), "") from error
    return state


def _refused(what: str, why: str, nearest: str) -> MisreadError:
    return MisreadError(Problem(what, why, nearest))


def _change(state: Sharing, changes: Mapping[str, Any]) -> Sharing:
    new = replace(state, **changes)
    if new.size != state.size and "deeds" not in changes:
        # What was done was done to another tensor.
        new = replace(new, deeds=(), tensor="x")
    return new


def _problem(state: Sharing) -> Problem | None:
    problem = problem_of(Given(state.size, contiguous_stride(state.size)))
    if problem is not None:
        return replace(problem, changes={"size": problem.changes.get("size", state.size)})
    names = ["x", *dict.fromkeys(deed.name for deed in state.deeds if deed.name != "x")]
    if state.tensor not in names:
        return Problem(
            f"There is no tensor {state.tensor} yet.",
            f"There are {', '.join(names)}.",
            "tensor x",
            {"tensor": "x"},
        )
    try:
        _replay(state)
    except StridekitError as error:
        return Problem("That is refused.", str(error), "nothing done yet", {"deeds": ()})
    return None


def _groups(tensors: Mapping[str, Tensor]) -> list[list[str]]:
    by_storage: dict[int, list[str]] = {}
    for name, tensor in tensors.items():
        by_storage.setdefault(tensor.untyped_storage().data_ptr(), []).append(name)
    return [*by_storage.values()]


def _show(state: Sharing) -> Shown:
    tensors = _replay(state)
    last = state.deeds[-1] if state.deeds else None
    before = _replay(replace(state, deeds=state.deeds[:-1])) if last else tensors
    groups = _groups(tensors)
    facts = [f"One storage: {' and '.join(group)}." for group in groups]
    written = None
    if isinstance(last, Written):
        seen = [name for name in tensors if tensors[name].tolist() != before[name].tolist()]
        unmoved = [name for name in tensors if name not in seen]
        facts.insert(0, f"Seen by {' and '.join(seen) or 'none'}; not by "
                        f"{' and '.join(unmoved) or 'none'}.")  # fmt: skip
        first = {last.name: tensors[last.name], **tensors}
        tensors = first
        written = [last.index]
    share = f"{len(tensors)} tensors on {len(groups)} storage{'s' if len(groups) > 1 else ''}"
    if len(tensors) == 1:
        share = "One tensor on one storage"
    told = f" The last deed: {_line(last)}." if last else ""
    return Shown(
        f"{share}.{told}",
        (draw(tensors, written=written),),
        tuple(facts),
        question=f"{state.tensor}[{spell(state.index)}] = {state.value}: which tensors see it?"
        if _can_write(state)
        else "",
        truth=", ".join(_seers(state)) if _can_write(state) else "",
    )


def _can_write(state: Sharing) -> bool:
    try:
        _replay(replace(state, deeds=(*state.deeds, Written(state.tensor, state.index, -1))))
    except StridekitError:
        return False
    return True


def _seers(state: Sharing) -> list[str]:
    """Which tensors would see the write that is chosen."""
    before = _replay(state)
    after = _replay(replace(state, deeds=(*state.deeds, Written(state.tensor, state.index, -1))))
    return [name for name in before if before[name].tolist() != after[name].tolist()]


def _line(deed: Deed) -> str:
    if isinstance(deed, Written):
        return f"{deed.name}[{', '.join(map(str, deed.index))}] = {deed.value}"
    call = deed.how if deed.how.startswith("[") else f".{deed.how}"
    made = f"{deed.source}{call}"
    return made if deed.name == deed.source else f"{deed.name} = {made}"


def _code(state: Sharing) -> str:
    first = Given(state.size, contiguous_stride(state.size)).torch_line()
    return "\n".join(["import torch", "", first, *(_line(deed) for deed in state.deeds)])


def _from_layout(layout: Layout, length: int) -> Mapping[str, Any]:
    return {"size": header_of(layout, length)["size"]}


SHARING = Explorer(
    name="sharing",
    title="Who shares the storage?",
    about="Make tensors from tensors, write into one of them, and see which others notice.",
    initial=Sharing(),
    controls=(
        ints_field("size", "size of x", hint="3, 4"),
        Choice("tensor", "tensor", NAMES),
        Choice("make", "make from it", tuple(MAKES)),
        Press("do", "Make", _done),
        ints_field("index", "index", least=None, hint="1, 2"),
        whole_field("value", "value", least=None, most=9999),
        Press("write", "Write", _wrote),
        Press("undo", "Undo", _undone),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
)
