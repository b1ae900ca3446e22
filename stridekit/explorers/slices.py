"""The explorer of slices: an index key, and what torch and NumPy make of it, side by side."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.diagrams import Diagram, draw, draw_as_strided
from stridekit.errors import StridekitError
from stridekit.explorers.core import Choice, Explorer, MisreadError, Problem, Shown, Text
from stridekit.explorers.given import FIELDS, Given, changed, header_of, problem_of, words
from stridekit.explorers.reading import shorten
from stridekit.indexing import index_layout
from stridekit.layout import Layout

OWN = "your own"
KEYS = {
    "some rows": "1:",
    "every other column": ":, ::2",
    "one row": "1",
    "one column": ":, 1",
    "a new dim": "None, 1:",
    "rows backwards": "::-1",
}
_ITEM = re.compile(r"(?P<int>[+-]?\d{1,15})|(?P<new>None|newaxis|np\.newaxis)|(?P<dots>\.\.\.)")
_SLICE = re.compile(r"([+-]?\d{1,15})?\s*:\s*([+-]?\d{1,15})?\s*(?::\s*([+-]?\d{1,15})?)?")

Item = int | slice | None
# A slice is written as it is typed, for slices cannot be compared by hash.
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Slicing(Given):
    """A header, and the key in x[key], as it is written."""

    preset: str = "every other column"
    key: str = ":, ::2"


def read_key(text: str) -> str:
    """A key, spelled evenly. Raises MisreadError.

    >>> read_key("[1 :, : : 2]"), read_key("none,...,-1")
    ('1:, ::2', 'None, ..., -1')
    """
    plain = text.replace("−", "-").strip()
    plain = plain.removeprefix("x").strip()
    if plain.startswith("[") and plain.endswith("]"):
        plain = plain[1:-1].strip()
    if not plain.strip("() "):
        return ""
    return ", ".join(_spell(_item(part.strip(), text)) for part in plain.split(",") if part.strip())


def parse(key: str) -> Key:
    """The key that is written."""
    return tuple(_item(part.strip(), key) for part in key.split(",")) if key else ()


def _item(part: str, text: str) -> Any:
    plain = part if part.lower() != "none" else "None"
    found = _ITEM.fullmatch(plain)
    if found:
        return int(plain) if found["int"] else None if found["new"] else Ellipsis
    bounds = _SLICE.fullmatch(plain)
    if bounds:
        parts = [int(bound) if bound else None for bound in bounds.groups()]
        if parts[2] == 0:
            raise MisreadError(
                Problem(f"{shorten(part)} steps by 0.", "A step leads on.", plain[:-1] + "1")
            )
        return slice(*parts)
    raise MisreadError(
        Problem(
            f"the key {shorten(text)!r} cannot be read.",
            f"{shorten(part)!r} is no number, no start:stop:step, no None and no dots.",
            "for instance 1:, ::2",
        )
    )


def _spell(item: Any) -> str:
    if item is None:
        return "None"
    if item is Ellipsis:
        return "..."
    if isinstance(item, int):
        return str(item)
    start, stop, step = ("" if each is None else str(each) for each in _bounds(item))
    return f"{start}:{stop}" + (f":{step}" if step else "")


def _bounds(item: slice) -> tuple[Any, Any, Any]:
    return item.start, item.stop, item.step


def numpy_layout(layout: Layout, key: Key) -> Layout:
    """What NumPy makes of a basic key: as torch, but a step may be negative.

    Strides stay in elements. Source: NumPy's guide to indexing.
    """
    forward = tuple(
        slice(None) if isinstance(item, slice) and (item.step or 1) < 0 else item for item in key
    )
    result = index_layout(layout, forward)
    if forward == key:
        return result
    # Dims of the result that a backward slice stays on, from the left or from the dots.
    named = sum(isinstance(item, int | slice) for item in key)
    source, target, offset = 0, 0, result.storage_offset
    size, stride = list(result.size), list(result.stride)
    for item in key:
        if item is None:
            target += 1
        elif item is Ellipsis:
            source += layout.ndim - named
            target += layout.ndim - named
        elif isinstance(item, int):
            source += 1
        else:
            if (item.step or 1) < 0:
                reach = range(*item.indices(layout.size[source]))
                size[target] = len(reach)
                stride[target] = layout.stride[source] * item.step
                offset += reach.start * layout.stride[source] if len(reach) else 0
            source += 1
            target += 1
    return Layout(tuple(size), tuple(stride), offset)


def _change(state: Slicing, changes: Mapping[str, Any]) -> Slicing:
    preset = changes.get("preset", state.preset)
    if preset in KEYS and preset != state.preset:
        return replace(state, **{**changes, "key": KEYS[preset]})
    new = changed(state, changes)
    return replace(new, preset=next((n for n, k in KEYS.items() if k == new.key), OWN))


def _problem(state: Slicing) -> Problem | None:
    problem = problem_of(state)
    if problem is not None:
        return problem
    try:
        numpy_layout(state.layout, parse(state.key))
    except StridekitError as error:
        return Problem(
            f"x[{state.key}] is refused.", f"{error}", "x[...], all of it", {"key": "..."}
        )
    return None


def _show(state: Slicing) -> Shown:
    key = parse(state.key)
    tensor = state.tensor()
    name = f"x[{state.key or '()'}]"
    numpy = numpy_layout(state.layout, key)
    diagrams: tuple[Diagram, ...]
    try:
        torch: Layout | None = index_layout(state.layout, key)
        refusal = ""
    except StridekitError as error:
        torch, refusal = None, str(error)
    if torch is not None:
        diagrams = (draw({"x": tensor, name: tensor[key]}),)
        summary = f"{name} has {words(torch)}: a view, and nothing is copied."
        facts = ["torch and NumPy agree. NumPy counts strides in bytes: here 8 for each element."]
    else:
        diagrams = (
            draw_as_strided(
                tensor, numpy.size, numpy.stride, numpy.storage_offset, title=f"NumPy: {name}"
            ),
        )
        summary = f"torch refuses {name}, and NumPy does not: {words(numpy)}."
        facts = [f"torch: {refusal}", "x.flip(dim) turns a dim around in torch: it copies."]
    byte_strides = tuple(8 * step for step in numpy.stride)
    return Shown(
        summary,
        diagrams,
        tuple(facts),
        table=(
            ("", "size", "stride (elements)", "offset"),
            ("x", str(state.size), str(state.stride), str(state.storage_offset)),
            ("torch", *_cells(torch)),
            ("NumPy", *_cells(numpy)),
            ("NumPy, in bytes", str(numpy.size), str(byte_strides), str(8 * numpy.storage_offset)),
        ),
        question=f"Which size has {name}?",
        truth=str(numpy.size),
        given=(draw(tensor, title="x"),),
    )


def _cells(layout: Layout | None) -> tuple[str, str, str]:
    if layout is None:
        return "refused", "", ""
    return str(layout.size), str(layout.stride), str(layout.storage_offset)


def _code(state: Slicing) -> str:
    key = state.key or "()"
    try:
        index_layout(state.layout, parse(state.key))
        line = f"y = x[{key}]\ny.stride(), y.storage_offset()"
    except StridekitError:
        line = f"x[{key}]  # ValueError\ny = x.numpy()[{key}]\ny.strides"
    return f"import torch\n\n{state.torch_line()}\n{line}"


SLICING = Explorer(
    name="slicing",
    title="Slices",
    about="A slice moves the offset and multiplies the stride. Numbers, start:stop:step, None.",
    initial=Slicing(),
    controls=(
        Choice("preset", "preset", (*KEYS, OWN)),
        *FIELDS,
        Text("key", "x[ ... ]", read_key, str, "1:, ::2"),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
)
