"""`slicing`: an index key, and what torch and NumPy make of it, side by side."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.diagrams import draw, draw_as_strided
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import Edges, Handle, Shown
from stridekit.explorers.fields import MisreadError, as_sentence, presets
from stridekit.explorers.header_state import FIELDS, HeaderState, torch_line, words
from stridekit.explorers.slice_keys import (
    Key,
    KeyField,
    in_place,
    numpy_layout,
    parse,
    spell_item,
)
from stridekit.layouts.indexing import index_layout
from stridekit.layouts.layout import Layout

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


@dataclass(frozen=True)
class Slicing(HeaderState):
    """A header, and the key in x[key], as it is written."""

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
            return index_layout(self.layout, parse(self.key))
        except StridekitError as error:
            return str(error)

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
            (diagram,),
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
            given=lambda: (draw(tensor, title="x"),),
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
            lines = f"try:\n    x[{key}]\nexcept ValueError as error:\n    print(error)"
        numpy = f"n = x.numpy()[{key}]\nn.shape, n.strides"
        return f"import torch\n\n{torch_line(self.layout)}\n{lines}\n{numpy}"

    def handles(self) -> tuple[Handle, ...]:
        """The edges of each slice that goes forward."""
        edges = []
        for dim, item in in_place(len(self.size), parse(self.key)):
            if dim is not None and isinstance(item, slice) and (item.step or 1) > 0:
                n = self.size[dim]
                start, stop, step = item.indices(n)
                edges.append(Edges(dim, n, start, max(start, stop), step))
        return tuple(edges)

    def dragged(self, edges: Edges) -> Mapping[str, Any]:
        """The key with other edges in one dim."""
        items: list[Any] = []
        for dim, item in in_place(len(self.size), parse(self.key)):
            if dim == edges.dim and isinstance(item, slice):
                n = self.size[dim]
                start, stop = min(edges.start, n), min(max(edges.stop, edges.start), n)
                step = None if edges.step <= 1 else edges.step
                item = slice(start or None, None if stop == n else stop, step)
            items.append(item)
        while len(items) > 1 and items[-1] == slice(None):
            items.pop()
        return {"key": ", ".join(map(spell_item, items))}


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
    return ", ".join(map(spell_item, fitted))


def _cells(layout: Layout | str) -> tuple[str, str, str]:
    if isinstance(layout, str):
        return "refused", "", ""
    return str(layout.size), str(layout.stride), str(layout.storage_offset)
