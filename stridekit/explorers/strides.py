"""`strides`: any header over a storage, inside of it or out, overlapping or not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw_as_strided
from stridekit.diagrams.scenes.captions import count, joined
from stridekit.explorers.explorer import Choice, Explorer, Problem, Shown
from stridekit.explorers.header_state import (
    COUNTS,
    FORWARD,
    FROM_0,
    MOST_POSITIONS,
    header_of,
    last_element,
    one_of_each,
)
from stridekit.explorers.parsing import LARGEST, ints_field, whole_field
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.tensors.constructors import arange

LONGEST = MOST_POSITIONS
# Elements among which overlap is looked for: a blink at most, in any number of dims.
MOST_SEARCHED = 10**5
PRESETS: dict[str, tuple[Ints, Ints, int, int]] = {
    "row-major": ((3, 4), (4, 1), 0, 12),
    "column-major": ((3, 4), (1, 3), 0, 12),
    "transpose": ((4, 3), (1, 4), 0, 12),
    "slice": ((2, 2), (8, 2), 1, 12),
    "expand": ((3, 4), (0, 1), 0, 4),
    "window": ((4, 3), (1, 1), 0, 6),
    "diagonal": ((3,), (5,), 0, 12),
    "out of bounds": ((3, 4), (5, 1), 0, 12),
}
OWN = "your own"


@dataclass(frozen=True, slots=True)
class StridesState:
    """A header, and the length of the storage below it, in elements."""

    preset: str = "row-major"
    size: Ints = (3, 4)
    stride: Ints = (4, 1)
    storage_offset: int = 0
    storage_length: int = 12

    @property
    def layout(self) -> Layout:
        """The header as a Layout."""
        return Layout(self.size, self.stride, self.storage_offset)


def _change(state: StridesState, changes: Mapping[str, Any]) -> StridesState:
    preset = changes.get("preset", state.preset)
    if preset in PRESETS and preset != state.preset:
        state = StridesState(preset, *PRESETS[preset])
    changed = replace(state, **changes)
    if "size" in changes and "stride" not in changes and len(changed.size) != len(state.stride):
        changed = replace(changed, stride=contiguous_stride(changed.size))
    if (
        changed.size != state.size
        and "storage_length" not in changes
        and _fits(state)
        and _is_header(changed)
    ):
        # What lay inside stays inside; a stride that leaves the storage is shown as it is.
        grown = max(changed.storage_length, _needed(changed.layout))
        changed = replace(changed, storage_length=min(grown, max(LONGEST, changed.storage_length)))
    header = changed.size, changed.stride, changed.storage_offset, changed.storage_length
    named = next((name for name, known in PRESETS.items() if known == header), OWN)
    return replace(changed, preset=named)


def _needed(layout: Layout) -> int:
    reach = layout.reach
    return 0 if reach is None else reach[1] + 1


def _is_header(state: StridesState) -> bool:
    return len(state.size) == len(state.stride)


def _fits(state: StridesState) -> bool:
    return _is_header(state) and _needed(state.layout) <= state.storage_length


def _problem(state: StridesState) -> Problem | None:
    problem = one_of_each(state.size, state.stride)
    if problem is not None:
        return problem
    if state.storage_length > LONGEST:
        return Problem(
            f"A storage of {state.storage_length:,} elements is too long.",
            f"An explorer shows at most {LONGEST:,}.",
            f"storage length {LONGEST}",
            {"storage_length": LONGEST},
        )
    # The product that torch computes first skips no 0.
    product = prod(max(n, 1) for n in state.size)
    reach = state.layout.reach
    if product > LARGEST or (reach is not None and reach[1] > LARGEST):
        why = f"An explorer counts elements and positions up to {LARGEST:,}."
        nearest = {"size": tuple(min(n, 9) for n in state.size)}
        packed = contiguous_stride(nearest["size"])
        return Problem(
            f"Size {state.size}, stride {state.stride}, storage_offset {state.storage_offset} is "
            "too large.",
            why,
            f"size {nearest['size']}, row-major, storage_offset 0",
            {**nearest, "stride": packed, "storage_offset": 0},
        )
    return None


def _show(state: StridesState) -> Shown:
    layout = state.layout
    storage = arange(state.storage_length)
    diagram = draw_as_strided(storage, state.size, state.stride, state.storage_offset, title="x")
    needed = _needed(layout)
    header = f"size {state.size}, stride {state.stride}, storage_offset {state.storage_offset}"
    facts = [
        f"{count(layout.numel, 'element')}; a storage of at least {needed:,} holds them.",
        _contiguity(layout),
    ]
    fits = needed <= state.storage_length
    shared = _shared(layout)
    if shared:
        facts.append(shared)
    summary = f"{header}: {'inside the storage' if fits else 'out of bounds'}."
    return Shown(
        summary,
        (diagram,),
        tuple(facts),
        question=f"How many elements must the storage hold for {header}?",
        truth=str(needed),
        why=last_element(layout),
        slips=(
            (str(needed - 1), "That is the last position; positions count from 0."),
            (
                str(layout.numel),
                "That is how many elements there are; how far apart they lie counts too.",
            ),
            (str(state.storage_length), "That is how many elements it holds now."),
        ),
    )


def _contiguity(layout: Layout) -> str:
    if layout.is_contiguous:
        return "Contiguous: reading order is storage order."
    return f"Not contiguous. {explain.contiguity(layout).answer.removeprefix('No: ').capitalize()}"


def _shared(layout: Layout) -> str:
    if not layout.numel:
        return ""
    repeated = [
        f"dim {dim}" for dim, (n, step) in enumerate(zip(layout.size, layout.stride, strict=True))
        if n > 1 and step == 0
    ]  # fmt: skip
    if repeated:
        return f"Overlap: the same memory is repeated in {joined(repeated)}, where the stride is 0."
    # More elements than positions between the first and the last; or a search, if it is short.
    low, high = layout.reach or (0, 0)
    overlaps = layout.numel > high - low + 1 or (
        layout.numel <= MOST_SEARCHED and layout.has_overlap
    )
    return "Overlap: two indices lead to the same position." if overlaps else ""


def _code(state: StridesState) -> str:
    made = f"x.as_strided({state.size}, {state.stride}, {state.storage_offset})"
    if _needed(state.layout) > state.storage_length:
        lines = (
            f"try:\n    {made}\nexcept RuntimeError as error:\n"
            "    print(error)  # it leaves the storage"
        )
    else:
        lines = f"y = {made}\ny.is_contiguous()  # {state.layout.is_contiguous}"
    return f"import torch\n\nx = torch.arange({state.storage_length})\n{lines}"


def _from_layout(layout: Layout, storage_length: int) -> Mapping[str, Any]:
    return {**header_of(layout, storage_length), "storage_length": storage_length}


STRIDES = Explorer(
    name="strides",
    title="Strides",
    about="A header says where each index leads. Change it, and see which slots it reaches.",
    initial=StridesState(),
    controls=(
        Choice("preset", "preset", (*PRESETS, OWN)),
        ints_field("size", "size", because=COUNTS, hint="3, 4"),
        ints_field("stride", "stride", because=FORWARD, hint="4, 1"),
        whole_field("storage_offset", "storage_offset", because=FROM_0),
        whole_field("storage_length", "storage length", because="A length is not negative."),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
)
