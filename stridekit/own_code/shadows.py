"""What an expression's tensors looked like, worked out without computing it again.

A torch tensor's *shadow* is a tensor on the meta device: the same header, and no memory. So an
operation on shadows runs torch's own rules for headers and nothing else: it reads no element,
changes nothing, and draws no random number. What a name stands for is known, and so a view of it
can be drawn with its values. NumPy has no such device; what only reads arrays is done again where
they are small, and else their sizes are all there is.
"""

import ast
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any

import numpy as np
import torch

from stridekit.own_code.headers import header_of
from stridekit.own_code.safe_lookup import (
    ITEMS_MOST,
    SIGNS,
    Unknown,
    attribute_of,
    called,
    computed,
    is_a,
    is_plain_sequence,
    item_of,
    name_in,
    own_dict,
)

# Where functions of torch and NumPy are found by the name that they have.
TORCH = (torch, torch.nn.functional, torch.linalg, torch.special, torch._C._nn)
NUMPY = (np, np.linalg, np.lib.stride_tricks)
# These make a tensor, beside those that torch has as operations.
_MAKERS = ("tensor", "as_tensor", "from_numpy", "pad_sequence")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Methods that look at values, run somebody's function, or leave the device.
_DENIED = _words(
    "apply_ map_ map2_ backward register_hook register_post_accumulate_grad_hook retain_grad "
    "share_memory_ tolist item storage untyped_storage data_ptr numpy to_mkldnn"
)
_STAYS = _words("cpu cuda pin_memory requires_grad_ resolve_conj resolve_neg")
_ATTRIBUTES = _words("T mT H mH real imag data shape dtype ndim size")
# NumPy's, as functions and as methods: they read arrays and numbers, and give arrays.
_VIEWS = _words(
    "transpose swapaxes squeeze diagonal view broadcast_to moveaxis expand_dims flip fliplr flipud "
    "rot90 sliding_window_view"
)
_PURE = _VIEWS | _words(
    "sum mean std var min max prod any all argmax argmin cumsum median ptp norm concatenate stack "
    "vstack hstack column_stack dstack append reshape ravel flatten roll repeat tile dot matmul "
    "inner outer tensordot einsum where clip astype copy zeros ones empty full eye arange linspace "
    "zeros_like ones_like empty_like full_like array asarray ascontiguousarray diff sort argsort "
    "diag tril triu atleast_2d atleast_1d frombuffer resize interp meshgrid"
)
# These give arrays whose size is in their numbers.
_GROWS = _words("zeros ones empty full eye arange linspace repeat tile resize")
# These take no memory beside what they give, so that more may be read.
_REDUCED = _words("sum mean min max prod any all argmax argmin")
# So many elements are soon read.
_SMALL = 4e6
_DATA = (
    *(int, float, complex, bool, str, bytes, types.NoneType, types.EllipsisType),
    *(torch.dtype, torch.device, torch.memory_format, torch.UntypedStorage),
)


def carefully(work: Callable[[], Any]) -> Any:
    """What torch or NumPy gives for shadows. Raises Unknown where they refuse."""
    try:
        with np.errstate(all="ignore"):
            return work()
    except Exception as error:  # noqa: BLE001 - whatever a rule raises, the answer is not known
        raise Unknown(str(error)) from None


def is_data(x: Any) -> bool:
    """Whether it is data through and through, so that torch calls nothing of the user's."""
    if type(x) is slice:
        return all(is_data(part) for part in (x.start, x.stop, x.step))
    if is_plain_sequence(x):
        return len(x) <= ITEMS_MOST and all(is_data(item) for item in x)
    if type(x) is type:
        return x in (int, float, complex, bool, object, str) or issubclass(x, np.generic)
    plain = is_a(x, torch.Tensor | np.generic | np.dtype) or type(x) in _DATA
    return plain or (type(x) is np.ndarray and not x.dtype.hasobject)


def is_tensor(x: Any) -> bool:
    """Whether it is a torch tensor or a NumPy array."""
    return is_a(x, torch.Tensor) or type(x) is np.ndarray


class Shadows:
    """The values of one frame's expressions, tensors by their shadows.

    What names of `changed` stand for now is not what they stood for. Those of `kin` share its
    memories: what shares a storage there does so here.
    """

    def __init__(
        self,
        frame: types.FrameType,
        changed: frozenset[str] = frozenset(),
        kin: "Shadows | None" = None,
    ) -> None:
        self._frame = frame
        self._changed = changed
        self._bound: dict[str, Any] = {}
        self._memories: dict[int, torch.UntypedStorage] = {} if kin is None else kin._memories
        self._originals: dict[int, torch.Tensor] = {} if kin is None else kin._originals

    def value(self, node: ast.AST, again: bool = False) -> Any:
        """What an expression stands for: data, an array, or a tensor's shadow. Raises Unknown.

        A call in place has happened, unless it is to be tried `again`.
        """
        if again and isinstance(node, ast.Call):
            return self.shadow(self._call(node, again))
        return self.shadow(self.found(node))

    def shadow(self, x: Any) -> Any:
        """A tensor's shadow; anything else itself.

        Raises Unknown for a class of somebody's, and for odd storages.
        """
        if type(x) in (list, tuple) and any(is_a(y, torch.Tensor) for y in x[:ITEMS_MOST]):
            return type(x)(self.shadow(y) for y in x)
        if not is_a(x, torch.Tensor):
            return x
        if type(x) not in (torch.Tensor, torch.nn.Parameter) or x.layout is not torch.strided:
            raise Unknown(type(x))
        if x.is_nested or x.is_quantized:
            raise Unknown(type(x))
        if torch._C._functorch.is_functorch_wrapped_tensor(x):
            # Under vmap and grad, what a name stands for is no tensor with memory of its own.
            raise Unknown(type(x))
        if x.device.type == "meta":
            return x
        storage = x.untyped_storage()
        header = header_of(x, storage)
        if header.ends > header.storage_nbytes:
            # A failed resize_ leaves it so, and nobody may look at its memory any more.
            raise Unknown(x.size())
        memory = self._memories.get(storage._cdata)
        if memory is None:
            make: Any = torch.UntypedStorage
            memory = self._memories[storage._cdata] = make(storage.nbytes(), device="meta")
        self._originals[memory._cdata] = x
        with torch.no_grad():
            made = torch.empty(0, dtype=x.dtype, device="meta")
            made.set_(memory, x.storage_offset(), x.size(), x.stride())
            made = made.conj() if x.is_conj() else made
        return made.requires_grad_(x.requires_grad)

    def original(self, shadow: torch.Tensor) -> torch.Tensor | None:
        """The real memory under a shadow's header, as a tensor; None for what was not kept."""
        x = self._originals.get(shadow.untyped_storage()._cdata)
        if x is None or x.dtype != shadow.dtype:
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

    @contextmanager
    def binding(self, target: ast.AST, value: Any) -> Iterator[None]:
        """Names stand for something else for a while, as in a comprehension."""
        before = dict(self._bound)
        try:
            if isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
                self._bound[ast.unparse(target)] = value
            elif isinstance(target, ast.Tuple) and is_plain_sequence(value):
                names = [part.id for part in target.elts if isinstance(part, ast.Name)]
                if not len(names) == len(target.elts) == len(value):
                    raise Unknown(value)
                self._bound.update(zip(names, value, strict=True))
            else:
                raise Unknown(target)
            yield
        finally:
            self._bound = before

    def makes(self, node: ast.AST) -> bool:
        """Whether what an expression gives is made here, and no object of the user's."""
        if isinstance(node, ast.Attribute | ast.Subscript):
            return is_tensor(self.value(node.value))
        return not isinstance(node, ast.Name | ast.NamedExpr)

    def found(self, node: ast.AST) -> Any:
        """What an expression gives: for a look-up, the user's own object. Raises Unknown."""
        match node:
            case ast.Constant():
                return node.value
            case ast.expr() if self._bound and ast.unparse(node) in self._bound:
                return self._bound[ast.unparse(node)]
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
            case ast.ListComp() | ast.GeneratorExp() if len(node.generators) == 1:
                return list(self._each(node.elt, node.generators[0]))
            case ast.Slice():
                return slice(*(p and self.value(p) for p in (node.lower, node.upper, node.step)))
            case ast.Subscript():
                return self._item(self.value(node.value), self.value(node.slice))
            case ast.Compare() if len(node.ops) == 1:
                return self.operate(node.ops[0], *self.items([node.left, *node.comparators]))
            case ast.BinOp():
                return self.operate(node.op, *self.items([node.left, node.right]))
            case ast.UnaryOp() if not isinstance(node.op, ast.Not):
                return self.operate(node.op, self.value(node.operand))
            case ast.IfExp() if type(test := self.value(node.test)) in (bool, int):
                return self.value(node.body if test else node.orelse)
            case ast.Call():
                return self._call(node)
        raise Unknown(type(node))

    def items(self, nodes: list[ast.expr]) -> list[Any]:
        """What some expressions stand for, one after another, with `*` taken apart."""
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                many = self.value(node.value)
                if not is_plain_sequence(many):
                    raise Unknown(type(many))
                found += many
            else:
                found.append(self.value(node))
        return [self.shadow(x) for x in found]

    def _each(self, element: ast.expr, part: ast.comprehension) -> Iterator[Any]:
        """What a comprehension collects, over a plain sequence."""
        over = self.value(part.iter)
        if not is_plain_sequence(over) or part.is_async:
            raise Unknown(type(over))
        for item in islice(over, ITEMS_MOST):
            with self.binding(part.target, item):
                if all(self.value(test) for test in part.ifs):
                    yield self.value(element)

    def _attribute(self, x: Any, name: str) -> Any:
        if not is_tensor(x):
            return attribute_of(torch if x is torch._VF else x, name)
        if name == "device":
            return torch.device("meta")
        if name not in _ATTRIBUTES:
            raise Unknown(name)
        return carefully(lambda: getattr(x, name))

    def _item(self, x: Any, key: Any) -> Any:
        if not is_tensor(x):
            return item_of(x, key)
        if not is_data(key):
            raise Unknown(key)
        if is_a(x, torch.Tensor):
            keys = key if is_a(key, tuple) else (key,)
            key = tuple(place for part in keys for place in self._places(part))
        return carefully(lambda: x[key])

    def _places(self, key: Any) -> list[Any]:
        """A mask as the indices of its Trues, one tensor for each dim; any other key itself."""
        if not (is_a(key, torch.Tensor) and key.dtype in (torch.bool, torch.uint8)):
            return [key]
        mask = self.original(key)
        if mask is None or mask.device.type != "cpu" or mask.numel() > _SMALL:
            raise Unknown(key)
        count = int(mask.count_nonzero())
        return [torch.empty(count, dtype=torch.int64, device="meta")] * mask.ndim

    def operate(self, sign: ast.AST, *values: Any) -> Any:
        """What an operator gives. Raises Unknown."""
        if not any(is_tensor(v) for v in values):
            return computed(sign, *values)
        if type(sign) not in SIGNS or not all(is_data(v) for v in values):
            raise Unknown(sign)
        work = SIGNS[type(sign)][1]
        vast = sum(v.size for v in values if type(v) is np.ndarray) > _SMALL
        return carefully(lambda: _broadcast(values) if vast else work(*values))

    def _call(self, node: ast.Call, again: bool = False) -> Any:
        if any(keyword.arg is None for keyword in node.keywords):
            raise Unknown("**")
        args = self.items(node.args)
        kwargs = {str(k.arg): self.value(k.value) for k in node.keywords}
        if isinstance(node.func, ast.Attribute):
            receiver, name = self.value(node.func.value), node.func.attr
            if is_tensor(receiver):
                if not all(is_data(v) for v in (*args, *kwargs.values())):
                    raise Unknown(name)
                if type(receiver) is np.ndarray:
                    return _on_arrays(name, getattr(receiver, name, None), args, kwargs, receiver)
                if _is_in_place(name) and not again and self._is_kept(node.func.value):
                    # It has happened already, and gives the tensor itself.
                    return receiver
                return self._method(receiver, name, args, kwargs)
        return self.call(self.value(node.func), args, kwargs)

    def _is_kept(self, node: ast.AST) -> bool:
        """Whether an expression gives a tensor that was there, and no new one."""
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                return _is_in_place(name) and self._is_kept(owner)
        return not self.makes(node)

    def _method(self, x: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if name.startswith("_") or name in _DENIED or not hasattr(torch.Tensor, name):
            raise Unknown(name)
        places = (torch.device, str) if name == "to" else (torch.device,)
        args = [a for a in args if type(a) not in places]
        kwargs.pop("device", None)
        if name in _STAYS or (name == "to" and not args and not kwargs):
            return x
        if _is_in_place(name):
            # In place would change the shadow that stands for the user's tensor: take a new one.
            x = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device="meta")
        return carefully(lambda: getattr(x, name)(*args, **kwargs))

    def call(self, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a function of torch, NumPy or Python gives, or one of torch's modules."""
        if not all(is_data(v) for v in (*args, *kwargs.values())):
            return called(function, args)
        if is_a(function, torch.nn.Module):
            forward: Any = self._module(function).forward
            return carefully(lambda: forward(*args, **kwargs))
        if home_of(function, NUMPY):
            return _on_arrays(function_name(function), function, args, kwargs)
        for name in ("rand", "randn", "random", "normal", "uniform", "randint"):
            if function is getattr(np.random, name):
                return _random(name, args, kwargs)
        if home_of(function, (*TORCH, torch.nn.utils.rnn)) and _is_pure(function):
            kwargs.pop("device", None)
            with torch.device("meta"):
                return self.shadow(carefully(lambda: function(*args, **kwargs)))
        if function is len and len(args) == 1 and is_tensor(args[0]):
            return carefully(lambda: len(args[0]))
        return called(function, args)

    def _module(self, module: torch.nn.Module) -> torch.nn.Module:
        """A copy of one of torch's own modules, on shadows of its tensors."""
        own = own_dict(module)
        hooks = [own.get(f"_forward_{kind}") for kind in ("hooks", "pre_hooks")]
        if not type(module).__module__.startswith("torch.nn.modules.") or any(hooks):
            raise Unknown(type(module))
        copied = object.__new__(type(module))
        copied.__dict__.update(own)
        for drawer in ("_parameters", "_buffers"):
            kept = {name: self.shadow(x) for name, x in own[drawer].items()}
            copied.__dict__[drawer] = kept
        parts = own["_modules"].items()
        copied.__dict__["_modules"] = {name: part and self._module(part) for name, part in parts}
        return copied


def function_name(x: Any) -> str:
    """The name of a plain function, a builtin one, or a ufunc; empty for anything else."""
    kinds = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, np.ufunc)
    return str(x.__name__) if type(x) in (*kinds, type(np.sum)) else ""


def home_of(function: Any, homes: tuple[Any, ...]) -> Any:
    """The first of some modules that has a function by its own name; None where none has."""
    name = function_name(function)
    names = (name, name.removeprefix("linalg_").removeprefix("special_"))
    return next((h for h in homes for n in names if n and getattr(h, n, None) is function), None)


def _is_pure(function: Any) -> bool:
    """Whether a function of torch only makes a tensor of what it is given."""
    name = function.__name__
    if type(function) is types.BuiltinFunctionType and name != "from_file":
        return hasattr(torch.ops.aten, name) or name in _MAKERS
    return function.__module__ in ("torch.functional", "torch.nn.functional") or name in _MAKERS


def _is_in_place(name: str) -> bool:
    return name.endswith("_") and not name.endswith("__")


def _on_arrays(
    name: str, function: Any, args: list[Any], kwargs: dict[str, Any], *receiver: Any
) -> Any:
    """What NumPy gives, once more: views, and what small arrays give."""
    values = _flat((args, list(kwargs.values()), receiver))
    sizes = [max(abs(v), 1) for v in values if type(v) is int and name in _GROWS]
    elements = sum(v.size for v in values if type(v) is np.ndarray)
    most = _SMALL * 25 if name in _REDUCED else _SMALL
    if (
        not (type(function) is np.ufunc or name in _PURE)
        or "out" in kwargs
        or any(is_a(v, torch.Tensor) for v in values)
        or (name not in _VIEWS and np.prod(sizes, dtype=float) * max(elements, 1) > most)
        # As methods, these two change the array itself.
        or (receiver and name in ("sort", "resize"))
    ):
        raise Unknown(name)
    return carefully(lambda: function(*args, **kwargs))


def _random(name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """An array of the size that a random function gives: no number is drawn."""
    size: Any = args if name in ("rand", "randn") else args[0] if name == "random" and args else ()
    return carefully(lambda: np.broadcast_to(np.zeros(()), kwargs.get("size", size)))


def _flat(x: Any) -> list[Any]:
    return [z for y in x for z in _flat(y)] if is_plain_sequence(x) else [x]


def _broadcast(values: tuple[Any, ...]) -> Any:
    """What an operator gives for large arrays: one element, laid out as all of them."""
    size = np.broadcast_shapes(*(np.shape(v) for v in values))
    return np.broadcast_to(np.zeros((), np.result_type(*values)), size)
