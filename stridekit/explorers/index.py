"""`index`: an index, and the way to its position, hop by hop."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import count
from stridekit.explorers.explorer import (
    Button,
    Explorer,
    HiddenField,
    PictureCell,
    Problem,
    Shown,
    index_of,
)
from stridekit.explorers.header_state import (
    FIELDS,
    HeaderState,
    changed,
    header_of,
    problem_of,
    words,
)
from stridekit.explorers.parsing import ints_field, whole
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell


@dataclass(frozen=True, slots=True)
class IndexState(HeaderState):
    """A header, an index into it, and how many hops are still to go."""

    index: Ints = (1, 2)
    to_go: int = 0


def _change(state: IndexState, changes: Mapping[str, Any]) -> IndexState:
    # Another way is shown whole.
    new = changed(state, {"to_go": 0, **changes})
    if "index" not in changes and "size" in changes:
        # The index stays where it can: cut to the new dims, and pulled inside.
        padded = (*state.index, *(0 for _ in new.size))[: len(new.size)]
        inside = tuple(min(max(i, -n), n - 1) for i, n in zip(padded, new.size, strict=True))
        new = replace(new, index=inside)
    return new


def _problem(state: IndexState) -> Problem | None:
    problem = problem_of(state)
    if problem is not None:
        return problem
    if not prod(state.size):
        size = tuple(max(n, 1) for n in state.size)
        return Problem(
            f"Size {state.size} has no elements.",
            "So there is no index, and no position.",
            f"size {size}",
            {"size": size, "index": tuple(0 for _ in size)},
        )
    if len(state.index) != len(state.size):
        index = (*state.index, *(0 for _ in state.size))[: len(state.size)]
        return Problem(
            f"Index {state.index} has length {len(state.index)}, and x has "
            f"{count(len(state.size), 'dim')}.",
            "An index has one number for each dim.",
            f"index {index}",
            {"index": index},
        )
    for dim, (i, n) in enumerate(zip(state.index, state.size, strict=True)):
        if not -n <= i < n:
            index = tuple(
                min(max(i, -n), n - 1) for i, n in zip(state.index, state.size, strict=True)
            )
            return Problem(
                f"Index {i} leaves dim {dim}.",
                f"It has size {n}, so its indices are {-n} to {n - 1}.",
                f"index {index}",
                {"index": index},
            )
    if state.to_go > len(state.size):
        return Problem(
            f"There are no {state.to_go} hops to go.",
            f"An element of x is at most {count(len(state.size), 'hop')} away.",
            "the whole way",
            {"to_go": 0},
        )
    return None


def _show(state: IndexState) -> Shown:
    tensor = state.tensor()
    way = explain.position(tensor, *state.index)
    # Part of the way leads to the element whose other indices are 0.
    gone = len(state.index) - state.to_go
    reached = (*state.index[:gone], *(0 for _ in range(state.to_go)))
    name = f"[{spell(state.index)}]"
    summary = f"{name} lies at position {way.result}: {way.answer}."
    if state.to_go:
        part = explain.position(tensor, *reached).result
        terms = way.answer.split(" = ")[0].split(" + ")[: gone + 1]
        summary = (
            f"After {gone} of {len(state.index)} hops towards {name}, at position {part}: "
            f"{' + '.join(terms)} = {part}."
        )
    return Shown(
        summary,
        (draw(tensor, title="x", select=reached),),
        (f"The offset leads to position {state.storage_offset}.", *map(str, way.steps[:gone])),
        question=f"At which position does {name} of {words(state.layout)} lie?",
        truth=str(way.result),
        slips=_slips(state, way.result),
    )


def _slips(state: IndexState, truth: int) -> tuple[tuple[str, str], ...]:
    """Answers that people give, and what they are."""
    inside = [i % n for i, n in zip(state.index, state.size, strict=True)]
    packed = Layout(state.size, contiguous_stride(state.size))
    return (
        (str(truth - state.storage_offset), "The offset is missing: the way begins there."),
        (
            str(packed.position(tuple(inside))),
            "That is its place in reading order; the stride says how far a step is in memory.",
        ),
        (str(sum(inside)), "Each index counts as often as its stride is long."),
    )


def _read_hops(hops: object) -> int:
    return whole("The number of hops to go")(str(hops))


def _hopped(state: IndexState) -> IndexState:
    """One hop further; from the end, back to where the offset leads."""
    return replace(state, to_go=(state.to_go or len(state.index) + 1) - 1)


def _moved(state: IndexState, by: int) -> IndexState:
    """The next or the previous index in reading order, round and round."""
    flat = 0
    for i, n in zip(state.index, state.size, strict=True):
        flat = flat * n + i % n
    flat = (flat + by) % prod(state.size)
    index: list[int] = []
    for n in reversed(state.size):
        index.insert(0, flat % n)
        flat //= n
    return replace(state, index=tuple(index), to_go=0)


def _code(state: IndexState) -> str:
    way = explain.position(state.layout, *state.index)
    return (
        f"import torch\n\n{state.torch_line()}\ny = x[{spell(state.index) or '()'}]\n"
        f"y.storage_offset()  # {way.result}: {way.answer}"
    )


def _held(state: IndexState, what: object) -> Mapping[str, Any]:
    """The index of a cell, or of the first element that lies in a slot."""
    if not isinstance(what, PictureCell):
        return {}
    index = index_of(what, state.layout)
    return {} if index is None else {"index": index}


INDEX = Explorer(
    name="index",
    title="From index to position",
    about="Pick an index. The offset and one hop for each dim lead to its slot.",
    initial=IndexState(),
    controls=(
        *FIELDS,
        ints_field("index", "index", least=None, hint="1, 2"),
        Button("previous", "Previous element", lambda state: _moved(state, -1)),
        Button("next", "Next element", lambda state: _moved(state, +1)),
        Button("hop", "Hop by hop", _hopped),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
    held=_held,
    extras={"to_go": HiddenField(_read_hops, lambda hops: hops)},
)
