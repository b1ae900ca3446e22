"""`slicing`: an index key, and what torch and NumPy make of it, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.diagrams import Diagram, draw, draw_as_strided
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import Choice, Edges, Explorer, Handle, Problem, Shown, TextField
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    changed,
    header_of,
    problem_of,
    words,
)
from stridekit.explorers.slice_keys import (
    MOST_NEW,
    numpy_layout,
    parse,
    read_key,
    spell_item,
    spell_key,
)
from stridekit.layouts.indexing import index_layout
from stridekit.layouts.layout import Layout

ITEMSIZE = 8
OWN = "your own"
KEYS = {
    "some rows": "1:",
    "every other column": ":, ::2",
    "one row": "1",
    "one column": ":, 1",
    "a new dim": "None, 1:",
    "rows backwards": "::-1",
}


@dataclass(frozen=True, slots=True)
class Slicing(HeaderState):
    """A header, and the key in x[key], as it is written."""

    preset: str = "every other column"
    key: str = ":, ::2"


def _change(state: Slicing, changes: Mapping[str, Any]) -> Slicing:
    preset = changes.get("preset", state.preset)
    if preset in KEYS and preset != state.preset:
        state = replace(state, key=KEYS[preset])
    new = changed(state, changes)
    if "size" in changes and "key" not in changes and len(new.size) == len(new.stride):
        # The key of another tensor stays where it can.
        new = replace(new, key=_fitting(new.layout, new.key))
    return replace(new, preset=next((n for n, k in KEYS.items() if k == new.key), OWN))


def _fitting(layout: Layout, key: str) -> str:
    """The key itself if NumPy takes it, or else the nearest that it does."""
    items = [*parse(key)]
    dots = items.index(Ellipsis) if Ellipsis in items else len(items)
    items = [item for at, item in enumerate(items) if item is not Ellipsis or at == dots]
    dim = 0
    fitted: list[Any] = []
    named = sum(isinstance(item, int | slice) for item in items)
    for item in items:
        if item is Ellipsis:
            dim += max(layout.ndim - named, 0)
        elif item is not None:
            if dim == layout.ndim:
                continue
            n = layout.size[dim]
            dim += 1
            if isinstance(item, int):
                item = min(max(item, -n), n - 1) if n else slice(None)
        if item is not None or sum(each is None for each in fitted) < MOST_NEW:
            fitted.append(item)
    return ", ".join(map(spell_item, fitted))


def _problem(state: Slicing) -> Problem | None:
    problem = problem_of(state)
    if problem is not None:
        return problem
    fitting = _fitting(state.layout, state.key)
    nearest, changes = f"x[{fitting or '()'}]", {"key": fitting}
    key = parse(state.key)
    if sum(item is None for item in key) > MOST_NEW:
        why = f"An explorer shows at most {MOST_NEW}."
        return Problem("So many new dims have no room.", why, nearest, changes)
    try:
        numpy_layout(state.layout, key)
    except StridekitError as error:
        why = str(error)
        return Problem(f"x[{state.key}] is refused.", why[0].upper() + why[1:], nearest, changes)
    return None


def _show(state: Slicing) -> Shown:
    key = parse(state.key)
    tensor = state.tensor()
    name = f"x[{state.key or '()'}]"
    numpy = numpy_layout(state.layout, key)
    is_number = not numpy.ndim and Ellipsis not in key
    diagrams: tuple[Diagram, ...]
    try:
        torch: Layout | None = index_layout(state.layout, key)
        refusal = ""
    except StridekitError as error:
        torch, refusal = None, str(error)
    if torch is not None:
        diagrams = (draw({"x": tensor, name: tensor[key]}),)
        summary = f"{name} has {words(torch)}: a view, and nothing is copied."
        facts = [
            "torch and NumPy agree."
            if torch == numpy or not state.layout.numel
            else "torch and NumPy agree on the elements. Their headers differ only where no step "
            "is ever taken: along a new dim, or in a slice with nothing in it."
        ]
    else:
        diagrams = (
            draw_as_strided(
                tensor, numpy.size, numpy.stride, numpy.storage_offset, title=f"NumPy: {name}"
            ),
        )
        summary = f"torch refuses {name}, and NumPy does not: {words(numpy)}."
        facts = [f"torch: {refusal}", "x.flip(dim) turns a dim around in torch: it copies."]
    facts.append(f"NumPy counts strides in bytes: here {ITEMSIZE} for each element.")
    if is_number:
        facts.append(f"In NumPy, {name} is a number and no view: write x[...] to keep an array.")
    byte_strides = tuple(ITEMSIZE * step for step in numpy.stride)
    rows = [
        (f"NumPy: {name}", *_cells(numpy)),
        (
            "NumPy, in bytes",
            *_cells(Layout(numpy.size, byte_strides, ITEMSIZE * numpy.storage_offset)),
        ),
    ]
    if not state.layout.numel:
        facts.insert(
            1, "x has no elements, so x.numpy() takes other memory and strides of its own."
        )
        rows = [(f"NumPy: {name}", str(numpy.size), "its own", "")]
    return Shown(
        summary,
        diagrams,
        tuple(facts),
        table=(
            ("", "size", "stride", "offset"),
            ("x", *_cells(state.layout)),
            (f"torch: {name}", *_cells(torch)),
            *rows,
        ),
        question=f"What is the size of {name}, for x of {words(state.layout)}? "
        "Where torch refuses, answer for NumPy.",
        truth=str(numpy.size),
        why=_why(state),
        slips=((str(state.size), "That is the size of x itself."),),
        given=lambda: (draw(tensor, title="x"),),
    )


def _why(state: Slicing) -> str:
    """What becomes of each dim, one after the other."""
    told = []
    for dim, item in _in_place(state):
        if dim is None:
            told.append("None adds a dim of size 1")
            continue
        n = state.size[dim]
        if isinstance(item, int):
            told.append(f"the number {item} takes dim {dim} away")
        else:
            kept = len(range(n)[item])
            told.append(f"{spell_item(item)} keeps {kept} of the {n} in dim {dim}")
    sentence = "; ".join(told)
    if not sentence:
        return ""
    if not sentence[0].isalpha():
        sentence = f"the slice {sentence}"
    return f"{sentence[0].upper()}{sentence[1:]}."


def _in_place(state: Slicing) -> list[tuple[int | None, Any]]:
    """The items of the key, each with the dim that it is for; what is not named is whole."""
    key = parse(state.key)
    named = sum(isinstance(item, int | slice) for item in key)
    rest = [slice(None)] * (len(state.size) - named)
    at = key.index(Ellipsis) if Ellipsis in key else len(key)
    dims = iter(range(len(state.size)))
    return [
        (None if item is None else next(dims), item) for item in (*key[:at], *rest, *key[at + 1 :])
    ]


def _handles(state: Slicing) -> tuple[Handle, ...]:
    """The edges of each slice that goes forward."""
    edges = []
    for dim, item in _in_place(state):
        if dim is not None and isinstance(item, slice) and (item.step or 1) > 0:
            n = state.size[dim]
            start, stop, step = item.indices(n)
            edges.append(Edges(dim, n, start, max(start, stop), step))
    return tuple(edges)


def _held(state: Slicing, what: object) -> Mapping[str, Any]:
    """The key with other edges in one dim."""
    if not isinstance(what, Edges):
        return {}
    items: list[Any] = []
    for dim, item in _in_place(state):
        if dim == what.dim and isinstance(item, slice):
            n = state.size[dim]
            start, stop = min(what.start, n), min(max(what.stop, what.start), n)
            step = None if what.step <= 1 else what.step
            item = slice(start or None, None if stop == n else stop, step)
        items.append(item)
    while items and items[-1] == slice(None) and len(items) > 1:
        items.pop()
    return {"key": ", ".join(map(spell_item, items))}


def _cells(layout: Layout | None) -> tuple[str, str, str]:
    if layout is None:
        return "refused", "", ""
    return str(layout.size), str(layout.stride), str(layout.storage_offset)


def _code(state: Slicing) -> str:
    key = state.key or "()"
    lines = [f"y = x[{key}]", "y.size(), y.stride(), y.storage_offset()"]
    try:
        index_layout(state.layout, parse(state.key))
    except StridekitError:
        lines = ["try:", f"    x[{key}]", "except ValueError as error:", "    print(error)"]
    lines += [f"n = x.numpy()[{key}]", "n.shape, n.strides"]
    return "\n".join(["import torch", "", state.torch_line(), *lines])


SLICING = Explorer(
    name="slicing",
    title="Slices",
    about="A slice moves the offset and multiplies the stride. Type a key, or drag the edges on x.",
    initial=Slicing(),
    controls=(
        Choice("preset", "preset", (*KEYS, OWN)),
        *FIELDS,
        TextField("key", "x[ ... ]", read_key, spell_key, "1:, ::2"),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
    handles=_handles,
    held=_held,
)
