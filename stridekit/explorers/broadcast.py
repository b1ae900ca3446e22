"""`broadcast`: sizes side by side from the right, and where a stride is 0."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import joined
from stridekit.explorers.explorer import Explorer, Problem, Shown, TextField
from stridekit.explorers.header_state import COUNTS, MOST_POSITIONS, HeaderState, size_problem
from stridekit.explorers.parsing import ints, ints_field
from stridekit.explorers.parsing import spell as typed
from stridekit.layouts.broadcasting import ExpandObstacle, Misfit, broadcast_sizes, plan_expand
from stridekit.layouts.layout import Ints, Layout, contiguous_stride, spell
from stridekit.tensors.constructors import arange, tensor
from stridekit.tensors.dtypes import int64
from stridekit.tensors.tensor import Tensor

ITEMSIZE = 8


@dataclass(frozen=True, slots=True)
class Broadcast:
    """Two or three sizes; `c` is None where there are two."""

    a: Ints = (3, 1)
    b: Ints = (4,)
    c: Ints | None = None

    @property
    def sizes(self) -> dict[str, Ints]:
        """The sizes that are there, by name."""
        named = {"a": self.a, "b": self.b, "c": self.c}
        return {name: size for name, size in named.items() if size is not None}


def _read_third(text: str) -> Ints | None:
    return ints("The size of c", because=COUNTS)(text) if text.strip() else None


def _spell_third(size: Ints | None) -> str:
    return "" if size is None else typed(size)


def _problem(state: Broadcast) -> Problem | None:
    outcome = broadcast_sizes(*state.sizes.values())
    if isinstance(outcome, Misfit):
        return _misfit(state, outcome)
    for name, size in state.sizes.items():
        problem = size_problem(size, f"{name} of size")
        if problem is not None:
            smaller = problem.changes["size"]
            return replace(problem, nearest=f"{name} of size {smaller}", changes={name: smaller})
    if prod(outcome) > MOST_POSITIONS:
        # The largest of them becomes ones, which take whatever size stands beside them.
        name = max(state.sizes, key=lambda each: prod(state.sizes[each]))
        ones = tuple(1 for _ in state.sizes[name])
        return Problem(
            f"Together they have {prod(outcome):,} elements.",
            f"An explorer shows at most {MOST_POSITIONS:,}.",
            f"{name} of size {ones}",
            {name: ones},
        )
    return None


def _misfit(state: Broadcast, outcome: Misfit) -> Problem:
    place = outcome.place
    here = {n: size[-place] for n, size in state.sizes.items() if len(size) >= place}
    # The last of those that differ becomes 1, which fits whatever stands beside it.
    name = [each for each, n in here.items() if n != 1][-1]
    size = list(state.sizes[name])
    size[-place] = 1
    clash = {n: each for each, n in reversed(here.items()) if n != 1}
    sides = joined(f"{n} ({clash[n]})" for n in reversed(clash))
    return Problem(
        "They do not broadcast.",
        f"Dim -{place}, counted from the right, has {sides}: they differ, and neither is 1.",
        f"{name} of size {tuple(size)}",
        {name: tuple(size)},
    )


def _layouts(state: Broadcast) -> dict[str, tuple[Layout, Layout]]:
    """For each its own layout, and the one expanded to the common size."""
    result = broadcast_sizes(*state.sizes.values())
    assert not isinstance(result, Misfit)
    pairs = {}
    for name, size in state.sizes.items():
        own = Layout(size, contiguous_stride(size))
        expanded = plan_expand(own, result)
        assert not isinstance(expanded, ExpandObstacle)
        pairs[name] = own, expanded
    return pairs


def _show(state: Broadcast) -> Shown:
    pairs = _layouts(state)
    result = next(expanded.size for _, expanded in pairs.values())
    names, sizes = joined(pairs), joined(map(str, state.sizes.values()))
    rows = [("", *(f"dim -{place}" for place in range(len(result), 0, -1)), "stride")]
    facts, diagrams = [], []
    for name, (own, expanded) in pairs.items():
        padded = ["" for _ in range(len(result) - own.ndim)] + [str(n) for n in own.size]
        rows.append((name, *padded, str(expanded.stride)))
        repeated = [dim for dim, (n, step) in enumerate(zip(expanded.size, expanded.stride,
                    strict=True)) if step == 0 and n > 1]  # fmt: skip
        storage = arange(own.numel)
        repeating = Tensor(expanded, storage.untyped_storage(), storage.dtype)
        diagrams.append(draw(repeating, title=f"{name}.expand({spell(result) or '()'})"))
        saved = (expanded.numel - own.numel) * ITEMSIZE
        if repeated and expanded.numel:
            where = ", ".join(f"dim {dim}" for dim in repeated)
            facts.append(
                f"{name}: stride 0 in {where}. Saved: {saved:,} of the "
                f"{expanded.numel * ITEMSIZE:,} bytes that a copy takes."
            )
        else:
            facts.append(f"{name}: nothing is repeated.")
    rows.append(("result", *map(str, result), ""))
    rows.append(("lines up", *_alignment(state, len(result)), ""))
    diagrams.append(draw(_sum(pairs), title=" + ".join(pairs)))
    return Shown(
        f"{names}, of sizes {sizes}, broadcast to {result}.",
        tuple(diagrams),
        tuple(facts),
        table=tuple(rows),
        question=f"To which size do {sizes} broadcast?",
        truth=str(result),
        why=f"From the right: {'; '.join(_alignment(state, len(result)))}." if result else "",
    )


def _alignment(state: Broadcast, ndim: int) -> list[str]:
    """For each dim of the result, from the left, who stretches to what."""
    told = []
    for place in range(ndim, 0, -1):
        here = {
            name: size[-place] if place <= len(size) else None for name, size in state.sizes.items()
        }
        longest = next((n for n in here.values() if n not in (None, 1)), 1)
        stretched = [name for name, n in here.items() if n != longest]
        does = "stretches" if len(stretched) == 1 else "stretch"
        told.append(
            f"{joined(stretched)} {does} to {longest}" if stretched else f"all are {longest}"
        )
    return told


def _sum(pairs: Mapping[str, tuple[Layout, Layout]]) -> Tensor:
    """The sum of all, a tensor of its own; each value of theirs is its own position."""
    expanded = [each for _, each in pairs.values()]
    size = expanded[0].size
    values = [*map(sum, zip(*(each.positions() for each in expanded), strict=True))]
    return tensor(values, int64).view(size)


def _code(state: Broadcast) -> str:
    made = "\n".join(
        HeaderState(size, contiguous_stride(size)).torch_line(name)
        for name, size in state.sizes.items()
    )
    names = ", ".join(state.sizes)
    total = " + ".join(state.sizes)
    return (
        f"import torch\n\n{made}\nresult = {total}\nresult.size()\n"
        f"expanded = torch.broadcast_tensors({names})\n[each.stride() for each in expanded]"
    )


def _from_layout(layout: Layout, _length: int) -> Mapping[str, Any]:
    return {"a": layout.size, "b": layout.size[-1:], "c": None}


BROADCAST = Explorer(
    name="broadcast",
    title="Broadcasting",
    about="Sizes are laid side by side from the right. A 1 stretches: its stride becomes 0.",
    initial=Broadcast(),
    controls=(
        ints_field("a", "size of a", because=COUNTS, hint="3, 1"),
        ints_field("b", "size of b", because=COUNTS, hint="4"),
        TextField("c", "size of c", _read_third, _spell_third, "or leave empty"),
    ),
    show=_show,
    code=_code,
    problem=_problem,
    from_layout=_from_layout,
)
