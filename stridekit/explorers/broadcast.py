"""`broadcast`: sizes side by side from the right, and where a stride is 0."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import joined
from stridekit.explain import PlaceStep
from stridekit.explorers.explorer import Shown, State
from stridekit.explorers.fields import IntsField, MisreadError
from stridekit.explorers.header_state import (
    COUNTS,
    MOST_POSITIONS,
    arguments,
    require_room,
    torch_code,
    torch_line,
)
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors.constructors import arange, tensor
from stridekit.tensors.dtypes import int64
from stridekit.tensors.tensor import Tensor


@dataclass(frozen=True)
class Broadcast(State):
    """Two or three sizes, aligned from the right: a, b, c.

    Strides are in elements, and what is saved in bytes. The rule is that of
    torch.broadcast_tensors.

    >>> from stridekit.explorers import broadcast
    >>> broadcast(a=(3, 1), b=(4,), c=(2, 1, 1)).state.sizes
    {'a': (3, 1), 'b': (4,), 'c': (2, 1, 1)}
    """

    name = "broadcast"
    title = "Broadcasting"
    about = "Sizes are laid side by side from the right. A 1 stretches: its stride becomes 0."
    controls = (
        IntsField("a", "size of a", "3, 1", because=COUNTS),
        IntsField("b", "size of b", "4", because=COUNTS),
        IntsField("c", "size of c", "optional", because=COUNTS, optional=True),
    )

    a: Ints = (3, 1)
    b: Ints = (4,)
    c: Ints | None = None

    @property
    def sizes(self) -> dict[str, Ints]:
        """The sizes that are there, by name."""
        return {name: size for name, size in vars(self).items() if size is not None}

    def check(self) -> None:
        """Refuses sizes that do not fit, or too many elements, in one of them or together."""
        result = broadcast_sizes(*self.sizes.values())
        if isinstance(result, Misfit):
            raise self._misfit(result.place)
        for name, size in self.sizes.items():
            # It is asked at once, or never.
            require_room(size, lambda fits: {name: fits}, f"{name} of size")  # noqa: B023
        if prod(result) > MOST_POSITIONS:
            # The largest of them becomes ones, which take whatever size stands beside them.
            name = max(self.sizes, key=lambda each: prod(self.sizes[each]))
            what = f"Together they have {prod(result):,} elements."
            why = f"An explorer shows at most {MOST_POSITIONS:,}."
            raise MisreadError(what, why, {name: tuple(1 for _ in self.sizes[name])})

    def _misfit(self, place: int) -> MisreadError:
        sizes = self.sizes.items()
        there = {name: size[-place] for name, size in sizes if len(size) >= place}
        here = {name: n for name, n in there.items() if n != 1}
        # The last of those that differ becomes 1, which fits whatever stands beside it.
        name = [*here][-1]
        size = list(self.sizes[name])
        size[-place] = 1
        clash = {n: each for each, n in reversed(here.items())}
        sides = joined(f"{n} ({clash[n]})" for n in reversed(clash))
        why = f"Dim -{place}, counted from the right, has {sides}: they differ, and neither "
        return MisreadError("They do not broadcast.", f"{why}is 1.", {name: tuple(size)})

    def show(self) -> Shown:
        """Sizes below each other, what each becomes, and the sum of all."""
        given = {name: arange(prod(size)).view(size) for name, size in self.sizes.items()}
        names, sizes = joined(given), joined(map(str, self.sizes.values()))
        told = explain.broadcast(*self.sizes.values())
        result, steps = told.result, [each for each in told.steps if isinstance(each, PlaceStep)]
        expanded = {name: x.expand(result) for name, x in given.items()}
        drawn = {f"{name}.expand({arguments(result)})": x for name, x in expanded.items()}
        # Each value of theirs is its own position; the sum is a tensor of its own.
        values = zip(*(x.layout.positions() for x in expanded.values()), strict=True)
        drawn[" + ".join(given)] = tensor([*map(sum, values)], int64).view(result)
        # From the left, as they are written.
        steps.reverse()
        dims = ("dim", *(f"-{step.place}" for step in steps))
        places = [(dict(zip(given, step.sizes, strict=True)), step.result) for step in steps]
        rows = [(name, *(_becomes(here[name], n) for here, n in places)) for name in given]
        asked = [tuple(cell.partition(" →")[0] for cell in row) for row in rows]
        stretched = f"From the right: {'; '.join(_stretching(*each) for each in places)}."
        saved = (f"{name}: {_saved(x, given[name].numel())}" for name, x in expanded.items())
        return Shown(
            f"{names}, of sizes {sizes}, broadcast to {result}.",
            draw(drawn),
            (*((stretched,) if result else ()), *saved),
            lead=(dims, *rows, ("result", *map(str, result))),
            question=f"To which size do {sizes} broadcast?",
            truth=str(result),
            given=lambda: draw(given),
            asked=(dims, *asked, ("result", *("?" for _ in result))),
            why=stretched if result else "",
        )

    def code(self) -> str:
        """The sum, and the strides of what is summed."""
        return torch_code(
            *(torch_line(Layout.of(size), name) for name, size in self.sizes.items()),
            f"result = {' + '.join(self.sizes)}\nresult.size()",
            f"expanded = torch.broadcast_tensors({', '.join(self.sizes)})",
            "[each.stride() for each in expanded]",
        )

    @classmethod
    def from_layout(cls, layout: Layout, _storage_length: int) -> Mapping[str, Any]:
        """Its size, beside that of its last dim."""
        return {"a": layout.size, "b": layout.size[-1:], "c": None}


def _becomes(n: int | None, result: int | None) -> str:
    """A size in its place, and what it becomes; what is missing counts as 1."""
    told = "–" if n is None else str(n)
    return told if (1 if n is None else n) == result else f"{told} → {result}"


def _stretching(here: Mapping[str, int | None], result: int | None) -> str:
    """Who stretches to what in one place."""
    names = [name for name, n in here.items() if n != result]
    does = "stretches" if len(names) == 1 else "stretch"
    return f"{joined(names)} {does} to {result}" if names else f"all are {result}"


def _saved(expanded: Tensor, numel: int) -> str:
    """Where a tensor of so many elements is repeated, and what a copy would take."""
    layout, itemsize = expanded.layout, expanded.element_size()
    if not layout.repeated or not layout.numel:
        return "nothing is repeated."
    dims = ", ".join(f"dim {dim}" for dim in layout.repeated)
    return (
        f"stride 0 in {dims}. Saved: {(layout.numel - numel) * itemsize:,} of the "
        f"{layout.numel * itemsize:,} bytes that a copy takes."
    )
