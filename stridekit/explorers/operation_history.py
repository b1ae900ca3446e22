"""What was done to several tensors, a line of Python each, and the world that comes of it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from stridekit.diagrams.scenes.captions import count
from stridekit.errors import ArgumentError, IndexRangeError, StorageError
from stridekit.explorers.fields import MisreadError, TextField, shorten
from stridekit.layouts.layout import Ints, spell
from stridekit.layouts.memory_formats import contiguous_format
from stridekit.tensors.tensor import Tensor

_WRITTEN = re.compile(r"(\w)\[([-\d, ()]{0,60})\] *= *(-?\d{1,4})")
_MADE = re.compile(r"(?:(?P<name>\w) *= *)?(?P<source>\w)(?P<how>\.\w+\(.*\)|\[.*\])")
NAMES = ("x", "y", "z", "u", "v", "w")
MAKES = {
    "t()": ".t()",
    "one row": "[1]",
    "every other column": "[:, ::2]",
    "flatten()": ".flatten()",
    "contiguous()": ".contiguous()",
    "clone()": ".clone()",
    "numpy()": ".numpy()",
    "copy()": ".copy()",
    "transpose()": ".transpose()",
    "resize_(2, 2)": ".resize_(2, 2)",
    "resize_(4, 4)": ".resize_(4, 4)",
}
# Of a NumPy array, in NumPy's words; and what is nearest to what may be refused.
OF_ARRAYS = ("transpose()", "one row", "every other column", "flatten()", "copy()")
OF_TENSORS = tuple(make for make in MAKES if make not in ("transpose()", "copy()"))
NEAREST = {
    "t()": ("transpose()",),
    "transpose()": ("t()",),
    "clone()": ("copy()",),
    "contiguous()": ("copy()",),
    "copy()": ("clone()",),
    # One that does not grow, or one that is nobody else's.
    "resize_(4, 4)": ("resize_(2, 2)", "clone()", "copy()"),
    "resize_(2, 2)": ("clone()", "copy()"),
}


@dataclass(frozen=True, slots=True)
class Write:
    """A number written into a tensor.

    >>> Write.of("y[ -1,2 ]=7"), str(Write("y", (2,), 7)), Write.of("y = x.t()")
    (Write(name='y', index=(-1, 2), value=7), 'y[2] = 7', None)
    """

    name: str
    index: Ints
    value: int

    @classmethod
    def of(cls, line: str) -> "Write | None":
        """The write that a line of Python is; None for a line that makes a tensor."""
        found = _WRITTEN.fullmatch(line)
        if found is None:
            return None
        name, index, value = found.groups()
        return cls(name, tuple(map(int, re.findall(r"-?\d+", index))), int(value))

    def __str__(self) -> str:
        return f"{self.name}[{spell(self.index) or '()'}] = {self.value}"


def making(name: str, source: str, how: str) -> str:
    """The line that makes a tensor of another one, or changes it in place.

    >>> making("y", "x", "[1]"), making("x", "x", ".resize_(2, 2)")
    ('y = x[1]', 'x.resize_(2, 2)')
    """
    return f"{source}{how}" if how.startswith(".resize_") else f"{name} = {source}{how}"


@dataclass(frozen=True)
class DeedsField(TextField):
    """What was done: lines of Python, spelled evenly.

    >>> DeedsField("deeds", "deeds").read(["y=x.t()", "y[0,1] = 7"])
    ('y = x.t()', 'y[0, 1] = 7')
    """

    def parse(self, text: str) -> tuple[str, ...]:
        """Each line makes a tensor, or writes into one."""
        return tuple(self._deed(line.strip()) for line in text.splitlines())

    def spell(self, value: Iterable[str]) -> str:
        """One below the other."""
        return "\n".join(value)

    def told(self, value: Iterable[str]) -> list[str]:
        """The lines in a list."""
        return [*value]

    def _deed(self, line: str) -> str:
        if write := Write.of(line):
            return str(write)
        made = _MADE.fullmatch(line)
        if made and made["name"] in (None, *NAMES) and made["how"] in MAKES.values():
            name, source, how = made.groups()
            if (name is None) == how.startswith(".resize_"):
                return making(name or source, source, how)
        why = "A deed makes a tensor from another one, such as y = x.t(), or writes into one, "
        why += "such as x[1, 2] = 100."
        what = f"The deed {shorten(line)!r} cannot be read."
        raise MisreadError(what, why, {self.name: ()}, "no deeds")


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

    def seers(self, write: Write) -> list[str]:
        """The names of those whose header reaches the slot that is written."""
        written = self.at(write.name)
        slot = written.layout.position(write.index)
        return [
            name
            for name, tensor in self.tensors.items()
            if tensor.untyped_storage() is written.untyped_storage() and tensor.layout.reaches(slot)
        ]

    def groups(self) -> list[list[str]]:
        """The names, by the storage that they share."""
        by_storage: dict[int, list[str]] = {}
        for name, tensor in self.tensors.items():
            by_storage.setdefault(id(tensor.untyped_storage()), []).append(name)
        return [*by_storage.values()]

    def do(self, deed: str) -> None:
        """One thing more. Raises what it raises."""
        if write := Write.of(deed):
            target = self.at(write.name)
            if len(write.index) != target.ndim:
                raise IndexRangeError(
                    f"The index has {count(len(write.index), 'number')}, and {write.name} has "
                    f"{count(target.ndim, 'dim')}. One cell is written."
                )
            target[write.index] = write.value
            return
        made = _MADE.fullmatch(deed)
        assert made is not None
        source, how = made["source"], made["how"]
        name = made["name"] or source
        self.tensors[name] = self._made(source, how)
        if how == ".numpy()" or source in self.arrays:
            self.arrays.add(name)

    def _made(self, name: str, how: str) -> Tensor:
        source, is_array = self.at(name), name in self.arrays
        if how not in {MAKES[make] for make in (OF_ARRAYS if is_array else OF_TENSORS)}:
            what, whose = "a torch tensor", "NumPy's"
            if is_array:
                what, whose = "a NumPy array", "torch's"
            raise ArgumentError(f"{name} is {what}, and {how[1:].partition('(')[0]} is {whose}.")
        if how == "[1]":
            row = source[1]
            if is_array and not row.ndim:
                raise ArgumentError(
                    f"{name} is a NumPy array of one dim: its [1] is a number, and no view."
                )
            return row
        if how == "[:, ::2]":
            return source[:, ::2]
        if how.startswith(".resize_"):
            storage, size = source.untyped_storage(), tuple(map(int, re.findall(r"\d+", how)))
            length = (source.storage_offset() + prod(size)) * source.element_size()
            if id(storage) in self.held and length > storage.nbytes():
                raise StorageError("The storage would have to grow, and a NumPy array lies on it.")
            return source.resize_(size)
        if how == ".numpy()":
            self.held.add(id(source.untyped_storage()))
            # An array without elements takes other memory, and strides of its own.
            return source.detach() if source.numel() else source.clone()
        if how == ".transpose()":
            return source.permute(tuple(range(source.ndim))[::-1])
        if is_array:
            # NumPy's flatten always copies; and its copy is row-major, whatever the strides were.
            copied = source.clone(contiguous_format)
            return copied.flatten() if how == ".flatten()" else copied
        made: Tensor = getattr(source, how[1:-2])()
        return made


def replay(x: Tensor, deeds: Iterable[str]) -> World:
    """All that was done, done again. Raises what a deed raises."""
    world = World({"x": x})
    for deed in deeds:
        world.do(deed)
    return world
