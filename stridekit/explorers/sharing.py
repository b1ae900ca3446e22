"""`sharing`: several tensors, their storages, and a write that some of them see.

The state is what was done, a line of Python each, and every picture does it again from the start.
So Copy code is just these lines.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
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


@dataclass(slots=True)
class World:
    """All tensors, which of them are NumPy arrays, and the storages that NumPy holds."""

    tensors: dict[str, Tensor]
    arrays: set[str] = field(default_factory=set)
    held: set[int] = field(default_factory=set)

    def at(self, name: str) -> Tensor:
        """A tensor by its name. Raises ArgumentError."""
        if name not in self.tensors:
            known = ", ".join(self.tensors)
            raise ArgumentError(f"There is no tensor {name} yet. There are {known}.")
        return self.tensors[name]

    def groups(self) -> list[list[str]]:
        """The names, by the storage that they share."""
        by_storage: dict[int, list[str]] = {}
        for name, tensor in self.tensors.items():
            by_storage.setdefault(id(tensor.untyped_storage()), []).append(name)
        return [*by_storage.values()]


class Write(NamedTuple):
    """A deed: a number is written into a tensor."""

    name: str
    at: Ints
    value: int

    def __str__(self) -> str:
        return f"{self.name}[{arguments(self.at)}] = {self.value}"

    def do(self, world: World) -> None:
        """Write. Raises what writing raises."""
        target = world.at(self.name)
        if len(self.at) != target.ndim:
            raise IndexRangeError(
                f"The index has {count(len(self.at), 'number')}, and {self.name} has "
                f"{count(target.ndim, 'dim')}. One cell is written."
            )
        target[self.at] = self.value

    def seers(self, world: World) -> list[str]:
        """The names of those whose header reaches the slot that is written."""
        slot = world.at(self.name).layout.position(self.at)
        near = next(group for group in world.groups() if self.name in group)
        return [name for name in near if world.tensors[name].layout.reaches(slot)]


class Making(NamedTuple):
    """A deed: a tensor is made of another one, or changed in place."""

    name: str
    source: str
    how: str

    def __str__(self) -> str:
        call = f"{self.source}{self.how}"
        return call if self.how.startswith(".resize_") else f"{self.name} = {call}"

    def do(self, world: World) -> None:
        """Make. Raises what making raises."""
        name, source, how = self
        x, is_array = world.at(source), source in world.arrays
        act = _BY_HOW[how].of_array if is_array else _BY_HOW[how].of_tensor
        if act is None:
            what, whose = (
                ("a NumPy array", "torch's") if is_array else ("a torch tensor", "NumPy's")
            )
            raise ArgumentError(f"{source} is {what}, and {how[1:].partition('(')[0]} is {whose}.")
        storage = x.untyped_storage()
        if how.startswith(".resize_") and id(storage) in world.held:
            numel = prod(map(int, re.findall(r"\d+", how)))
            if (x.storage_offset() + numel) * x.element_size() > storage.nbytes():
                raise StorageError("The storage would have to grow, and a NumPy array lies on it.")
        made = act(x)
        if is_array and made.ndim < x.ndim == 1:
            raise ArgumentError(
                f"{source} is a NumPy array of one dim: its {how} is a number, and no view."
            )
        world.tensors[name] = made
        if how == ".numpy()":
            world.held.add(id(storage))
        if how == ".numpy()" or is_array:
            world.arrays.add(name)


def deed_of(line: str) -> Write | Making | None:
    """What a line of Python does; None for a line that is no deed.

    >>> deed_of("y[ -1,2 ]=7"), str(deed_of("y=x.t()")), str(deed_of("x.resize_(2, 2)"))
    (Write(name='y', at=(-1, 2), value=7), 'y = x.t()', 'x.resize_(2, 2)')
    """
    if written := _WRITTEN.fullmatch(line):
        name, index, value = written.groups()
        return Write(name, tuple(map(int, re.findall(r"-?\d+", index))), int(value))
    made = _MADE.fullmatch(line)
    name, source, how = made.groups() if made else (None, "", "")
    # What is changed in place has its name already.
    is_whole = (name is None) == how.startswith(".resize_") and name in (None, *NAMES)
    return Making(name or source, source, how) if how in _BY_HOW and is_whole else None


@dataclass(frozen=True)
class DeedsField(TextField):
    """What was done: lines of Python, spelled evenly.

    >>> DeedsField("deeds", "deeds").read(["y=x.t()", "y[0,1] = 7"])
    ('y = x.t()', 'y[0, 1] = 7')
    """

    def parse(self, text: str) -> tuple[str, ...]:
        """Each line makes a tensor, or writes into one."""
        for line in text.splitlines():
            if not deed_of(line.strip()):
                what = f"The deed {cut(line.strip())!r} cannot be read."
                why = "A deed makes a tensor from another one, such as y = x.t(), or writes into "
                why += "one, such as x[1, 2] = 100."
                raise MisreadError(what, why, {self.name: ()}, "no deeds")
        return tuple(str(deed_of(line.strip())) for line in text.splitlines())

    def spell(self, value: Iterable[str]) -> str:
        """One below the other."""
        return "\n".join(value)


@dataclass(frozen=True)
class Sharing(HeaderState):
    """The header of x, what was done, in order; and what is chosen for the next deed."""

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
        world = World({"x": self.x})
        for line in self.deeds:
            deed = deed_of(line)
            assert deed is not None
            deed.do(world)
        return world

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
        world, last = self.world, self.deeds[-1] if self.deeds else ""
        groups, names, written = world.groups(), [*world.tensors], None
        facts = []
        write = deed_of(last)
        if isinstance(write, Write):
            seen = write.seers(world)
            others = [name for name in names if name not in seen]
            facts.append(f"Seen by {joined(seen)}{f'; not by {joined(others)}' if others else ''}.")
            # What is written is an index of the tensor that stands first.
            names, written = [write.name, *names], [write.at]
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
            f"{share}.{f' Done last: {last}.' if last else ''}",
            (draw({name: _drawn(world, name) for name in names}, written=written),),
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
        write = Write(self.tensor, self.index, self.value)
        try:
            seers = write.seers(world)
        except StridekitError:
            return "", "", ""
        lines, letter = "; ".join((*self.deeds, str(write))), storage_of[self.tensor]
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
            new = self._with(Making((*free, "")[0], self.tensor, MAKES[make].how))
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
        new = self._with(Write(self.tensor, self.index, self.value))
        try:
            _ = new.world
        except StridekitError as error:
            size = self.world.tensors[self.tensor].shape
            nearest = {"index": fitting_index(self.index, size)} if prod(size) else {}
            what = f"{new.deeds[-1]} is refused."
            raise MisreadError(what, as_sentence(error), nearest) from error
        return new

    def _with(self, deed: Write | Making) -> "Sharing":
        if len(self.deeds) == MOST_DEEDS:
            raise self._refused(f"{MOST_DEEDS} things were done.", "More do not fit on a page.")
        return replace(self, deeds=(*self.deeds, str(deed)))

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
