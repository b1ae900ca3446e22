"""`slicing`: an index key, and what torch and NumPy make of it, side by side."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.diagrams import draw, draw_as_strided
from stridekit.diagrams.scenes.captions import cut
from stridekit.errors import IndexKindError, StridekitError
from stridekit.explorers.explorer import Edges, Handle, Shown
from stridekit.explorers.fields import (
    DIGITS,
    LARGEST,
    MisreadError,
    TextField,
    as_sentence,
    presets,
)
from stridekit.explorers.header_state import FIELDS, HeaderState, attempt, words
from stridekit.layouts.indexing import plan_index
from stridekit.layouts.layout import Layout
from stridekit.layouts.whole_numbers import WIDEST, as_int

ITEMSIZE = 8
# New dims in one key.
MOST_NEW = 4
KEYS = {
    "some rows": ("1:",),
    "every other column": (":, ::2",),
    "one row": ("1",),
    "one column": (":, 1",),
    "a new dim": ("None, 1:",),
    "rows backwards": ("::-1",),
}
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
            what = f"The key {cut(text)!r} is one key after another."
            why = "The second is a key into what the first one gives. Here is room for one."
            raise self._misread(what, why, joined)
        if "[" in plain:
            number = re.search(r"[+-]?\d{1,15}", plain)
            what = f"The key {cut(text)!r} holds a list."
            why = "A list picks elements one by one and makes a copy. Here are views: numbers, "
            why += "slices, None and dots."
            raise self._misread(what, why, f"{number[0] if number else 1}:")
        for part in filter(None, map(str.strip, plain.split(","))):
            if _STEP_OF_0.search(part) and _SLICE.fullmatch(part):
                raise self._misread(f"{cut(part)!r} steps by 0.", "That leads nowhere.", plain)
            if not _item(part):
                why = f"{cut(part)!r} is not a number, start:stop:step, None or dots."
                raise self._misread(f"The key {cut(text)!r} cannot be read.", why, plain)
            if any(item != _within(item) for item in _item(part)):
                why = f"A number has 64 bits, a step is at most {LARGEST:,}, and {cut(part)!r} "
                why += "goes beyond."
                raise self._misread(f"The key {cut(text)!r} cannot be used.", why, plain)
        return spell_key(parse(plain))

    def spell(self, value: Any) -> str:
        """A key as it is written, from text or from what Python makes of x[key]."""
        if isinstance(value, str):
            return value
        return spell_key(value if isinstance(value, tuple) else (value,))

    def _misread(self, what: str, why: str, key: str) -> MisreadError:
        """A refusal, with the parts of a key that can be read; a slice of rows without any."""
        parts = (_STEP_OF_0.sub(r"\g<1>1", part.strip()) for part in key.split(","))
        nearest = spell_key(map(_within, parse(",".join(parts)))) or "1:"
        return MisreadError(what, why, {self.name: nearest}, f"for instance {cut(nearest)}")


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
    """A number, with as many of its digits as make it too large: Python reads no thousands."""
    sign, digits = ("-" if text[0] == "-" else ""), text.lstrip("+-0")
    return int(f"{sign}{digits[:DIGITS] or 0}")


def _within(item: Any) -> Any:
    """The item, with the nearest numbers that torch can count."""
    if isinstance(item, slice):
        parts = ((item.start, WIDEST), (item.stop, WIDEST), (item.step, LARGEST))
        return slice(*(n if n is None else min(max(n, -most), most) for n, most in parts))
    return min(max(item, -WIDEST), WIDEST) if isinstance(item, int) else item


def spell_key(items: Iterable[Any]) -> str:
    """A key as it is typed."""
    return ", ".join(map(spell_item, items))


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
    plan_index(layout, plain)
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


@dataclass(frozen=True)
class Slicing(HeaderState):
    """x[key] in torch and NumPy: size, stride, storage_offset, and key as it is written.

    Strides are in elements, and NumPy's in bytes too. A key has numbers, slices, None and dots:
    what gives a view.

    >>> from stridekit.explorers import slicing
    >>> slicing(size=(3, 4), key="::2, 1:").state.key
    '::2, 1:'
    """

    name = "slicing"
    title = "Slices"
    about = "A slice moves the offset and multiplies the stride. Type a key or drag the edges."
    controls = (
        presets("preset", "preset", ("key",), KEYS),
        *FIELDS,
        KeyField("key", "x[ ... ]", "1:, ::2"),
    )

    preset: str = "every other column"
    key: str = ":, ::2"

    def follow(self, before: "Slicing", changes: Mapping[str, Any]) -> "Slicing":
        """The key of another tensor stays where it can."""
        new = super().follow(before, changes)
        if "size" in changes and "key" not in changes and len(new.size) == len(new.stride):
            return replace(new, key=_fitting(new.layout, parse(new.key)))
        return new

    def check(self) -> None:
        """Refuses a key that NumPy refuses, and one of more new dims than there is room for."""
        super().check()
        key = parse(self.key)
        fitting = _fitting(self.layout, key)
        nearest, told = {"key": fitting}, f"x[{fitting or '()'}]"
        if key.count(None) > MOST_NEW:
            why = f"An explorer shows at most {MOST_NEW}."
            raise MisreadError("So many new dims have no room.", why, nearest, told)
        try:
            numpy_layout(self.layout, key)
        except StridekitError as error:
            what = f"x[{self.key}] is refused."
            raise MisreadError(what, as_sentence(error), nearest, told) from error

    @property
    def _by_torch(self) -> Layout | str:
        """What torch makes of it, or why torch refuses it."""
        try:
            plan = plan_index(self.layout, parse(self.key))
        except StridekitError as error:
            return str(error)
        assert isinstance(plan, Layout)
        return plan

    def show(self) -> Shown:
        """What is sliced of x; where torch refuses, what NumPy makes of it."""
        key, tensor = parse(self.key), self.x
        name = f"x[{self.key or '()'}]"
        numpy, torch = numpy_layout(self.layout, key), self._by_torch
        if isinstance(torch, Layout):
            diagram = draw({"x": tensor, name: tensor[key]})
            summary = f"{name} has {words(torch)}: a view, and nothing is copied."
            facts = ["torch and NumPy agree."]
            if torch != numpy and self.layout.numel:
                facts = [
                    "torch and NumPy agree on the elements. Their headers differ only where no "
                    "step is ever taken: along a new dim, or in a slice with nothing in it."
                ]
        else:
            diagram = draw_as_strided(
                tensor, numpy.size, numpy.stride, numpy.storage_offset, title=f"NumPy: {name}"
            )
            summary = f"torch refuses {name}, and NumPy does not: {words(numpy)}."
            facts = [f"torch: {torch}", "x.flip(dim) turns a dim around in torch: it copies."]
        in_bytes = Layout(
            numpy.size,
            tuple(ITEMSIZE * step for step in numpy.stride),
            ITEMSIZE * numpy.storage_offset,
        )
        rows = [(f"NumPy: {name}", *_cells(numpy)), ("NumPy, in bytes", *_cells(in_bytes))]
        if not self.layout.numel:
            facts.append(
                "x has no elements, so x.numpy() takes other memory and strides of its own."
            )
            rows = [(f"NumPy: {name}", str(numpy.size), "its own", "")]
        facts.append(f"NumPy counts strides in bytes: here {ITEMSIZE} for each element.")
        if not numpy.ndim and Ellipsis not in key:
            facts.append(
                f"In NumPy, {name} is a number and no view: write x[...] to keep an array."
            )
        return Shown(
            summary,
            diagram,
            tuple(facts),
            table=(
                ("", "size", "stride", "offset"),
                ("x", *_cells(self.layout)),
                (f"torch: {name}", *_cells(torch)),
                *rows,
            ),
            question=f"What is the size of {name}, for x of {words(self.layout)}? "
            "Where torch refuses, answer for NumPy.",
            truth=str(numpy.size),
            why=self._why(),
            slips={"That is the size of x itself.": self.size},
            given=lambda: draw(tensor, title="x"),
        )

    def _why(self) -> str:
        """What becomes of each dim, one after the other."""
        told = []
        for dim, item in in_place(len(self.size), parse(self.key)):
            if dim is None:
                told.append("None adds a dim of size 1")
            elif isinstance(item, int):
                told.append(f"the number {item} takes dim {dim} away")
            else:
                n = self.size[dim]
                kept = len(range(n)[item])
                told.append(f"{spell_item(item)} keeps {kept} of the {n} in dim {dim}")
        sentence = "; ".join(told)
        if sentence and not sentence[0].isalpha():
            sentence = f"the slice {sentence}"
        return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""

    def code(self) -> str:
        """The key in torch, and in NumPy."""
        key = self.key or "()"
        lines = f"y = x[{key}]\ny.size(), y.stride(), y.storage_offset()"
        if isinstance(self._by_torch, str):
            lines = attempt(f"x[{key}]", "ValueError")
        numpy = f"n = x.numpy()[{key}]\nn.shape, n.strides"
        return self.on_x(lines, numpy)

    def handles(self) -> tuple[Handle, ...]:
        """The edges of each slice that goes forward."""
        edges = []
        for dim, item in in_place(len(self.size), parse(self.key)):
            if dim is not None and isinstance(item, slice) and (item.step or 1) > 0:
                n = self.size[dim]
                start, stop, _ = item.indices(n)
                edges.append(Edges(dim, n, start, max(start, stop)))
        return tuple(edges)

    def dragged(self, dim: int, start: int, stop: int) -> Mapping[str, Any]:
        """The key with other edges in one dim."""
        items: list[Any] = []
        for each, item in in_place(len(self.size), parse(self.key)):
            if each == dim and isinstance(item, slice):
                n = self.size[dim]
                start, stop = min(start, n), min(max(stop, start), n)
                item = slice(start or None, None if stop == n else stop, item.step)
            items.append(item)
        while len(items) > 1 and items[-1] == slice(None):
            items.pop()
        return {"key": spell_key(items)}


def _fitting(layout: Layout, key: Key) -> str:
    """The key itself if NumPy takes it, or else the nearest that it does."""
    dots = key.index(Ellipsis) if Ellipsis in key else len(key)
    items = [item for at, item in enumerate(key) if item is not Ellipsis or at == dots]
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
        if item is not None or fitted.count(None) < MOST_NEW:
            fitted.append(item)
    return spell_key(fitted)


def _cells(layout: Layout | str) -> tuple[str, str, str]:
    if isinstance(layout, str):
        return "refused", "", ""
    return str(layout.size), str(layout.stride), str(layout.storage_offset)
