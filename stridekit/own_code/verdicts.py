"""Verdicts: what memory has to say about a refusal of torch, NumPy or matplotlib.

Each family of refusals is known by its message and by its operations. Its rule works out the
reason from headers; and it says nothing where sizes that are named in the message are not those of
the tensors that were found, or where the headers do not bear it out: then something else was the
matter.
"""

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import torch

from stridekit.diagrams import draw, draw_view
from stridekit.errors import ExpandError, StridekitError, ViewError
from stridekit.layouts.broadcasting import ExpandObstacle
from stridekit.layouts.layout import Ints, Layout, spell
from stridekit.layouts.view_rule import Obstacle
from stridekit.own_code.headers import Header, header_of
from stridekit.own_code.operations import Operand, Operation
from stridekit.own_code.reasons import Reason, cut
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.ways_out import WayOut, first_that_fits
from stridekit.tensors.interop import Subject


@dataclass(frozen=True)
class Grounds:
    """What is to be said of some operands: their sizes, and then a clause.

    The ways out are still to be tried. A sentence of its own says `alone`.
    """

    operands: tuple[Operand, ...]
    clause: str
    ways: Iterable[WayOut | None] = ()
    picture: Callable[..., Any] | None = None
    alone: bool = False

    @property
    def sentence(self) -> str:
        """The sizes, and the clause."""
        return self.clause if self.alone else f"{sized(*self.operands)}. {self.clause}"


Rule = Callable[[Operation, "re.Match[str]"], Grounds | None]


class _Family(NamedTuple):
    message: str
    names: tuple[str, ...]
    rule: Rule


_FAMILIES: list[_Family] = []
_NOT_MEANT = (
    *(Unknown, StridekitError, LookupError, ArithmeticError),
    *(TypeError, ValueError, AttributeError),
)
# How messages spell a size.
SIZE = r"(?:torch\.Size\()?[\[(][\d, ]*[\])]"


def family(message: str, names: str = "") -> Callable[[Rule], Rule]:
    """Register a rule for messages, and for the operations of some names, or for all."""

    def register(rule: Rule) -> Rule:
        _FAMILIES.append(_Family(message, tuple(names.split()), rule))
        return rule

    return register


def rule(
    message: str,
    names: str,
    clause: str,
    *,
    of: "Callable[[Operation, re.Match[str]], list[Operand]] | None" = None,
    ways: Callable[[Operation, list[Operand]], Iterable[WayOut | None]] = lambda *_: (),
) -> None:
    """Register a rule that is one sentence, of all tensors or of those that `of` chooses.

    In the clause stand groups of the message, the operation's `name`, and `who` did it.
    """

    def told(operation: Operation, said: "re.Match[str]") -> Grounds | None:
        found = operation.tensors if of is None else of(operation, said)
        named = {
            k: str(numbers(v)) if _is_size(v) else v or "" for k, v in said.groupdict().items()
        }
        name = operation.name.strip("?")
        text = clause.format(**named, name=name, who=operation.module or name)
        return Grounds(tuple(found), text, ways(operation, found)) if found else None

    family(message, names)(told)


def _is_size(text: str | None) -> bool:
    return re.fullmatch(SIZE, text or "") is not None


def named_sizes(operation: Operation, said: "re.Match[str]") -> list[Operand]:
    """The tensors of those sizes that the message names, if all are there."""
    sizes = [numbers(text) for text in said.groups() if _is_size(text)]
    found = [next((x for x in operation.tensors if x.size == size), None) for size in sizes]
    return [] if None in found else [x for x in found if x]


def receiver(operation: Operation, _: "re.Match[str]") -> list[Operand]:
    """What is acted on, alone."""
    return [tensor_of(operation.receiver)]


def verdict_on(error: BaseException, operation: Operation) -> Reason | None:
    """Why an operation raised that error, if memory tells; None otherwise."""
    message = _message(error)
    for each in _FAMILIES:
        said = re.search(each.message, message)
        if said is None or (each.names and operation.name not in each.names):
            continue
        try:
            told = each.rule(operation, said)
        except _NOT_MEANT:
            # By our own rules the tensors that were found cannot have been meant.
            continue
        if told is not None:
            return _reason(operation, told)
    return None


def _message(error: BaseException) -> str:
    """What an exception says, unless somebody's own class would have to be asked."""
    said = [part for part in error.args if type(part) is str][:1]
    if type(error).__module__.partition(".")[0] in ("numpy", "torch", "matplotlib"):
        return str(error)
    return said[0] if said else ""


def _reason(operation: Operation, told: Grounds) -> Reason:
    way = first_that_fits(operation, told.ways)
    return Reason(
        ast.unparse(operation.node),
        told.sentence,
        _picture(operation, told),
        ast.unparse(way.node) if way and not way.first else "",
        way.first if way else "",
    )


def _picture(operation: Operation, told: Grounds) -> Any:
    """With values where the memory can be read, or without; none where there is no tensor."""
    tensors = list({x.text: x for x in told.operands if x.is_tensor}.values())
    if not tensors:
        return None
    shown: dict[str, Any] = {}
    for x in tensors:
        name, number = cut(x.text, 60), 2
        while name in shown:
            name, number = f"{cut(x.text, 60)} ({number})", number + 1
        shown[name] = operation.site.drawable(x.value)
    values = not any(isinstance(x, Subject) for x in shown.values())
    try:
        if told.picture is not None:
            return told.picture(*shown.values(), values)
        return draw(shown, values=values)
    except StridekitError:
        # Memory that cannot be looked at, such as a lazy conjugate's: the header alone.
        bare = {
            n: header(x).subject(i) for i, (n, x) in enumerate(zip(shown, tensors, strict=True))
        }
        return draw(bare, values=False)


def verdict_on_own(error: BaseException) -> Reason | None:
    """Why stridekit itself refused: its error carries the obstacle."""
    obstacle = error.obstacle if isinstance(error, ViewError | ExpandError) else None
    if isinstance(obstacle, Obstacle):
        picture = draw_view(_bare(obstacle.layout), *obstacle.new_size, values=False)
        return Reason(f"view({spell(obstacle.new_size)})", str(error), picture)
    if isinstance(obstacle, ExpandObstacle):
        picture = draw(_bare(obstacle.layout), values=False)
        return Reason(f"expand({spell(obstacle.new_size)})", str(error), picture)
    return None


def _bare(layout: Layout) -> Subject:
    return Header(layout.size, layout.stride, layout.storage_offset, "float32", 4, 0, "").subject()


# What rules are made of.


def sized(*operands: Operand) -> str:
    """The sizes of some operands as a clause.

    >>> sized(Operand("x", [1, 2]), Operand("y", [[1, 2, 3]]))
    'x has size (2,), and y size (1, 3)'
    """
    first, *rest = {f"{x.name} has size {x.size}": x for x in operands}
    rest = [text.replace(" has size", " size") for text in rest]
    first = f"The {first[4:]}" if first.startswith("the ") else first
    return ", ".join([first, *rest[:-1]]) + (f", and {rest[-1]}" if rest else "")


def numbers(text: str | None) -> Ints:
    """All whole numbers in a part of a message."""
    return tuple(map(int, re.findall(r"-?\d+", text or "")))


def tensor_of(x: Operand | None) -> Operand:
    """An operand that is a tensor. Raises Unknown."""
    if x is None or not x.is_tensor:
        raise Unknown(x)
    return x


def header(x: Operand) -> Header:
    """The header of a tensor or an array. Raises Unknown where strides are no whole elements."""
    value = tensor_of(x).value
    if isinstance(value, torch.Tensor):
        return header_of(value, value.untyped_storage())
    if any(step % value.itemsize for step in value.strides):
        raise Unknown(x.text)
    stride = tuple(step // value.itemsize for step in value.strides)
    return Header(value.shape, stride, 0, value.dtype.name, value.itemsize, value.nbytes, "cpu")


def dtype_of(x: Operand) -> str:
    """The name of a tensor's or an array's dtype. Raises Unknown."""
    return str(tensor_of(x).value.dtype).removeprefix("torch.")
