"""`reshape`: can it be a view, and what it costs if not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from stridekit import explain
from stridekit.diagrams import draw, draw_view
from stridekit.errors import SizeError
from stridekit.explorers.explorer import Shown
from stridekit.explorers.fields import IntsField, MisreadError, as_sentence, presets
from stridekit.explorers.header_state import FIELDS, HeaderState, arguments, attempt, words
from stridekit.layouts.layout import Ints
from stridekit.layouts.view_rule import Obstacle, infer_size, plan_view

ITEMSIZE = 8
SOURCES = {
    "row-major": ((3, 4), (4, 1), 0),
    "transposed": ((4, 3), (1, 4), 0),
    "every other column": ((3, 2), (4, 2), 0),
    "a slice of rows": ((2, 4), (4, 1), 4),
    "expanded": ((3, 4), (0, 1), 0),
    "permuted": ((2, 2, 3), (3, 6, 1), 0),
}
NUMBERS = ("size", "stride", "storage_offset")


@dataclass(frozen=True)
class Reshape(HeaderState):
    """A view, or why it is impossible: size, stride, storage_offset, new_size.

    Strides are in elements, and what a copy costs in bytes. One -1 in new_size is inferred. The
    rule is that of torch's view.

    >>> from stridekit.explorers import reshape
    >>> reshape(size=(4, 3), stride=(1, 4), new_size=(2, -1)).state.new_size
    (2, -1)
    """

    name = "reshape"
    title = "view and reshape"
    about = "Ask for a new size. A view is possible where steps stay even; else reshape copies."
    controls = (
        presets("source", "source", NUMBERS, SOURCES),
        *FIELDS,
        IntsField(
            "new_size",
            "new size",
            "12",
            least=-1,
            because="A size counts. Only -1 may stand for what is left.",
        ),
    )

    source: str = "transposed"
    size: Ints = (4, 3)
    stride: Ints = (1, 4)
    new_size: Ints = (12,)

    def follow(self, before: "Reshape", changes: Mapping[str, Any]) -> "Reshape":
        """A new size that the elements do not fit becomes that of all in a row."""
        new = super().follow(before, changes)
        if "new_size" in changes or new.inferred is not None:
            return new
        return replace(new, new_size=(prod(new.size),))

    @property
    def inferred(self) -> Ints | None:
        """The new size without its -1; None where it has another number of elements."""
        try:
            return infer_size("view", prod(self.size), self.new_size)
        except SizeError:
            return None

    def check(self) -> None:
        """Refuses a new size of another number of elements."""
        super().check()
        numel = rest = prod(self.size)
        try:
            infer_size("view", numel, self.new_size)
        except SizeError as error:
            # Keep as many of the leading sizes as divide, and let the last one take the rest.
            kept: list[int] = []
            for n in self.new_size[:-1]:
                if n < 1 or rest % n or not numel:
                    break
                kept.append(n)
                rest //= n
            what = f"New size {self.new_size} is refused."
            raise MisreadError(what, as_sentence(error), {"new_size": (*kept, rest)}) from error

    def show(self) -> Shown:
        """The view, or what forbids it; what reshape and contiguous would copy."""
        new_size, tensor = self.inferred, self.x
        assert new_size is not None
        told = explain.view(tensor, new_size)
        answer = told.answer.split(": ", 1)[1]
        nbytes = prod(new_size) * ITEMSIZE
        name = f"view({arguments(new_size)})"
        # The reason names the header first; where it is one, the fields say it.
        summary = f"{name} is impossible: {answer}"
        copies = f"reshape copies all {prod(new_size)} elements: {nbytes:,} bytes."
        if told.holds:
            summary = f"{name} of {words(self.layout)} is possible: {answer}"
            copies = "reshape gives the same view, and copies nothing."
        packed = f"contiguous() copies {nbytes:,} bytes; after it, every view is possible."
        if self.layout.is_contiguous:
            packed = "contiguous() gives x itself, and copies nothing."
        return Shown(
            summary,
            draw_view(tensor, new_size, title="x"),
            (*map(str, told.steps), copies, packed),
            question=f"Can {words(self.layout)} be viewed as {new_size}? Yes or no?",
            truth="yes" if told.holds else "no",
            given=lambda: draw(tensor, title="x"),
        )

    def code(self) -> str:
        """view, and reshape where torch refuses it."""
        assert self.inferred is not None
        plan = plan_view(self.layout, self.inferred)
        asked = arguments(self.new_size)
        if isinstance(plan, Obstacle):
            lines = f"{attempt(f'x.view({asked})')}\ny = x.reshape({asked})  # a copy"
        else:
            lines = f"y = x.view({asked})\ny.stride()  # {plan.stride}"
        return self.on_x(lines)
