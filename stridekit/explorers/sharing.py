"""`sharing`: several tensors, their storages, and a write that some of them see.

The state is what was done, line by line, and every picture does it again from the start. So Copy
code is just these lines.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import joined
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import PictureCell, Shown, index_of
from stridekit.explorers.fields import (
    Button,
    Choice,
    IntField,
    IntsField,
    MisreadError,
    as_sentence,
)
from stridekit.explorers.header_state import (
    COUNTS,
    FIELDS,
    HeaderState,
    fitting_index,
    header_of,
    row_major,
    torch_line,
    words,
)
from stridekit.explorers.operation_history import (
    MAKES,
    NAMES,
    NEAREST,
    OF_ARRAYS,
    OF_TENSORS,
    DeedsField,
    World,
    Write,
    making,
    replay,
)
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.subjects import subject_of

MOST_DEEDS = 24
LETTERS = "ABCDEF"


@dataclass(frozen=True)
class Sharing(HeaderState):
    """The header of x, what was done, in order; and what is chosen for the next deed."""

    name = "sharing"
    title = "Who shares the storage?"
    about = "Make tensors from tensors, write into one of them, and see which others notice."
    controls = (
        IntsField("size", "size of x", "2, 3", because=COUNTS),
        Choice("tensor", "tensor", NAMES, offered=lambda state: state.world.tensors),
        Choice("make", "make from it", tuple(MAKES), offered=lambda state: state.makes()),
        Button("do", "Make"),
        IntsField("index", "index", "1, 2", least=None),
        IntField("value", "value", least=None, most=9999),
        Button("write", "Write"),
        DeedsField("deeds", "deeds", hidden=True),
        *(replace(each, hidden=True) for each in FIELDS[1:]),
    )

    size: Ints = (2, 3)
    stride: Ints = (3, 1)
    deeds: tuple[str, ...] = ("y = x.t()", "z = x.clone()")
    tensor: str = "x"
    make: str = "every other column"
    index: Ints = (1, 2)
    value: int = 100

    @property
    def world(self) -> World:
        """x, and all that came of what was done. Raises what a deed raises."""
        return replay(self.x, self.deeds)

    def makes(self) -> tuple[str, ...]:
        """What can be made of the tensor that is chosen."""
        return OF_ARRAYS if self.tensor in self.world.arrays else OF_TENSORS

    def follow(self, before: "Sharing", changes: Mapping[str, Any]) -> "Sharing":
        """With another size nothing was done yet: what was done was done to another tensor."""
        if self.size == before.size:
            return self
        index = fitting_index(self.index, self.size)
        anew: dict[str, Any] = {"deeds": (), "tensor": "x", "index": index}
        if "stride" not in changes:
            anew |= row_major(self.size)
        return replace(self, **{n: value for n, value in anew.items() if n not in changes})

    def check(self) -> None:
        """Refuses a header without room, deeds that cannot be done, a tensor that there is not."""
        super().check()
        try:
            tensors = self.world.tensors
        except StridekitError as error:
            what, why = "What was done cannot be done.", as_sentence(error)
            raise MisreadError(what, why, {"deeds": ()}, "x alone") from error
        if self.tensor not in tensors:
            why = f"There are {', '.join(tensors)}."
            raise MisreadError(f"There is no tensor {self.tensor} yet.", why, {"tensor": "x"})

    def show(self) -> Shown:
        """All tensors on their storages, and who has seen what was written last."""
        world, last = self.world, self.deeds[-1] if self.deeds else ""
        groups, drawn, written = world.groups(), {**world.tensors}, None
        facts = []
        if write := Write.of(last):
            seen = world.seers(write)
            others = [name for name in drawn if name not in seen]
            facts.append(f"Seen by {joined(seen)}{f'; not by {joined(others)}' if others else ''}.")
            # What is written is an index of the tensor that stands first.
            drawn = {write.name: world.tensors[write.name], **drawn}
            written = [write.index]
        storages = f"{len(groups)} storage{'s' if len(groups) > 1 else ''}"
        share = f"{len(drawn)} tensors on {storages}"
        if len(drawn) == 1:
            share = "One tensor on one storage"
        facts += [
            f"On storage {letter}: {joined(group)}."
            for letter, group in zip(LETTERS, groups, strict=False)
        ]
        facts += [
            f"{name} is a NumPy array: it has a shape, and strides in bytes."
            for name in world.tensors
            if name in world.arrays
        ]
        question, truth, why = self._question(world)
        return Shown(
            f"{share}.{f' Done last: {last}.' if last else ''}",
            (draw({name: _drawn(world, name) for name in drawn}, written=written),),
            tuple(facts),
            table=(
                ("", "size", "stride", "offset", "storage"),
                *((name, *_header(world, name), _letter(groups, name)) for name in world.tensors),
            ),
            question=question,
            truth=truth,
            why=why,
        )

    def _question(self, world: World) -> tuple[str, str, str]:
        """Who would see the write that is chosen, and why; nothing, where it cannot be done."""
        write = Write(self.tensor, self.index, self.value)
        try:
            seers = world.seers(write)
        except StridekitError:
            return "", "", ""
        lines = "; ".join((*self.deeds, str(write)))
        groups = world.groups()
        slot = world.tensors[self.tensor].layout.position(self.index)
        reach = f"{joined(seers)} reach" if len(seers) > 1 else f"only {seers[0]} reaches"
        hit = f"position {slot} of storage {_letter(groups, self.tensor)}"
        group = next(each for each in groups if self.tensor in each)
        beside = [name for name in group if name not in seers]
        return (
            f"x has {words(self.layout)}. {lines}: which of {' or '.join(world.tensors)} see this "
            "last write?",
            ", ".join(seers),
            f"The write hits {hit}, which {reach}."
            + (f" {joined(beside)} lie there too, beside that slot." if beside else ""),
        )

    def code(self) -> str:
        """All that was done."""
        return "\n".join(["import torch", "", torch_line(self.layout), *self.deeds])

    @classmethod
    def from_layout(cls, layout: Layout, _storage_length: int) -> Mapping[str, Any]:
        """The header of x, a view of it, and a clone."""
        view = "t()" if layout.ndim <= 2 else "flatten()"
        return {**header_of(layout), "deeds": (f"y = x.{view}", "z = x.clone()")}

    def picked(self, cell: PictureCell) -> Mapping[str, Any]:
        """The tensor and the index of a cell; of a slot those of a tensor that reaches it."""
        world = self.world
        groups = world.groups()
        near = groups[cell.section] if 0 <= cell.section < len(groups) else []
        if cell.index is not None:
            near = [cell.name] if cell.name in world.tensors else []
        for name in sorted(near, key=lambda each: each != self.tensor):
            index = index_of(cell, world.tensors[name].layout)
            if index is not None:
                return {"tensor": name, "index": index}
        return {}

    def do(self) -> "Sharing":
        """The deed that is chosen is done: a new tensor, or resize_ in place."""
        free = [each for each in NAMES if each not in self.world.tensors]
        why = ""
        for make in (self.make, *NEAREST.get(self.make, ()), *MAKES):
            if not make.startswith("resize_") and not free:
                raise self._refused("There are six tensors.", "More do not fit on a page.")
            new = self._with(making(free[0] if free else "", self.tensor, MAKES[make]))
            try:
                _ = new.world
            except StridekitError as error:
                if make == self.make:
                    what, why = f"{new.deeds[-1]} is refused.", as_sentence(error)
                continue
            if not why:
                return new
            raise MisreadError(what, why, {"make": make}, make)
        raise AssertionError("flatten() is always possible")

    def write(self) -> "Sharing":
        """The value is written."""
        new = self._with(str(Write(self.tensor, self.index, self.value)))
        try:
            _ = new.world
        except StridekitError as error:
            size = self.world.tensors[self.tensor].shape
            nearest = {"index": fitting_index(self.index, size)} if prod(size) else {}
            what = f"{new.deeds[-1]} is refused."
            raise MisreadError(what, as_sentence(error), nearest) from error
        return new

    def _with(self, deed: str) -> "Sharing":
        if len(self.deeds) == MOST_DEEDS:
            raise self._refused(f"{MOST_DEEDS} things were done.", "More do not fit on a page.")
        return replace(self, deeds=(*self.deeds, deed))

    def _refused(self, what: str, why: str) -> MisreadError:
        fewer = {"deeds": self.deeds[:-1], "tensor": self.tensor}
        if self.tensor not in replay(self.x, self.deeds[:-1]).tensors:
            fewer["tensor"] = "x"
        return MisreadError(what, why, fewer, "one deed less")


def _drawn(world: World, name: str) -> object:
    """A tensor as it is drawn: a NumPy array in NumPy's words."""
    subject = subject_of("sharing", world.tensors[name])
    return replace(subject, library="numpy") if name in world.arrays else subject


def _header(world: World, name: str) -> tuple[str, str, str]:
    """Size, stride and offset; of an array its shape, and the others in bytes."""
    each = world.tensors[name]
    size, stride, offset = each.shape, each.stride(), each.storage_offset()
    if name not in world.arrays:
        return str(size), str(stride), str(offset)
    if not each.numel():
        return f"shape {size}", "strides of its own", ""
    byte_strides = tuple(step * each.element_size() for step in stride)
    return f"shape {size}", f"strides {byte_strides} bytes", f"{offset * each.element_size()} bytes"


def _letter(groups: list[list[str]], name: str) -> str:
    return next(LETTERS[at] for at, group in enumerate(groups) if name in group)
