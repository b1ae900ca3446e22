"""What was done to several tensors, one step after another, and the world that comes of it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import prod

from stridekit.diagrams.scenes.captions import count
from stridekit.errors import ArgumentError, IndexRangeError, StorageError, StridekitError
from stridekit.explorers.explorer import MisreadError, Problem
from stridekit.explorers.header_state import HeaderState
from stridekit.explorers.parsing import shorten
from stridekit.layouts.layout import Ints
from stridekit.layouts.memory_formats import contiguous_format
from stridekit.tensors.tensor import Tensor

_WRITTEN = re.compile(r"(?P<name>\w)\[(?P<index>[-\d, ()]{0,60})\] *= *(?P<value>-?\d{1,4})")
_MADE = re.compile(r"(?:(?P<name>\w) *= *)?(?P<source>\w)(?:\.(?P<call>\w+\(.*\))|(?P<key>\[.*\]))")
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
# Of a NumPy array, in NumPy's words; and what says the same in the other library.
OF_ARRAYS = ("transpose()", "one row", "every other column", "flatten()", "copy()")
OF_TENSORS = tuple(make for make in MAKES if make not in ("transpose()", "copy()"))
OTHER_WORDS = {
    "t()": "transpose()",
    "transpose()": "t()",
    "clone()": "copy()",
    "contiguous()": "copy()",
    "copy()": "clone()",
}


@dataclass(frozen=True, slots=True)
class DerivedTensor:
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


Deed = DerivedTensor | Written


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


def _make(world: World, deed: DerivedTensor) -> None:
    source, how = world.at(deed.source), deed.how
    storage = source.untyped_storage()
    is_array = deed.source in world.arrays
    if how not in {MAKES[make] for make in (OF_ARRAYS if is_array else OF_TENSORS)}:
        what, whose = ("a NumPy array", "torch's") if is_array else ("a torch tensor", "NumPy's")
        raise ArgumentError(f"{deed.source} is {what}, and {how.split('(')[0]} is {whose}.")
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
        # NumPy's flatten always copies; and its copy is row-major, whatever the strides were.
        made = (
            source.permute(tuple(range(source.ndim))[::-1])
            if how == "transpose()"
            else source.clone(contiguous_format)
        )
        made = made.flatten() if how == "flatten()" else made
    else:
        made = getattr(source, how[:-2])()
    if is_array or how == "numpy()":
        world.arrays.add(deed.name)
    world.tensors[deed.name] = made


def arrays_among(deeds: Iterable[Deed]) -> set[str]:
    """The names that are NumPy arrays, once all this is done."""
    arrays: set[str] = set()
    for deed in deeds:
        if isinstance(deed, DerivedTensor) and (deed.how == "numpy()" or deed.source in arrays):
            arrays.add(deed.name)
    return arrays


def line_of(deed: Deed) -> str:
    """A deed as a line of Python.

    >>> line_of(DerivedTensor("y", "x", "[1]")), line_of(Written("y", (2,), 7))
    ('y = x[1]', 'y[2] = 7')
    """
    if isinstance(deed, Written):
        return f"{deed.name}[{', '.join(map(str, deed.index)) or '()'}] = {deed.value}"
    made = f"{deed.source}{deed.how if deed.how.startswith('[') else f'.{deed.how}'}"
    return made if deed.name == deed.source else f"{deed.name} = {made}"


def read_deeds(lines: Iterable[object]) -> tuple[Deed, ...]:
    """Deeds from their lines. Raises MisreadError for what is no deed.

    >>> read_deeds(["y = x.t()", "y[0, 1] = 7"])
    (DerivedTensor(name='y', source='x', how='t()'), Written(name='y', index=(0, 1), value=7))
    """
    if isinstance(lines, str):
        lines = lines.splitlines()
    if not isinstance(lines, Iterable):
        lines = (lines,)
    return tuple(
        line if isinstance(line, DerivedTensor | Written) else _read(line) for line in lines
    )


def _read(line: object) -> Deed:
    text = str(line).strip()
    written = _WRITTEN.fullmatch(text)
    if written:
        index = tuple(map(int, re.findall(r"-?\d+", written["index"])))
        return Written(written["name"], index, int(written["value"]))
    made = _MADE.fullmatch(text)
    if made and made["name"] in (None, *NAMES):
        how = made["key"] or made["call"]
        is_in_place = how.startswith("resize_")
        if how in MAKES.values() and is_in_place == (made["name"] is None):
            return DerivedTensor(made["name"] or made["source"], made["source"], how)
    raise MisreadError(
        Problem(
            f"The deed {shorten(text)!r} cannot be read.",
            "A deed makes a tensor from another one, such as y = x.t(), or writes into one, such "
            "as x[1, 2] = 100.",
            "no deeds",
            {"deeds": ()},
        )
    )


def _write(world: World, deed: Written) -> None:
    target = world.at(deed.name)
    if len(deed.index) != target.ndim:
        raise IndexRangeError(
            f"The index has {count(len(deed.index), 'number')}, and {deed.name} has "
            f"{count(target.ndim, 'dim')}. One cell is written."
        )
    target[deed.index] = deed.value


# What is done next: each deed is refused, or leads to another state.


MOST_DEEDS = 24


@dataclass(frozen=True, slots=True)
class Sharing:
    """x, what was done with it, in order; and what is chosen for the next deed."""

    size: Ints = (3, 4)
    stride: Ints = (4, 1)
    storage_offset: int = 0
    deeds: tuple[Deed, ...] = (DerivedTensor("y", "x", "t()"), DerivedTensor("z", "x", "clone()"))
    tensor: str = "x"
    make: str = "every other column"
    index: Ints = (1, 2)
    value: int = 100

    @property
    def given(self) -> HeaderState:
        """The header of x."""
        return HeaderState(self.size, self.stride, self.storage_offset)


def world_of(state: Sharing) -> World:
    """x, and all that came of what was done. Raises what a deed raises."""
    return replay(state.given.tensor(), state.deeds)


def done(state: Sharing) -> Sharing:
    """The state after the deed that is chosen: a new tensor, or resize_ in place."""
    used = made_in(state)
    for make in (state.make, OTHER_WORDS.get(state.make, state.make), *MAKES):
        how = MAKES[make]
        free = [state.tensor] if how.startswith("resize_") else [
            each for each in NAMES if each not in used
        ]  # fmt: skip
        if not free:
            raise _refused(
                "There are six tensors.",
                "More do not fit on a page.",
                "one deed less",
                _undone(state),
            )
        new = _with(state, DerivedTensor(free[0], state.tensor, how))
        try:
            world_of(new)
        except StridekitError as error:
            if make == state.make:
                line, why = line_of(new.deeds[-1]), str(error)
            continue
        if make == state.make:
            return new
        raise _refused(f"{line} is refused.", sentence(why), make, replace(state, make=make))
    raise AssertionError("flatten() is always possible")


def wrote(state: Sharing) -> Sharing:
    """The state after the write that is chosen."""
    new = _with(state, Written(state.tensor, state.index, state.value))
    try:
        world_of(new)
    except StridekitError as error:
        size = world_of(state).tensors[state.tensor].shape
        what, why = f"{line_of(new.deeds[-1])} is refused.", sentence(str(error))
        index = fitting_index(state.index, size)
        if not prod(size):
            raise MisreadError(Problem(what, why)) from error
        raise _refused(what, why, f"index {index}", replace(state, index=index)) from error
    return new


def _with(state: Sharing, deed: Deed) -> Sharing:
    if len(state.deeds) == MOST_DEEDS:
        what, why = f"{MOST_DEEDS} things were done.", "More do not fit on a page."
        raise _refused(what, why, "one deed less", _undone(state))
    return replace(state, deeds=(*state.deeds, deed))


def fitting_index(index: Ints, size: Ints) -> Ints:
    """The nearest index that has a number for each dim and stays inside, where that can be.

    >>> fitting_index((5,), (3, 4)), fitting_index((1, -9), (3, 4))
    ((2, 0), (1, -4))
    """
    padded = (*index, *(0 for _ in size))[: len(size)]
    return tuple(min(max(i, -n), max(n - 1, 0)) for i, n in zip(padded, size, strict=True))


def _undone(state: Sharing) -> Sharing:
    undone = replace(state, deeds=state.deeds[:-1])
    return undone if state.tensor in made_in(undone) else replace(undone, tensor="x")


def _refused(what: str, why: str, nearest: str, works: Sharing) -> MisreadError:
    """A refusal, and a state that works."""
    names = ("deeds", "tensor", "make", "index")
    return MisreadError(Problem(what, why, nearest, {name: getattr(works, name) for name in names}))


def sentence(text: str) -> str:
    """A reason as a sentence of its own."""
    # A name stays as it is written: x, t(), storage_offset.
    is_word = re.match(r"[a-z]{2,}[ ,]", text)
    return (text[0].upper() + text[1:] if is_word else text) + ("" if text.endswith(".") else ".")


def made_in(state: Sharing) -> set[str]:
    """The names of all tensors."""
    return {"x", *(deed.name for deed in state.deeds)}
