"""The explorer of strides: any header over a storage, inside of it or out, overlapping or not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit.constructors import arange
from stridekit.diagrams import draw_as_strided
from stridekit.explorers.core import Choice, Explorer, Problem, Shown
from stridekit.explorers.reading import ints_field, whole_field
from stridekit.layout import Ints, Layout, contiguous_stride

LONGEST = 512
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
class Header:
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


def _change(state: Header, changes: Mapping[str, Any]) -> Header:
    preset = changes.get("preset", state.preset)
    if preset in PRESETS and preset != state.preset:
        return Header(preset, *PRESETS[preset])
    changed = replace(state, **changes)
    header = changed.size, changed.stride, changed.storage_offset, changed.storage_length
    named = next((name for name, known in PRESETS.items() if known == header), OWN)
    return replace(changed, preset=named)


def _problem(state: Header) -> Problem | None:
    if len(state.size) != len(state.stride):
        nearest = contiguous_stride(state.size)
        return Problem(
            f"{len(state.size)} sizes and {len(state.stride)} strides.",
            "Each dim has one size and one stride.",
            f"stride {nearest}, row-major",
            {"size": state.size, "stride": nearest},
        )
    if state.storage_length > LONGEST:
        return Problem(
            f"A storage of {state.storage_length:,} elements.",
            f"An explorer shows at most {LONGEST}.",
            f"storage length {LONGEST}",
            {"storage_length": LONGEST},
        )
    return None


def _show(state: Header) -> Shown:
    layout = state.layout
    storage = arange(state.storage_length)
    diagram = draw_as_strided(storage, state.size, state.stride, state.storage_offset)
    reach = layout.reach
    needed = 0 if reach is None else reach[1] + 1
    header = f"size {state.size}, stride {state.stride}, storage_offset {state.storage_offset}"
    facts = [
        f"{layout.numel:,} elements; a storage of at least {needed:,} holds them.",
        "Contiguous: reading order is storage order."
        if layout.is_contiguous
        else "Not contiguous.",
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
    )


def _shared(layout: Layout) -> str:
    if not layout.numel:
        return ""
    repeated = [
        f"dim {dim}" for dim, (n, step) in enumerate(zip(layout.size, layout.stride, strict=True))
        if n > 1 and step == 0
    ]  # fmt: skip
    if repeated:
        return f"Overlap: {', '.join(repeated)} repeats the same memory, for its stride is 0."
    if layout.numel <= LONGEST and len({*layout.positions()}) < layout.numel:
        return "Overlap: two indices lead to the same position."
    return ""


def _code(state: Header) -> str:
    storage = f"x = torch.arange({state.storage_length})"
    line = f"x.as_strided({state.size}, {state.stride}, {state.storage_offset})"
    reach = state.layout.reach
    refused = reach is not None and reach[1] >= state.storage_length
    return (
        f"import torch\n\n{storage}\n{line}{'  # RuntimeError: out of bounds' if refused else ''}"
    )


def _from_layout(layout: Layout, storage_length: int) -> Mapping[str, Any]:
    return {
        "size": layout.size,
        "stride": layout.stride,
        "storage_offset": layout.storage_offset,
        "storage_length": storage_length,
    }


STRIDES = Explorer(
    name="strides",
    title="Strides",
    about="A header says where each index leads. Change it, and see which slots it reaches.",
    initial=Header(),
    controls=(
        Choice("preset", "preset", (*PRESETS, OWN)),
        ints_field("size", "size", hint="3, 4"),
        ints_field("stride", "stride", hint="4, 1"),
        whole_field("storage_offset", "storage_offset"),
        whole_field("storage_length", "storage length", most=10**6),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=_from_layout,
)
