"""Ways out: what one pastes in place of what failed, each tried on headers before it is shown."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch

from stridekit.layouts.broadcasting import broadcast_sizes
from stridekit.layouts.layout import Layout
from stridekit.own_code.operations import Operand, Operation, operand_of
from stridekit.own_code.safe_lookup import Unknown
from stridekit.own_code.shadows import Shadows, is_tensor

# What a tensor is turned into to fit another one, by its number of dims, in the order of trying.
_TURNED = {
    2: ("{}.T",),
    3: ("{}.mT", "{}.permute(2, 0, 1)"),
    4: ("{}.permute(0, 3, 1, 2)", "{}.mT"),
}
_WITH_ONES = {
    1: ("{}[:, None]", "{}[None]", "{}[:, None, None]"),
    2: ("{}[:, None]", "{}[:, :, None]", "{}[None]", "{}[:, None, None]"),
    3: ("{}[:, None]", "{}[None]"),
}


class WayOut(NamedTuple):
    """What stands in place of what failed, and a line to be put before it."""

    instead: ast.AST
    first: ast.Assign | None = None
    # That it helps is known already, and what is called cannot be tried.
    known: bool = False

    @property
    def text(self) -> str:
        """What is pasted in place of what failed; empty where that stays."""
        return "" if self.first else ast.unparse(self.instead)

    @property
    def line_before(self) -> str:
        """What is pasted before it."""
        return ast.unparse(self.first) if self.first else ""


def with_operand(
    operation: Operation, operand: Operand, form: str, *, known: bool = False
) -> WayOut | None:
    """The same with one operand in another form, in which `{}` stands for it."""
    if operand.node is None:
        return None
    text = ast.unparse(operand.node)
    if not isinstance(operand.node, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        text = f"({text})"
    new = ast.parse(form.format(text), mode="eval").body
    return WayOut(_swapped(operation.node, operand.node, new), known=known)


def turned(operation: Operation, *operands: Operand) -> Iterator[WayOut | None]:
    """The same with one of some tensors turned."""
    for operand in operands:
        for form in _TURNED.get(len(operand.size), ()):
            yield with_operand(operation, operand, form)


def with_ones(operation: Operation, *operands: Operand) -> Iterator[WayOut | None]:
    """The same with a dim of size 1 less in one of some tensors, or with one more, or two."""
    for operand in operands:
        size = operand.size
        if len(size) > 1 and size[-1] == 1:
            yield with_operand(operation, operand, f"{{}}[{', '.join([':'] * (len(size) - 1))}, 0]")
        for form in _WITH_ONES.get(len(size), ()):
            yield with_operand(operation, operand, form)


def with_name(operation: Operation, name: str, drop: str = "") -> WayOut | None:
    """The same call of another method, without one of its keywords."""
    match operation.node:
        case ast.Call(func=ast.Attribute(value=owner), args=args, keywords=keywords):
            kept = [k for k in keywords if k.arg != drop]
            return WayOut(ast.Call(ast.Attribute(owner, name, ast.Load()), args, kept))
    return None


def with_keyword(operation: Operation, call: ast.AST | None, **keywords: Any) -> WayOut | None:
    """The same with a keyword more, or another, in one of its calls."""
    if not isinstance(call, ast.Call):
        return None
    kept = [k for k in call.keywords if k.arg not in keywords]
    new = [ast.keyword(name, ast.Constant(value)) for name, value in keywords.items()]
    return WayOut(_swapped(operation.node, call, ast.Call(call.func, call.args, kept + new)))


def written(form: str, *operands: Operand) -> WayOut | None:
    """Something else altogether, of the same operands."""
    texts = [ast.unparse(x.node) for x in operands if x.node is not None]
    return WayOut(ast.parse(form.format(*texts)).body[0]) if len(texts) == len(operands) else None


def after(operation: Operation, operand: Operand, method: str) -> WayOut | None:
    """The same, after what it is about has memory of its own: `a = a.clone()` before it.

    A temporary tensor gets its own where it stands.
    """
    owner = operand.node
    while isinstance(owner, ast.Subscript):
        owner = owner.value
    if not isinstance(owner, ast.Name | ast.Attribute):
        return with_operand(operation, operand, f"{{}}.{method}()")
    text = ast.unparse(owner)
    first = ast.parse(f"{text} = {text}.{method}()").body[0]
    known = operand.is_array and isinstance(operation.node, ast.Call)
    return WayOut(operation.node, first, known) if isinstance(first, ast.Assign) else None


def first_that_fits(operation: Operation, ways: Iterable[WayOut | None]) -> WayOut | None:
    """The first that torch and NumPy would take, by the headers that are there."""
    return next((w for w in ways if w is not None and (w.known or _fits(operation.site, w))), None)


def _fits(site: Shadows, way: WayOut) -> bool:
    try:
        if way.first is None:
            return _runs(site, way.instead)
        with site.binding(way.first.targets[0], site.value(way.first.value)):
            return _runs(site, way.instead)
    except Unknown:
        return False


def _runs(site: Shadows, node: ast.AST) -> bool:
    """Whether a line would run. Raises Unknown where it would not, or nobody knows."""
    match node:
        case ast.Expr(value=value) | ast.Assign(targets=[ast.Name()], value=value):
            return _runs(site, value)
        case ast.Assign(targets=[ast.Subscript() as place], value=value):
            into, size = site.value(place), operand_of(value, site).size
            # An item of an array is no array.
            return _takes(into if is_tensor(into) else site.value(place.value)[:0], size)
        case ast.AugAssign(target=target, value=value):
            into = site.value(target)
            both = site.operate(node.op, into, site.value(value))
            return _takes(into, tuple(both.shape))
        case ast.BinOp(left=left, right=right) if not isinstance(node.op, ast.MatMult):
            # Two that meet in a larger size than both were hardly meant.
            sizes = [operand_of(part, site).size for part in (left, right)]
            return tuple(site.value(node).shape) in sizes
        case ast.Call():
            return site.value(node, again=True) is not None
    return site.value(node) is not None


def _takes(target: Any, size: tuple[int, ...]) -> bool:
    """Whether something of a size can be written to a tensor."""
    own = tuple(target.shape)
    if isinstance(target, torch.Tensor):
        alone = not Layout(own, target.stride(), target.storage_offset()).has_overlap
    else:
        alone = bool(target.flags.writeable)
    while len(size) > len(own) and size[0] == 1:
        size = size[1:]
    return alone and broadcast_sizes(own, size) == own


def _swapped(node: Any, old: ast.AST, new: ast.AST) -> Any:
    """A copy of a tree with one of its nodes exchanged."""
    if node is old:
        return new
    if isinstance(node, list):
        return [_swapped(part, old, new) for part in node]
    if not isinstance(node, ast.AST):
        return node
    parts = {name: _swapped(part, old, new) for name, part in ast.iter_fields(node)}
    return ast.copy_location(type(node)(**parts), node)
