"""The state of an explorer of any header, typed field by field, over a storage that counts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, Self

from stridekit.diagrams.scenes.captions import count
from stridekit.explorers.explorer import State
from stridekit.explorers.fields import LARGEST, IntField, IntsField, MisreadError, Problem
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
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
        """The tensor, over a storage that is just long enough."""
        return counting(self.layout)

    def follow(self, _before: Self, changes: Mapping[str, Any]) -> Self:
        """A stride follows a size of another number of dims."""
        if "size" in changes and "stride" not in changes and len(self.size) != len(self.stride):
            return replace(self, stride=contiguous_stride(self.size))
        return self

    def problem(self) -> Problem | None:
        """No header, too many elements, a last one too far away."""
        return header_problem(self.size, self.stride, self.storage_offset)

    @classmethod
    def from_layout(cls, layout: Layout, _storage_length: int) -> Mapping[str, Any]:
        """The header itself. Raises MisreadError for a negative stride."""
        return header_of(layout)


def counting(layout: Layout) -> Tensor:
    """A tensor over a storage that counts 0, 1, 2, ... and is just long enough."""
    storage = arange(_length(layout))
    return Tensor(layout, storage.untyped_storage(), storage.dtype)


def header_of(layout: Layout) -> Mapping[str, Any]:
    """A given header, as values of fields. Raises MisreadError for a negative stride."""
    if min(layout.stride, default=0) < 0:
        # Nobody can type it; an array of NumPy may have it.
        raise MisreadError(
            Problem(
                f"Stride {layout.stride} goes backwards.",
                "Explorers show what torch can have, and torch has no negative strides.",
                nearest="a copy of the array, by its copy()",
            )
        )
    return {"size": layout.size, "stride": layout.stride, "storage_offset": layout.storage_offset}


def needed(layout: Layout) -> int:
    """How many elements a storage must hold for a header: none, where it has none itself."""
    reach = layout.reach
    return 0 if reach is None else reach[1] + 1


def _length(layout: Layout) -> int:
    # Where there are no elements, the storage is long enough for the offset to be seen.
    return max(needed(layout), layout.storage_offset)


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
    return ", ".join(map(str, numbers)) or "()"


def header_problem(size: Ints, stride: Ints, storage_offset: int) -> Problem | None:
    """Why a header cannot be shown: none, too many elements, a last one too far away."""
    problem = one_of_each(size, stride)
    if problem is not None:
        return problem
    problem = size_problem(size)
    if problem is not None:
        smaller = problem.changes["size"]
        packed = {"size": smaller, "stride": contiguous_stride(smaller), "storage_offset": 0}
        return replace(problem, nearest=f"size {smaller}, row-major", changes=packed)
    layout = Layout(size, stride, storage_offset)
    if _length(layout) <= MOST_POSITIONS:
        return None
    what = f"The storage_offset is {storage_offset:,}."
    if layout.numel:
        what = f"The last element would lie at position {needed(layout) - 1:,}."
    packed = {"size": size, "stride": contiguous_stride(size), "storage_offset": 0}
    return Problem(
        what,
        f"An explorer shows storages of at most {MOST_POSITIONS:,} elements.",
        packed,
        f"stride {packed['stride']} and storage_offset 0",
    )


def one_of_each(size: Ints, stride: Ints) -> Problem | None:
    """Why there is no header of this size and stride: other numbers of dims."""
    if len(size) == len(stride):
        return None
    nearest = contiguous_stride(size)
    return Problem(
        f"The size has {count(len(size), 'dim')}, and the stride {len(stride)}.",
        "Each dim has one size and one stride.",
        {"size": size, "stride": nearest},
        f"stride {nearest}, row-major",
    )


def size_problem(size: Ints, name: str = "Size") -> Problem | None:
    """Why a size cannot be shown here. Its changes are those of the size alone."""
    if prod(size) <= MOST_ELEMENTS and max(size, default=0) <= MOST_ELEMENTS:
        return None
    what = f"{name} {size} has {prod(size):,} elements."
    if prod(size) <= MOST_ELEMENTS:
        what = f"{name} {size} has a dim of {max(size):,}."
    # The nearest small size: shrink the largest dims first.
    smaller = [min(n, MOST_ELEMENTS) for n in size]
    while prod(smaller) > MOST_ELEMENTS:
        largest = smaller.index(max(smaller))
        smaller[largest] //= 2
    return Problem(what, f"An explorer shows at most {MOST_ELEMENTS}.", {"size": tuple(smaller)})


def too_large(layout: Layout, nearest: Mapping[str, Any], told: str) -> Problem | None:
    """Why numbers cannot be counted with; the nearest that can are given."""
    # The product that torch computes first skips no 0.
    product = prod(max(n, 1) for n in layout.size)
    if max(product, needed(layout) - 1) <= LARGEST:
        return None
    return Problem(
        f"Size {layout.size}, stride {layout.stride}, storage_offset {layout.storage_offset} is "
        "too large.",
        f"An explorer counts elements and positions up to {LARGEST:,}.",
        nearest,
        told,
    )


def without_elements(size: Ints, why: str, **changes: Any) -> Problem | None:
    """Why an explorer of single elements cannot show a size: it has none."""
    if prod(size):
        return None
    nearest = tuple(max(n, 1) for n in size)
    return Problem(f"Size {size} has no elements.", why, {"size": nearest, **changes})


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
    length = needed(layout)
    why = "Without elements nothing is needed."
    if length:
        pairs = zip(layout.size, layout.stride, strict=True)
        terms = [str(layout.storage_offset), *(f"{n - 1} × {step}" for n, step in pairs)]
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
