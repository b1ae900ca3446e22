"""Ways out: what one pastes in place of what failed, each tried on headers before it is shown.

A rule names them by forms. `{}.T` stands in place of each of its operands, and `1 {}.T` in place
of one of them; `torch.matmul({0}, {1})` in place of it all, where `{first}` is what the operation
was given first, and `{rest}` what else. A word is for several forms: see `_MOVES`.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import Any, NamedTuple

import numpy as np
import torch

from stridekit.layouts.broadcasting import broadcast_sizes
from stridekit.layouts.layout import Ints
from stridekit.own_code.operations import Operand, Operation, Unknown, is_a, is_tensor, spelled
from stridekit.own_code.shadows import Shadows, layout_of

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
# Rather float32 for both than what takes twice the room, or whole numbers.
_CASTS = {
    "float32": "{}.float()", "float16": "{}.half()", "bfloat16": "{}.bfloat16()",
    "float64": "{}.double()", "int64": "{}.long()", "int32": "{}.int()", "uint8": "{}.byte()",
}  # fmt: skip
# What gives no tensor; nor can a call be tried that is neither torch's nor NumPy's.
_UNTRIED = ("numpy", "asarray", "array")


class WayOut(NamedTuple):
    """What stands in place of what failed; or that again, after a line that is put before it.

    `part` is what is new in it, and `tried` what is run on headers to see whether it would do.
    """

    node: ast.AST
    part: ast.AST
    tried: ast.AST
    first: str = ""


Some = Sequence[Operand]
Ways = Iterator[WayOut | None]


def way_out(operation: Operation, xs: Some, forms: Iterable[str]) -> WayOut | None:
    """The first of some forms that torch and NumPy would take, by the headers that are there."""
    for form in forms:
        with suppress(Unknown):
            for way in _ways(operation, xs, form):
                if way is not None and _runs(operation.site, way.tried):
                    return way
    return None


def _ways(operation: Operation, xs: Some, form: str) -> Ways:
    number, _, rest = form.partition(" ")
    some, form = (xs[int(number) :][:1], rest) if number.isdigit() else (xs, form)
    if form in _MOVES:
        yield from _MOVES[form](operation, some, xs)
    elif "{}" in form:
        yield from (_swapped(operation, x.node, form) for x in some)
    else:
        first, *others = _given(operation)
        nodes: list[Any] = [x.node for x in (*operation.args[:1], *(xs if "{0}" in form else ()))]
        if all(nodes) and nodes[0] is first:
            rest, texts = ", ".join(map(spelled, others)), [*map(spelled, nodes[1:])]
            form = form.format(*texts, first=spelled(first), rest=rest)
            yield _swapped(operation, operation.node, form)


def _given(operation: Operation) -> list[Any]:
    """What stands in the line: before the dot, or first in the brackets, and then the rest."""
    node = operation.node
    if not isinstance(node, ast.Call):
        return [x.node for x in operation.args]
    owner = getattr(node.func, "value", None)
    is_method = operation.args[:1] and operation.args[0].node is owner
    return [owner, *node.args] if is_method else [*node.args] or [None]


def _swapped(operation: Operation, old: ast.AST | None, form: str) -> WayOut | None:
    """The same with one part in another form, in which `{}` stands for it.

    None where the part is not in the user's line. Where what is called cannot be tried on headers,
    the part alone is.
    """
    if old is None:
        return None
    (line,) = ast.parse(form.replace("{}", spelled(old))).body
    new = line.value if isinstance(line, ast.Expr) and not isinstance(old, ast.stmt) else line
    node = _exchanged(operation.node, {old: new})
    untried = operation.name.startswith("?") or operation.name in _UNTRIED
    return WayOut(node, new, new if untried else node)


# Words for several forms.


def _turned(operation: Operation, some: Some, _: Some) -> Ways:
    """Transposed."""
    for x in some:
        for form in _TURNED.get(len(x.size), ()):
            yield _swapped(operation, x.node, form)


def _fitted(operation: Operation, some: Some, xs: Some) -> Ways:
    """With dims of size 1 more or less, or transposed."""
    for x in some:
        for form in _WITH_ONES.get(len(x.size), ()):
            if "0]" not in form or x.size[-1] == 1:
                yield _swapped(operation, x.node, form)
        yield from _turned(operation, [x], xs)


def _broadcast(operation: Operation, some: Some, xs: Some) -> Ways:
    """The same, where it broadcasts to the size of the others."""
    for x in some:
        into: Any = broadcast_sizes(*(y.size for y in xs if y is not x))
        for way in _fitted(operation, [x], xs):
            new = operation.site.operand(way.part) if way else x
            if new.is_tensor and broadcast_sizes(new.size, into) == into:
                yield way


def _cast(operation: Operation, some: Some, xs: Some) -> Ways:
    """In the dtype of another one."""
    for dtype, form in _CASTS.items():
        if any(y.dtype == dtype for y in xs):
            yield from (_swapped(operation, x.node, form) for x in some if x.dtype != dtype)


def _keepdim(operation: Operation, some: Some, _: Some) -> Ways:
    """With the dims kept that a reduction drops."""
    for x in some:
        yield _with_keyword(operation, x.node, "keepdims" if x.is_array else "keepdim", True)


def _other_dim(operation: Operation, some: Some, _: Some) -> Ways:
    """Joined along another dim."""
    for dim in range(len(some[0].size)):
        word = "axis" if some[0].is_array else "dim"
        yield _with_keyword(operation, operation.node, word, dim)


def _with_keyword(operation: Operation, call: Any, word: str, value: Any) -> WayOut | None:
    if not isinstance(call, ast.Call) or any(keyword.arg is None for keyword in call.keywords):
        return None
    kept = [keyword for keyword in call.keywords if keyword.arg != word]
    new = ast.Call(call.func, call.args, [*kept, ast.keyword(word, ast.Constant(value))])
    return _swapped(operation, call, ast.unparse(new))


def _inferred(operation: Operation, some: Some, _: Some) -> Ways:
    """With -1 for the first of some sizes; what is along the first dim stays apart."""
    (x,), sizes = some, operation.args[1:]
    rest = prod(size.value for size in sizes[1:] if type(size.value) is int)
    if len(x.size) > 2 and len(sizes) == 2:
        yield from _ways(operation, some, "{0}.flatten(1)")
    one = [type(size.value) for size in sizes] == [int]
    if one or (sizes[1:] and rest and prod(x.size) // rest == x.size[0]):
        yield _swapped(operation, sizes[0].node, "-1")


def _flipped(operation: Operation, some: Some, _: Some) -> Ways:
    """Turned round by `flip`, where one slice goes backwards."""
    key = operation.args[1].value
    keys = key if isinstance(key, tuple) else (key,)
    back = [dim for dim, part in enumerate(keys) if part != slice(None)]
    if [keys[dim] for dim in back] == [slice(None, None, -1)]:
        yield from _ways(operation, some, f"{{0}}.flip({back[0]})")


def _out_of_place(operation: Operation, _: Some, __: Some) -> Ways:
    """Without writing to what is there."""
    if operation.name.endswith("_"):
        yield from _ways(operation, (), f"{{first}}.{operation.name[:-1]}({{rest}})")
    if isinstance(operation.node, ast.AugAssign) and isinstance(operation.node.target, ast.Name):
        yield from _ways(operation, (), f"{{first}} = {{first}} {operation.name[:-1]} {{rest}}")


def _owning(operation: Operation, some: Some, _: Some) -> Ways:
    """After what it is about has memory of its own: `a = a.clone()` before it.

    A temporary tensor gets its own where it stands.
    """
    (x,), site = some, operation.site
    owner, method = x.node, "copy" if x.is_array else "clone"
    while isinstance(owner, ast.Attribute | ast.Subscript) and is_tensor(
        site.operand(owner.value).value
    ):
        owner = owner.value
    called = isinstance(operation.node, ast.Call)
    if isinstance(owner, ast.Name | ast.Attribute | ast.Subscript):
        name = ast.unparse(owner)
        copied = ast.parse(f"{name}.{method}()", mode="eval").body
        same = [n for n in ast.walk(operation.node) if ast.unparse(n) == name]
        tried = _exchanged(operation.node, dict.fromkeys(same, copied))
        # A method of an array may write to it where nobody knows.
        tried = copied if x.is_array and called else tried
        yield WayOut(operation.node, copied, tried, f"{name} = {ast.unparse(copied)}")
    elif called:
        yield _swapped(operation, x.node, f"{{}}.{method}()")


_MOVES: dict[str, Callable[[Operation, Some, Some], Ways]] = {
    "turn": _turned, "fit": _fitted, "broadcast": _broadcast, "cast": _cast, "keepdim": _keepdim,
    "dim": _other_dim, "infer": _inferred, "flip": _flipped, "out of place": _out_of_place,
    "own": _owning,
    "enable_gqa": lambda x, *_: iter([_with_keyword(x, x.node, "enable_gqa", True)]),
}  # fmt: skip


# Trees, and whether they run.


def _exchanged(tree: Any, swaps: dict[ast.AST, ast.AST]) -> Any:
    """A copy of a tree with some of its nodes exchanged."""
    if isinstance(tree, list):
        return [_exchanged(part, swaps) for part in tree]
    if not isinstance(tree, ast.AST):
        return tree
    if tree in swaps:
        return swaps[tree]
    parts = {name: _exchanged(part, swaps) for name, part in ast.iter_fields(tree)}
    return ast.copy_location(type(tree)(**parts), tree)


def _runs(site: Shadows, node: ast.AST) -> bool:
    """Whether a line would run, as far as anybody knows."""
    try:
        match node:
            case ast.Expr(value=value) | ast.Assign(targets=[ast.Name()], value=value):
                return _runs(site, value)
            case ast.Assign(targets=[ast.Subscript() as place], value=value):
                into = site.operand(place)
                # An item of an array is no array.
                target = into.value if is_tensor(site[place]) else site[place.value][:0]
                return _takes(target, site.operand(value).size)
            case ast.AugAssign(target=target, op=op, value=value):
                own, result = site[target], site[ast.BinOp(target, op, value)]
                fits = (
                    torch.can_cast(result.dtype, own.dtype)
                    if is_a(own, torch.Tensor)
                    else (np.can_cast(result.dtype, own.dtype, "same_kind"))
                )
                return fits and _takes(own, tuple(result.shape))
            case ast.Call():
                return site.perform(site.read(node), again=True) is not None
        return isinstance(node, ast.expr) and site[node] is not None
    except Unknown:
        return False


def _takes(target: Any, size: Ints) -> bool:
    """Whether something of a size can be written to a tensor."""
    own = tuple(target.shape)
    if is_a(target, torch.Tensor):
        alone = not layout_of(target).has_overlap
    else:
        alone = bool(target.flags.writeable)
    while len(size) > len(own) and size[0] == 1:
        size = size[1:]
    return alone and broadcast_sizes(own, size) == own
