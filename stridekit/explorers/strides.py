"""`strides`: any header over a storage, inside of it or out, overlapping or not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw_as_strided
from stridekit.diagrams.scenes.captions import joined
from stridekit.explorers.explorer import Shown
from stridekit.explorers.fields import IntField, MisreadError, presets
from stridekit.explorers.header_state import (
    FIELDS,
    MOST_POSITIONS,
    HeaderState,
    attempt,
    header_of,
    require_countable,
    require_pairs,
    row_major,
    storage_needed,
    torch_code,
)
from stridekit.layouts.layout import Layout, count
from stridekit.tensors.constructors import arange

# Elements among which overlap is looked for: a blink at most, in any number of dims.
MOST_SEARCHED = 10**5
PRESETS = {
    "row-major": ((3, 4), (4, 1), 0, 12),
    "column-major": ((3, 4), (1, 3), 0, 12),
    "transpose": ((4, 3), (1, 4), 0, 12),
    "slice": ((2, 2), (8, 2), 1, 12),
    "expand": ((3, 4), (0, 1), 0, 4),
    "window": ((4, 3), (1, 1), 0, 6),
    "diagonal": ((3,), (5,), 0, 12),
    "out of bounds": ((3, 4), (5, 1), 0, 12),
}
NUMBERS = ("size", "stride", "storage_offset", "storage_length")


@dataclass(frozen=True)
class Strides(HeaderState):
    """Any header over a storage: size, stride, storage_offset, storage_length.

    All in elements. The header may leave the storage, which is shown and said; as_strided in
    torch refuses it.

    >>> from stridekit.explorers import strides
    >>> strides(size=(4, 3), stride=(1, 1), storage_length=6).state.preset
    'window'
    """

    name = "strides"
    title = "Strides"
    about = "A header says where each index leads. Change it, and see which slots it reaches."
    controls = (
        presets("preset", "preset", NUMBERS, PRESETS),
        *FIELDS,
        IntField("storage_length", "storage length", because="A length is not negative."),
    )

    preset: str = "row-major"
    storage_length: int = 12

    def check(self) -> None:
        """Refuses what is no header, a storage too long, and numbers too large to count with."""
        require_pairs(self.size, self.stride)
        if self.storage_length > MOST_POSITIONS:
            raise MisreadError(
                f"A storage of {self.storage_length:,} elements is too long.",
                f"An explorer shows at most {MOST_POSITIONS:,}.",
                {"storage_length": MOST_POSITIONS},
            )
        require_countable(self.layout, row_major(tuple(min(n, 9) for n in self.size)))

    def show(self) -> Shown:
        """The header over its storage; whether it fits, is contiguous, overlaps."""
        layout = self.layout
        storage = arange(self.storage_length)
        header = f"size {self.size}, stride {self.stride}, storage_offset {self.storage_offset}"
        shared = ", and some elements overlap" if _overlap(layout) else ""
        fits = layout.needed <= self.storage_length
        facts = (
            f"{count(layout.numel, 'element')}; a storage of at least {layout.needed:,} holds "
            "them.",
            _contiguity(layout),
            _overlap(layout),
        )
        return Shown(
            f"{header}: {'inside the storage' if fits else 'out of bounds'}{shared}.",
            draw_as_strided(storage, self.size, self.stride, self.storage_offset, title="x"),
            tuple(filter(None, facts)),
            **storage_needed(layout, self.storage_length),
        )

    def code(self) -> str:
        """as_strided, and what torch says where it refuses."""
        made = f"x.as_strided({self.size}, {self.stride}, {self.storage_offset})"
        lines = f"y = {made}\ny.is_contiguous()  # {self.layout.is_contiguous}"
        if self.layout.needed > self.storage_length:
            lines = attempt(made, told="  # it leaves the storage")
        return torch_code(f"x = torch.arange({self.storage_length})", lines)

    @classmethod
    def from_layout(cls, layout: Layout, storage_length: int) -> Mapping[str, Any]:
        """The header, and the length of the storage that it lies on."""
        return {**header_of(layout), "storage_length": storage_length}


def _contiguity(layout: Layout) -> str:
    if layout.is_contiguous:
        return "Contiguous: reading order is storage order."
    return f"Not contiguous. {explain.contiguity(layout).answer.removeprefix('No: ').capitalize()}"


def _overlap(layout: Layout) -> str:
    if not layout.numel:
        return ""
    if layout.repeated:
        dims = joined(f"dim {dim}" for dim in layout.repeated)
        return f"Overlap: the same memory is repeated in {dims}, where the stride is 0."
    # More elements than positions between the first and the last; or a search, if it is short.
    low, high = layout.reach or (0, 0)
    overlaps = layout.numel > high - low + 1 or (
        layout.numel <= MOST_SEARCHED and layout.has_overlap
    )
    return "Overlap: two indices lead to the same position." if overlaps else ""
