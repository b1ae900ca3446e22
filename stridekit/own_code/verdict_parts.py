"""What verdicts are made of: headers and sizes of operands, and a reason with its picture."""

from collections.abc import Callable
from typing import Any

import torch

from stridekit.diagrams import draw
from stridekit.errors import StridekitError
from stridekit.layouts.layout import Ints, Layout
from stridekit.own_code.headers import Header, header_of
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.reasons import Reason
from stridekit.own_code.safe_lookup import Unknown
from stridekit.tensors.interop import Subject


def receiver(operation: Operation) -> Operand:
    """What a method is called on, if it is a tensor. Raises Unknown."""
    x = operation.receiver
    if x is None or not x.is_tensor:
        raise Unknown(operation.text)
    return x


def layout_of(x: Operand) -> Layout:
    """The layout of an operand. Raises Unknown where strides are no whole elements."""
    value = x.value
    if isinstance(value, torch.Tensor):
        header = header_of(value, value.untyped_storage())
        return header.layout
    if any(step % value.itemsize for step in value.strides):
        raise Unknown(x.text)
    return Layout(value.shape, tuple(step // value.itemsize for step in value.strides))


def itemsize(x: Operand) -> int:
    """The bytes of one element of an operand."""
    return int(x.value.element_size() if isinstance(x.value, torch.Tensor) else x.value.itemsize)


def new_size(operation: Operation, layout: Layout) -> Ints:
    """The size that a view was asked for. Raises Unknown."""
    if operation.name in ("view_as", "reshape_as"):
        return tuple(operation.argument(0, "other").shape)
    if operation.name == "unflatten":
        dim = operation.argument(0, "dim")
        sizes = sizes_in([operation.argument(1, "sizes")])
        dim %= layout.ndim
        return (*layout.size[:dim], *sizes, *layout.size[dim + 1 :])
    given = [a.value for a in operation.args] or [
        v.value for k, v in operation.kwargs.items() if k in ("size", "shape")
    ]
    return sizes_in(given)


def sizes_in(given: list[Any]) -> Ints:
    """Sizes as a tuple of int, given one by one or as one tuple. Raises Unknown."""
    if len(given) == 1 and isinstance(given[0], list | tuple):
        given = list(given[0])
    if not given or not all(type(n) is int for n in given):
        raise Unknown("size")
    return tuple(given)


def distinct(tensors: list[Operand]) -> list[Operand]:
    """The operands without those that are the same tensor."""
    found: dict[int, Operand] = {}
    for tensor in tensors:
        found.setdefault(id(tensor.value), tensor)
    return list(found.values())


def drawn(
    operation: Operation,
    sentence: str,
    picture: Callable[[bool], Any] | None,
    *operands: Operand,
) -> Reason:
    """The reason with its picture: with values where the memory can be read, or without."""
    if picture is None:
        names = shown_names(operands)

        def picture(values: bool) -> Any:
            shown = {n: operation.drawable(x) for n, x in zip(names, operands, strict=True)}
            return draw(shown, values=values)

    try:
        values = not any(isinstance(operation.drawable(x), Subject) for x in operands)
        diagram = picture(values)
    except StridekitError:
        # Memory that cannot be looked at, such as a lazy conjugate's: the header alone.
        headers = {
            name: _bare(x.value).subject(number)
            for number, (name, x) in enumerate(zip(shown_names(operands), operands, strict=True))
        }
        diagram = draw(headers, values=False)
    return Reason(operation.text, sentence, diagram)


def _bare(x: Any) -> Header:
    if isinstance(x, torch.Tensor):
        return header_of(x, x.untyped_storage())
    stride = tuple(step // x.itemsize for step in x.strides)
    return Header(x.shape, stride, 0, x.dtype.name, x.itemsize, x.nbytes, "cpu")


def shown_names(operands: tuple[Operand, ...]) -> list[str]:
    """Names for a picture, each of them once."""
    names: list[str] = []
    for operand in operands:
        name, number = operand.text, 2
        while name in names:
            name, number = f"{operand.text} ({number})", number + 1
        names.append(name)
    return names


def spell(size: Ints) -> str:
    """A size as one writes it in a call."""
    return ", ".join(map(str, size))


def stopped(sentence: str) -> str:
    """A sentence with a full stop at its end."""
    return sentence if sentence.endswith(".") else f"{sentence}."
