"""What stands in x[...]: a key as it is typed, as it is spelt, and what NumPy makes of it."""

import re
from dataclasses import dataclass
from typing import Any

from stridekit.errors import IndexKindError
from stridekit.explorers.fields import DIGITS, LARGEST, MisreadError, TextField, shorten
from stridekit.layouts.indexing import index_layout
from stridekit.layouts.layout import Layout
from stridekit.layouts.whole_numbers import as_int

Key = tuple[Any, ...]
_ITEM = re.compile(r"(?P<int>[+-]?\d+)|(?P<new>None|newaxis|np\.newaxis)|(?P<dots>\.\.\.|Ellipsis)")
_SLICE = re.compile(r"([+-]?\d+)?\s*:\s*([+-]?\d+)?\s*(?::\s*([+-]?\d+)?)?")
_STEP_OF_0 = re.compile(r"(:[^:]*:\s*)[+-]?0+$")
_NUMBERS = re.compile(r"[-+\d,\s]*\d[-+\d,\s]*")
# The name in x[...], or the x of one that is about to be typed.
_NAMED = re.compile(r"[^\W\d]\w*\s*(?=\[)|x$")


@dataclass(frozen=True)
class KeyField(TextField):
    """A field for what stands in x[...]; a value is what Python makes of it, or text.

    >>> key = KeyField("key", "key")
    >>> key.read("[1 :, : : 2]"), key.read("none,...,-1"), key.read((0, slice(1, None)))
    ('1:, ::2', 'None, ..., -1', '0, 1:')
    """

    def parse(self, text: str) -> str:
        """The key, spelled evenly."""
        plain = _without_brackets(text)
        if "][" in plain.replace(" ", ""):
            joined = ", ".join(part.strip() for part in plain.strip("[]").split("][") if part)
            what = f"The key {shorten(text)!r} is one key after another."
            why = "The second is a key into what the first one gives. Here is room for one."
            raise self._misread(what, why, joined)
        if "[" in plain:
            number = re.search(r"[+-]?\d{1,15}", plain)
            what = f"The key {shorten(text)!r} holds a list."
            why = "A list picks elements one by one and makes a copy. Here are views: numbers, "
            why += "slices, None and dots."
            raise self._misread(what, why, f"{number[0] if number else 1}:")
        items: list[Any] = []
        for part in filter(None, map(str.strip, plain.split(","))):
            if _STEP_OF_0.search(part) and _SLICE.fullmatch(part):
                raise self._misread(f"{shorten(part)!r} steps by 0.", "A step leads on.", plain)
            if not _item(part):
                why = f"{shorten(part)!r} is no number, no start:stop:step, no None and no dots."
                raise self._misread(f"The key {shorten(text)!r} cannot be read.", why, plain)
            items += _item(part)
        return ", ".join(map(spell_item, items))

    def spell(self, value: Any) -> str:
        """A key as it is written, from text or from what Python makes of x[key]."""
        if isinstance(value, str):
            return value
        return ", ".join(map(spell_item, value if isinstance(value, tuple) else (value,)))

    def _misread(self, what: str, why: str, key: str) -> MisreadError:
        """A refusal, with the parts of a key that can be read; a slice of rows without any."""
        parts = (_STEP_OF_0.sub(r"\g<1>1", part.strip()) for part in key.split(","))
        items = [item for part in parts for item in _item(part)]
        nearest = ", ".join(map(spell_item, items)) or "1:"
        changes = {self.name: nearest}
        return MisreadError(what, why, changes, f"for instance {shorten(nearest)}")


def _without_brackets(text: str) -> str:
    """A key without the brackets of x[...], or those round a tuple."""
    plain = text.replace("−", "-").strip()
    named = _NAMED.match(plain)
    plain = plain[named.end() :] if named else plain
    if plain.count("[") != plain.count("]"):
        # A bracket that is still to be typed, or one too many.
        plain = plain.strip("[] ")
    elif plain[:1] + plain[-1:] == "[]" and (named or not _NUMBERS.fullmatch(plain[1:-1])):
        # Round numbers alone they make a list.
        plain = plain[1:-1].strip()
    if plain.startswith("(") and plain.endswith(")"):
        plain = plain[1:-1].strip()
    return plain


def parse(key: str) -> Key:
    """The key that is written."""
    return tuple(item for part in key.split(",") for item in _item(part.strip()))


def _item(part: str) -> list[Any]:
    """The item that is written; nothing, where it cannot be read."""
    found = _ITEM.fullmatch(part if part.lower() != "none" else "None")
    if found:
        return [_number(part) if found["int"] else None if found["new"] else Ellipsis]
    bounds = _SLICE.fullmatch(part)
    return [slice(*(_number(each) if each else None for each in bounds.groups()))] if bounds else []


def _number(text: str) -> int:
    """A number, or the largest that counts here: no dim has so many elements."""
    return min(max(int(text[:DIGITS]), -LARGEST), LARGEST)


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
    has stride 0. Raises as torch does, and IndexKindError for dots that stand twice.

    >>> numpy_layout(Layout.of((3, 4)), (slice(None, None, -1), None))
    Layout(size=(3, 1, 4), stride=(-4, 0, 1), storage_offset=8)
    """
    if sum(item is Ellipsis for item in key) > 1:
        raise IndexKindError("Dots stand for all dims that are not named, so they stand once.")
    # Bounds and kinds are torch's, once no step is negative.
    plain = tuple(slice(None) if isinstance(item, slice) else item for item in key)
    index_layout(layout, plain)
    size, stride, offset = [], [], layout.storage_offset
    for dim, item in in_place(layout.ndim, key):
        if dim is None:
            size.append(1)
            stride.append(0)
        elif isinstance(item, int):
            offset += item % layout.size[dim] * layout.stride[dim]
        else:
            reach = range(layout.size[dim])[item]
            size.append(len(reach))
            stride.append(layout.stride[dim] * (reach.step if reach else 1))
            offset += reach.start * layout.stride[dim] if reach else 0
    return Layout(tuple(size), tuple(stride), offset)


def in_place(ndim: int, key: Key) -> list[tuple[int | None, Any]]:
    """The items of a key, each with the dim that it is for; what is not named is whole."""
    named = sum(isinstance(item, int | slice) for item in key)
    rest = [slice(None)] * (ndim - named)
    at = key.index(Ellipsis) if Ellipsis in key else len(key)
    dims = iter(range(ndim))
    return [
        (None if item is None else next(dims), item) for item in (*key[:at], *rest, *key[at + 1 :])
    ]
