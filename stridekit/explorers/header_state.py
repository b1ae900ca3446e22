"""The state of an explorer of any header, typed field by field, over a storage that counts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeVar

from stridekit.diagrams.scenes.captions import count
from stridekit.explorers.explorer import MisreadError, Problem, TextField
from stridekit.explorers.parsing import ints_field, whole_field
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.constructors import arange
from stridekit.tensors.tensor import Tensor

# A page shows so many slots; past that, pictures leave slots out, and explorers stop.
MOST_ELEMENTS = 512
MOST_POSITIONS = 8 * MOST_ELEMENTS
# Why no size, stride or offset is negative.
COUNTS = "A size counts, so it is not negative."
FORWARD = "A stride is not negative in torch; flip copies instead."
FROM_0 = "Positions in a storage begin at 0."


@dataclass(frozen=True, slots=True)
class HeaderState:
    """The header of a tensor, in elements. Its storage counts 0, 1, 2, ..."""

    size: Ints = (3, 4)
    stride: Ints = (4, 1)
    storage_offset: int = 0

    @property
    def layout(self) -> Layout:
        """The header as a Layout."""
        return Layout(self.size, self.stride, self.storage_offset)

    def tensor(self, length: int = 0) -> Tensor:
        """The tensor, over a storage of at least so many elements."""
        storage = arange(max(self.needed, length))
        return Tensor(self.layout, storage.untyped_storage(), storage.dtype)

    @property
    def needed(self) -> int:
        """The length of the shortest storage that holds it."""
        reach = self.layout.reach
        return self.storage_offset if reach is None else reach[1] + 1

    def torch_line(self, name: str = "x") -> str:
        """The line of torch that makes it."""
        return f"{name} = {torch_source(self.layout)}"


def torch_source(layout: Layout) -> str:
    """The tensor over 0, 1, 2, ... that has this header, in torch.

    >>> torch_source(Layout.of((3, 4)))
    'torch.arange(12).view(3, 4)'
    """
    size, stride, offset = layout.size, layout.stride, layout.storage_offset
    if stride == contiguous_stride(size) and not offset:
        return f"torch.arange({prod(size)}).view({arguments(size)})"
    reach = layout.reach
    needed = offset if reach is None else reach[1] + 1
    return f"torch.arange({needed}).as_strided({size}, {stride}, {offset})"


def arguments(numbers: Ints) -> str:
    """Numbers as people give them to view and permute.

    >>> arguments((3, 4)), arguments(())
    ('3, 4', '()')
    """
    return ", ".join(map(str, numbers)) or "()"


G = TypeVar("G", bound=HeaderState)

FIELDS: tuple[TextField, ...] = (
    ints_field("size", "size", because=COUNTS, hint="3, 4"),
    ints_field("stride", "stride", because=FORWARD, hint="4, 1"),
    whole_field("storage_offset", "storage_offset", because=FROM_0),
)


def changed(state: G, changes: Mapping[str, Any]) -> G:
    """The state with the changes; strides follow a size of another number of dims."""
    if "size" in changes and "stride" not in changes:
        size = changes["size"]
        if len(size) != len(state.stride):
            changes = {**changes, "stride": contiguous_stride(size)}
    return replace(state, **changes)


def one_of_each(size: Ints, stride: Ints) -> Problem | None:
    """Why there is no header of this size and stride: other numbers of dims."""
    if len(size) == len(stride):
        return None
    nearest = contiguous_stride(size)
    return Problem(
        f"The size has {count(len(size), 'dim')}, and the stride {len(stride)}.",
        "Each dim has one size and one stride.",
        f"stride {nearest}, row-major",
        {"size": size, "stride": nearest},
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
    return Problem(
        what,
        f"An explorer shows at most {MOST_ELEMENTS}.",
        f"size {tuple(smaller)}",
        {"size": tuple(smaller)},
    )


def problem_of(state: HeaderState) -> Problem | None:
    """Why a header cannot be shown here."""
    problem = one_of_each(state.size, state.stride)
    if problem is not None:
        return problem
    problem = size_problem(state.size)
    if problem is not None:
        size = problem.changes["size"]
        packed = {"size": size, "stride": contiguous_stride(size), "storage_offset": 0}
        return replace(problem, nearest=f"{problem.nearest}, row-major", changes=packed)
    if state.needed > MOST_POSITIONS:
        nearest = contiguous_stride(state.size)
        if state.layout.numel:
            what = f"The last element would lie at position {state.needed - 1:,}."
        else:
            what = f"The storage_offset is {state.storage_offset:,}."
        return Problem(
            what,
            f"An explorer shows storages of at most {MOST_POSITIONS:,} elements.",
            f"stride {nearest} and storage_offset 0",
            {"size": state.size, "stride": nearest, "storage_offset": 0},
        )
    return None


def header_of(layout: Layout, _length: int) -> Mapping[str, Any]:
    """The changes that show a given tensor's header. Raises MisreadError for a negative stride."""
    if min(layout.stride, default=0) < 0:
        # Nobody can type it; an array of NumPy may have it.
        raise MisreadError(
            Problem(
                f"Stride {layout.stride} goes backwards.",
                "Explorers show what torch can have, and torch has no negative strides.",
                "a copy of the array, by its copy()",
            )
        )
    return {"size": layout.size, "stride": layout.stride, "storage_offset": layout.storage_offset}


def words(layout: Layout) -> str:
    """A header in words."""
    offset = f", storage_offset {layout.storage_offset}" if layout.storage_offset else ""
    return f"size {layout.size}, stride {layout.stride}{offset}"


def last_element(layout: Layout) -> str:
    """Where the last element lies, as a sum: why a storage has to be so long.

    >>> last_element(Layout((3, 4), (5, 1)))
    'The last element lies at position 0 + 2 × 5 + 3 × 1 = 13, and the first slot is 0.'
    """
    reach = layout.reach
    if reach is None:
        return "Without elements nothing is needed."
    pairs = zip(layout.size, layout.stride, strict=True)
    terms = [str(layout.storage_offset), *(f"{n - 1} × {step}" for n, step in pairs)]
    return (
        f"The last element lies at position {' + '.join(terms)} = {reach[1]}, and the first slot "
        "is 0."
    )
