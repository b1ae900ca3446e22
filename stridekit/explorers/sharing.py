"""`sharing`: several tensors, their storages, and a write that some of them see.

The state is what was done, a line of Python each, and every picture does it again from the start.
So Copy code is just these lines.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple

from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import cut, joined
from stridekit.errors import ArgumentError, IndexRangeError, StorageError, StridekitError
from stridekit.explorers.explorer import PictureCell, Shown
from stridekit.explorers.fields import (
    Button,
    Choice,
    IntField,
    IntsField,
    MisreadError,
    TextField,
    as_sentence,
)
from stridekit.explorers.header_state import (
    COUNTS,
    FIELDS,
    HeaderState,
    arguments,
    fitting_index,
    header_of,
    row_major,
    words,
)
from stridekit.layouts.layout import Ints, Layout, count
from stridekit.layouts.memory_formats import contiguous_format
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

MOST_DEEDS = 24
NAMES = ("x", "y", "z", "u", "v", "w")
LETTERS = "ABCDEF"
_WRITTEN = re.compile(r"(\w)\[([-\d, ()]{0,60})\] *= *(-?\d{1,4})")
_MADE = re.compile(r"(?:(\w) *= *)?(\w)(\.\w+\(.*\)|\[.*\])")


class Recipe(NamedTuple):
    """What can be made: how it is written, and what comes of a tensor and of a NumPy array.

    None stands for what there is not. `nearest` is tried where it is refused.
    """

    how: str
    of_tensor: Callable[[Tensor], Tensor] | None
    of_array: Callable[[Tensor], Tensor] | None = None
    nearest: tuple[str, ...] = ()


def _copy_of_array(x: Tensor) -> Tensor:
    # It is row-major, whatever the strides were.
    return x.clone(memory_format=contiguous_format)


MAKES = {
    "t()": Recipe(".t()", Tensor.t, nearest=("transpose()",)),
    "one row": Recipe("[1]", lambda x: x[1], lambda x: x[1]),
    "every other column": Recipe("[:, ::2]", lambda x: x[:, ::2], lambda x: x[:, ::2]),
    # NumPy's flatten always copies.
    "flatten()": Recipe(".flatten()", Tensor.flatten, lambda x: _copy_of_array(x).flatten()),
    "contiguous()": Recipe(".contiguous()", Tensor.contiguous, nearest=("copy()",)),
    "clone()": Recipe(".clone()", Tensor.clone, nearest=("copy()",)),
    # An array without elements takes other memory, and strides of its own.
    "numpy()": Recipe(".numpy()", lambda x: x.detach() if x.numel() else x.clone()),
    "copy()": Recipe(".copy()", None, _copy_of_array, ("clone()",)),
    "transpose()": Recipe(
        ".transpose()", None, lambda x: x.permute([*range(x.ndim)][::-1]), ("t()",)
    ),
    # Nearest is one that does not grow, or one that is nobody else's.
    "resize_(2, 2)": Recipe(
        ".resize_(2, 2)", lambda x: x.resize_((2, 2)), nearest=("clone()", "copy()")
    ),
    "resize_(4, 4)": Recipe(
        ".resize_(4, 4)",
        lambda x: x.resize_((4, 4)),
        nearest=("resize_(2, 2)", "clone()", "copy()"),
    ),
}
_BY_HOW = {make.how: make for make in MAKES.values()}


class World:
    """x, and all that came of it by deeds: lines of Python that make a tensor, or write into one.

    Raises what a deed raises, and ArgumentError for a line that is none.
    """

    def __init__(self, x: Tensor, deeds: Iterable[str]) -> None:
        self.tensors = {"x": x}
        self.arrays: set[str] = set()
        # The storages that NumPy holds, and what the last deed wrote into.
        self._held: set[object] = set()
        self.written: tuple[str, Ints] | None = None
        for line in deeds:
            self._do(line)

    def groups(self) -> list[list[str]]:
        """The names, by the storage that they share."""
        by_storage: dict[int, list[str]] = {}
        for name, tensor in self.tensors.items():
            by_storage.setdefault(id(tensor.untyped_storage()), []).append(name)
        return [*by_storage.values()]

    def seers(self, name: str, index: Ints) -> list[str]:
        """The names of those whose header reaches the slot of an index."""
        slot = self.tensors[name].layout.position(index)
        near = next(group for group in self.groups() if name in group)
        return [name for name in near if self.tensors[name].layout.reaches(slot)]

    def _do(self, line: str) -> None:
        self.written = None
        if deed := _WRITTEN.fullmatch(line):
            name, index, value = deed.groups()
            self._write(name, tuple(map(int, re.findall(r"-?\d+", index))), int(value))
            return
        deed = _MADE.fullmatch(line)
        name, source, how = deed.groups() if deed else (None, "", "")
        # What is changed in place has its name already.
        named = (None,) if how.startswith(".resize_") else NAMES
        if how not in _BY_HOW or name not in named:
            raise ArgumentError(
                f"{cut(line)!r} cannot be read: y = x.t() makes a tensor from another one, and "
                "x[1, 2] = 100 writes into one."
            )
        self._make(name or source, source, how)

    def _at(self, name: str) -> Tensor:
        if name not in self.tensors:
            known = ", ".join(self.tensors)
            raise ArgumentError(f"There is no tensor {name} yet. There are {known}.")
        return self.tensors[name]

    def _write(self, name: str, index: Ints, value: int) -> None:
        target = self._at(name)
        if len(index) != target.ndim:
            raise IndexRangeError(
                f"The index has {count(len(index), 'number')}, and {name} has "
                f"{count(target.ndim, 'dim')}. One cell is written."
            )
        target[index] = value
        self.written = name, index

    def _make(self, name: str, source: str, how: str) -> None:
        x, is_array = self._at(source), source in self.arrays
        act = _BY_HOW[how].of_array if is_array else _BY_HOW[how].of_tensor
        if act is None:
            what, whose = (
                ("a NumPy array", "torch's") if is_array else ("a torch tensor", "NumPy's")
            )
            raise ArgumentError(f"{source} is {what}, and {how[1:].partition('(')[0]} is {whose}.")
        storage = x.untyped_storage()
        if how.startswith(".resize_") and storage in self._held:
            numel = prod(map(int, re.findall(r"\d+", how)))
            if (x.storage_offset() + numel) * x.element_size() > storage.nbytes():
                raise StorageError("The storage would have to grow, and a NumPy array lies on it.")
        made = act(x)
        if is_array and made.ndim < x.ndim == 1:
            raise ArgumentError(
                f"{source} is a NumPy array of one dim: its {how} is a number, and no view."
            )
        self.tensors[name] = made
        if how == ".numpy()":
            self._held.add(storage)
            is_array = True
        self.arrays = self.arrays - {name} | ({name} if is_array else set())


@dataclass(frozen=True)
class DeedsField(TextField):
    """What was done: lines of Python.

    >>> DeedsField("deeds", "deeds").read(["y = x.t()", "y[0, 1] = 7"])
    ('y = x.t()', 'y[0, 1] = 7')
    """

    def parse(self, text: str) -> tuple[str, ...]:
        """The lines."""
        return tuple(map(str.strip, text.splitlines()))

    def spell(self, value: Iterable[str]) -> str:
        """One below the other."""
        return "\n".join(value)


@dataclass(frozen=True)
class Sharing(HeaderState):
    """Several tensors, and who sees a write: size, tensor, make, index, value, deeds.

    Positions are in elements. `deeds` is what was made and written, a line of Python each; with
    another size, or with `deeds=()`, it begins with x and nothing made of it.

    >>> from stridekit.explorers import sharing
    >>> sharing().state.deeds
    ('y = x.t()', 'z = x.clone()')
    """

    name = "sharing"
    title = "Who shares the storage?"
    about = "Make tensors from tensors, write into one of them, and see which others notice."
    controls = (
        IntsField("size", "size of x", "2, 3", because=COUNTS),
        Choice("tensor", "tensor", NAMES),
        Choice("make", "make from it", tuple(MAKES)),
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
        return World(self.x, self.deeds)

    def offered(self) -> Mapping[str, Collection[str]]:
        """The tensors that there are, and what can be made of the one that is chosen."""
        world = self.world
        of = "of_array" if self.tensor in world.arrays else "of_tensor"
        makes = [name for name, make in MAKES.items() if getattr(make, of)]
        return {"tensor": world.tensors, "make": makes}

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
        world = self.world
        groups, names, written = world.groups(), [*world.tensors], None
        facts = []
        if world.written:
            name, index = world.written
            seen = world.seers(name, index)
            others = [name for name in names if name not in seen]
            facts.append(f"Seen by {joined(seen)}{f'; not by {joined(others)}' if others else ''}.")
            # What is written is an index of the tensor that stands first.
            names, written = [name, *names], [index]
        share = f"{len(world.tensors)} tensors on {count(len(groups), 'storage')}"
        if len(world.tensors) == 1:
            share = "One tensor on one storage"
        lettered = [*zip(LETTERS, groups, strict=False)]
        facts += [f"On storage {letter}: {joined(group)}." for letter, group in lettered]
        facts += [
            f"{name} is a NumPy array: it has a shape, and strides in bytes."
            for name in world.tensors
            if name in world.arrays
        ]
        storage_of = {name: letter for letter, group in lettered for name in group}
        question, truth, why = self._question(world, storage_of)
        return Shown(
            f"{share}.{f' Done last: {self.deeds[-1]}.' if self.deeds else ''}",
            draw({name: _drawn(world, name) for name in names}, written=written),
            tuple(facts),
            table=(
                ("", "size", "stride", "offset", "storage"),
                *((name, *_header(world, name), storage_of[name]) for name in world.tensors),
            ),
            question=question,
            truth=truth,
            why=why,
        )

    def _question(self, world: World, storage_of: Mapping[str, str]) -> tuple[str, str, str]:
        """Who would see the write that is chosen, and why; nothing, where it cannot be done."""
        try:
            seers = world.seers(self.tensor, self.index)
        except StridekitError:
            return "", "", ""
        lines, letter = "; ".join((*self.deeds, self._writing)), storage_of[self.tensor]
        slot = world.tensors[self.tensor].layout.position(self.index)
        reach = f"{joined(seers)} reach" if len(seers) > 1 else f"only {seers[0]} reaches"
        beside = [name for name, other in storage_of.items() if other == letter]
        beside = [name for name in beside if name not in seers]
        return (
            f"x has {words(self.layout)}. {lines}: which of {', '.join(world.tensors)} see this "
            "last write?",
            ", ".join(seers),
            f"The write hits position {slot} of storage {letter}, which {reach}."
            + (f" {joined(beside)} lie there too, beside that slot." if beside else ""),
        )

    def code(self) -> str:
        """All that was done."""
        return self.on_x(*self.deeds)

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
            index = cell.index_in(world.tensors[name].layout)
            if index is not None:
                return {"tensor": name, "index": index}
        return {}

    def do(self) -> "Sharing":
        """The deed that is chosen is done: a new tensor, or resize_ in place."""
        free = [each for each in NAMES if each not in self.world.tensors]
        why = ""
        for make in (self.make, *MAKES[self.make].nearest, *MAKES):
            if not make.startswith("resize_") and not free:
                raise self._refused("There are six tensors.", "More do not fit on a page.")
            made = "" if make.startswith("resize_") else f"{free[0]} = "
            new = self._with(f"{made}{self.tensor}{MAKES[make].how}")
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
        new = self._with(self._writing)
        try:
            _ = new.world
        except StridekitError as error:
            size = self.world.tensors[self.tensor].shape
            nearest = {"index": fitting_index(self.index, size)} if prod(size) else {}
            what = f"{new.deeds[-1]} is refused."
            raise MisreadError(what, as_sentence(error), nearest) from error
        return new

    @property
    def _writing(self) -> str:
        return f"{self.tensor}[{arguments(self.index)}] = {self.value}"

    def _with(self, deed: str) -> "Sharing":
        if len(self.deeds) == MOST_DEEDS:
            raise self._refused(f"{MOST_DEEDS} things were done.", "More do not fit on a page.")
        return replace(self, deeds=(*self.deeds, deed))

    def _refused(self, what: str, why: str) -> MisreadError:
        fewer = replace(self, deeds=self.deeds[:-1])
        tensor = self.tensor if self.tensor in fewer.world.tensors else "x"
        return MisreadError(what, why, {"deeds": fewer.deeds, "tensor": tensor}, "one deed less")


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
