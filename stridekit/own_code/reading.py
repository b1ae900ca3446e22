"""Which operation an expression is, or a statement, and what it is given."""

import ast
import types
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from stridekit.own_code.arrays import RANDOM
from stridekit.own_code.operations import (
    MISSING,
    Operand,
    Operation,
    Unknown,
    exchanged,
    is_a,
    is_plain_sequence,
)

if TYPE_CHECKING:
    from stridekit.own_code.shadows import Shadows

# Where functions of torch and NumPy are found by the name that they have, and of which kinds they
# are.
_HOMES: dict[Any, tuple[Any, ...]] = {
    torch: (
        *(torch, torch.nn.functional, torch.linalg, torch.special, torch.fft, torch._C._nn),
        *(torch.Tensor, torch.nn.utils.rnn),
    ),
    np: (np, np.linalg, np.lib.stride_tricks, np.ndarray),
}
_FUNCTIONS = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType),
    *(np.ufunc, type(np.sum)),
)
# What changes an array, though it is not called so.
_WRITING = (*(np.ndarray.sort, np.ndarray.fill, np.ndarray.resize, np.copyto, np.random.shuffle),)
_NO_NAME = ast.Name("", ast.Load())


def operation_at(node: ast.AST, site: "Shadows") -> Operation | None:
    """The operation that an expression is, or a statement; None for what is none."""
    target: ast.AST | None = None
    match node:
        case ast.Call():
            return _call_at(node, site)
        case ast.BoolOp(op=op, values=parts):
            name = "and" if isinstance(op, ast.And) else "or"
        case ast.Subscript(
            value=ast.Attribute(value=a, attr="shape")
            | ast.Call(func=ast.Attribute(value=a, attr="size"), args=[])
        ):
            name, parts = "shape[]", [a]
        case ast.Subscript(value=a, slice=b):
            name, parts = "[]", [a, b]
        case ast.AugAssign(target=ast.Subscript(value=a, slice=b) as item) if (
            site.operand(item).value is MISSING
        ):
            node, name, parts = item, "[]", [a, b]
        case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.AugAssign():
            # Its sign is what is left of it without them.
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
            name = ast.unparse(exchanged(node, dict.fromkeys(parts, _NO_NAME))).strip()
            target = getattr(node, "target", None)
        case ast.Assign(targets=[ast.Subscript(value=a, slice=b) as target], value=c):
            name, parts = "[]=", [a, b, c]
        case ast.Assign(
            targets=[ast.Tuple() | ast.List()],
            value=ast.Attribute(value=a, attr="shape")
            | ast.Subscript(value=ast.Attribute(value=a, attr="shape"))
            | ast.Call(func=ast.Attribute(value=a, attr="size"), args=[]),
        ):
            name, parts = "unpack", [a]
        case ast.Tuple(ctx=ast.Store()) | ast.List(ctx=ast.Store()):
            if (row := _row_in_a_loop(node, site)) is None:
                return None
            name, parts = "unpack[]", [row]
        case ast.Assign(targets=[ast.Tuple(elts=parts) | ast.List(elts=parts)], value=a) if not any(
            hasattr(part, "elts") for part in parts
        ):
            name, parts = "unpack[]", [a]
        case ast.Assign(targets=[ast.Attribute(value=a, attr="shape" | "dtype" | "grad" as what)]):
            name, parts = f".{what}=", [a, node.value]
        case _:
            return None
    written = None if target is None else site.operand(target)
    return Operation(name, node, site, tuple(map(site.operand, parts)), target=written)


def _row_in_a_loop(names: Any, site: "Shadows") -> ast.expr | None:
    """What some names of a loop stand for: of a tensor all rows are of one size."""
    target: Any = names.parent if isinstance(names.parent, ast.Tuple) else names
    many: Any = getattr(target.parent, "iter", None)
    if target is not names:
        # As of `i, (x, y) in enumerate(points)`.
        passes = ast.unparse(many.func) if isinstance(many, ast.Call) else ""
        given = [None, *many.args[:1]] if passes == "enumerate" else []
        given = many.args if passes == "zip" else given
        many = next(islice(given, target.elts.index(names), None), None)
    if many is None or not site.operand(many).is_tensor:
        return None
    return ast.Subscript(many, ast.Constant(0), ast.Load())


def _call_at(node: ast.Call, site: "Shadows") -> Operation | None:
    """A call as an operation; None where nobody knows how much it is given."""
    args: list[Operand] = []
    kwargs: dict[str, Operand] = {}
    for part in node.args:
        given = site.operand(part.value if isinstance(part, ast.Starred) else part)
        if not isinstance(part, ast.Starred):
            args.append(given)
        elif is_plain_sequence(given.value):
            args += [Operand(f"{given.text}[{i}]", x) for i, x in enumerate(given.value)]
        else:
            return None
    for keyword in node.keywords:
        given = site.operand(keyword.value)
        if keyword.arg is not None:
            kwargs[keyword.arg] = given
        elif type(given.value) is dict:
            kwargs |= {k: Operand(f"{given.text}[{k!r}]", x) for k, x in given.value.items()}
        else:
            return None
    name, function = getattr(node.func, "attr", ast.unparse(node.func)), None
    if isinstance(node.func, ast.Attribute):
        owner = site.operand(node.func.value)
        if owner.is_tensor:
            kind: Any = np.ndarray if owner.is_array else torch.Tensor
            args, function = [owner, *args], getattr(kind, name, None)
        elif isinstance(inner := node.func.value, ast.Call) and name == "cast":
            # As of `memoryview(a).cast("B")`.
            args = [*map(site.operand, inner.args), *args]
    if function is None:
        with suppress(Unknown):
            function = site[node.func]
    if library_of(function):
        name = getattr(function, "__name__", name).removeprefix("linalg_")
    else:
        name = f"?{name}"
    target = kwargs.get("out") or next(iter(args), None)
    writes = name.endswith("_") and (not name.endswith("__") or name.startswith("__i"))
    if not ((writes and name[0] != "?") or "out" in kwargs or is_among(function, _WRITING)):
        target = None
    return Operation(name, node, site, tuple(args), kwargs, target, function)


def is_among(x: Any, known: Iterable[Any]) -> bool:
    """Whether it is one of some things itself: nobody is asked whether it is equal."""
    return any(x is each for each in known)


def library_of(function: Any) -> Any:
    """`torch` or `np`: whose modules and classes have a function by its own name; or None."""
    if is_among(function, RANDOM):
        return np
    if is_a(function, type) and issubclass(function, torch.nn.Module):
        return torch if function.__module__.startswith("torch.nn.modules.") else None
    if type(function) not in _FUNCTIONS:
        return None
    name = function.__name__
    names = (name, name.partition("_")[2])
    for library, homes in _HOMES.items():
        if any(getattr(home, n, None) is function for home in homes for n in names):
            return library
    return None
