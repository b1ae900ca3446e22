"""What was done to several tensors, one deed after another, and the world that comes of it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from stridekit.diagrams.scenes.captions import count
from stridekit.errors import ArgumentError, IndexRangeError, StorageError
from stridekit.layouts.layout import Ints
from stridekit.tensors.tensor import Tensor

NAMES = ("x", "y", "z", "u", "v", "w")
MAKES = {
    "t()": "t()",
    "one row": "[1]",
    "every other column": "[:, ::2]",
    "flatten()": "flatten()",
    "contiguous()": "contiguous()",
    "clone()": "clone()",
    "numpy()": "numpy()",
    "resize_(2, 2)": "resize_(2, 2)",
    "resize_(4, 4)": "resize_(4, 4)",
}


@dataclass(frozen=True, slots=True)
class Made:
    """A tensor made from another one."""

    name: str
    source: str
    how: str


@dataclass(frozen=True, slots=True)
class Written:
    """A number written into a tensor."""

    name: str
    index: Ints
    value: int


Deed = Made | Written


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
            name for name, tensor in self.tensors.items()
            if tensor.untyped_storage() is written.untyped_storage() and tensor.layout.reaches(slot)
        ]  # fmt: skip

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
            _make(world, deed)
    return world


def _make(world: World, deed: Made) -> None:
    source, how = world.at(deed.source), deed.how
    storage = source.untyped_storage()
    is_array = deed.source in world.arrays
    if is_array and not how.startswith(("[", "flatten")):
        raise ArgumentError(
            f"{deed.source} is a NumPy array, and {how.split('(')[0]} is torch's. Slice it, or "
            "take a tensor."
        )
    made: Tensor
    if how.startswith("["):
        made = source[1] if how == "[1]" else source[:, ::2]
        if is_array and not made.ndim:
            raise ArgumentError(
                f"{deed.source} is a NumPy array of one dim: its [1] is a number, and no view."
            )
    elif how.startswith("resize_"):
        size = tuple(int(n) for n in how[8:-1].split(","))
        needed = (source.storage_offset() + prod(size)) * source.element_size()
        if id(storage) in world.held and needed > storage.nbytes():
            raise StorageError("The storage would have to grow, and a NumPy array lies on it.")
        made = source.resize_(size)
    elif how == "numpy()":
        # An array without elements takes other memory, and strides of its own.
        made = source.detach() if source.numel() else source.clone()
        world.held.add(id(storage))
    elif is_array:
        # NumPy's flatten always copies.
        made = source.clone().flatten()
    else:
        made = getattr(source, how[:-2])()
    if is_array or how == "numpy()":
        world.arrays.add(deed.name)
    world.tensors[deed.name] = made


def _write(world: World, deed: Written) -> None:
    target = world.at(deed.name)
    if len(deed.index) != target.ndim:
        raise IndexRangeError(
            f"The index has {count(len(deed.index), 'number')}, and {deed.name} has "
            f"{count(target.ndim, 'dim')}. One cell is written."
        )
    target[deed.index] = deed.value
