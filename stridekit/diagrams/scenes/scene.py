"""What a memory diagram shows, as plain data: no pixels, no colours.

A scene has sections, one for each storage. A section has the grids of its tensors and the strips
that show the memory they lie on. A cell of either belongs to an *address group*, which depends on
its address alone: so a transpose or a slice moves the fills about in the grid, and never changes
them.

An address counts slots from the start of the section's memory; a slot is `unit` bytes long, and
for one tensor that is just its storage position. The modules beside this one build scenes,
`renderers.text` shows them as they are, and `pages` finds a place for everything in them.
"""

from math import prod
from typing import Literal, NamedTuple

from stridekit.diagrams.scenes.colouring import Palette
from stridekit.layouts.layout import Ints

# States of a cell. Each is shown by an outline, a hatch or a sign, never by colour alone.
#   ghost      the same memory again, under another index
#   selected   the element that was asked for
#   written    an element that a write has reached
#   unwritten  memory that nobody has initialised
#   outside    a position beyond the storage: computed, never read
#   switch     a visit that moves to a different cache line from the one before
#   needed     where a step would have to lead, and does not
Mark = Literal["ghost", "selected", "written", "unwritten", "outside", "switch", "needed"]
Marks = tuple[Mark, ...]
# Which way the indices of a dim run. "lead" is for dims before the last four.
Way = Literal["lead", "down", "across"]
# What happened between before and after: another header over the same memory, a copy of elements
# as they are, a write, a storage of another length.
Change = Literal["", "header", "copy", "write", "resize"]
# What stands for indices that are left out.
LEFT_OUT = "⋯"


class Cell(NamedTuple):
    """One element: its block and tracks in the grid, its index, and the address that it shows.

    `visit` is its number in a traversal, or empty.
    """

    block: int
    row: int
    column: int
    index: Ints  # type: ignore[assignment] # it stands for tuple.index, which nobody needs
    address: int
    text: str
    group: int | None
    marks: Marks = ()
    visit: str = ""


class Track(NamedTuple):
    """A row or a column of cells. Index None stands for indices that are left out.

    `level` says how wide the gap before it is: 0 none, 1 where an outer dim moves on, and so on.
    """

    index: Ints | None  # type: ignore[assignment] # as in Cell
    level: int


class DimLabel(NamedTuple):
    """A dim's number, size and stride (in elements), and which way its indices run.

    `level` is 0 for the innermost dim that runs this way; dims that lead go from block to block.
    `parts` are what is written at it, below each other where it is narrow; `name` is what somebody
    calls it. `seam` marks one of two dims that cannot merge.
    """

    dim: int
    size: int
    stride: int
    way: Way
    level: int
    parts: tuple[str, ...]
    name: str
    seam: bool

    @property
    def text(self) -> str:
        """What is written at it, in one line."""
        return " · ".join(self.parts)


class Outline(NamedTuple):
    """The addresses of those cells of a grid that another tensor, a part of this one, reaches.

    `lane` is that tensor's number in the section: the outline has the same dash as its lane.
    """

    name: str
    lane: int
    addresses: frozenset[int]


class Heatmap(NamedTuple):
    """A map of a tensor's last two dims: the mean of each block, row by row, or None.

    `low` and `high` are the least and the greatest of them as they are told.
    """

    name: str
    means: tuple[tuple[float | None, ...], ...]
    low: str
    high: str
    words: str


class Grid(NamedTuple):
    """A tensor: its name, its header in words, and its cells. `unit` is its itemsize in bytes.

    The last four dims at most make a block of `rows` and `columns`; there is one under each leading
    index that is shown. `blocks` are their labels, or LEFT_OUT for leading indices that are not.
    `floats` says that the texts are floats, in full until all floats of
    the picture are known; `short`, that complex numbers have fewer digits than elsewhere. A large
    tensor has a `heatmap` where statistics were asked for.
    """

    name: str
    header: str
    unit: int
    rows: tuple[Track, ...]
    columns: tuple[Track, ...]
    blocks: tuple[str, ...]
    cells: tuple[Cell, ...]
    dims: tuple[DimLabel, ...]
    outlines: tuple[Outline, ...] = ()
    floats: bool = False
    short: bool = False
    heatmap: Heatmap | None = None

    @property
    def abreast(self) -> int:
        """How many blocks belong side by side: the last dim's that leads, if none is left out.

        Or 0, for as many as fit.
        """
        leads = [label.size for label in self.dims if label.way == "lead"]
        return leads[-1] if len(leads) > 1 and prod(leads) == len(self.blocks) else 0


class Slot(NamedTuple):
    """One place in memory. Its group is None when no tensor reaches it.

    `badge` says how many indices share it, `visit` when a traversal comes by.
    """

    address: int
    text: str
    group: int | None
    marks: Marks = ()
    badge: str = ""
    visit: str = ""


class Break(NamedTuple):
    """Memory that is left out of the picture: `length` slots from `first` on."""

    first: int
    length: int


class Lane(NamedTuple):
    """Which of the shown slots a tensor reaches: its name, and their addresses."""

    name: str
    addresses: frozenset[int]


class Strip(NamedTuple):
    """A memory, slot after slot. `memory` is its name, empty where the strip above it says it.

    A break stands wherever memory is left out: between slots, before them or behind them. `unit` is
    the size of a slot, in bytes; `line` how many slots make a cache line, or 0. With `in_bytes` the
    address of each slot is told in bytes as well. Lanes stand under the last strip of a section.
    `floats` is meant as in a grid.
    """

    memory: str
    shows: str
    unit: int
    slots: tuple[Slot, ...]
    breaks: tuple[Break, ...] = ()
    lanes: tuple[Lane, ...] = ()
    more_lanes: int = 0
    line: int = 0
    in_bytes: bool = False
    floats: bool = False

    @property
    def title(self) -> str:
        """What stands over it."""
        return f"{self.memory} {self.shows}".lstrip()


class Hop(NamedTuple):
    """An arrow from slot to slot of the first strip: a step that is made, or would be needed."""

    start: int
    end: int
    label: str
    kind: Literal["actual", "needed"] = "actual"


class Section(NamedTuple):
    """One memory with its tensors. `label` is what stands above it, such as "before".

    With `strip_first` the strips stand above the grids. `more_grids` are not drawn. `stretch` is
    how many slots of the first strip have one fill: 0 where all have, None where an element brought
    its fill along from another section; after `period` slots the fills begin again, unless it is 0.
    `fill_words` say what a fill is where that was asked for. `storage` is a letter, where a picture
    has several storages. Sections of one `memory` show the same bytes, from its byte `start` on:
    before and after a write do. `told` is a sentence below the label. `origins` pair bytes of the
    first strip with the byte of the first section that their element came from, through copies;
    None where nobody knows. `way` is the sum that leads to the selected element of the first grid.
    Without `values` the text of a cell is its position.
    """

    label: str
    grids: tuple[Grid, ...]
    strips: tuple[Strip, ...]
    hops: tuple[Hop, ...] = ()
    strip_first: bool = False
    more_grids: int = 0
    stretch: int | None = 0
    period: int = 0
    fill_words: str = ""
    storage: str = ""
    memory: int = 0
    start: int = 0
    told: str = ""
    origins: tuple[tuple[int, int | None], ...] = ()
    way: str = ""
    values: bool = True


class Move(NamedTuple):
    """An element's way from a slot of the first section to one of the second."""

    start: int
    end: int


class Scene(NamedTuple):
    """A whole diagram. Notes stand below it; `alt` says in words what it shows.

    `palette` is what its fills are, to be handed on to another picture. `change` says what happened
    between before and after; it is empty where nothing did, and where nothing can be followed.
    """

    title: str
    sections: tuple[Section, ...]
    moves: tuple[Move, ...]
    notes: tuple[str, ...]
    alt: str
    palette: Palette = Palette()
    change: Change = ""

    def noted(self, *notes: str, last: bool = False) -> "Scene":
        """The scene with more notes, also in its alt: they come first, or last."""
        both = [self.notes, notes] if last else [notes, self.notes]
        words = [self.alt, *notes] if last else [*notes, self.alt]
        return self._replace(notes=(*both[0], *both[1]), alt=" ".join(words))
