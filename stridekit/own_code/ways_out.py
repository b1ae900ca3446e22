"""Ways out: what one pastes in place of what failed, each tried on headers before it is shown.

A rule names them by forms. `{}.T` stands in place of each of its operands, and `1 {}.T` in place
of one of them; `torch.matmul({0}, {1})` in place of it all, where `{first}` is what the operation
was given first, `{rest}` what else, and `{call}` what was called; `1 keepdim=True` gives the call
that an operand is that keyword. A word is for several forms: see `_WORDS`. `own` gives the tensor
memory of its own, on the line before.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, takewhile
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from stridekit.own_code.operations import (
    MISSING,
    Operand,
    Operation,
    Unknown,
    around,
    exchanged,
    is_a,
    is_array,
    is_tensor,
    layout_of,
    spelled,
)
from stridekit.own_code.performing import Refused, performed
from stridekit.own_code.reading import operation_at
from stridekit.own_code.shadows import Shadows

# Rather float32 for both than what takes twice the room, or whole numbers; but no part is lost.
_CASTS = {
    "complex128": "{}.cdouble()", "complex64": "{}.cfloat()",
    "float32": "{}.float()", "float16": "{}.half()", "bfloat16": "{}.bfloat16()",
    "float64": "{}.double()", "int64": "{}.long()", "int32": "{}.int()", "uint8": "{}.byte()",
}  # fmt: skip
# What gives no tensor; nor can a call be tried that is neither torch's nor NumPy's.
_UNTRIED = ("asarray", "array", "from_dlpack")


class WayOut(NamedTuple):
    """What stands in place of what failed; or that again, after a line that is put `first`.

    `tried` is what is run on headers to see whether it would do; and what was done `inside` of it.
    """

    node: ast.AST
    tried: ast.AST
    first: str = ""
    inside: Operation | None = None


Some = Sequence[Operand]


def way_out(operation: Operation, xs: Some, forms: Iterable[str]) -> WayOut | None:
    """The first of some forms that torch and NumPy would take, by the headers that are there."""
    # A copy would not do for what is written to afterwards, as in `x.view(-1).add_(1)`.
    is_known = not (_is_written(operation.node) or _varies(operation.node) or _is_odd(operation))
    forms = forms if is_known else ()
    # No line binds a name of a lambda or a comprehension, or of outside of a function.
    node, own = operation.node, {*operation.site.names.maps[0]}
    if any(hasattr(above, "generators") or isinstance(above, ast.Lambda) for above in around(node)):
        own = set()
    for form in forms:
        # A form may name more operands than there are, and not everything has a name.
        with suppress(Unknown, LookupError, SyntaxError):
            for way in _ways(operation, xs, form):
                new = ast.parse(way.first).body[0] if way.first else way.node
                bound = {n.id for n in getattr(new, "targets", ()) if isinstance(n, ast.Name)}
                if bound - own or bound & _lost(node) or not _runs(operation.site, way.tried):
                    continue
                if way.first or _is_taken(operation, way):
                    return way
    return None


def _ways(operation: Operation, xs: Some, form: str) -> Iterator[WayOut]:
    number, _, rest = form.partition(" ")
    some, form = (xs[int(number) :][:1], rest) if number.isdigit() else (xs, form)
    word, is_keyword, value = form.partition("=")
    if form == "own":
        yield from _owning(operation, xs[0])
    elif form == "cast":
        for dtype, each in _CASTS.items():
            if any(x.dtype == dtype for x in xs):
                yield from _ways(operation, [x for x in some if x.dtype != dtype], each)
    elif form in _WORDS and _is_tried(operation):
        for each in _WORDS[form](operation, xs):
            yield from _ways(operation, xs, each)
    elif word.isidentifier() and is_keyword:
        for call in [x.node for x in some]:
            if isinstance(call, ast.Call):
                kept = [keyword for keyword in call.keywords if keyword.arg != word]
                new = ast.keyword(word, ast.parse(value, mode="eval").body)
                text = ast.unparse(ast.Call(call.func, call.args, [*kept, new]))
                yield _swapped(operation, call, text)
    elif "{}" in form:
        # What is written to keeps its place: a copy in it would be written to, and gone.
        written = (operation.target, *operation.args[: operation.name == "[]="])
        places = [x.node for x in written if x]
        for x in some:
            if x.node is not None and x.node not in places:
                yield _swapped(operation, x.node, form.replace("{}", spelled(x.node)))
    elif form not in _WORDS and not operation.is_inside:
        first, *others = given_in(operation)
        nodes: list[Any] = [x.node for x in (*operation.args[:1], *(xs if "{0}" in form else ()))]
        if all(nodes) and nodes[0] is first:
            rest, texts = ", ".join(map(spelled, others)), [*map(spelled, nodes[1:])]
            func = ast.unparse(getattr(operation.node, "func", first))
            text = form.format(*texts, first=spelled(first), rest=rest, call=func)
            if operation.name == "[]=" and "=" not in form:
                text += f" = {ast.unparse(others[-1])}"
            line: Any = ast.parse(text).body[0]
            if isinstance(line.value, ast.Call):
                # What is given by name goes with it; without `copy=False`, which failed.
                named = [x for x in getattr(operation.node, "keywords", ()) if x.arg != "copy"]
                line.value.keywords += named
            yield _swapped(operation, operation.node, ast.unparse(line))


def _swapped(operation: Operation, part: ast.AST, text: str) -> WayOut:
    """The same with one part swapped.

    Where what is called cannot be tried, that part alone is, and is swapped wherever it stands.
    """
    (line,) = ast.parse(text).body
    new = line.value if isinstance(line, ast.Expr) else line
    if _is_tried(operation):
        node = exchanged(operation.node, {part: new})
        return WayOut(node, node)
    if isinstance(getattr(operation.node, "func", None), ast.Call):
        # As of `nn.Linear(3, 2)(x)`, nobody knows what it would take.
        raise Unknown
    read = [n for n in ast.walk(operation.node) if type(getattr(n, "ctx", None)) is not ast.Store]
    # What has a gradient is not what it is detached to.
    owned = [getattr(n, "value", n) for n in read if getattr(n, "attr", "") == "grad"]
    same = [n for n in read if n not in owned and ast.unparse(n) == ast.unparse(part)]
    value = operation.site.operand(new).value
    given = tuple(replace(x, value=value) if x.node is part else x for x in operation.args)
    inside = replace(operation, args=given) if operation.is_inside else None
    return WayOut(exchanged(operation.node, dict.fromkeys(same, new)), new, inside=inside)


def _is_tried(operation: Operation) -> bool:
    """Whether what stands in the line can be done to headers, so that sizes can be tried."""
    called = operation_at(operation.node, operation.site)
    is_known = called and called.name[0] != "?" and called.name not in _UNTRIED
    return bool(is_known or (called and is_a(called.function, torch.nn.Module)))


def given_in(operation: Operation) -> list[Any]:
    """What stands in the line: before the dot, or first in the brackets, and then the rest."""
    node = operation.node
    if not isinstance(node, ast.Call):
        return [x.node for x in operation.args]
    owner = getattr(node.func, "value", None)
    is_method = operation.args[:1] and operation.args[0].node is owner
    return [owner, *node.args] if is_method else [*node.args] or [None]


# Words for several forms.


def _places(operation: Operation, xs: Some) -> Iterable[str]:
    """As a mask, where a value is there for each element; else as indices.

    What stands in brackets and has one for each of the first dims' elements may be either.
    """
    x, size = xs[1], operation.args[0].size
    is_mask = "mask" in operation.name or (len(x.size) > 1 and x.size == size)
    numpys, torchs = ("astype(bool)", "bool()") if is_mask else ("astype(int)", "long()")
    is_either = x.size and x.size == size[: len(x.size)] and not is_mask
    unsure = operation.name.startswith("[]") and is_either
    return [] if unsure else [f"1 {{}}.{numpys if x.is_array else torchs}"]


def _otherwise(operation: Operation, xs: Some) -> Iterable[str]:
    """By `flip`, where slices go backwards; by a mask for other dims: where all else is whole."""
    key: Any = operation.args[1].node
    keys = [*map(ast.unparse, getattr(key, "elts", [key]))]
    picking = [part for part in keys if part != ":"]
    if {*picking} == {"::-1"}:
        yield f"{{0}}.flip({', '.join(str(dim) for dim, key in enumerate(keys) if key != ':')})"
    elif picking == [xs[1].text]:
        yield from ("{0}[{1}]", "{0}[:, {1}]", "{0}[:, :, {1}]")


def _out_of_place(operation: Operation, _: Some) -> Iterable[str]:
    """Without writing to what is there: where nobody else would see it, or autograd asks for it."""
    if not getattr(operation.written.value, "requires_grad", False) and _is_shared(operation):
        return
    if operation.name.endswith("_"):
        form = f"{{first}}.{operation.name[:-1]}({{rest}})"
        if not _is_discarded(operation.node):
            yield form
        elif isinstance(given_in(operation)[0], ast.Name):
            yield f"{{first}} = {form}"
    if isinstance(operation.node, ast.AugAssign) and isinstance(operation.node.target, ast.Name):
        yield f"{{first}} = {{first}} {operation.name[:-1]} {{rest}}"


_WORDS: dict[str, Callable[[Operation, Some], Iterable[str]]] = {
    "places": _places, "other dims": _otherwise, "out of place": _out_of_place,
}  # fmt: skip


def _owning(operation: Operation, x: Operand) -> Iterator[WayOut]:
    """After what it is about has memory of its own: `a = a.clone()` before it.

    A temporary tensor gets its own where it stands, unless nobody would see it.
    """
    site, owner, method = operation.site, x.node, "copy" if x.is_array else "clone"
    parts = ast.Attribute | ast.Subscript
    while isinstance(owner, parts) and site.operand(owner.value).is_tensor:
        owner = owner.value
    called, whole = isinstance(operation.node, ast.Call), site.operand(owner or ast.Pass())
    holder = site.operand(getattr(owner, "value", owner) or ast.Pass()).value
    if is_a(holder, tuple) or type(whole.found) is nn.Parameter:
        # Neither takes another tensor.
        return
    if whole.is_array and not layout_of(whole.value).has_overlap:
        # What is written to a copy of a diagonal is not in its matrix.
        others = [y for y in site.names.values() if is_array(y) and y.flags.writeable]
        if any(np.may_share_memory(whole.value, y) for y in others):
            return
    if isinstance(owner, ast.Name | parts):
        name = ast.unparse(owner)
        copied = ast.parse(f"{name}.{method}()", mode="eval").body
        same = [n for n in ast.walk(operation.node) if ast.unparse(n) == name]
        tried = exchanged(operation.node, dict.fromkeys(same, copied))
        # A method of an array may write to it where nobody knows.
        tried = copied if x.is_array and called else tried
        yield WayOut(operation.node, tried, f"{name} = {ast.unparse(copied)}")
    elif called and x.node and not _is_discarded(operation.node):
        yield _swapped(operation, x.node, f"{spelled(x.node)}.{method}()")


def _is_shared(operation: Operation) -> bool:
    """Whether what is written to has another name, or lies in what has one."""
    x, same = operation.target, 0
    for name, y in operation.site.names.items():
        # Results of former cells are kept as `_3`.
        if x is not None and name[0] != "_" and is_tensor(y) and is_array(y) == x.is_array:
            with suppress(Unknown):
                same += _memory(operation.site.shadow(y)) == _memory(x.value)
    return same > 1


def _memory(x: Any) -> Any:
    """What tells memory from other memory: a storage, or the array that an array is a view of."""
    while is_array(x) and is_array(x.base):
        x = x.base
    return id(x) if is_array(x) else x.untyped_storage()._cdata


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


def _lost(node: Any) -> set[str]:
    """The names that a loop or a call gives to what others hold, and nobody reads afterwards."""
    lost = set[str]()
    for above in around(node):
        if isinstance(above, ast.For | ast.AsyncFor | ast.FunctionDef | ast.AsyncFunctionDef):
            given: Any = getattr(above, "target", getattr(above, "args", None))
            lost |= {getattr(each, "id", getattr(each, "arg", "")) for each in ast.walk(given)}
            for n in ast.walk(above):
                if isinstance(n, ast.Name) and n.lineno > node.end_lineno and not _is_written(n):
                    # Who writes `x /= x.max()` writes to it.
                    line: Any = next(part for part in around(n) if isinstance(part, ast.stmt))
                    if not (isinstance(line, ast.AugAssign) and ast.unparse(line.target) == n.id):
                        lost.discard(n.id)
    return lost - {""}


def _varies(node: Any) -> bool:
    """Whether a loop's variable is called: what one function needs, others may refuse."""
    called = ast.unparse(getattr(node, "func", ast.Pass()))
    loops = [above for above in around(node) if isinstance(above, ast.For | ast.AsyncFor)]
    return called in [ast.unparse(part) for loop in loops for part in ast.walk(loop.target)]


def _is_odd(operation: Operation) -> bool:
    """Whether it is a tensor's method of something unknown: nobody knows what it takes where."""
    owner = getattr(getattr(operation.node, "func", None), "value", None)
    is_own = operation.name[0] == "?" and hasattr(torch.Tensor, operation.name[1:])
    is_own &= not operation.is_inside
    return bool(is_own and owner and operation.site.operand(owner).value is MISSING)


def _is_taken(operation: Operation, way: WayOut) -> bool:
    """Whether nothing inside of it, or around it in the line, would refuse what is given then."""
    line = takewhile(lambda part: isinstance(part, ast.expr | ast.keyword), around(operation.node))
    site, new = operation.site, {operation.node: way.node}
    for called in chain([way.inside], (operation_at(exchanged(part, new), site) for part in line)):
        try:
            performed(called)
        except Refused:
            return False
        except Unknown:
            continue
    return True


def _runs(site: Shadows, node: Any) -> bool:
    """Whether a line would run, as far as anybody knows."""
    if isinstance(getattr(node, "targets", [None])[0], ast.Name):
        node = node.value
    with suppress(Unknown):
        # An item of a tuple is looked up.
        is_item = isinstance(node, ast.Subscript)
        found = site[node] if is_item else performed(operation_at(node, site), again=True)
        return found is not None
    return False
