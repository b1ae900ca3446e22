"""`pixels`: an image in memory, read through any header."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit.diagrams import draw_pixels
from stridekit.diagrams.scenes.captions import count
from stridekit.diagrams.scenes.pixel_dims import CHANNELS
from stridekit.explorers.explorer import Choice, Explorer, Problem, Shown
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    changed,
    header_of,
    one_of_each,
    words,
)
from stridekit.explorers.parsing import LARGEST
from stridekit.layouts.layout import Ints, Layout
from stridekit.samples.face import face
from stridekit.tensors.subjects import subject_of
from stridekit.tensors.tensor import Tensor

RGB, BGR, PLANES = "RGB, pixel by pixel", "BGR, pixel by pixel", "RGB, channel by channel"
# How what lies in memory is meant: its dims and its header. BGR is read backwards.
MEANT: dict[str, tuple[str, Layout]] = {
    RGB: ("HWC", Layout((64, 96, 3), (288, 3, 1))),
    BGR: ("HWC", Layout((64, 96, 3), (288, 3, -1), 2)),
    PLANES: ("CHW", Layout((3, 64, 96), (6144, 96, 1))),
}
LENGTH = 64 * 96 * 3
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
class Reading(HeaderState):
    """What lies in memory, and the header that it is read through. `order` names the dims."""

    size: Ints = (64, 96, 3)
    stride: Ints = (288, 3, 1)
    storage_offset: int = 0
    order: str = "HWC"
    memory: str = RGB
    preset: str = "as it is"


def _change(state: Reading, changes: Mapping[str, Any]) -> Reading:
    preset = changes.get("preset", state.preset)
    if preset in PRESETS and preset != state.preset:
        memory, order, size, stride, offset = PRESETS[preset]
        state = Reading(size, stride, offset, order, memory, preset)
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


def _problem(state: Reading) -> Problem | None:
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
    return None


def _storage(memory: str) -> Tensor:
    """The face as it lies in memory."""
    if memory == PLANES:
        return face("CHW")
    return face() if memory == RGB else face().flip(2)


def _show(state: Reading) -> Shown:
    order, layout = MEANT[state.memory]
    meant = replace(subject_of("pixels", _storage(state.memory)), layout=layout)
    diagram = draw_pixels(
        {"as it is meant": meant, "as it is read": state.layout},
        dims={"as it is meant": order, "as it is read": state.order},
    )
    read = diagram.scene.pictures[1]
    missing = sum(rows * columns for _, _, rows, columns in read.hidden)
    where = "every pixel lies inside the storage"
    if missing:
        where = f"{missing:,} of {read.rows * read.columns:,} pixels lie outside the storage"
    header = words(state.layout)
    return Shown(
        f"{header}: {where}.",
        (diagram,),
        (
            f"In memory lie {LENGTH:,} elements of a byte: {state.memory}.",
            f"A storage of at least {count(state.needed, 'element')} holds the header.",
        ),
        question=f"How many elements must the storage hold for {header}?",
        truth=str(state.needed),
        given=lambda: (draw_pixels({"as it is meant": meant}, dims=order),),
    )


_MADE = {RGB: "face()", BGR: "face().flip(2)", PLANES: 'face("CHW")'}


def _code(state: Reading) -> str:
    lines = (
        "import torch\nfrom stridekit import draw_pixels, face\n\n"
        f"memory = torch.from_numpy({_MADE[state.memory]}.numpy())\n"
    )
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
    initial=Reading(),
    controls=(
        Choice("preset", "preset", (*PRESETS, OWN)),
        Choice("memory", "in memory", tuple(MEANT)),
        *FIELDS,
        Choice("order", "dims", tuple(_SIZES)),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
)
