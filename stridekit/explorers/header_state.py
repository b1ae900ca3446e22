"""The state of an explorer of any header, typed field by field; and what no explorer shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

from stridekit.explorers.explorer import State
from stridekit.explorers.fields import LARGEST, IntField, IntsField, MisreadError
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count, spell
from stridekit.tensors.constructors import arange
from stridekit.tensors.tensor import Tensor

# A page shows so many slots; past that, pictures leave slots out, and explorers stop.
MOST_ELEMENTS = 512
MOST_POSITIONS = 8 * MOST_ELEMENTS
# Why no size is negative.
COUNTS = "A size counts, so it is not negative."
FORWARD = "A stride is not negative in torch; flip copies instead."

FIELDS = (
    IntsField("size", "size", "3, 4", because=COUNTS),
    IntsField("stride", "stride", "4, 1", because=FORWARD),
    IntField("storage_offset", "storage_offset", because="Positions in a storage begin at 0."),
)


@dataclass(frozen=True)
class HeaderState(State):
    """The header of a tensor, in elements. Its storage counts 0, 1, 2, ..."""

    size: Ints = (3, 4)
    stride: Ints = (4, 1)
    storage_offset: int = 0

    @property
    def layout(self) -> Layout:
        """The header as a Layout."""
        return Layout(self.size, self.stride, self.storage_offset)

    @property
    def x(self) -> Tensor:
        """The tensor, over a storage that counts 0, 1, 2, ... and is just long enough."""
        storage = arange(_length(self.layout))
        return Tensor(self.layout, storage.untyped_storage(), storage.dtype)

    def on_x(self, *lines: str) -> str:
        """A program that makes x, and then the lines."""
        return torch_code(torch_line(self.layout), *lines)

    def follow(self, _before: Self, changes: Mapping[str, Any]) -> Self:
        """A stride follows a size of another number of dims."""
        if "size" in changes and "stride" not in changes and len(self.size) != len(self.stride):
            return replace(self, stride=contiguous_stride(self.size))
        return self

    def check(self) -> None:
        """Refuses what is no header, too many elements, a last one too far away."""
        size = self.size
        require_pairs(size, self.stride)
        require_room(size, row_major)
        layout = self.layout
        if _length(layout) > MOST_POSITIONS:
            what = f"The storage_offset is {self.storage_offset:,}."
            if layout.numel:
                what = f"The last element would lie at position {layout.needed - 1:,}."
            why = f"An explorer shows storages of at most {MOST_POSITIONS:,} elements."
            raise MisreadError(what, why, row_major(size))

    @classmethod
    def from_layout(cls, layout: Layout, _storage_length: int) -> Mapping[str, Any]:
        """The header itself. Raises MisreadError for a negative stride."""
        return header_of(layout)


def header_of(layout: Layout) -> Mapping[str, Any]:
    """A given header, as values of fields. Raises MisreadError for a negative stride."""
    if min(layout.stride, default=0) < 0:
        # Nobody can type it; an array of NumPy may have it.
        raise MisreadError(
            f"Stride {layout.stride} goes backwards.",
            "Explorers show what torch can have, and torch has no negative strides.",
            nearest="a copy of the array, by its copy()",
        )
    return {"size": layout.size, "stride": layout.stride, "storage_offset": layout.storage_offset}


def row_major(size: Ints) -> Mapping[str, Any]:
    """The row-major header of a size, as values of fields."""
    return header_of(Layout.of(size))


def _length(layout: Layout) -> int:
    # Where there are no elements, the storage is long enough for the offset to be seen.
    return max(layout.needed, layout.storage_offset)


def torch_code(*lines: str) -> str:
    """Lines of a program that imports torch first."""
    return "\n".join(("import torch", "", *lines))


def attempt(line: str, error: str = "RuntimeError", told: str = "") -> str:
    """The lines that try what torch refuses, and print why.

    >>> print(attempt("x.view(12)"))
    try:
        x.view(12)
    except RuntimeError as error:
        print(error)
    """
    return f"try:\n    {line}\nexcept {error} as error:\n    print(error){told}"


def torch_line(layout: Layout, name: str = "x") -> str:
    """The line of torch that makes the tensor over 0, 1, 2, ... that has this header.

    >>> torch_line(Layout.of((3, 4)))
    'x = torch.arange(12).view(3, 4)'
    """
    size, stride, offset = layout.size, layout.stride, layout.storage_offset
    if stride == contiguous_stride(size) and not offset:
        return f"{name} = torch.arange({prod(size)}).view({arguments(size)})"
    made = f"torch.arange({_length(layout)}).as_strided({size}, {stride}, {offset})"
    return f"{name} = {made}"


def arguments(numbers: Ints) -> str:
    """Numbers as people give them to view and permute.

    >>> arguments((3, 4)), arguments(())
    ('3, 4', '()')
    """
    return spell(numbers) or "()"


# What cannot be shown: each raises MisreadError, with the nearest that can.


def require_pairs(size: Ints, stride: Ints) -> None:
    """Refuse a size and a stride of other numbers of dims."""
    if len(size) != len(stride):
        raise MisreadError(
            f"The size has {count(len(size), 'dim')}, and the stride has {len(stride)}.",
            "Each dim has one size and one stride.",
            {"stride": contiguous_stride(size)},
        )


def require_room(
    size: Ints,
    nearest: Callable[[Ints], Mapping[str, Any]] = lambda fits: {"size": fits},
    name: str = "Size",
) -> None:
    """Refuse a size of too many elements. `nearest` makes changes of one that fits."""
    # The nearest small size: shrink the largest dims first.
    smaller = [min(n, MOST_ELEMENTS) for n in size]
    while prod(smaller) > MOST_ELEMENTS:
        largest = smaller.index(max(smaller))
        smaller[largest] //= 2
    if smaller != [*size]:
        what = f"{name} {size} has {prod(size):,} elements."
        if prod(size) <= MOST_ELEMENTS:
            what = f"{name} {size} has a dim of {max(size):,}."
        why = f"An explorer shows at most {MOST_ELEMENTS}."
        raise MisreadError(what, why, nearest(tuple(smaller)))


def require_countable(layout: Layout, nearest: Mapping[str, Any]) -> None:
    """Refuse numbers that cannot be counted with; the nearest that can are given."""
    # The product that torch computes first skips no 0.
    product = prod(max(n, 1) for n in layout.size)
    if max(product, layout.needed - 1) > LARGEST:
        raise MisreadError(
            f"Size {layout.size}, stride {layout.stride}, storage_offset {layout.storage_offset} "
            "is too large.",
            f"An explorer counts elements and positions up to {LARGEST:,}.",
            nearest,
        )


def require_elements(size: Ints, why: str) -> None:
    """Refuse a size without elements, where single ones are shown."""
    if not prod(size):
        nearest = {"size": tuple(max(n, 1) for n in size)}
        raise MisreadError(f"Size {size} has no elements.", why, nearest)


def fitting_index(index: Ints, size: Ints) -> Ints:
    """The nearest index that has a number for each dim and stays inside, where that can be.

    >>> fitting_index((5,), (3, 4)), fitting_index((1, -9), (3, 4))
    ((2, 0), (1, -4))
    """
    padded = (*index, *(0 for _ in size))[: len(size)]
    return tuple(min(max(i, -n), max(n - 1, 0)) for i, n in zip(padded, size, strict=True))


def words(layout: Layout) -> str:
    """A header in words."""
    offset = f", storage_offset {layout.storage_offset}" if layout.storage_offset else ""
    return f"size {layout.size}, stride {layout.stride}{offset}"


def storage_needed(layout: Layout, holds: int) -> dict[str, Any]:
    """How long a storage a header needs, as `Shown` asks and answers it; this one holds so many.

    >>> storage_needed(Layout((3, 4), (5, 1)), 12)["why"]
    'The last element lies at position 0 + 2 × 5 + 3 × 1 = 13, and the first slot is 0.'
    """
    length = layout.needed
    why = "Without elements nothing is needed."
    if length:
        terms = [str(layout.storage_offset), *(f"{n - 1} × {step}" for n, step in layout.dims)]
        why = f"The last element lies at position {' + '.join(terms)} = {length - 1}, and the "
        why += "first slot is 0."
    return {
        "question": f"How many elements must the storage hold for {words(layout)}?",
        "truth": str(length),
        "why": why,
        "slips": {
            "That is the last position; positions count from 0.": length - 1,
            "That is how many elements there are; how far apart they lie counts too.": layout.numel,
            "That is how many elements it holds now.": holds,
        },
    }
