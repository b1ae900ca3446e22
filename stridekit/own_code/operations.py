"""The operation that failed: found in the frames of a traceback, with the tensors it was given.

`executing`, which comes with IPython, says which expression a frame had come to. An operation
inside of a library is told by the user's line, too, and its tensors are called as they are there.

A traceback keeps a frame as it is now, and not as it was when the operation failed. What may have
been changed since, in `except`, in `finally` or later, is not known any more.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from types import FrameType, TracebackType
from typing import Any

import numpy as np
import torch

from stridekit.own_code.code_lines import cell_name, is_users
from stridekit.own_code.reasons import cut
from stridekit.own_code.safe_lookup import SIGNS, Unknown, is_a, is_plain_sequence, own_dict
from stridekit.own_code.shadows import (
    NUMPY,
    TORCH,
    Shadows,
    function_name,
    home_of,
    is_data,
    is_tensor,
)

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
        if not self.is_tensor and (self.value is MISSING or not is_data(self.value)):
            raise Unknown(self.text)
        return tuple(self.value.shape) if self.is_tensor else np.shape(self.value)


@dataclass(frozen=True)
class Operation:
    """A call, an operator, an index, or an assignment, with its operands.

    `name` is the method's or the function's, or the sign; `[]` for an index, `[]=` for an
    assignment to an item, `.shape=` for one to an attribute; with a `?` it is none of torch's or
    NumPy's. `receiver` is left of the dot or the sign, or a function's first argument; `target` is
    what is written to. `node` is the user's expression, or statement, and `site` knows its names.
    `module` is the path of the torch module that did it.
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
    def operands(self) -> list[Operand]:
        """All of them, with lists of tensors taken apart."""
        given = (self.receiver, *self.args, *self.kwargs.values())
        return [part for operand in given for part in _taken_apart(operand)]

    @property
    def tensors(self) -> list[Operand]:
        """Those that are tensors or arrays, each once."""
        return list({(x.text, x.node): x for x in self.operands if x.is_tensor}.values())

    def operand(self, place: int, *names: str) -> Operand | None:
        """An argument after the receiver, by its place or by one of its names."""
        named = next((self.kwargs[name] for name in names if name in self.kwargs), None)
        return named or next(islice(self.args, place, None), None)

    def argument(self, place: int, *names: str, default: Any = MISSING) -> Any:
        """What an argument stands for. Raises Unknown where nobody can tell."""
        found = self.operand(place, *names)
        value = default if found is None else found.value
        if value is MISSING:
            raise Unknown(names)
        return value


def _taken_apart(operand: Operand) -> list[Operand]:
    many = operand.value
    if not (is_plain_sequence(many) and any(is_tensor(x) for x in many)):
        return [operand]
    found = operand.found if is_plain_sequence(operand.found) else [None] * len(many)
    if isinstance(operand.node, ast.List | ast.Tuple) and len(operand.node.elts) == len(many):
        nodes = zip(operand.node.elts, many, found, strict=True)
        return [Operand(ast.unparse(node), x, raw, node) for node, x, raw in nodes]
    pairs = enumerate(zip(many, found, strict=True))
    return [Operand(f"{operand.name}[{i}]", x, raw) for i, (x, raw) in pairs]


# Reading a traceback.


def operations_of(error: BaseException) -> Iterator[Operation]:
    """The operations at which the user's innermost frame stopped, and the libraries' after it.

    What cannot be read is left out.
    """
    frames: list[TracebackType] = []
    for tb in _tracebacks(error):
        frames = [] if is_users(tb.tb_frame.f_code.co_filename) else frames
        frames.append(tb)
    node = _node_at(frames[0]) if frames else None
    if node is None:
        return
    site = Shadows(frames[0].tb_frame, changed_afterwards(node, frames[0]))
    own = _read(node, site)
    if own is not None and own.name[0] != "?":
        yield own
    names = _names(node, site, [tb.tb_frame for tb in frames[1:]])
    for tb in frames[1:]:
        inner = _node_at(tb)
        if inner is not None:
            shadows = Shadows(tb.tb_frame, changed_afterwards(inner, tb), site)
            called = _read(inner, shadows)
            if called is None or called.name[0] == "?":
                called = _arguments_of(tb.tb_frame, shadows) if tb is frames[-1] else None
            if called is not None:
                yield _renamed(called, node, site, tb.tb_frame, names)
    if own is not None and own.name[0] == "?":
        yield own


def _node_at(tb: TracebackType) -> ast.AST | None:
    """The expression at which a frame stopped; the statement, if it was assigned to.

    `executing` gives up where a cell has several statements in one line. There the instruction's
    own place decides; a cell's text cannot have changed since it was compiled.
    """
    import executing

    stopped = executing.Source.executing(tb)
    node: Any = stopped.node
    code = tb.tb_frame.f_code
    if node is None and stopped.source.tree and cell_name(code.co_filename):
        place = next(islice(code.co_positions(), tb.tb_lasti // 2, None))
        parts = ("lineno", "end_lineno", "col_offset", "end_col_offset")
        for each in ast.walk(stopped.source.tree):
            expression = node is None and isinstance(each, ast.expr | ast.AugAssign)
            if expression and tuple(getattr(each, part) for part in parts) == place:
                node = each
    above = getattr(node, "parent", None)
    targets = getattr(above, "targets", [getattr(above, "target", None)])
    if isinstance(above, ast.Assign | ast.AugAssign) and node in targets:
        return above
    return node.iter if isinstance(node, ast.For | ast.AsyncFor) else node


def raised_anew(error: BaseException) -> bool:
    """Whether an exception comes from a `raise` in the function that caught another one."""
    import executing

    caught, own = _tracebacks(error.__context__), _tracebacks(error)
    if not own or own[-1].tb_frame not in [tb.tb_frame for tb in caught]:
        return False
    statements = executing.Source.executing(own[-1]).statements or ()
    return any(isinstance(statement, ast.Raise) for statement in statements)


def _tracebacks(error: BaseException | None) -> list[TracebackType]:
    """An exception's traceback, one for each frame."""
    found, tb = list[TracebackType](), error.__traceback__ if error else None
    while tb is not None:
        found.append(tb)
        tb = tb.tb_next
    return found


def changed_afterwards(node: ast.AST, tb: TracebackType) -> frozenset[str]:
    """The names that may stand for something else now than when the node failed.

    Nodes know their `parent`, as `executing` leaves them.
    """
    # What is bound in the expression itself may have been read before.
    found = {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
    if tb.tb_frame.f_lasti == tb.tb_lasti:
        return frozenset(found)
    above = [node]
    while not isinstance(
        above[-1], ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.Module
    ):
        above.append(above[-1].parent)  # type: ignore[attr-defined]
    tries = [a for a in above if isinstance(a, ast.Try | ast.TryStar)]
    handlers = [h for a in tries for h in a.handlers]
    goes_on = any(not isinstance(h.body[-1], ast.Raise) for h in handlers)
    ran = [n for n in ast.walk(above[-1]) if getattr(n, "lineno", 0) > (node.end_lineno or 0)]  # type: ignore[attr-defined]
    loops = [a for a in above if isinstance(a, ast.For | ast.AsyncFor | ast.While)]
    for part in (*ran, *(n for loop in loops if goes_on for n in ast.walk(loop))):
        in_place = isinstance(part, ast.Call) and getattr(part.func, "attr", "").endswith("_")
        if in_place or isinstance(getattr(part, "ctx", None), ast.Store | ast.Del):
            while isinstance(part, ast.Attribute | ast.Subscript | ast.Call):
                part = part.func if isinstance(part, ast.Call) else part.value
            found.add(getattr(part, "id", ""))
        elif isinstance(part, ast.ExceptHandler):
            found.add(part.name or "")
    return frozenset(found)


# Reading one expression.


def operand_of(node: ast.AST, shadows: Shadows) -> Operand:
    """What an expression stands for, as an operand; its value is MISSING where it is unknown."""
    found: Any = None
    try:
        found = shadows.found(node)
        found, value = None if shadows.makes(node) else found, shadows.shadow(found)
    except Unknown:
        value = MISSING
    return Operand(ast.unparse(node), value, found, node)


def _read(node: ast.AST, shadows: Shadows) -> Operation | None:
    def given(part: ast.AST) -> Operand:
        return operand_of(part, shadows)

    def sign(op: ast.AST) -> str:
        return SIGNS.get(type(op), ("?",))[0]

    match node:
        case ast.Call():
            return _read_call(node, shadows)
        case ast.BinOp(left=left, op=op, right=right):
            return Operation(sign(op), node, shadows, given(left), (given(right),))
        case ast.Compare(left=left, ops=[_], comparators=[right]):
            return Operation("compare", node, shadows, given(left), (given(right),))
        case ast.AugAssign():
            name, target = f"{sign(node.op)}=", given(node.target)
            return Operation(name, node, shadows, target, (given(node.value),), target=target)
        case ast.Subscript():
            return Operation("[]", node, shadows, given(node.value), (given(node.slice),))
        case ast.Assign(targets=[ast.Subscript() as place]):
            args, target = (given(place.slice), given(node.value)), given(place)
            return Operation("[]=", node, shadows, given(place.value), args, target=target)
        case ast.Assign(targets=[ast.Attribute(attr="shape" | "dtype") as place]):
            return Operation(
                f".{place.attr}=", node, shadows, given(place.value), (given(node.value),)
            )
    return None


def _read_call(node: ast.Call, shadows: Shadows) -> Operation | None:
    args: list[Operand] = []
    for part in node.args:
        many = operand_of(part.value if isinstance(part, ast.Starred) else part, shadows)
        if not isinstance(part, ast.Starred):
            args.append(many)
        elif is_plain_sequence(many.value):
            args += [Operand(f"{many.text}[{i}]", x) for i, x in enumerate(many.value)]
        else:
            return None
    kwargs = {str(k.arg): operand_of(k.value, shadows) for k in node.keywords}
    name = getattr(node.func, "attr", ast.unparse(node.func))
    if isinstance(node.func, ast.Attribute):
        owner = operand_of(node.func.value, shadows)
        if owner.is_tensor or type(owner.found) is torch.Tensor:
            in_place = name.endswith("_") or (owner.is_array and name in ("sort", "fill", "resize"))
            target = owner if in_place else kwargs.get("out")
            return Operation(name, node, shadows, owner, tuple(args), kwargs, target)
    try:
        function = shadows.value(node.func)
    except Unknown:
        function = None
    if home_of(function, (*TORCH, *NUMPY, torch.Tensor)):
        name = function_name(function).removeprefix("linalg_")
    else:
        name = f"?{name}"
        if not any(x.is_tensor for x in args):
            parts = (
                operand_of(part, shadows) for part in ast.walk(node) if isinstance(part, ast.expr)
            )
            args += islice((x for x in parts if x.is_tensor), 4)
    first, *rest = args or list(kwargs.values())[:1] or [Operand("", MISSING)]
    kwargs = kwargs if args else dict(islice(kwargs.items(), 1, None))
    target = kwargs.get("out") or (first if name == "copyto" else None)
    return Operation(name, node, shadows, first, tuple(rest), kwargs, target)


def _arguments_of(frame: FrameType, shadows: Shadows) -> Operation | None:
    """What a function of a library was given that raised by itself."""
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    given = [operand_of(ast.Name(name, ast.Load()), shadows) for name in names if name != "self"]
    tensors = tuple(x for x in given if x.is_tensor)
    if not tensors:
        return None
    return Operation(f"?{code.co_name}", ast.Pass(), shadows, tensors[0], tensors[1:])


# What is inside of a library, as it is called in the user's own line.

_Names = dict[int, tuple[str, ast.AST | None]]


def _names(node: ast.AST, site: Shadows, frames: list[FrameType]) -> _Names:
    """The tensors and lists in a line, and the modules and weights under what it calls."""
    known: _Names = {}
    modules = [(f.f_locals["self"], "") for f in frames if _is_module(f.f_locals.get("self"))][:1]
    waiting = [(m, ast.unparse(node.func)) for m, _ in modules if isinstance(node, ast.Call)]
    for module, path in waiting:
        own = own_dict(module)
        known.setdefault(id(module), (path, None))
        for drawer in ("_parameters", "_buffers"):
            known |= {id(x): (f"{path}.{name}", None) for name, x in own[drawer].items()}
        waiting += [(m, f"{path}.{name}") for name, m in own["_modules"].items() if _is_module(m)]
    for part in ast.walk(node):
        if isinstance(part, ast.Name | ast.Attribute | ast.Subscript):
            found = operand_of(part, site).found
            many = found[:1000] if type(found) in (list, tuple) else ()
            known |= {id(x): (f"{ast.unparse(part)}[{i}]", None) for i, x in enumerate(many)}
            if is_tensor(found) or many:
                known[id(found)] = (ast.unparse(part), part)
    return known


def _is_module(x: Any) -> bool:
    return is_a(x, torch.nn.Module)


def _renamed(
    operation: Operation, node: ast.AST, site: Shadows, frame: FrameType, names: _Names
) -> Operation:
    """An operation of a library as one of the user's line."""
    module = frame.f_locals.get("self")
    path, _ = names.get(id(module), (type(module).__name__ if _is_module(module) else "", None))

    def told(x: Operand) -> Operand:
        owner, dot, rest = x.text.partition(".")
        text = f"the {x.text} of {path or frame.f_code.co_name}"
        if owner == "self":
            text = f"{path}.{rest}" if path and dot else "the tensor"
        if not is_tensor(x.found):
            listed = type(x.found) in (list, tuple)
            return replace(x, node=names.get(id(x.found), ("", None))[1] if listed else None)
        name, place = names.get(id(x.found), (text, None))
        return replace(x, text=name, node=place)

    return replace(
        operation,
        node=node,
        site=site,
        module=path,
        receiver=told(operation.receiver),
        args=tuple(map(told, operation.args)),
        kwargs={name: told(x) for name, x in operation.kwargs.items()},
        target=operation.target and told(operation.target),
    )
