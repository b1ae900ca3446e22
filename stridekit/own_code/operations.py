"""The operation that failed: found in a frame of a traceback, with the tensors it was given.

`executing`, which comes with IPython, says which expression a frame had come to.

A traceback keeps a frame as it is now, and not as it was when the operation failed. In between,
`except` and `finally` ran, and perhaps all that follows, if the exception was caught and kept.
What may have been changed there is not known any more.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from types import TracebackType
from typing import Any

import numpy as np
import torch

from stridekit.own_code.code_lines import cell_name
from stridekit.own_code.inferred_tensors import InferredTensors
from stridekit.own_code.reasons import cut
from stridekit.own_code.safe_lookup import Unknown, function_name, is_a

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
_TRIES = (ast.Try, ast.TryStar)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)


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
            yield from _following(child, above)
        child = above


def _raises(handler: ast.ExceptHandler) -> bool:
    return isinstance(handler.body[-1], ast.Raise)


def _following(child: ast.AST, above: ast.AST) -> Iterator[ast.AST]:
    """The statements of a block that come after one of them."""
    for block in ("body", "orelse"):
        statements = getattr(above, block, None)
        if isinstance(statements, list) and child in statements:
            yield from statements[statements.index(child) + 1 :]


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


# The operation.


_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_FAILING = (ast.Call, ast.BinOp, ast.Compare, ast.AugAssign, ast.Subscript, ast.Attribute)
MISSING = object()


@dataclass(frozen=True)
class Operand:
    """An argument: how it is written, and what it stands for; MISSING where nobody can tell."""

    text: str
    value: Any

    @property
    def name(self) -> str:
        """How a sentence calls it: as it is written, unless that is long."""
        kind = "array" if type(self.value) is np.ndarray else "tensor"
        return self.text if len(self.text) <= 32 else f"the {kind}"

    def then(self, call: str) -> str:
        """A call on it, as one would write it."""
        return f"{self.text}.{call}" if len(self.text) <= 32 else f".{call} after it"

    @property
    def is_tensor(self) -> bool:
        """Whether it is a torch tensor's shadow or a NumPy array."""
        return is_a(self.value, torch.Tensor) or type(self.value) is np.ndarray


@dataclass(frozen=True)
class Operation:
    """A call, an operator, or an assignment to an item, with its operands.

    `name` is the method's or the function's, or the sign; `[]=` for an assignment to an item,
    `.shape=` for one to an attribute. `receiver` is what is acted on: left of the dot or of the
    sign, or what is assigned to.
    """

    name: str
    text: str
    shadows: InferredTensors
    receiver: Operand | None = None
    args: tuple[Operand, ...] = ()
    kwargs: dict[str, Operand] = field(default_factory=dict)
    in_place: bool = False

    @property
    def operands(self) -> list[Operand]:
        """All of them, with lists of tensors taken apart."""
        first = [] if self.receiver is None else [self.receiver]
        found: list[Operand] = []
        for operand in (*first, *self.args, *self.kwargs.values()):
            if is_a(operand.value, list | tuple):
                found += [Operand(f"{operand.text}[{i}]", v) for i, v in enumerate(operand.value)]
            else:
                found.append(operand)
        return found

    @property
    def tensors(self) -> list[Operand]:
        """Those that are tensors or arrays."""
        return [operand for operand in self.operands if operand.is_tensor]

    def argument(self, place: int, name: str, default: Any = MISSING) -> Any:
        """An argument by its place or by its name. Raises Unknown where nobody can tell."""
        found = self.kwargs.get(name)
        if found is None and place < len(self.args):
            found = self.args[place]
        value = default if found is None else found.value
        if value is MISSING:
            raise Unknown(name)
        return value

    def drawable(self, operand: Operand) -> Any:
        """What can be drawn of an operand."""
        return self.shadows.drawable(operand.value)


def read_operation(tb: TracebackType) -> Operation | None:
    """The operation at which a frame stopped; None where its source or its meaning is unknown."""
    node = _node_at(tb)
    if node is None:
        return None
    shadows = InferredTensors(tb.tb_frame, changed_afterwards(node, tb))
    try:
        return _read(node, shadows)
    except Unknown:
        return None


def _node_at(tb: TracebackType) -> ast.AST | None:
    """The expression at which a frame stopped.

    `executing` gives up where a cell has several statements in one line. There the instruction's
    own place decides; a cell's text cannot have changed since it was compiled.
    """
    import executing

    node: ast.AST | None = executing.Source.executing(tb).node
    code = tb.tb_frame.f_code
    if node is not None or not cell_name(code.co_filename):
        return node
    place = next(islice(code.co_positions(), tb.tb_lasti // 2, None))
    tree = executing.Source.for_frame(tb.tb_frame).tree
    found = (n for n in ast.walk(tree) if isinstance(n, _FAILING)) if tree else ()
    return next((n for n in found if _place_of(n) == place), None)


def _place_of(node: Any) -> tuple[int | None, ...]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def _read(node: ast.AST, shadows: InferredTensors) -> Operation | None:
    text = _text(node)
    match node:
        case ast.Call():
            return _read_call(node, shadows, text)
        case ast.BinOp():
            left, right = _operand(node.left, shadows), _operand(node.right, shadows)
            return Operation(_SIGNS.get(type(node.op), "?"), text, shadows, left, (right,))
        case ast.Compare() if len(node.comparators) == 1:
            left, right = _operand(node.left, shadows), _operand(node.comparators[0], shadows)
            return Operation("compare", text, shadows, left, (right,))
        case ast.AugAssign():
            target, value = _operand(node.target, shadows), _operand(node.value, shadows)
            name = _SIGNS.get(type(node.op), "?") + "="
            return Operation(name, text, shadows, target, (value,), in_place=True)
        case ast.Subscript() | ast.Attribute():
            return _read_store(node, shadows)
    return None


def _read_store(node: ast.Subscript | ast.Attribute, shadows: InferredTensors) -> Operation | None:
    parent = getattr(node, "parent", None)
    if isinstance(parent, ast.AugAssign) and parent.target is node:
        return _read(parent, shadows)
    if not isinstance(parent, ast.Assign) or node not in parent.targets:
        return None
    value = _operand(parent.value, shadows)
    text = _text(parent)
    if isinstance(node, ast.Attribute):
        owner = _operand(node.value, shadows)
        return Operation(f".{node.attr}=", text, shadows, owner, (value,), in_place=True)
    target = _operand(node, shadows)
    if not target.is_tensor:
        # An item that is picked by a list is no view, and one of an array is no array; what it
        # belongs to is still known.
        target = _operand(node.value, shadows)
    return Operation("[]=", text, shadows, target, (value,), in_place=True)


def _read_call(node: ast.Call, shadows: InferredTensors, text: str) -> Operation | None:
    arguments = tuple(_arguments(node, shadows))
    keywords = {
        str(keyword.arg): _operand(keyword.value, shadows)
        for keyword in node.keywords
        if keyword.arg is not None
    }
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    if isinstance(node.func, ast.Attribute):
        receiver = _operand(node.func.value, shadows)
        if receiver.is_tensor:
            in_place = name.endswith("_") and not name.endswith("__")
            return Operation(name, text, shadows, receiver, arguments, keywords, in_place)
        if receiver.value is torch.Tensor and arguments:
            return Operation(name, text, shadows, arguments[0], arguments[1:], keywords)
    function = shadows.value(node.func)
    name = function_name(function)
    homes = (torch, torch.nn.functional, np)
    if not name or not any(function is getattr(home, name, MISSING) for home in homes):
        return None
    return Operation(name, text, shadows, None, arguments, keywords, in_place="out" in keywords)


def _arguments(node: ast.Call, shadows: InferredTensors) -> list[Operand]:
    found: list[Operand] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            many = shadows.items([argument])
            found += [Operand(f"{_text(argument.value)}[{i}]", v) for i, v in enumerate(many)]
        else:
            found.append(_operand(argument, shadows))
    return found


def _operand(node: ast.AST, shadows: InferredTensors) -> Operand:
    try:
        return Operand(_text(node), shadows.value(node))
    except Unknown:
        return Operand(_text(node), MISSING)


def _text(node: ast.AST) -> str:
    return cut(ast.unparse(node), 60)
