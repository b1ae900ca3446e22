"""`index`: an index, and the way to its position, hop by hop."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw
from stridekit.explorers.explorer import PictureCell, Shown
from stridekit.explorers.fields import Button, IntField, IntsField, MisreadError
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    arguments,
    fitting_index,
    require_elements,
    words,
)
from stridekit.layouts.layout import Ints, Layout, count, spell


@dataclass(frozen=True)
class Index(HeaderState):
    """An index, and the way to its position, hop by hop: size, stride, storage_offset, index.

    Strides, the offset and positions are in elements. A negative index counts from the end.

    >>> from stridekit.explorers import index
    >>> explorer = index(size=(3, 4), index=(2, -1))
    >>> explorer.set(index=(2, 1))
    >>> explorer.state.index
    (2, 1)
    """

    name = "index"
    title = "From index to position"
    about = "Pick an index. The offset and one hop for each dim lead to its slot."
    controls = (
        *FIELDS,
        IntsField("index", "index", "1, 2", least=None),
        IntField("to_go", "number of hops to go", hidden=True),
        Button("previous", "Previous element"),
        Button("next", "Next element"),
        Button("hop", "Hop by hop"),
    )

    index: Ints = (1, 2)
    to_go: int = 0

    def follow(self, before: "Index", changes: Mapping[str, Any]) -> "Index":
        """The index stays where it can, and another way is shown whole."""
        new = super().follow(before, changes)
        if "index" not in changes and "size" in changes:
            new = replace(new, index=fitting_index(new.index, new.size))
        return new if "to_go" in changes else replace(new, to_go=0)

    def check(self) -> None:
        """Refuses a size without elements, an index that does not fit, more hops than there are."""
        super().check()
        size, index, ndim = self.size, self.index, len(self.size)
        require_elements(size, "So there is no index, and no position.")
        nearest = {"index": fitting_index(index, size)}
        if len(index) != ndim:
            what = f"Index {index} has length {len(index)}, and x has {count(ndim, 'dim')}."
            raise MisreadError(what, "An index has one number for each dim.", nearest)
        for dim, (i, n) in enumerate(zip(index, size, strict=True)):
            if not -n <= i < n:
                why = f"It has size {n}, so its indices are {-n} to {n - 1}."
                raise MisreadError(f"Index {i} leaves dim {dim}.", why, nearest)
        if self.to_go > ndim:
            what = f"There are no {self.to_go} hops to go."
            why = f"An element of x is at most {count(ndim, 'hop')} away."
            raise MisreadError(what, why, {"to_go": 0}, "the whole way")

    @property
    def _place(self) -> int:
        """The place of the element in reading order."""
        return Layout.of(self.size).position(self.index)

    def show(self) -> Shown:
        """The way as far as one has gone: to the element whose other indices are 0."""
        way = explain.position(self.layout, *self.index)
        gone = len(self.index) - self.to_go
        reached = (*self.index[:gone], *(0 for _ in range(self.to_go)))
        name = f"[{spell(self.index)}]"
        inside = tuple(i % n for i, n in zip(self.index, self.size, strict=True))
        same = f" = [{spell(inside)}]" if inside != self.index else ""
        summary = f"{name}{same} lies at position {way.result}: {way.answer}."
        if self.to_go:
            part = self.layout.position(reached)
            terms = way.answer.split(" = ")[0].split(" + ")[: gone + 1]
            summary = (
                f"After {gone} of {len(self.index)} hops towards {name}, at position {part}: "
                f"{' + '.join(terms)} = {part}."
            )
        in_rows = "That is its place in reading order; the stride says how far a step is in memory."
        return Shown(
            summary,
            draw(self.x, title="x", select=reached),
            (f"The offset leads to position {self.storage_offset}.", *map(str, way.steps[:gone])),
            question=f"At which position does {name} of {words(self.layout)} lie?",
            truth=str(way.result),
            slips={
                "The offset is missing: the way begins there.": way.result - self.storage_offset,
                in_rows: self._place,
                "Each index counts as often as its stride is long.": sum(inside),
            },
        )

    def code(self) -> str:
        """The element, and where it lies."""
        way = explain.position(self.layout, *self.index)
        return self.on_x(
            f"y = x[{arguments(self.index)}]",
            f"y.storage_offset()  # {way.result}: {way.answer}",
        )

    def picked(self, cell: PictureCell) -> Mapping[str, Any]:
        """The index of a cell, or of the first element that lies in a slot."""
        index = cell.index_in(self.layout)
        return {} if index is None else {"index": index}

    def previous(self) -> "Index":
        """The previous index in reading order, round and round."""
        return self._moved(-1)

    def next(self) -> "Index":
        """The next index in reading order, round and round."""
        return self._moved(+1)

    def _moved(self, by: int) -> "Index":
        index = Layout.of(self.size).index_at((self._place + by) % prod(self.size))
        assert index is not None
        return replace(self, index=index, to_go=0)

    def hop(self) -> "Index":
        """One hop further; from the end, back to where the offset leads."""
        return replace(self, to_go=(self.to_go or len(self.index) + 1) - 1)
