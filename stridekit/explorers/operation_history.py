"""What was done to several tensors, one step after another, and the world that comes of it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod
from typing import Any

from stridekit.diagrams.scenes.captions import count
from stridekit.errors import ArgumentError, IndexRangeError, StorageError
from stridekit.explorers.fields import MisreadError, Problem, TextField, shorten
from stridekit.layouts.layout import Ints
from stridekit.layouts.memory_formats import contiguous_format
from stridekit.tensors.tensor import Tensor

_WRITTEN = re.compile(r"(?P<name>\w)\[(?P<index>[-\d, ()]{0,60})\] *= *(?P<value>-?\d{1,4})")
_MADE = re.compile(r"(?:(?P<name>\w) *= *)?(?P<source>\w)(?P<how>\.\w+\(.*\)|\[.*\])")
NAMES = ("x", "y", "z", "u", "v", "w")
MAKES = {
    "t()": "t()",
    "one row": "[1]",
    "every other column": "[:, ::2]",
    "flatten()": "flatten()",
    "contiguous()": "contiguous()",
    "clone()": "clone()",
    "numpy()": "numpy()",
    "copy()": "copy()",
    "transpose()": "transpose()",
    "resize_(2, 2)": "resize_(2, 2)",
    "resize_(4, 4)": "resize_(4, 4)",
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
class DerivedTensor:
    """A tensor made from another one.

    >>> str(DerivedTensor("y", "x", "[1]"))
    'y = x[1]'
    """

    name: str
    source: str
    how: str

    def __str__(self) -> str:
        made = f"{self.source}{self.how if self.how.startswith('[') else f'.{self.how}'}"
        return made if self.name == self.source else f"{self.name} = {made}"


@dataclass(frozen=True, slots=True)
class Written:
    """A number written into a tensor.

    >>> str(Written("y", (2,), 7))
    'y[2] = 7'
    """

    name: str
    index: Ints
    value: int

    def __str__(self) -> str:
        return f"{self.name}[{', '.join(map(str, self.index)) or '()'}] = {self.value}"


Deed = DerivedTensor | Written


@dataclass(frozen=True)
class DeedsField(TextField):
    """What was done, a line of Python for each deed.

    >>> DeedsField("deeds", "deeds").read(["y = x.t()", "y[0, 1] = 7"])
    (DerivedTensor(name='y', source='x', how='t()'), Written(name='y', index=(0, 1), value=7))
    """

    def read(self, value: Any) -> tuple[Deed, ...]:
        """Deeds, or their lines."""
        if isinstance(value, str):
            return self.parse(value)
        lines = value if isinstance(value, Iterable) else (value,)
        return tuple(
            line if isinstance(line, DerivedTensor | Written) else self._deed(str(line).strip())
            for line in lines
        )

    def parse(self, text: str) -> tuple[Deed, ...]:
        """Deeds from their lines."""
        return self.read(text.splitlines())

    def spell(self, value: Iterable[Deed]) -> str:
        """Lines of Python."""
        return "\n".join(map(str, value))

    def told(self, value: Iterable[Deed]) -> list[str]:
        """The lines in a list."""
        return [*map(str, value)]

    def _deed(self, line: str) -> Deed:
        written = _WRITTEN.fullmatch(line)
        if written:
            index = tuple(map(int, re.findall(r"-?\d+", written["index"])))
            return Written(written["name"], index, int(written["value"]))
        made = _MADE.fullmatch(line)
        if made and made["name"] in (None, *NAMES):
            how, is_in_place = made["how"].removeprefix("."), made["name"] is None
            if how in MAKES.values() and is_in_place == how.startswith("resize_"):
                return DerivedTensor(made["name"] or made["source"], made["source"], how)
        why = "A deed makes a tensor from another one, such as y = x.t(), or writes into one, "
        why += "such as x[1, 2] = 100."
        what = f"The deed {shorten(line)!r} cannot be read."
        raise MisreadError(Problem(what, why, {self.name: ()}, "no deeds"))


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

    def seers(self, deed: Written) -> list[str]:
        """The names of those whose header reaches the slot that is written."""
        written = self.at(deed.name)
        slot = written.layout.position(deed.index)
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


def replay(x: Tensor, deeds: Iterable[Deed]) -> World:
    """All that was done, done again. Raises what a deed raises."""
    world = World({"x": x})
    for deed in deeds:
        if isinstance(deed, Written):
            _write(world, deed)
        else:
            world.tensors[deed.name] = _made(world, deed)
            if deed.how == "numpy()" or deed.source in world.arrays:
                world.arrays.add(deed.name)
    return world


def _made(world: World, deed: DerivedTensor) -> Tensor:
    source, how = world.at(deed.source), deed.how
    is_array = deed.source in world.arrays
    if how not in {MAKES[make] for make in (OF_ARRAYS if is_array else OF_TENSORS)}:
        what, whose = ("a NumPy array", "torch's") if is_array else ("a torch tensor", "NumPy's")
        raise ArgumentError(f"{deed.source} is {what}, and {how.split('(')[0]} is {whose}.")
    made: Tensor
    if how == "[1]":
        made = source[1]
        if is_array and not made.ndim:
            raise ArgumentError(
                f"{deed.source} is a NumPy array of one dim: its [1] is a number, and no view."
            )
    elif how.startswith("["):
        made = source[:, ::2]
    elif how.startswith("resize_"):
        storage, size = source.untyped_storage(), tuple(int(n) for n in how[8:-1].split(","))
        length = (source.storage_offset() + prod(size)) * source.element_size()
        if id(storage) in world.held and length > storage.nbytes():
            raise StorageError("The storage would have to grow, and a NumPy array lies on it.")
        made = source.resize_(size)
    elif how == "numpy()":
        world.held.add(id(source.untyped_storage()))
        # An array without elements takes other memory, and strides of its own.
        made = source.detach() if source.numel() else source.clone()
    elif how == "transpose()":
        made = source.permute(tuple(range(source.ndim))[::-1])
    elif is_array:
        # NumPy's flatten always copies; and its copy is row-major, whatever the strides were.
        made = source.clone(contiguous_format)
        made = made.flatten() if how == "flatten()" else made
    else:
        made = getattr(source, how[:-2])()
    return made


def _write(world: World, deed: Written) -> None:
    target = world.at(deed.name)
    if len(deed.index) != target.ndim:
        raise IndexRangeError(
            f"The index has {count(len(deed.index), 'number')}, and {deed.name} has "
            f"{count(target.ndim, 'dim')}. One cell is written."
        )
    target[deed.index] = deed.value
