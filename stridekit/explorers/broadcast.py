"""`broadcast`: sizes side by side from the right, and where a stride is 0."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from math import prod
from typing import Any

from stridekit.diagrams import draw
from stridekit.diagrams.scenes.captions import joined
from stridekit.explorers.explorer import Shown, State
from stridekit.explorers.fields import IntsField, MisreadError
from stridekit.explorers.header_state import COUNTS, MOST_POSITIONS, require_room, torch_line
from stridekit.layouts.broadcasting import ExpandObstacle, Misfit, broadcast_sizes, plan_expand
from stridekit.layouts.layout import Ints, Layout, spell
from stridekit.tensors.constructors import arange, tensor
from stridekit.tensors.dtypes import int64
from stridekit.tensors.tensor import Tensor

ITEMSIZE = 8


@dataclass(frozen=True)
class Broadcast(State):
    """Two or three sizes; `c` is None where there are two."""

    name = "broadcast"
    title = "Broadcasting"
    about = "Sizes are laid side by side from the right. A 1 stretches: its stride becomes 0."
    controls = (
        IntsField("a", "size of a", "3, 1", because=COUNTS),
        IntsField("b", "size of b", "4", because=COUNTS),
        IntsField("c", "size of c", "or leave empty", because=COUNTS, optional=True),
    )

    a: Ints = (3, 1)
    b: Ints = (4,)
    c: Ints | None = None

    @property
    def sizes(self) -> dict[str, Ints]:
        """The sizes that are there, by name."""
        named = {"a": self.a, "b": self.b, "c": self.c}
        return {name: size for name, size in named.items() if size is not None}

    def check(self) -> None:
        """Refuses sizes that do not fit, or too many elements, in one of them or together."""
        outcome = broadcast_sizes(*self.sizes.values())
        if isinstance(outcome, Misfit):
            raise self._misfit(outcome.place)
        for name, size in self.sizes.items():
            require_room(size, partial(_resized, name), f"{name} of size")
        if prod(outcome) > MOST_POSITIONS:
            # The largest of them becomes ones, which take whatever size stands beside them.
            name = max(self.sizes, key=lambda each: prod(self.sizes[each]))
            what = f"Together they have {prod(outcome):,} elements."
            why = f"An explorer shows at most {MOST_POSITIONS:,}."
            raise MisreadError(what, why, *_resized(name, tuple(1 for _ in self.sizes[name])))

    def _misfit(self, place: int) -> MisreadError:
        here = {n: size[-place] for n, size in self.sizes.items() if len(size) >= place}
        # The last of those that differ becomes 1, which fits whatever stands beside it.
        name = [each for each, n in here.items() if n != 1][-1]
        size = list(self.sizes[name])
        size[-place] = 1
        clash = {n: each for each, n in reversed(here.items()) if n != 1}
        sides = joined(f"{n} ({clash[n]})" for n in reversed(clash))
        why = f"Dim -{place}, counted from the right, has {sides}: they differ, and neither is 1."
        return MisreadError("They do not broadcast.", why, *_resized(name, tuple(size)))

    def show(self) -> Shown:
        """Sizes below each other, what each becomes, and the sum of all."""
        layouts = self._expanded()
        result = next(iter(layouts.values())).size
        names, sizes = joined(layouts), joined(map(str, self.sizes.values()))
        drawn = {}
        for name, expanded in layouts.items():
            storage = arange(prod(self.sizes[name]))
            repeating = Tensor(expanded, storage.untyped_storage(), storage.dtype)
            drawn[f"{name}.expand({spell(result) or '()'})"] = repeating
        # Each value of theirs is its own position; the sum is a tensor of its own.
        values = zip(*(each.positions() for each in layouts.values()), strict=True)
        drawn[" + ".join(layouts)] = tensor([*map(sum, values)], int64).view(result)
        dims = ("dim", *(str(-place) for place in range(len(result), 0, -1)))
        rows = [(name, *self._lined_up(name, result)) for name in layouts]
        stretched = f"From the right: {'; '.join(self._alignment(len(result)))}."
        return Shown(
            f"{names}, of sizes {sizes}, broadcast to {result}.",
            (draw(drawn),),
            (
                *((stretched,) if result else ()),
                *(
                    f"{name}: {_saved(expanded, prod(self.sizes[name]))}"
                    for name, expanded in layouts.items()
                ),
            ),
            lead=(dims, *rows, ("result", *map(str, result))),
            question=f"To which size do {sizes} broadcast?",
            truth=str(result),
            given=lambda: (
                draw({name: arange(prod(size)).view(size) for name, size in self.sizes.items()}),
            ),
            asked=(
                dims,
                *(tuple(cell.partition(" →")[0] for cell in row) for row in rows),
                ("result", *("?" for _ in result)),
            ),
            why=stretched if result else "",
        )

    def _lined_up(self, name: str, result: Ints) -> list[str]:
        """The size of one of them in its places from the right, and what each becomes."""
        size = self.sizes[name]
        told = ["–"] * (len(result) - len(size)) + [str(n) for n in size]
        own = (1,) * (len(result) - len(size)) + size
        return [
            text if n == wanted else f"{text} → {wanted}"
            for text, n, wanted in zip(told, own, result, strict=True)
        ]

    def _expanded(self) -> dict[str, Layout]:
        """Each of them, expanded to the common size."""
        result = broadcast_sizes(*self.sizes.values())
        assert not isinstance(result, Misfit)
        layouts = {}
        for name, size in self.sizes.items():
            expanded = plan_expand(Layout.of(size), result)
            assert not isinstance(expanded, ExpandObstacle)
            layouts[name] = expanded
        return layouts

    def _alignment(self, ndim: int) -> list[str]:
        """For each dim of the result, from the left, who stretches to what."""
        told = []
        for place in range(ndim, 0, -1):
            here = {
                name: size[-place] if place <= len(size) else None
                for name, size in self.sizes.items()
            }
            longest = next((n for n in here.values() if n not in (None, 1)), 1)
            stretched = [name for name, n in here.items() if n != longest]
            does = "stretches" if len(stretched) == 1 else "stretch"
            told.append(
                f"{joined(stretched)} {does} to {longest}" if stretched else f"all are {longest}"
            )
        return told

    def code(self) -> str:
        """The sum, and the strides of what is summed."""
        made = "\n".join(torch_line(Layout.of(size), name) for name, size in self.sizes.items())
        return (
            f"import torch\n\n{made}\nresult = {' + '.join(self.sizes)}\nresult.size()\n"
            f"expanded = torch.broadcast_tensors({', '.join(self.sizes)})\n"
            "[each.stride() for each in expanded]"
        )

    @classmethod
    def from_layout(cls, layout: Layout, _storage_length: int) -> Mapping[str, Any]:
        """Its size, beside that of its last dim."""
        return {"a": layout.size, "b": layout.size[-1:], "c": None}


def _resized(name: str, size: Ints) -> tuple[Mapping[str, Any], str]:
    return {name: size}, f"{name} of size {size}"


def _saved(expanded: Layout, numel: int) -> str:
    """Where a tensor of so many elements is repeated, and what a copy would take."""
    pairs = zip(expanded.size, expanded.stride, strict=True)
    repeated = [f"dim {dim}" for dim, (n, step) in enumerate(pairs) if step == 0 and n > 1]
    if not repeated or not expanded.numel:
        return "nothing is repeated."
    return (
        f"stride 0 in {', '.join(repeated)}. Saved: {(expanded.numel - numel) * ITEMSIZE:,} of the "
        f"{expanded.numel * ITEMSIZE:,} bytes that a copy takes."
    )
