"""The operation that failed: found in the frames of a traceback, with the tensors it was given.

`executing`, which comes with IPython, says which expression a frame had come to. An operation of
the user's own line is told as it stands there. One inside of a library is told by that line too:
its tensors are called what they are called there, if they are there.

A traceback keeps a frame as it is now, and not as it was when the operation failed. In between,
`except` and `finally` ran, and perhaps all that follows, if the exception was caught and kept.
What may have been changed there is not known any more.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from types import TracebackType
from typing import Any

import numpy as np
import torch

from stridekit.own_code.code_lines import cell_name, is_users
from stridekit.own_code.reasons import cut
from stridekit.own_code.safe_lookup import (
    SIGNS,
    Unknown,
    is_a,
    is_plain_sequence,
    own_dict,
)
from stridekit.own_code.shadows import (
    NUMPY,
    TORCH,
    Shadows,
    function_name,
    home_of,
    is_data,
    is_tensor,
)

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
_TRIES = (ast.Try, ast.TryStar)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
MISSING = object()


@dataclass(frozen=True)
class Operand:
    """An argument: as it is written, and what it stands for; MISSING where nobody can tell.

    `found` is the user's own object, where the argument is a mere look-up; `node` is where the
    argument stands in the user's line, if it does.
    """

    text: str
    value: Any
    found: Any = None
    node: ast.AST | None = None

    @property
    def name(self) -> str:
        """How a sentence calls it."""
        return cut(self.text, 48)

    @property
    def is_tensor(self) -> bool:
        """Whether it is a torch tensor's shadow or a NumPy array."""
        return is_tensor(self.value)

    @property
    def is_array(self) -> bool:
        """Whether it is a NumPy array."""
        return type(self.value) is np.ndarray

    @property
    def size(self) -> tuple[int, ...]:
        """Its size; that of nested lists of numbers as well. Raises Unknown."""
        if self.is_tensor:
            return tuple(self.value.shape)
        if self.value is MISSING or not is_data(self.value):
            raise Unknown(self.text)
        return np.shape(self.value)


@dataclass(frozen=True)
class Operation:
    """A call, an operator, an index, or an assignment to an item, with its operands.

    `name` is the method's or the function's, or the sign; `[]` for an index, `[]=` for an
    assignment to an item, `.shape=` for one to an attribute. `receiver` is what is acted on: left
    of the dot or of the sign, or a function's first argument. `target` is what is written to.
    `node` is the user's expression, or the statement; `site` knows what its names stand for.
    """

    name: str
    node: ast.AST
    site: Shadows
    receiver: Operand
    args: tuple[Operand, ...] = ()
    kwargs: dict[str, Operand] = field(default_factory=dict)
    target: Operand | None = None
    module: str = ""

    @property
    def text(self) -> str:
        """The user's expression, or statement."""
        return ast.unparse(self.node)

    @property
    def is_known(self) -> bool:
        """Whether it is torch's or NumPy's; the name of any other begins with a ?."""
        return not self.name.startswith("?")

    @property
    def operands(self) -> list[Operand]:
        """All of them, with lists of tensors taken apart."""
        found: list[Operand] = []
        for operand in (self.receiver, *self.args, *self.kwargs.values()):
            found += _taken_apart(operand)
        return found

    @property
    def tensors(self) -> list[Operand]:
        """Those that are tensors or arrays, each once."""
        found: dict[int, Operand] = {}
        for operand in self.operands:
            if operand.is_tensor:
                found.setdefault(id(operand.value if operand.found is None else operand.found), operand)
        return list(found.values())

    def operand(self, place: int, *names: str) -> Operand | None:
        """An argument by its place or by one of its names."""
        named = next((self.kwargs[name] for name in names if name in self.kwargs), None)
        return named or (self.args[place] if place < len(self.args) else None)

    def argument(self, place: int, *names: str, default: Any = MISSING) -> Any:
        """What an argument stands for. Raises Unknown where nobody can tell."""
        found = self.operand(place, *names)
        value = default if found is None else found.value
        if value is MISSING:
            raise Unknown(names)
        return value


def _taken_apart(operand: Operand) -> list[Operand]:
    """The items of a list of tensors, or the operand alone."""
    if not (is_plain_sequence(operand.value) and any(is_tensor(x) for x in operand.value)):
        return [operand]
    nodes: list[Any] = [None] * len(operand.value)
    texts = [f"{operand.name}[{i}]" for i in range(len(nodes))]
    if isinstance(operand.node, ast.List | ast.Tuple) and len(operand.node.elts) == len(nodes):
        nodes = list(operand.node.elts)
        texts = [ast.unparse(node) for node in nodes]
    found = operand.found if is_plain_sequence(operand.found) else operand.value
    rows = zip(texts, operand.value, found, nodes, strict=True)
    return [Operand(*row) for row in rows]


# Reading a traceback.


def operations_of(tb: TracebackType | None) -> Iterator[Operation]:
    """The operations at which the user's innermost frame stopped, and those that it called.

    What cannot be read is left out.
    """
    frames: list[TracebackType] = []
    while tb is not None:
        if not frames or is_users(tb.tb_frame.f_code.co_filename):
            frames = []
        frames.append(tb)
        tb = tb.tb_next
    node = _node_at(frames[0]) if frames else None
    if node is None:
        return
    site = Shadows(frames[0].tb_frame, changed_afterwards(node, frames[0]))
    operation = _read(node, site)
    if operation is not None and operation.is_known:
        yield operation
    names = _Names(node, site, [tb.tb_frame for tb in frames[1:]])
    for tb in frames[1:]:
        inner = _node_at(tb)
        if inner is None:
            continue
        shadows = Shadows(tb.tb_frame, changed_afterwards(inner, tb), site)
        called = _read(inner, shadows)
        if (called is None or not called.is_known) and tb is frames[-1]:
            called = _arguments_of(tb, inner, shadows)
        if called is not None and (called.is_known or tb is frames[-1]):
            yield names.renamed(called, tb)
    if operation is not None and not operation.is_known:
        yield operation


def _node_at(tb: TracebackType) -> ast.AST | None:
    """The expression at which a frame stopped.

    `executing` gives up where a cell has several statements in one line. There the instruction's
    own place decides; a cell's text cannot have changed since it was compiled.
    """
    import executing

    node: ast.AST | None = executing.Source.executing(tb).node
    if isinstance(node, ast.For | ast.AsyncFor):
        return node.iter
    code = tb.tb_frame.f_code
    if node is None and cell_name(code.co_filename):
        place = next(islice(code.co_positions(), tb.tb_lasti // 2, None))
        tree = executing.Source.for_frame(tb.tb_frame).tree
        parts = ("lineno", "end_lineno", "col_offset", "end_col_offset")
        places = ((n, tuple(getattr(n, part, None) for part in parts)) for n in ast.walk(tree))
        node = next((n for n, found in places if found == place), None) if tree else None
    return _statement_of(node)


def raised_anew(error: BaseException) -> bool:
    """Whether an exception comes from a `raise` in the function that caught another one."""
    caught = error.__context__ and error.__context__.__traceback__
    tb = error.__traceback__
    while tb is not None and caught is not None and tb.tb_frame is caught.tb_frame and tb.tb_next:
        tb = tb.tb_next
    node = tb and _node_at(tb)
    return isinstance(node, ast.Raise)


def _statement_of(node: ast.AST | None) -> ast.AST | None:
    """The statement that assigns to an item or an attribute, for what it assigns to."""
    parent = getattr(node, "parent", None)
    if isinstance(parent, ast.AugAssign) and parent.target is node:
        return parent
    if isinstance(parent, ast.Assign) and node in parent.targets:
        return parent
    return node


def changed_afterwards(node: ast.AST, tb: TracebackType) -> frozenset[str]:
    """The names that may stand for something else now than when the node failed.

    Nodes know their `parent`, as `executing` leaves them.
    """
    # What is bound in the expression itself may have been read before.
    found = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
    if tb.tb_frame.f_lasti != tb.tb_lasti:
        found |= set(_changed(_ran_after(node)))
    return frozenset(found)


def _ran_after(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may have run after a node raised, in its own function."""
    child, caught = node, False
    while not isinstance(child, _SCOPES):
        above = getattr(child, "parent", None)
        if above is None:
            return
        if isinstance(above, _TRIES):
            if child in above.body:
                yield from above.handlers
                yield from above.orelse
                caught = caught or any(not _raises(handler) for handler in above.handlers)
            yield from above.finalbody
        elif caught and isinstance(above, _LOOPS):
            yield above
        elif caught:
            for block in (getattr(above, "body", None), getattr(above, "orelse", None)):
                if isinstance(block, list) and child in block:
                    yield from block[block.index(child) + 1 :]
        child = above


def _raises(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)


def _changed(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The names that some code binds, deletes, or changes in place."""
    for top in nodes:
        for node in ast.walk(top):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    yield name
                case ast.ExceptHandler(name=str(name)):
                    yield name
                case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                    yield from _owner(node)
                case ast.Call(func=ast.Attribute(attr=name)) if name.endswith("_"):
                    yield from _owner(node.func)


def _owner(node: ast.AST) -> Iterator[str]:
    """The name that an attribute or an item belongs to."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Name):
        yield node.id


# Reading one expression.


def operand_of(node: ast.AST, shadows: Shadows) -> Operand:
    """What an expression stands for, as an operand; its value is MISSING where it is unknown."""
    text = ast.unparse(node)
    try:
        found = shadows.found(node)
    except Unknown:
        return Operand(text, MISSING, None, node)
    kept = None if shadows.makes(node) else found
    try:
        return Operand(text, shadows.shadow(found), kept, node)
    except Unknown:
        return Operand(text, MISSING, kept, node)


def _read(node: ast.AST, shadows: Shadows) -> Operation | None:
    def given(part: ast.AST) -> Operand:
        return operand_of(part, shadows)

    match node:
        case ast.Call():
            return _read_call(node, shadows)
        case ast.BinOp():
            left, right = given(node.left), given(node.right)
            return Operation(SIGNS.get(type(node.op), ("?",))[0], node, shadows, left, (right,))
        case ast.Compare() if len(node.comparators) == 1:
            left, right = given(node.left), given(node.comparators[0])
            return Operation("compare", node, shadows, left, (right,))
        case ast.AugAssign():
            name, target = SIGNS.get(type(node.op), ("?",))[0], given(node.target)
            value = (given(node.value),)
            return Operation(f"{name}=", node, shadows, target, value, target=target)
        case ast.Subscript():
            return Operation("[]", node, shadows, given(node.value), (given(node.slice),))
        case ast.Assign(targets=[ast.Subscript() as place]):
            args = (given(place.slice), given(node.value))
            target = given(place)
            return Operation("[]=", node, shadows, given(place.value), args, target=target)
        case ast.Assign(targets=[ast.Attribute(attr="shape" | "dtype") as place]):
            owner, value = given(place.value), (given(node.value),)
            return Operation(f".{place.attr}=", node, shadows, owner, value, target=owner)
    return None


def _read_call(node: ast.Call, shadows: Shadows) -> Operation | None:
    """A call of a method of a tensor, of a function, or of whatever else: then its name has a ?."""
    args: list[Operand] = []
    for part in node.args:
        if isinstance(part, ast.Starred):
            many = operand_of(part.value, shadows)
            if not is_plain_sequence(many.value):
                return None
            args += [Operand(f"{many.text}[{i}]", x) for i, x in enumerate(many.value)]
        else:
            args.append(operand_of(part, shadows))
    kwargs = {str(k.arg): operand_of(k.value, shadows) for k in node.keywords}
    name = ""
    if isinstance(node.func, ast.Attribute):
        owner, name = operand_of(node.func.value, shadows), node.func.attr
        if owner.is_tensor or type(owner.found) is torch.Tensor:
            in_place = name.endswith("_") and not name.endswith("__")
            in_place = in_place or (owner.is_array and name in ("sort", "fill", "resize", "partition"))
            target = owner if in_place else kwargs.get("out")
            return Operation(name, node, shadows, owner, tuple(args), kwargs, target)
    try:
        function = shadows.value(node.func)
    except Unknown:
        function = MISSING
    known = function is torch.Tensor or home_of(function, (*TORCH, *NUMPY, torch.Tensor))
    if not known or "_" in kwargs:
        name = f"?{name or ast.unparse(node.func)}"
    else:
        name = function_name(function)
        name = name.removeprefix("linalg_")
    if not known and not any(x.is_tensor for x in args):
        parts = (operand_of(part, shadows) for part in ast.walk(node) if isinstance(part, ast.expr))
        args += islice((x for x in parts if x.is_tensor), 4)
    first = args[0] if args else next(iter(kwargs.values()), Operand("", MISSING))
    rest = tuple(args[1:])
    target = kwargs.get("out") or (first if name in ("copyto", "put_along_axis") else None)
    if not args and kwargs:
        kwargs = dict(islice(kwargs.items(), 1, None))
    return Operation(name, node, shadows, first, rest, kwargs, target)


def _arguments_of(tb: TracebackType, node: ast.AST, shadows: Shadows) -> Operation | None:
    """What a function of a library was given that raised by itself; its name has a ?."""
    code = tb.tb_frame.f_code
    own = [n for n in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if n != "self"]
    given = [operand_of(ast.Name(name, ast.Load()), shadows) for name in own]
    tensors = [replace(x, node=None) for x in given if x.is_tensor]
    if not tensors:
        return None
    return Operation(f"?{code.co_name}", node, shadows, tensors[0], tuple(tensors[1:]))


class _Names:
    """What the tensors and modules inside of a library are called in the user's own line."""

    def __init__(self, node: ast.AST, site: Shadows, frames: list[Any]) -> None:
        self._node, self._site = node, site
        self._known: dict[int, tuple[str, ast.AST | None]] = {}
        root = next((f.f_locals["self"] for f in frames if _module_in(f) is not None), None)
        if isinstance(node, ast.Call) and root is not None:
            self._add_module(root, ast.unparse(node.func))
        for part in ast.walk(node):
            if isinstance(part, ast.Name | ast.Attribute | ast.Subscript):
                found = operand_of(part, site).found
                if is_tensor(found):
                    self._known.setdefault(id(found), (ast.unparse(part), part))
                elif is_plain_sequence(found):
                    for i, item in enumerate(found[:1000]):
                        self._known.setdefault(id(item), (f"{ast.unparse(part)}[{i}]", None))

    def _add_module(self, module: Any, path: str) -> None:
        own = own_dict(module)
        self._known.setdefault(id(module), (path, None))
        for drawer in ("_parameters", "_buffers"):
            for name, x in own.get(drawer, {}).items():
                if x is not None:
                    self._known.setdefault(id(x), (f"{path}.{name}", None))
        for name, part in own.get("_modules", {}).items():
            if part is not None and id(part) not in self._known:
                self._add_module(part, f"{path}.{name}")

    def renamed(self, operation: Operation, tb: TracebackType) -> Operation:
        """An operation of a library as one of the user's line."""
        module = _module_in(tb.tb_frame)
        path = "" if module is None else self._known.get(id(module), (type(module).__name__,))[0]

        place = f"of {path or tb.tb_frame.f_code.co_name}"

        def told(x: Operand) -> Operand:
            if is_plain_sequence(x.value):
                return replace(x, node=self._known.get(id(x.found), ("", None))[1])
            if not is_tensor(x.found):
                return replace(x, node=None)
            owner, dot, rest = x.text.partition(".")
            inside = f"{path}.{rest}" if path and dot and owner == "self" else f"the {x.text} {place}"
            inside = "the tensor" if x.text == "self" else inside
            text, node = self._known.get(id(x.found), (inside, None))
            return replace(x, text=text, node=node)

        return replace(
            operation,
            node=self._node,
            site=self._site,
            module=path,
            receiver=told(operation.receiver),
            args=tuple(map(told, operation.args)),
            kwargs={name: told(x) for name, x in operation.kwargs.items()},
            target=operation.target and told(operation.target),
        )


def _module_in(frame: Any) -> Any:
    """The torch module whose method a frame runs."""
    owner = frame.f_locals.get("self")
    return owner if is_a(owner, torch.nn.Module) else None
