"""`pixels`: an image in memory, read through any header."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from stridekit.diagrams import draw_pixels
from stridekit.diagrams.scenes.pixel_scene import MARKED_MOST
from stridekit.diagrams.scenes.pixel_words import CHANNELS
from stridekit.example_image import face
from stridekit.explorers.explorer import PictureCell, Shown
from stridekit.explorers.fields import Choice, IntsField, MisreadError, presets
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    fitting_index,
    header_of,
    require_countable,
    require_pairs,
    storage_needed,
    words,
)
from stridekit.layouts.layout import Ints, Layout, count, spell
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

RGB, BGR, PLANES = "RGB, pixel by pixel", "BGR, pixel by pixel", "RGB, channel by channel"


class FaceInMemory(NamedTuple):
    """A face in memory: how it is made, and how it is meant (its dims and its header)."""

    code: str
    make: Callable[[], Tensor]
    order: str
    layout: Layout


MEMORY = {
    RGB: FaceInMemory("face()", face, "HWC", Layout((64, 96, 3), (288, 3, 1))),
    # Read backwards.
    BGR: FaceInMemory(
        "face().flip(2)", lambda: face().flip(2), "HWC", Layout((64, 96, 3), (288, 3, -1), 2)
    ),
    PLANES: FaceInMemory(
        'face("CHW")', lambda: face("CHW"), "CHW", Layout((3, 64, 96), (6144, 96, 1))
    ),
}
ROWS, COLUMNS = 64, 96
LENGTH = ROWS * COLUMNS * 3
FACE, READ, RED = "as it is meant", "as it is read", "its red alone"
# How the face is read as it is meant, by the dims that are named.
USUAL = {
    "HWC": Layout((64, 96, 3), (288, 3, 1)),
    "CHW": Layout((3, 64, 96), (1, 288, 3)),
    "HW": Layout((64, 96), (288, 3)),
}
PRESETS: dict[str, tuple[str, str, Ints, Ints, int]] = {
    "as it is": (RGB, "HWC", (64, 96, 3), (288, 3, 1), 0),
    "one pixel too long": (RGB, "HWC", (64, 96, 3), (291, 3, 1), 0),
    "one byte too long": (RGB, "HWC", (64, 96, 3), (289, 3, 1), 0),
    "H, W, C read as C, H, W": (RGB, "CHW", (3, 64, 96), (6144, 96, 1), 0),
    "C, H, W read as H, W, C": (PLANES, "HWC", (64, 96, 3), (288, 3, 1), 0),
    "permuted": (RGB, "CHW", (3, 64, 96), (1, 288, 3), 0),
    "transposed": (RGB, "HWC", (96, 64, 3), (3, 288, 1), 0),
    "every other pixel": (RGB, "HWC", (32, 48, 3), (576, 6, 1), 0),
    "stride 0": (RGB, "HWC", (64, 96, 3), (0, 3, 1), 8640),
    "BGR for RGB": (BGR, "HWC", (64, 96, 3), (288, 3, 1), 0),
    "green alone": (RGB, "HW", (64, 96), (288, 3), 1),
    "begun too late": (RGB, "HWC", (64, 96, 3), (288, 3, 1), 2400),
}
PARTS = ("memory", "order", "size", "stride", "storage_offset")


@dataclass(frozen=True)
class Pixels(HeaderState):
    """A face in memory, read through any header: size, stride, storage_offset, order, memory.

    Strides are in elements, a byte each. `order` says which dim is which: "HWC", "CHW" or "HW".
    Of a tensor that is given, the header is taken, and the face is read through it. What leaves
    the storage is hatched. `preset` is one of the famous mistakes. `pixel` is a row and a column
    of the face; where its memory is read is outlined.

    >>> from stridekit.explorers import pixels
    >>> pixels(stride=(291, 3, 1)).state.preset
    'one pixel too long'
    """

    name = "pixels"
    title = "Pixels"
    about = "A face in memory. Read through another header, it leans, turns or breaks up."
    controls = (
        presets("preset", "preset", PARTS, PRESETS),
        Choice("memory", "in memory", tuple(MEMORY)),
        *FIELDS,
        Choice("order", "dims", tuple(USUAL)),
        IntsField("pixel", "pixel", "row, column", least=None, optional=True),
    )

    size: Ints = (64, 96, 3)
    stride: Ints = (288, 3, 1)
    order: str = "HWC"
    memory: str = RGB
    preset: str = "as it is"
    pixel: Ints | None = None

    def follow(self, before: "Pixels", changes: Mapping[str, Any]) -> "Pixels":
        """Another number of dims: read as it is meant, or named as it most likely is."""
        new = self
        is_other = self.order != before.order and len(self.order) != len(self.size)
        if is_other and "size" not in changes:
            new = replace(new, **{**header_of(USUAL[self.order]), **changes})
        elif "size" in changes and "order" not in changes and len(new.size) != len(new.order):
            new = replace(new, order=_order_of(new.size))
        return HeaderState.follow(new, before, changes)

    def check(self) -> None:
        """Refuses dims without names, what is no header, other channels, a pixel not there."""
        size, order = self.size, self.order
        usual = USUAL[order]
        if len(size) != len(order):
            raise MisreadError(
                f"Size {size} has {count(len(size), 'dim')}, and {order} names {len(order)}.",
                "A picture has rows and columns, and may have channels.",
                header_of(usual),
                f"size {usual.size}",
            )
        require_pairs(size, self.stride)
        if "C" in order and size[order.index("C")] not in CHANNELS:
            dim = order.index("C")
            raise MisreadError(
                f"Size {size} has {size[dim]} channels in dim {dim}.",
                "A picture has 1, 3 or 4: grey, or red, green and blue, or these and how opaque.",
                {"size": (*size[:dim], 3, *size[dim + 1 :])},
            )
        require_countable(self.layout, header_of(usual))
        if self.pixel is not None:
            nearest = fitting_index(self.pixel, (ROWS, COLUMNS))
            if self.pixel != nearest:
                raise MisreadError(
                    f"The face has no pixel {self.pixel}.",
                    f"A pixel has a row, 0 to {ROWS - 1}, and a column, 0 to {COLUMNS - 1}.",
                    {"pixel": nearest},
                )

    def show(self) -> Shown:
        """The face as it is meant, and as it is read."""
        _, make, order, layout = MEMORY[self.memory]
        meant = replace(subject_of("pixels", make()), layout=layout)
        diagram = draw_pixels(
            {FACE: meant, READ: self.layout},
            dims={FACE: order, READ: self.order},
            select=self.pixel,
        )
        read = diagram.scene.pictures[1]
        missing = sum(rows * columns for _, _, rows, columns in read.hidden)
        where = "every pixel lies inside the storage"
        if not read.rows * read.columns:
            where = "there are no pixels"
        elif missing:
            where = f"{missing:,} of {read.rows * read.columns:,} pixels lie outside the storage"
        told = ""
        if self.pixel is not None:
            many = len(read.marked)
            places = "no pixel"
            if many:
                more = " or more" if many == MARKED_MOST else ""
                places = f"{count(many, 'pixel')}{more}, first in [{spell(read.marked[0])}]"
            told = f" The memory of pixel [{spell(self.pixel)}] is read in {places}."
        rows, columns = (order.index(side) for side in "HW")
        red = Layout(
            (ROWS, COLUMNS), (layout.stride[rows], layout.stride[columns]), layout.storage_offset
        )
        return Shown(
            f"{words(self.layout)}: {where}.{told}",
            diagram,
            (
                f"In memory lie {LENGTH:,} elements of 1 byte: {self.memory}.",
                f"A storage of at least {count(self.layout.needed, 'element')} holds the header.",
            ),
            # Two pictures, as in the answer, so that they are as large.
            given=lambda: draw_pixels({FACE: meant, RED: red}, dims={FACE: order, RED: "HW"}),
            **storage_needed(self.layout, LENGTH),
        )

    def picked(self, cell: PictureCell) -> Mapping[str, Any]:
        """The pixel of the face that was pointed at."""
        is_pixel = cell.name == FACE and cell.index is not None and len(cell.index) == 2
        return {"pixel": cell.index} if is_pixel else {}

    def code(self) -> str:
        """What lies in memory, and as_strided; what torch says where it refuses."""
        made, _, order, _ = MEMORY[self.memory]
        lines = (
            "import torch\nfrom stridekit import draw_pixels, face\n\n"
            f"memory = torch.from_numpy({made}.numpy())\n"
        )
        if self.pixel is not None:
            row, column = (at % n for at, n in zip(self.pixel, (ROWS, COLUMNS), strict=True))
            places = {"H": row, "W": column, "C": 0}
            index = [places[letter] for letter in order]
            lines += f"first = memory[{spell(index)}]  # the pixel's first byte\n"
        size, stride, offset = self.size, self.stride, self.storage_offset
        if self.layout.needed <= LENGTH:
            read = f"x = memory.as_strided({size}, {stride}, {offset})\n"
            return f'{lines}{read}picture = draw_pixels(x, dims="{self.order}")'
        return (
            f"{lines}try:\n    memory.as_strided({size}, {stride}, {offset})\n"
            "except RuntimeError as error:\n    print(error)  # it leaves the storage\n"
            f"picture = draw_pixels(\n    memory,\n    size={size},\n    stride={stride},\n"
            f'    storage_offset={offset},\n    dims="{self.order}",\n)'
        )


def _order_of(size: Ints) -> str:
    """What a size of so many dims most likely is."""
    if len(size) != 3:
        return "HW"
    return "CHW" if size[0] in CHANNELS and size[-1] not in CHANNELS else "HWC"
