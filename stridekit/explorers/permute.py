"""`permute`: dims in another order, and what that does to contiguity."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from stridekit import explain
from stridekit.diagrams import Diagram, draw
from stridekit.errors import StridekitError
from stridekit.explorers.explorer import Chips, Handle, Shown
from stridekit.explorers.fields import Button, IntsField, MisreadError, as_sentence
from stridekit.explorers.header_state import FIELDS, HeaderState, arguments, words
from stridekit.layouts import dims as rules
from stridekit.layouts.layout import Ints, contiguous_stride


@dataclass(frozen=True)
class Permute(HeaderState):
    """Dims in another order: size, stride, storage_offset, dims.

    Strides are in elements. A negative dim counts from the end, as in torch.

    >>> from stridekit.explorers import permute
    >>> explorer = permute(size=(2, 3, 4), dims=(2, 0, 1))
    >>> explorer.set(dims="0 2 1")
    >>> explorer.state.dims
    (0, 2, 1)
    """

    name = "permute"
    title = "permute"
    about = "Drag the dims into another order: sizes and strides move along, no element does."
    controls = (
        *FIELDS,
        IntsField("dims", "dims", "2, 0, 1", least=None),
        Button("reverse", "Reverse dims"),
        Button("turn", "Turn dims by one"),
        Button("apply", "Go on from the result"),
    )

    size: Ints = (2, 2, 3)
    stride: Ints = (6, 3, 1)
    dims: Ints = (2, 0, 1)

    def follow(self, before: "Permute", changes: Mapping[str, Any]) -> "Permute":
        """Dims that are still there keep their order, and new ones come last."""
        new = super().follow(before, changes)
        ndim = len(new.size)
        if "dims" in changes or ndim == len(new.dims):
            return new
        kept = [dim for dim in before.order if dim < ndim]
        return replace(new, dims=(*kept, *range(len(new.dims), ndim)))

    @property
    def order(self) -> Ints:
        """The dims, none of them counted from the end."""
        ndim = len(self.size)
        return tuple(dim + ndim if -ndim <= dim < 0 else dim for dim in self.dims)

    def check(self) -> None:
        """Refuses dims that are no order of those of x."""
        super().check()
        try:
            rules.permute(self.layout, self.dims)
        except StridekitError as error:
            dims = range(len(self.size))
            kept = [*dict.fromkeys(dim for dim in self.order if dim in dims)]
            nearest = (*kept, *(dim for dim in dims if dim not in kept))
            what = f"dims {self.dims} is not an order."
            raise MisreadError(what, as_sentence(error), {"dims": nearest}) from error

    def show(self) -> Shown:
        """Both headers over one storage, and the walk that tells whether it is contiguous."""
        tensor = self.x
        result = tensor.permute(self.dims)
        trace = explain.contiguity(result)
        name = f"x.permute({arguments(self.dims)})"
        verdict = "It is contiguous."
        if not trace.holds:
            verdict = f"It is not contiguous: {trace.answer.removeprefix('No: ')}"
        packed = contiguous_stride(result.shape)
        moves = [f"dim {new} is x's dim {dim}" for new, dim in enumerate(self.order)]
        return Shown(
            f"{name} has {words(result.layout)}. {verdict}",
            _strip_first(draw({"x": tensor, name: result})),
            (
                "The storage is the same: only the header differs.",
                f"Is {name} contiguous? Walk its dims from the right, and expect stride 1 first:",
                *map(str, trace.steps),
                trace.answer,
            ),
            table=(
                ("", "size", "stride"),
                ("x", str(self.size), str(self.stride)),
                (name, str(result.size()), str(result.stride())),
            ),
            question=f"What is the stride of {name}, for x of {words(self.layout)}?",
            truth=str(result.stride()),
            given=lambda: _strip_first(draw(tensor, title="x")),
            why=f"Size and stride of a dim move together: {', '.join(moves)}." if moves else "",
            slips={
                "That is x's own stride; permute puts it in another order.": self.stride,
                "That would be a copy in row-major order; permute moves no element.": packed,
            },
        )

    def code(self) -> str:
        """permute, its stride, and whether it is contiguous."""
        result = rules.permute(self.layout, self.dims)
        return self.on_x(
            f"y = x.permute({arguments(self.dims)})",
            f"y.stride()  # {result.stride}",
            f"y.is_contiguous()  # {result.is_contiguous}",
        )

    def handles(self) -> tuple[Handle, ...]:
        """The dims, where there are two to change places."""
        labels = tuple(f"dim {dim}, size {n}" for dim, n in enumerate(self.size))
        return (Chips("dims", "Order of dims", self.order, labels),) if len(labels) > 1 else ()

    def reverse(self) -> "Permute":
        """The dims from the last to the first."""
        return replace(self, dims=self.dims[::-1])

    def turn(self) -> "Permute":
        """The first dim behind the others."""
        return replace(self, dims=(*self.dims[1:], *self.dims[:1]))

    def apply(self) -> "Permute":
        """The result becomes the tensor that is given."""
        result = rules.permute(self.layout, self.dims)
        return replace(self, size=result.size, stride=result.stride)


def _strip_first(diagram: Diagram) -> Diagram:
    """The strip above the grids: it is what stays as it is, so it stays in sight."""
    sections = (section._replace(strip_first=True) for section in diagram.scene.sections)
    return Diagram(diagram.scene._replace(sections=tuple(sections)))
