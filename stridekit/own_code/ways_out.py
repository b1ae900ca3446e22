"""Ways out: what one pastes in place of what failed, each tried on headers before it is shown.

A rule names them by forms. `{}.T` stands in place of each of its operands, and `1 {}.T` in place
of one of them; `torch.matmul({0}, {1})` in place of it all, where `{first}` is what the operation
was given first, and `{rest}` what else. A word is for several forms: see `_MOVES`.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import deepcopy
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
    """What stands in place of what failed; or that again, after a line that is put `first`.

    `tried` is what is run on headers to see whether it would do.
    """

    node: ast.AST
    tried: ast.AST
    first: str = ""


Some = Sequence[Operand]
# A part of the user's line, and what would stand there.
Swaps = Iterator[tuple[ast.AST, str]]


def way_out(operation: Operation, xs: Some, forms: Iterable[str]) -> WayOut | None:
    """The first of some forms that torch and NumPy would take, by the headers that are there."""
    # A copy would not do for what is written to afterwards, as in `x.view(-1).add_(1)`.
    for form in () if _is_written(operation.node) else forms:
        with suppress(Unknown):
            ways = (_swapped(operation, *swap) for swap in _swaps(operation, xs, form))
            for way in _owning(operation, xs[0]) if form == "own" else ways:
                new = ast.parse(way.first).body[0] if way.first else way.node
                lost = isinstance(new, ast.Assign) and ast.unparse(new.targets[0]) in _lost(
                    operation.node
                )
                if not lost and _runs(operation.site, way.tried):
                    return way
    return None


def _swaps(operation: Operation, xs: Some, form: str) -> Swaps:
    number, _, rest = form.partition(" ")
    some, form = (xs[int(number) :][:1], rest) if number.isdigit() else (xs, form)
    if form in _MOVES:
        return _MOVES[form](operation, some, xs)
    return _each(some, form) if "{}" in form else _anew(operation, form, xs)


def _swapped(operation: Operation, part: ast.AST, text: str) -> WayOut:
    """The same with one part swapped; that alone is tried, where what is called cannot be."""
    (line,) = ast.parse(text).body
    new = line.value if isinstance(line, ast.Expr) and not isinstance(part, ast.stmt) else line
    node = _exchanged(operation.node, {part: new})
    untried = operation.name.startswith("?") or operation.name in _UNTRIED
    return WayOut(node, new if untried else node)


def _each(some: Some, *forms: str) -> Swaps:
    """Each operand that stands in the line, in each of some forms, in which it is `{}`."""
    for x in some:
        if x.node is not None:
            yield from ((x.node, form.replace("{}", spelled(x.node))) for form in forms)


def _anew(operation: Operation, form: str, xs: Some = ()) -> Swaps:
    """All of it in another form, where what it is about stands in the line."""
    first, *others = _given(operation)
    nodes: list[Any] = [x.node for x in (*operation.args[:1], *(xs if "{0}" in form else ()))]
    if all(nodes) and nodes[0] is first:
        rest, texts = ", ".join(map(spelled, others)), [*map(spelled, nodes[1:])]
        yield operation.node, form.format(*texts, first=spelled(first), rest=rest)


def _given(operation: Operation) -> list[Any]:
    """What stands in the line: before the dot, or first in the brackets, and then the rest."""
    node = operation.node
    if not isinstance(node, ast.Call):
        return [x.node for x in operation.args]
    owner = getattr(node.func, "value", None)
    is_method = operation.args[:1] and operation.args[0].node is owner
    return [owner, *node.args] if is_method else [*node.args] or [None]


# Words for several forms.


def _turned(_: Operation, some: Some, __: Some) -> Swaps:
    """Transposed."""
    for x in some:
        yield from _each([x], "{}.T" if len(x.size) == 2 else "{}.mT")


def _fitted(_: Operation, some: Some, __: Some) -> Swaps:
    """With dims of size 1 more or less, or transposed."""
    for x in some:
        rank, ends_in_1 = len(x.size), x.size[-1:] == (1,)
        ones = (form for form in _WITH_ONES.get(rank, ()) if ends_in_1 or "0]" not in form)
        yield from _each([x], *ones, *_TURNED.get(rank, ()))


def _broadcast(operation: Operation, some: Some, xs: Some) -> Swaps:
    """The same, where it broadcasts to the size of the others."""
    for x in some:
        into: Any = broadcast_sizes(*(y.size for y in xs if y is not x))
        for node, text in _fitted(operation, [x], xs):
            new = operation.site.operand(ast.parse(text, mode="eval").body)
            if new.is_tensor and broadcast_sizes(new.size, into) == into:
                yield node, text


def _places(operation: Operation, _: Some, xs: Some) -> Swaps:
    """As a mask, where a value is there for each element; else as indices."""
    for x in xs[1:2]:
        is_mask = len(x.size) > 1 and x.size == operation.args[0].size
        numpys, torchs = ("astype(bool)", "bool()") if is_mask else ("astype(int)", "long()")
        yield from _each([x], f"{{}}.{numpys if x.is_array else torchs}")


def _cast(_: Operation, some: Some, xs: Some) -> Swaps:
    """In the dtype of another one."""
    for dtype, form in _CASTS.items():
        if any(y.dtype == dtype for y in xs):
            yield from _each([x for x in some if x.dtype != dtype], form)


def _keepdim(_: Operation, some: Some, __: Some) -> Swaps:
    """With the dims kept that a reduction drops."""
    for x in some:
        yield from _with_keyword(x.node, "keepdims" if x.is_array else "keepdim", True)


def _other_dim(operation: Operation, some: Some, _: Some) -> Swaps:
    """Joined along another dim."""
    for dim in range(len(some[0].size)):
        yield from _with_keyword(operation.node, "axis" if some[0].is_array else "dim", dim)


def _with_keyword(call: Any, word: str, value: Any) -> Swaps:
    if isinstance(call, ast.Call) and all(keyword.arg for keyword in call.keywords):
        kept = [keyword for keyword in call.keywords if keyword.arg != word]
        new = ast.Call(call.func, call.args, [*kept, ast.keyword(word, ast.Constant(value))])
        yield call, ast.unparse(new)


def _inferred(operation: Operation, some: Some, _: Some) -> Swaps:
    """With -1 for the first of some sizes; what is along the first dim stays apart."""
    (x,), sizes = some, operation.args[1:]
    rest = prod(size.value for size in sizes[1:] if type(size.value) is int)
    if len(x.size) > 2 and len(sizes) == 2:
        yield from _anew(operation, "{0}.flatten(1)", some)
    one = [type(size.value) for size in sizes] == [int]
    if one or (sizes[1:] and rest and prod(x.size) // rest == x.size[0]):
        yield from _each(sizes[:1], "-1")


def _flipped(operation: Operation, some: Some, _: Some) -> Swaps:
    """Turned round by `flip`, where one slice goes backwards."""
    key = operation.args[1].value
    keys = key if isinstance(key, tuple) else (key,)
    back = [dim for dim, part in enumerate(keys) if part != slice(None)]
    if [keys[dim] for dim in back] == [slice(None, None, -1)]:
        yield from _anew(operation, f"{{0}}.flip({back[0]})", some)


def _out_of_place(operation: Operation, _: Some, __: Some) -> Swaps:
    """Without writing to what is there."""
    if operation.name.endswith("_"):
        form, first = f"{{first}}.{operation.name[:-1]}({{rest}})", _given(operation)[0]
        if not _is_discarded(operation.node):
            yield from _anew(operation, form)
        elif isinstance(first, ast.Name):
            yield from _anew(operation, f"{{first}} = {form}")
    if isinstance(operation.node, ast.AugAssign) and isinstance(operation.node.target, ast.Name):
        yield from _anew(operation, f"{{first}} = {{first}} {operation.name[:-1]} {{rest}}")


_MOVES: dict[str, Callable[[Operation, Some, Some], Swaps]] = {
    "turn": _turned, "fit": _fitted, "broadcast": _broadcast, "cast": _cast, "keepdim": _keepdim,
    "places": _places, "dim": _other_dim, "infer": _inferred, "flip": _flipped,
    "out of place": _out_of_place,
    "enable_gqa": lambda operation, *_: _with_keyword(operation.node, "enable_gqa", True),
}  # fmt: skip


def _owning(operation: Operation, x: Operand) -> Iterator[WayOut]:
    """After what it is about has memory of its own: `a = a.clone()` before it.

    A temporary tensor gets its own where it stands, unless nobody would see it.
    """
    site, owner, method = operation.site, x.node, "copy" if x.is_array else "clone"
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
        yield WayOut(operation.node, tried, f"{name} = {ast.unparse(copied)}")
    elif called and not _is_discarded(operation.node):
        yield from (_swapped(operation, *swap) for swap in _each([x], f"{{}}.{method}()"))


# Trees, and whether they run.


def _is_discarded(node: Any) -> bool:
    """Whether an expression is a statement of its own, so that nobody has what it gives."""
    return isinstance(getattr(node, "parent", None), ast.Expr)


def _is_written(node: Any) -> bool:
    """Whether what an expression gives, or a part of it, is written to in the same line."""
    above = getattr(node, "parent", None)
    if isinstance(above, ast.Attribute | ast.Subscript) and above.value is node:
        return isinstance(above.ctx, ast.Store) or _is_written(above)
    if isinstance(above, ast.Call) and above.func is node:
        return getattr(node, "attr", "").endswith("_") or _is_written(above)
    return False


def _lost(node: Any) -> Iterator[str]:
    """The names that a loop around a node binds anew before anybody reads them again."""
    end, above = node.end_lineno, node
    while above := getattr(above, "parent", None):
        if isinstance(above, ast.For | ast.AsyncFor):
            names = [each for each in ast.walk(above) if isinstance(each, ast.Name)]
            read = {each.id for each in names if each.lineno > end}
            bound = {each.id for each in ast.walk(above.target) if isinstance(each, ast.Name)}
            yield from bound - read


def _exchanged(tree: ast.AST, swaps: dict[ast.AST, ast.AST]) -> ast.AST:
    """A copy of a tree with some of its nodes exchanged."""
    # `executing` tells nodes their parents: what is around the tree is not to be copied.
    around = {id(getattr(tree, "parent", None)): None}
    return deepcopy(tree, around | {id(old): new for old, new in swaps.items()})


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
