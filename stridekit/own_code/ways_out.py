"""Ways out: what one pastes in place of what failed, each tried on headers before it is shown."""

import ast
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import torch

from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints
from stridekit.own_code.headers import header_of
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
    2: ("{}[:, 0]", "{}[:, None]", "{}[:, :, None]", "{}[None]", "{}[:, None, None]"),
    3: ("{}[:, :, 0]", "{}[:, None]", "{}[None]"),
}


class WayOut(NamedTuple):
    """What stands in place of what failed; or that again, after a line that is put before it."""

    node: ast.AST
    first: str = ""
    # What can be tried of it, where what is called is neither torch's nor NumPy's.
    part: ast.AST | None = None


def swapped(
    operation: Operation, old: ast.AST | None, form: str, *, alone: bool = False
) -> WayOut | None:
    """The same with one part in another form, in which `{}` stands for it; that `alone` is tried.

    None where the part is not in the user's line.
    """
    if old is None:
        return None
    return _put(operation, old, form.replace("{}", _text(old)), alone=alone)


def written(operation: Operation, form: str, *operands: Operand) -> WayOut | None:
    """Something else altogether, in which `{0}` and `{1}` stand for operands."""
    for place, x in enumerate(operands):
        if x.node is None:
            return None
        form = form.replace(f"{{{place}}}", _text(x.node))
    return _put(operation, operation.node, form)


def _text(node: ast.AST) -> str:
    """A part of a line as it may stand anywhere."""
    text = ast.unparse(node)
    loose = isinstance(node, ast.BinOp | ast.UnaryOp | ast.Compare | ast.IfExp | ast.BoolOp)
    return f"({text})" if loose else text


def with_name(operation: Operation, name: str) -> WayOut | None:
    """The same call of another method."""
    function = getattr(operation.node, "func", None)
    if not isinstance(function, ast.Attribute):
        return None
    return _put(operation, function, f"{_text(function.value)}.{name}")


def _put(operation: Operation, old: ast.AST, text: str, *, alone: bool = False) -> WayOut:
    (line,) = ast.parse(text).body
    bare = isinstance(line, ast.Expr) and not isinstance(old, ast.stmt)
    new = getattr(line, "value", line) if bare else line
    return WayOut(_swapped(operation.node, old, new), part=new if alone else None)


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


def with_keyword(
    operation: Operation, call: ast.AST | None, word: str, value: Any
) -> WayOut | None:
    """The same with a keyword more, or with another value of it, in one of its calls."""
    if not isinstance(call, ast.Call):
        return None
    kept = [keyword for keyword in call.keywords if keyword.arg != word]
    new = [*kept, ast.keyword(word, ast.Constant(value))] if value is not None else kept
    return WayOut(_swapped(operation.node, call, ast.Call(call.func, call.args, new)))


def fitted(
    operation: Operation, *operands: Operand, to: Ints | None = None, ones: bool = True
) -> Iterator[WayOut | None]:
    """The same with one of some tensors turned, or with dims of size 1 more or less.

    With `to`, only what broadcasts to that size.
    """
    for x in operands:
        forms = _WITH_ONES.get(len(x.size), ()) if ones else ()
        for form in (*forms, *_TURNED.get(len(x.size), ())):
            way = swapped(operation, x.node, form)
            if "0]" in form and x.size[-1] != 1:
                continue
            new = x.node and operand_of(
                ast.parse(form.replace("{}", f"({x.text})"), mode="eval").body, operation.site
            )
            if to is None or (new and new.is_tensor and broadcast_sizes(new.size, to) == to):
                yield way


def after(operation: Operation, operand: Operand, method: str) -> WayOut | None:
    """The same, after what it is about has memory of its own: `a = a.clone()` before it.

    A temporary tensor gets its own where it stands.
    """
    owner = operand.node
    while isinstance(owner, ast.Attribute | ast.Subscript) and operation.site.makes(owner):
        owner = owner.value
    if not isinstance(owner, ast.Name | ast.Attribute | ast.Subscript):
        calls = isinstance(operation.node, ast.Call)
        return swapped(operation, operand.node, f"{{}}.{method}()") if calls else None
    text = ast.unparse(owner)
    # A method of an array may write to it where nobody knows.
    writes = operand.is_array and isinstance(operation.node, ast.Call)
    return WayOut(operation.node, f"{text} = {text}.{method}()", owner if writes else None)


def first_that_fits(operation: Operation, ways: Iterable[WayOut | None]) -> WayOut | None:
    """The first that torch and NumPy would take, by the headers that are there."""
    return next((way for way in ways if way is not None and _fits(operation.site, way)), None)


def _fits(site: Shadows, way: WayOut) -> bool:
    try:
        if not way.first:
            return _runs(site, way.part or way.node)
        (line,) = ast.parse(way.first).body
        assert isinstance(line, ast.Assign)
        with site.binding(line.targets[0], site.value(line.value)):
            return _runs(site, way.part or way.node)
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
        case ast.AugAssign(target=target, value=value) if not isinstance(node.op, ast.MatMult):
            return _takes(site.value(target), operand_of(value, site).size)
        case ast.BinOp(left=left, right=right) if not isinstance(node.op, ast.MatMult):
            # torch takes seconds to load what it needs for a sum without memory.
            sizes = [operand_of(part, site).size for part in (left, right)]
            return not isinstance(broadcast_sizes(*sizes), Misfit)
        case ast.Call():
            return site.value(node, again=True) is not None
    return site.value(node) is not None


def _takes(target: Any, size: Ints) -> bool:
    """Whether something of a size can be written to a tensor."""
    own = tuple(target.shape)
    if isinstance(target, torch.Tensor):
        alone = not header_of(target, target.untyped_storage()).layout.has_overlap
    else:
        alone = bool(target.flags.writeable)
    while len(size) > len(own) and size[0] == 1:
        size = size[1:]
    return alone and broadcast_sizes(own, size) == own
