"""What an expression's tensors looked like, worked out without computing it again.

A torch tensor is inferred as a tensor on the meta device: the same header, and no memory. So an
operation on such tensors runs torch's own rules for headers and nothing else: it reads no element,
changes nothing, and draws no random number. What a name stands for is known, and so a view of it
can be drawn with its values. NumPy has no such device; of an array only views are taken, and all
else is one element with strides 0.
"""

import ast
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch

from stridekit.own_code.headers import header_of
from stridekit.own_code.inferred_arrays import (
    array_method,
    broadcast_array,
    carefully,
    each_of,
    is_data,
    numpy_function,
)
from stridekit.own_code.safe_lookup import (
    Unknown,
    attribute_of,
    called,
    computed,
    function_name,
    is_a,
    item_of,
    name_in,
)

# These make a tensor of sizes and numbers alone.
_FACTORIES = frozenset(
    {
        "arange",
        "empty",
        "empty_strided",
        "eye",
        "full",
        "linspace",
        "logspace",
        "ones",
        "rand",
        "randint",
        "randn",
        "randperm",
        "tensor",
        "zeros",
    }
)
# Methods that look at values, run somebody's function, or leave the device.
_DENIED = frozenset(
    {
        "apply_",
        "map_",
        "map2_",
        "backward",
        "register_hook",
        "register_post_accumulate_grad_hook",
        "retain_grad",
        "share_memory_",
        "tolist",
        "item",
        "storage",
        "untyped_storage",
        "data_ptr",
        "numpy",
        "to_mkldnn",
    }
)
_STAYS = frozenset({"cpu", "cuda", "pin_memory", "requires_grad_", "retain_grad"})


class InferredTensors:
    """The tensors of one frame, by the expressions that stand for them.

    What names of `changed` stand for now is not what they stood for.
    """

    def __init__(self, frame: types.FrameType, changed: frozenset[str] = frozenset()) -> None:
        self._frame = frame
        self._changed = changed
        self._storages: dict[int, torch.UntypedStorage] = {}
        self._originals: dict[int, torch.Tensor] = {}
        self._outgrown: dict[int, int] = {}

    def value(self, node: ast.AST) -> Any:
        """What an expression stands for: data, an array, or a tensor's shadow. Raises Unknown."""
        found = self._found(node)
        return self.shadow(found) if is_a(found, torch.Tensor) else found

    def shadow(self, x: torch.Tensor) -> torch.Tensor:
        """A tensor's shadow. Raises Unknown for a class of somebody's, and for odd storages."""
        if type(x) not in (torch.Tensor, torch.nn.Parameter) or x.layout is not torch.strided:
            raise Unknown(type(x))
        if torch._C._functorch.is_functorch_wrapped_tensor(x):
            # Under vmap and grad, what a name stands for is no tensor with memory of its own.
            raise Unknown(type(x))
        if x.device.type == "meta":
            return x
        storage = x.untyped_storage()
        header = header_of(x, storage)
        if header.ends > header.storage_nbytes:
            made = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device="meta")
            self._outgrown[made.untyped_storage()._cdata] = header.storage_nbytes
            return made
        memory = self._storages.get(storage._cdata)
        if memory is None:
            memory = _no_memory(storage.nbytes())
            self._storages[storage._cdata] = memory
        self._originals[memory._cdata] = x
        with torch.no_grad():
            made = torch.empty(0, dtype=x.dtype, device="meta")
            made.set_(memory, x.storage_offset(), x.size(), x.stride())
            if x.is_conj():
                made = made.conj()
        return made.requires_grad_(x.requires_grad)

    def outgrown(self, shadow: torch.Tensor) -> int | None:
        """The bytes of a storage that is too small for its header, as a failed resize_ leaves it.

        None for all others.
        """
        return self._outgrown.get(shadow.untyped_storage()._cdata)

    def original(self, shadow: torch.Tensor) -> torch.Tensor | None:
        """The real memory under a shadow's header, as a tensor; None for what was not kept."""
        x = self._originals.get(shadow.untyped_storage()._cdata)
        if x is None or x.dtype != shadow.dtype or self.outgrown(shadow) is not None:
            return None
        with torch.no_grad():
            whole = torch.empty(0, dtype=x.dtype, device=x.device).set_(x.untyped_storage())
            return whole.as_strided(shadow.size(), shadow.stride(), shadow.storage_offset())

    def drawable(self, value: Any) -> Any:
        """What can be drawn of a value: the tensor with its values, or else its header."""
        if not is_a(value, torch.Tensor):
            return value
        original = self.original(value)
        if original is not None and original.device.type == "cpu" and not value.is_conj():
            return original
        return header_of(value, value.untyped_storage()).subject(value.untyped_storage()._cdata)

    def _found(self, node: ast.AST) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.Name() if node.id in self._changed:
                raise Unknown(node.id)
            case ast.Name():
                return name_in(self._frame, node.id)
            case ast.NamedExpr():
                return name_in(self._frame, node.target.id)
            case ast.Attribute():
                return self._attribute(self.value(node.value), node.attr)
            case ast.Tuple() | ast.List():
                items = self.items(node.elts)
                return tuple(items) if isinstance(node, ast.Tuple) else items
            case ast.Slice():
                return slice(*(p and self.value(p) for p in (node.lower, node.upper, node.step)))
            case ast.Subscript():
                return self._item(self.value(node.value), self.value(node.slice))
            case ast.Compare() if len(node.ops) == 1:
                return self._comparison(self.value(node.left), self.value(node.comparators[0]))
            case ast.UnaryOp() | ast.BinOp():
                return self._arithmetic(node)
            case ast.Call():
                return self._call(node)
        raise Unknown(type(node))

    def items(self, nodes: list[ast.expr]) -> list[Any]:
        """What some expressions stand for, one after another, with `*` taken apart."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                many = self.value(node.value)
                if not is_a(many, list | tuple):
                    raise Unknown(type(many))
                found += many
            else:
                found.append(self.value(node))
        return found

    def keywords(self, node: ast.Call) -> dict[str, Any]:
        """What the keywords of a call stand for. Raises Unknown for `**`."""
        if any(keyword.arg is None for keyword in node.keywords):
            raise Unknown("**")
        return {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords}

    def _attribute(self, x: Any, name: str) -> Any:
        if is_a(x, torch.Tensor):
            if name in ("T", "mT", "H", "mH", "real", "imag", "data", "shape", "dtype", "ndim"):
                return carefully(lambda: getattr(x, name))
            if name == "device":
                return torch.device("meta")
            raise Unknown(name)
        if type(x) is np.ndarray:
            if name in ("T", "mT", "shape", "dtype", "ndim", "size", "real", "imag"):
                return carefully(lambda: getattr(x, name))
            raise Unknown(name)
        return attribute_of(x, name)

    def _item(self, x: Any, key: Any) -> Any:
        if is_a(x, torch.Tensor) or type(x) is np.ndarray:
            if not is_data(key):
                raise Unknown(key)
            picks = any(is_a(k, list | np.ndarray) for k in each_of(key))
            if picks and type(x) is np.ndarray:
                raise Unknown(key)
            return carefully(lambda: x[key])
        return item_of(x, key)

    def _arithmetic(self, node: ast.BinOp | ast.UnaryOp) -> Any:
        parts = [node.operand] if isinstance(node, ast.UnaryOp) else [node.left, node.right]
        values = [self.value(part) for part in parts]
        if any(is_a(v, torch.Tensor) for v in values):
            if not all(is_data(v) for v in values):
                raise Unknown(node.op)
            # On shadows an operation is a rule about headers.
            work = _OPERATORS.get(type(node.op))
            if work is None:
                raise Unknown(node.op)
            return carefully(lambda: work(*values))
        if any(type(v) is np.ndarray for v in values):
            return broadcast_array(values)
        return computed(node.op, *values)

    def _comparison(self, left: Any, right: Any) -> Any:
        """All comparisons give the same header."""
        if any(is_a(v, torch.Tensor) for v in (left, right)) and is_data((left, right)):
            return carefully(lambda: left == right)
        raise Unknown("comparison")

    def _call(self, node: ast.Call) -> Any:
        if isinstance(node.func, ast.Attribute):
            receiver = self.value(node.func.value)
            name = node.func.attr
            if is_a(receiver, torch.Tensor):
                if _is_in_place(name) and self._is_kept(node.func.value):
                    # It has happened already, and gives the tensor itself.
                    return receiver
                return self._method(receiver, name, self.items(node.args), self.keywords(node))
            if type(receiver) is np.ndarray:
                return array_method(receiver, name, self.items(node.args), self.keywords(node))
        function = self.value(node.func)
        if not callable(function):
            raise Unknown(node.func)
        arguments, keywords = self.items(node.args), self.keywords(node)
        if not all(is_data(v) for v in (*arguments, *keywords.values())):
            raise Unknown(function)
        return self._function(function, arguments, keywords)

    def _is_kept(self, node: ast.AST) -> bool:
        """Whether an expression gives a tensor that was there, and no new one."""
        if isinstance(node, ast.Call):
            inner = node.func
            return (
                isinstance(inner, ast.Attribute)
                and _is_in_place(inner.attr)
                and self._is_kept(inner.value)
            )
        if isinstance(node, ast.Attribute | ast.Subscript):
            return not is_a(self.value(node.value), torch.Tensor)
        return isinstance(node, ast.Name | ast.NamedExpr)

    def _method(self, x: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if name.startswith("_") or name in _DENIED or not hasattr(torch.Tensor, name):
            raise Unknown(name)
        if name in _STAYS:
            return x
        if not all(is_data(v) for v in (*args, *kwargs.values())):
            raise Unknown(name)
        kwargs.pop("device", None)
        args = [a for a in args if not is_a(a, torch.device)]
        if _is_in_place(name):
            # In place would change the shadow that stands for the user's tensor: take a new one.
            x = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device="meta")
        return carefully(lambda: getattr(x, name)(*args, **kwargs))

    def _function(
        self, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> Any:
        name = function_name(function)
        if function is getattr(torch, name, None) and name in _FACTORIES:
            kwargs = {**kwargs, "device": "meta"}
            return carefully(partial(function, *args, **kwargs))
        if function is getattr(torch, name, None) and name in ("from_numpy", "as_tensor"):
            if len(args) == 1 and type(args[0]) is np.ndarray and not kwargs:
                return carefully(partial(function, *args))
            raise Unknown(name)
        homes = (getattr(torch, name, None), getattr(torch.nn.functional, name, None))
        if name and any(function is home for home in homes) and hasattr(torch.ops.aten, name):
            given = [y for x in (*args, *kwargs.values()) for y in each_of(x)]
            if any(is_a(x, torch.Tensor) for x in given):
                return carefully(partial(function, *args, **kwargs))
            raise Unknown(name)
        if function is getattr(np, name, None):
            return numpy_function(function, name, args, kwargs)
        return called(function, args)


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


def _no_memory(nbytes: int) -> torch.UntypedStorage:
    make: Any = torch.UntypedStorage
    storage: torch.UntypedStorage = make(nbytes, device="meta")
    return storage


_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
    ast.Pow: lambda a, b: a**b,
    ast.MatMult: lambda a, b: a @ b,
    ast.BitAnd: lambda a, b: a & b,
    ast.BitOr: lambda a, b: a | b,
    ast.BitXor: lambda a, b: a ^ b,
    ast.USub: lambda a: -a,
    ast.UAdd: lambda a: +a,
    ast.Invert: lambda a: ~a,
}
