"""The explorer of slices: an index key, and what torch and NumPy make of it, side by side."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.diagrams import Diagram, draw, draw_as_strided
from stridekit.errors import IndexKindError, StridekitError
from stridekit.explorers.explorer import Choice, Explorer, MisreadError, Problem, Shown, TextField
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    changed,
    header_of,
    problem_of,
    words,
)
from stridekit.explorers.parsing import DIGITS, shorten
from stridekit.layouts.indexing import index_layout
from stridekit.layouts.layout import Layout, as_int

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
# New dims in one key.
MOST_NEW = 4
_ITEM = re.compile(r"(?P<int>[+-]?\d+)|(?P<new>None|newaxis|np\.newaxis)|(?P<dots>\.\.\.|Ellipsis)")
_SLICE = re.compile(r"([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)?)?")
_NUMBERS = re.compile(r"[-+\d,\s]*\d[-+\d,\s]*")
# The name in x[...], or the x of one that is about to be typed.
_NAMED = re.compile(r"[^\W\d]\w*\s*(?=\[)|x$")

# Ints, slices, None and dots.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Slicing(HeaderState):
    """A header, and the key in x[key], as it is written."""

    preset: str = "every other column"
    key: str = ":, ::2"


def read_key(text: str) -> str:
    """A key, spelled evenly. Raises MisreadError.

    >>> read_key("[1 :, : : 2]"), read_key("none,...,-1")
    ('1:, ::2', 'None, ..., -1')
    """
    plain = text.replace("−", "-").strip()
    named = _NAMED.match(plain)
    plain = plain[named.end() :] if named else plain
    if "][" in plain.replace(" ", ""):
        joined = ", ".join(part.strip() for part in plain.strip("[]").split("][") if part.strip())
        raise MisreadError(
            Problem(
                f"The key {shorten(text)!r} is one key after another.",
                "The second is a key into what the first one gives. Here is room for one.",
                f"for instance {shorten(_readable(joined))}",
            ),
            _readable(joined),
        )
    if plain.count("[") != plain.count("]"):
        # A bracket that is still to be typed, or one too many.
        plain = plain.strip("[] ")
    elif plain.startswith("[") and plain.endswith("]"):
        inside = plain[1:-1].strip()
        # Brackets around a key are those of x[...]; around numbers alone they make a list.
        if named or not _NUMBERS.fullmatch(inside):
            plain = inside
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1].strip()
    if "[" in plain:
        number = re.search(r"[+-]?\d{1,15}", plain)
        slice_ = f"{number[0] if number else 1}:"
        raise MisreadError(
            Problem(
                f"The key {shorten(text)!r} holds a list.",
                "A list picks elements one by one and makes a copy. Here are views: numbers, "
                "slices, None and dots.",
                f"for instance {slice_}",
            ),
            slice_,
        )
    parts = [part.strip() for part in plain.split(",") if part.strip()]
    try:
        return ", ".join(_spell(_item(part, text)) for part in parts)
    except MisreadError as error:
        # What can be read stays in its place.
        mended = _readable(plain)
        problem = replace(error.problem, nearest=f"for instance {shorten(mended)}")
        raise MisreadError(problem, mended) from None


def _readable(key: str) -> str:
    """The parts of a key that can be read or mended; a slice of rows, where there are none."""
    parts = []
    for part in filter(None, map(str.strip, key.split(","))):
        try:
            parts.append(_spell(_item(part, key)))
        except MisreadError as error:
            parts.append(error.instead or "")
    return ", ".join(filter(None, parts)) or "1:"


def _spell_key(key: Any) -> str:
    """A key as it is written, from text or from what Python makes of x[key]."""
    if isinstance(key, str):
        return key
    items = key if isinstance(key, tuple) else (key,)
    return ", ".join(map(_spell, items))


def parse(key: str) -> Key:
    """The key that is written."""
    return tuple(_item(part.strip(), key) for part in key.split(",")) if key else ()


def _item(part: str, text: str) -> Any:
    plain = part if part.lower() != "none" else "None"
    found = _ITEM.fullmatch(plain)
    if found:
        return _number(plain) if found["int"] else None if found["new"] else Ellipsis
    bounds = _SLICE.fullmatch(plain)
    if bounds:
        parts = [_number(bound) if bound else None for bound in bounds.groups()]
        if parts[2] == 0:
            mended = _spell(slice(parts[0], parts[1], 1))
            problem = Problem(
                f"{shorten(part)!r} steps by 0.", "A step leads on.", f"for instance {mended}"
            )
            raise MisreadError(problem, mended)
        return slice(*parts)
    raise MisreadError(
        Problem(
            f"The key {shorten(text)!r} cannot be read.",
            f"{shorten(part)!r} is no number, no start:stop:step, no None and no dots.",
            "for instance 1:",
        )
    )


def _number(text: str) -> int:
    """A number, or the largest that counts here: no dim has so many elements."""
    most = 10**9
    return min(max(int(text[:DIGITS]), -most), most)


def _spell(item: Any) -> str:
    if item is None:
        return "None"
    if item is Ellipsis:
        return "..."
    if not isinstance(item, slice):
        return str(as_int("key", "an index", item))
    bounds = (item.start, item.stop, item.step)
    start, stop, step = ("" if each is None else str(each) for each in bounds)
    return f"{start}:{stop}" + (f":{step}" if step else "")


def numpy_layout(layout: Layout, key: Key) -> Layout:
    """What NumPy makes of a basic key. Strides stay in elements.

    As torch, with three differences. A step may be negative. A slice with nothing in it leaves
    the stride and the offset as they were (get_view_from_index in NumPy's mapping.c). A new dim
    has stride 0. Raises as torch does, and IndexKindError for dots that stand
    twice.

    >>> numpy_layout(Layout.of((3, 4)), (slice(None, None, -1), None))
    Layout(size=(3, 1, 4), stride=(-4, 0, 1), storage_offset=8)
    """
    if sum(item is Ellipsis for item in key) > 1:
        raise IndexKindError("Dots stand for all dims that are not named, so they stand once.")
    # Bounds and kinds are torch's, once no step is negative.
    plain = tuple(slice(None) if isinstance(item, slice) else item for item in key)
    index_layout(layout, plain)
    named = sum(isinstance(item, int | slice) for item in key)
    dots = tuple(slice(None) for _ in range(layout.ndim - named))
    items = [*key] if Ellipsis in key else [*key, Ellipsis]
    at = items.index(Ellipsis)
    size, stride, offset, dim = [], [], layout.storage_offset, 0
    for item in (*items[:at], *dots, *items[at + 1 :]):
        if item is None:
            size.append(1)
            stride.append(0)
            continue
        n, step = layout.size[dim], layout.stride[dim]
        dim += 1
        if isinstance(item, int):
            offset += item % n * step
            continue
        reach = range(*item.indices(n))
        size.append(len(reach))
        stride.append(step * (reach.step if reach else 1))
        offset += reach.start * step if reach else 0
    return Layout(tuple(size), tuple(stride), offset)


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
    return ", ".join(map(_spell, fitted))


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
        question=f"Which size has {name}, for x of {words(state.layout)}? Where torch refuses, "
        "answer for NumPy.",
        truth=str(numpy.size),
        given=lambda: (draw(tensor, title="x"),),
    )


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
    about="A slice moves the offset and multiplies the stride. Numbers, start:stop:step, None.",
    initial=Slicing(),
    controls=(
        Choice("preset", "preset", (*KEYS, OWN)),
        *FIELDS,
        TextField("key", "x[ ... ]", read_key, _spell_key, "1:, ::2"),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
)
