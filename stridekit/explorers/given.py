"""A tensor that is given: a header over a storage that counts, and what goes with typing one."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeVar

from stridekit.constructors import arange
from stridekit.explorers.core import Problem, Text
from stridekit.explorers.reading import ints_field, whole_field
from stridekit.layout import Ints, Layout, contiguous_stride
from stridekit.tensor import Tensor

# A page shows so many slots; past that, pictures leave slots out, and explorers stop.
MOST_ELEMENTS = 512


@dataclass(frozen=True, slots=True)
class Given:
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
        if self.stride == contiguous_stride(self.size) and not self.storage_offset:
            made = f"torch.arange({prod(self.size)}).view({list(self.size)})"
        else:
            made = (
                f"torch.arange({self.needed}).as_strided"
                f"({self.size}, {self.stride}, {self.storage_offset})"
            )
        return f"{name} = {made}"


G = TypeVar("G", bound=Given)

SIZE = ints_field("size", "size", hint="3, 4")
STRIDE = ints_field("stride", "stride", hint="4, 1")
OFFSET = whole_field("storage_offset", "storage_offset")
FIELDS: tuple[Text, ...] = (SIZE, STRIDE, OFFSET)


def changed(state: G, changes: Mapping[str, Any]) -> G:
    """The state with the changes; strides follow a size of another number of dims."""
    size = changes.get("size", state.size)
    if len(size) != len(changes.get("stride", state.stride)) and "stride" not in changes:
        changes = {**changes, "stride": contiguous_stride(size)}
    return replace(state, **changes)


def problem_of(state: Given) -> Problem | None:
    """Why a header cannot be shown here."""
    if len(state.size) != len(state.stride):
        nearest = contiguous_stride(state.size)
        return Problem(
            f"{len(state.size)} sizes and {len(state.stride)} strides.",
            "Each dim has one size and one stride.",
            f"stride {nearest}, row-major",
            {"size": state.size, "stride": nearest},
        )
    if prod(state.size) > MOST_ELEMENTS:
        # The nearest small size: shrink the largest dims first.
        size = list(state.size)
        while prod(size) > MOST_ELEMENTS:
            largest = size.index(max(size))
            size[largest] = max(1, size[largest] // 2)
        smaller = tuple(size)
        return Problem(
            f"Size {state.size} has {prod(state.size):,} elements.",
            f"An explorer shows at most {MOST_ELEMENTS}.",
            f"size {smaller}, row-major",
            {"size": smaller, "stride": contiguous_stride(smaller), "storage_offset": 0},
        )
    if state.needed > 8 * MOST_ELEMENTS:
        nearest = contiguous_stride(state.size)
        return Problem(
            f"The last element would lie at position {state.needed - 1:,}.",
            f"An explorer shows storages of at most {8 * MOST_ELEMENTS:,} elements.",
            f"stride {nearest} and storage_offset 0",
            {"size": state.size, "stride": nearest, "storage_offset": 0},
        )
    return None


def header_of(layout: Layout, _length: int) -> Mapping[str, Any]:
    """The changes that show a given tensor's header."""
    return {"size": layout.size, "stride": layout.stride, "storage_offset": layout.storage_offset}


def words(layout: Layout) -> str:
    """A header in words."""
    offset = f", storage_offset {layout.storage_offset}" if layout.storage_offset else ""
    return f"size {layout.size}, stride {layout.stride}{offset}"
