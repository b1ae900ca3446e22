"""What stands in x[...]: a key as it is typed, as it is spelt, and what NumPy makes of it."""

import re
from dataclasses import replace
from typing import Any

from stridekit.errors import IndexKindError
from stridekit.explorers.explorer import MisreadError, Problem
from stridekit.explorers.parsing import DIGITS, shorten
from stridekit.layouts.indexing import index_layout
from stridekit.layouts.layout import Layout
from stridekit.layouts.whole_numbers import as_int

# New dims in one key.
Key = tuple[Any, ...]
MOST_NEW = 4
_ITEM = re.compile(r"(?P<int>[+-]?\d+)|(?P<new>None|newaxis|np\.newaxis)|(?P<dots>\.\.\.|Ellipsis)")
_SLICE = re.compile(r"([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)?)?")
_NUMBERS = re.compile(r"[-+\d,\s]*\d[-+\d,\s]*")
# The name in x[...], or the x of one that is about to be typed.
_NAMED = re.compile(r"[^\W\d]\w*\s*(?=\[)|x$")


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
        return ", ".join(spell_item(_item(part, text)) for part in parts)
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
            parts.append(spell_item(_item(part, key)))
        except MisreadError as error:
            parts.append(error.instead or "")
    return ", ".join(filter(None, parts)) or "1:"


def spell_key(key: Any) -> str:
    """A key as it is written, from text or from what Python makes of x[key]."""
    if isinstance(key, str):
        return key
    items = key if isinstance(key, tuple) else (key,)
    return ", ".join(map(spell_item, items))


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
            mended = spell_item(slice(parts[0], parts[1], 1))
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


def spell_item(item: Any) -> str:
    """One item of a key as it is typed."""
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
