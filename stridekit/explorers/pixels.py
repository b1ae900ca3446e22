"""`pixels`: an image in memory, read through any header."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from operator import mul
from typing import Any

from stridekit.diagrams import draw_pixels
from stridekit.diagrams.scenes.captions import count
from stridekit.diagrams.scenes.pixel_scene import MARKED_MOST, steps_of
from stridekit.diagrams.scenes.pixel_words import CHANNELS
from stridekit.example_image import face
from stridekit.explorers.explorer import Choice, Explorer, PictureCell, Problem, Shown, TextField
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    changed,
    header_of,
    last_element,
    one_of_each,
    words,
)
from stridekit.explorers.parsing import LARGEST, ints
from stridekit.explorers.parsing import spell as typed
from stridekit.layouts.layout import Ints, Layout, spell
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

RGB, BGR, PLANES = "RGB, pixel by pixel", "BGR, pixel by pixel", "RGB, channel by channel"
# How what lies in memory is meant: its dims and its header. BGR is read backwards.
MEANT: dict[str, tuple[str, Layout]] = {
    RGB: ("HWC", Layout((64, 96, 3), (288, 3, 1))),
    BGR: ("HWC", Layout((64, 96, 3), (288, 3, -1), 2)),
    PLANES: ("CHW", Layout((3, 64, 96), (6144, 96, 1))),
}
ROWS, COLUMNS = 64, 96
LENGTH = ROWS * COLUMNS * 3
FACE, READ, RED = "as it is meant", "as it is read", "its red alone"
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
OWN = "your own"


@dataclass(frozen=True, slots=True)
class PixelsState(HeaderState):
    """What lies in memory, and the header that it is read through. `order` names the dims.

    `pixel` is a row and a column of the face: where its memory is read is outlined.
    """

    size: Ints = (64, 96, 3)
    stride: Ints = (288, 3, 1)
    storage_offset: int = 0
    order: str = "HWC"
    memory: str = RGB
    preset: str = "as it is"
    pixel: Ints | None = None


def _read_pixel(text: str) -> Ints | None:
    return ints("The pixel", least=None)(text) if text.strip() else None


def _spell_pixel(pixel: Ints | None) -> str:
    return "" if pixel is None else typed(pixel)


def _change(state: PixelsState, changes: Mapping[str, Any]) -> PixelsState:
    preset = changes.get("preset", state.preset)
    if preset in PRESETS and preset != state.preset:
        memory, order, size, stride, offset = PRESETS[preset]
        state = PixelsState(size, stride, offset, order, memory, preset, state.pixel)
    order = changes.get("order", state.order)
    if order != state.order and len(order) != len(state.size) and "size" not in changes:
        # Another number of dims: read as it is meant, as far as these dims go.
        state = replace(state, size=_SIZES[order], stride=_STRIDES[order], storage_offset=0)
    new = changed(state, changes)
    if "size" in changes and "order" not in changes and len(new.size) != len(new.order):
        new = replace(new, order=_order_of(new.size))
    header = new.memory, new.order, new.size, new.stride, new.storage_offset
    named = next((name for name, known in PRESETS.items() if known == header), OWN)
    return replace(new, preset=named)


_SIZES: dict[str, Ints] = {"HWC": (64, 96, 3), "CHW": (3, 64, 96), "HW": (64, 96)}
_STRIDES: dict[str, Ints] = {"HWC": (288, 3, 1), "CHW": (1, 288, 3), "HW": (288, 3)}


def _order_of(size: Ints) -> str:
    """What a size of so many dims most likely is."""
    if len(size) != 3:
        return "HW"
    return "CHW" if size[0] in CHANNELS and size[-1] not in CHANNELS else "HWC"


def _problem(state: PixelsState) -> Problem | None:
    size, order = state.size, state.order
    usual = {"size": _SIZES[order], "stride": _STRIDES[order], "storage_offset": 0}
    if len(size) != len(order):
        return Problem(
            f"Size {size} has {count(len(size), 'dim')}, and {order} names {len(order)}.",
            "A picture has rows and columns, and may have channels.",
            f"size {_SIZES[order]}",
            usual,
        )
    problem = one_of_each(size, state.stride)
    if problem is not None:
        return problem
    channels = size[order.index("C")] if "C" in order else 1
    if channels not in CHANNELS:
        nearest = tuple(3 if letter == "C" else n for letter, n in zip(order, size, strict=True))
        return Problem(
            f"Size {size} has {channels} channels in dim {order.index('C')}.",
            "A picture has 1, 3 or 4: grey, or red, green and blue, or these and how opaque.",
            f"size {nearest}",
            {"size": nearest},
        )
    reach = state.layout.reach
    if prod(max(n, 1) for n in size) > LARGEST or (reach is not None and reach[1] > LARGEST):
        return Problem(
            f"Size {size}, stride {state.stride}, storage_offset {state.storage_offset} is too "
            "large.",
            f"An explorer counts elements and positions up to {LARGEST:,}.",
            f"size {_SIZES[order]}, stride {_STRIDES[order]}, storage_offset 0",
            usual,
        )
    return _pixel_problem(state.pixel)


def _pixel_problem(pixel: Ints | None) -> Problem | None:
    if pixel is None:
        return None
    sides = ROWS, COLUMNS
    padded = (*pixel, 0, 0)[:2]
    inside = tuple(min(max(at, -n), n - 1) for at, n in zip(padded, sides, strict=True))
    if inside == pixel:
        return None
    return Problem(
        f"The face has no pixel {pixel}.",
        f"A pixel has a row, 0 to {ROWS - 1}, and a column, 0 to {COLUMNS - 1}.",
        f"pixel {inside}",
        {"pixel": inside},
    )


def _red(memory: str) -> Layout:
    order, layout = MEANT[memory]
    rows, columns = (order.index(side) for side in "HW")
    steps = layout.stride[rows], layout.stride[columns]
    return Layout((ROWS, COLUMNS), steps, layout.storage_offset)


def _storage(memory: str) -> Tensor:
    """The face as it lies in memory."""
    if memory == PLANES:
        return face("CHW")
    return face() if memory == RGB else face().flip(2)


def _show(state: PixelsState) -> Shown:
    order, layout = MEANT[state.memory]
    meant = replace(subject_of("pixels", _storage(state.memory)), layout=layout)
    diagram = draw_pixels(
        {FACE: meant, READ: state.layout}, dims={FACE: order, READ: state.order}, select=state.pixel
    )
    read = diagram.scene.pictures[1]
    missing = sum(rows * columns for _, _, rows, columns in read.hidden)
    where = "every pixel lies inside the storage"
    if missing:
        where = f"{missing:,} of {read.rows * read.columns:,} pixels lie outside the storage"
    header = words(state.layout)
    dims = {FACE: order, RED: "HW"}
    told = ""
    if state.pixel is not None:
        told = f" The memory of pixel [{spell(state.pixel)}] is read in {_places(read.marked)}."
    return Shown(
        f"{header}: {where}.{told}",
        (diagram,),
        (
            f"In memory lie {LENGTH:,} elements of a byte: {state.memory}.",
            f"A storage of at least {count(state.needed, 'element')} holds the header.",
        ),
        question=f"How many elements must the storage hold for {header}?",
        truth=str(state.needed),
        # Two pictures, as in the answer, so that they are as large.
        given=lambda: (draw_pixels({FACE: meant, RED: _red(state.memory)}, dims=dims),),
        why=last_element(state.layout),
        slips=(
            (str(state.needed - 1), "That is the last position; positions count from 0."),
            (
                str(state.layout.numel),
                "That is how many elements there are; how far apart they lie counts too.",
            ),
            (str(LENGTH), "That is how many it holds."),
        ),
    )


def _places(marked: Sequence[Ints]) -> str:
    """How many of the pixels that are shown, and which is the first."""
    if not marked:
        return "no pixel"
    more = " or more" if len(marked) == MARKED_MOST else ""
    return f"{count(len(marked), 'pixel')}{more}, first in [{spell(marked[0])}]"


def _face_index(memory: str, pixel: Ints) -> Ints:
    """A pixel of the face as an index of what lies in memory: that of its first channel."""
    row, column = (at % n for at, n in zip(pixel, (ROWS, COLUMNS), strict=True))
    return (0, row, column) if memory == PLANES else (row, column, 0)


def _held(state: PixelsState, what: object) -> Mapping[str, Any]:
    """The pixel of the face that was pointed at, or that is read where one was pointed at."""
    if not isinstance(what, PictureCell) or what.index is None or len(what.index) != 2:
        return {}
    if what.name != READ:
        return {"pixel": what.index}
    # Of large pictures every so-manieth row and column is shown.
    sides = (state.size[state.order.index("H")], state.size[state.order.index("W")])
    hops = map(mul, what.index, steps_of(*sides))
    places = dict(zip("HW", hops, strict=True))
    index = tuple(places.get(letter, 0) for letter in state.order)
    if not all(0 <= at < n for at, n in zip(index, state.size, strict=True)):
        return {}
    order, layout = MEANT[state.memory]
    found = layout.index_at(state.layout.position(index))
    return {} if found is None else {"pixel": tuple(found[order.index(side)] for side in "HW")}


_MADE = {RGB: "face()", BGR: "face().flip(2)", PLANES: 'face("CHW")'}


def _code(state: PixelsState) -> str:
    lines = (
        "import torch\nfrom stridekit import draw_pixels, face\n\n"
        f"memory = torch.from_numpy({_MADE[state.memory]}.numpy())\n"
    )
    if state.pixel is not None:
        index = _face_index(state.memory, state.pixel)
        lines += f"first = memory[{spell(index)}]  # the pixel's first byte\n"
    header = f"{state.size}, {state.stride}, {state.storage_offset}"
    if state.needed <= LENGTH:
        made = f"x = memory.as_strided({header})\n"
        return f'{lines}{made}picture = draw_pixels(x, dims="{state.order}")'
    return (
        f"{lines}try:\n    memory.as_strided({header})\nexcept RuntimeError as error:\n"
        "    print(error)  # it leaves the storage\n"
        f"picture = draw_pixels(\n    memory,\n    size={state.size},\n"
        f"    stride={state.stride},\n    storage_offset={state.storage_offset},\n"
        f'    dims="{state.order}",\n)'
    )


PIXELS = Explorer(
    name="pixels",
    title="Pixels",
    about="A face in memory. Read it through another header, and see it lean, turn or break up.",
    initial=PixelsState(),
    controls=(
        Choice("preset", "preset", (*PRESETS, OWN)),
        Choice("memory", "in memory", tuple(MEANT)),
        *FIELDS,
        Choice("order", "dims", tuple(_SIZES)),
        TextField("pixel", "pixel", _read_pixel, _spell_pixel, "row, column"),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
    held=_held,
)
