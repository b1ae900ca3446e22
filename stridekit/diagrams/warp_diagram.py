"""`draw_warp`: 32 threads of a GPU, and the sectors of memory that they touch at once."""

from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, SupportsIndex

from stridekit.diagrams.diagram import Diagram
from stridekit.diagrams.pages.page import Page
from stridekit.diagrams.pages.warp_page import lay_out_warp
from stridekit.diagrams.scenes import arguments
from stridekit.diagrams.scenes.scene import Scene, Slot
from stridekit.diagrams.scenes.warp_scene import WarpOptions, compose_warp
from stridekit.errors import ArgumentError, InteropError
from stridekit.layouts.layout import wrap_dim
from stridekit.layouts.warps import WARP, warp_of, word_of
from stridekit.layouts.whole_numbers import as_int

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CALL = "draw_warp"


class WarpDiagram(Diagram):
    """One request of a warp: `.figure()`, `.svg()`, `.text()`, `.alt`, `.save(path)`, as ever.

    >>> import stridekit as sk
    >>> print(sk.draw_warp(sk.zeros(64, 64), along=0).scene.notes[0])
    The threads want 128 bytes. 32 sectors come, 1,024 bytes in 32 lines: 12.5% is wanted.
    """

    @cached_property
    def _page(self) -> Page:
        return lay_out_warp(self.scene)

    def text(self) -> str:
        """A line for each sector: its bytes, and the threads that want some of them."""
        return to_warp_text(self.scene)


def to_warp_text(scene: Scene) -> str:
    """The scene as lines of text."""
    (section,) = scene.sections
    (grid,), (strip,) = section.grids, section.strips
    name = f"{section.label} · " if section.label else ""
    rows = [("bytes", "threads", "wanted")]
    slots = [slot for slot in strip.slots if isinstance(slot, Slot)]
    for first in range(0, len(slots), strip.line):
        mine = slots[first : first + strip.line]
        start, number = mine[0].address * strip.unit, mine[0].address // strip.line
        those = [cell.column for cell in grid.cells if cell.address // strip.line == number]
        wanted = strip.unit * sum(slot.group is not None for slot in mine)
        rows.append(
            (f"{start} to {start + strip.unit * strip.line - 1}", _runs(those), f"{wanted}")
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    parts = [[f"{name}{grid.header}", grid.dims[0].text], lines, [*scene.notes]]
    return "\n\n".join("\n".join(part) for part in ([scene.title], *parts) if part != [""])


def _runs(threads: list[int]) -> str:
    """Numbers with neighbours put together.

    >>> _runs([0, 1, 2, 5])
    '0 to 2, 5'
    """
    runs = groupby(enumerate(threads), lambda each: each[1] - each[0])
    ends = [(run[0][1], run[-1][1]) for run in ([*each] for _, each in runs)]
    return ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in ends)


def draw_warp(
    tensor: object,
    *,
    along: SupportsIndex = -1,
    request: SupportsIndex = 0,
    threads: SupportsIndex = WARP,
    title: str | None = None,
    ax: "Axes | None" = None,
) -> WarpDiagram:
    """What a warp touches when its threads read one element each: wanted bytes, fetched bytes.

    Neighbouring threads read neighbouring elements of the dim `along`. The picture shows one
    `request`, and its notes count all; `stridekit.layouts.warps` says by which rule. The storage
    is taken to begin at a line. Nothing is read, so any tensor does, on any device or on none.

    Raises ArgumentError for what is no tensor, or has elements that no thread reads at once;
    IndexRangeError for a request that is not there, and DimError for such a dim.

    >>> print(sk.draw_warp(sk.zeros(64, dtype=sk.float32)[::2]).text())
    size (32,) · stride (2,) · offset 0 · float32
    32 threads, neighbours along dim 0 · request 0 of 1
    <BLANKLINE>
    bytes       threads   wanted
    0 to 31     0 to 3    16
    32 to 63    4 to 7    16
    64 to 95    8 to 11   16
    96 to 127   12 to 15  16
    128 to 159  16 to 19  16
    160 to 191  20 to 23  16
    192 to 223  24 to 27  16
    224 to 255  28 to 31  16
    <BLANKLINE>
    The threads want 128 bytes. 8 sectors come, 256 bytes in 2 lines: 50% is wanted.
    """
    heading = arguments.heading(CALL, title)
    named = arguments.named_tensors(CALL, (tensor,), heading)
    if len(named) != 1:
        raise ArgumentError(f"{CALL}: give one tensor, and not {len(named)}.")
    ((name, given),) = named
    subject = arguments.one_subject(CALL, given)
    if subject.in_bytes:
        raise InteropError(
            f"{CALL}: the elements of this array lie at no multiple of their size, and no thread "
            "reads such a one at once. Copy it first: array.copy()."
        )
    word_of(CALL, subject.element_size)
    asked = WarpOptions(
        wrap_dim(CALL, along, subject.layout.ndim),
        as_int(CALL, "request", request),
        warp_of(CALL, threads),
    )
    return WarpDiagram(compose_warp(name, subject, "" if name == heading else heading, asked), ax)
