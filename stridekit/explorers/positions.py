"""The explorer of positions: an index, and the way to its slot, hop by hop."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw
from stridekit.explorers.core import Explorer, Press, Problem, Shown
from stridekit.explorers.given import FIELDS, Given, changed, header_of, problem_of
from stridekit.explorers.reading import ints_field, spell
from stridekit.layout import Ints


@dataclass(frozen=True, slots=True)
class Place(Given):
    """A header, and an index into it."""

    index: Ints = (1, 2)


def _change(state: Place, changes: Mapping[str, Any]) -> Place:
    new = changed(state, changes)
    if "index" not in changes and "size" in changes:
        # The index stays where it can: cut to the new dims, and pulled inside.
        padded = (*state.index, *(0 for _ in new.size))[: len(new.size)]
        inside = tuple(min(max(i, -n), n - 1) for i, n in zip(padded, new.size, strict=True))
        new = replace(new, index=inside)
    return new


def _problem(state: Place) -> Problem | None:
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
            f"Index {state.index} has {len(state.index)} numbers, and there are "
            f"{len(state.size)} dims.",
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
    return None


def _show(state: Place) -> Shown:
    tensor = state.tensor()
    way = explain.position(tensor, *state.index)
    index = spell(state.index) if state.index else ""
    return Shown(
        f"[{index}] lies at position {way.result}: {way.answer}.",
        (draw(tensor, title="x", select=state.index),),
        tuple(f"{step}" for step in way.steps),
        question=f"At which position does [{index}] lie?",
        truth=str(way.result),
        given=(draw(tensor, title="x", values=False),) if state.size == () else (draw(tensor),),
    )


def _moved(state: Place, by: int) -> Place:
    """The next or the previous index in reading order, round and round."""
    flat = 0
    for i, n in zip(state.index, state.size, strict=True):
        flat = flat * n + i % n
    flat = (flat + by) % prod(state.size)
    index: list[int] = []
    for n in reversed(state.size):
        index.insert(0, flat % n)
        flat //= n
    return replace(state, index=tuple(index))


def _code(state: Place) -> str:
    index = ", ".join(map(str, state.index))
    way = explain.position(state.layout, *state.index)
    return (
        f"import torch\n\n{state.torch_line()}\nx[{index or '()'}]  # position {way.answer}\n"
        f"x.untyped_storage()  # where the position is counted"
    )


INDEX = Explorer(
    name="index",
    title="From index to position",
    about="Pick an index. The offset and one hop for each dim lead to its slot.",
    initial=Place(),
    controls=(
        *FIELDS,
        ints_field("index", "index", least=None, hint="1, 2"),
        Press("previous", "Previous element", lambda state: _moved(state, -1)),
        Press("next", "Next element", lambda state: _moved(state, +1)),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    change=_change,
    from_layout=header_of,
)
