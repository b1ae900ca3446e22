"""What an expression's tensors looked like, worked out without computing it again.

A torch tensor's *shadow* is a tensor on the meta device: the same header, and no memory. So an
operation on shadows runs torch's own rules for headers and nothing else: it reads no element,
changes nothing, and draws no random number. What a name stands for is known, and so a view of it
can be drawn with its values. NumPy has no such device; what only reads arrays is done again where
they are small, and else their sizes are all there is.

Nothing of the user's runs: `pure_eval`, which comes with IPython, looks up names, attributes that
lie there and items of Python's own containers, and knows its functions. The rest is `Unknown`.
"""

import ast
import builtins
import functools
import inspect
import math
import types
from collections import ChainMap, OrderedDict, namedtuple
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import torch
from pure_eval import Evaluator, getattr_static

from stridekit.layouts.broadcasting import plan_expand
from stridekit.layouts.indexing import stride_of_copy
from stridekit.layouts.layout import Layout
from stridekit.own_code.operations import (
    ITEMS_MOST,
    MISSING,
    Operand,
    Operation,
    Unknown,
    is_a,
    is_data,
    is_plain_sequence,
    is_tensor,
)
from stridekit.tensors.subjects import subject_of

# Where functions of torch and NumPy are found by the name that they have, and of which kinds they
# are.
_HOMES: dict[Any, tuple[Any, ...]] = {
    torch: (
        *(torch, torch.nn.functional, torch.linalg, torch.special, torch._C._nn),
        *(torch.Tensor, torch.nn.utils.rnn),
    ),
    np: (np, np.linalg, np.lib.stride_tricks, np.ndarray),
}
_FUNCTIONS = (
    *(types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType),
    *(np.ufunc, type(np.sum)),
)
PRODUCTS = ("@", "@=", "matmul", "mm", "mv", "bmm", "addmm", "baddbmm", "linear", "dot", "inner")
# These make a tensor, beside those that torch has as operations.
_MAKERS = ("tensor", "as_tensor", "from_numpy", "pad_sequence")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_ATTRIBUTES = _words("T mT H mH real imag data shape dtype ndim size device")
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
    "diag tril triu atleast_2d atleast_1d frombuffer resize interp meshgrid shape nan_to_num"
)
# These give arrays whose size is in their numbers.
_GROWS = _words("zeros ones empty full eye arange linspace repeat tile resize")
# What these take goes by the product of what they are given.
_PAIRED = _words("@ dot matmul inner outer tensordot einsum meshgrid")
# These take no memory beside what they give, so that more may be read.
_REDUCED = _words("sum mean min max prod any all argmax argmin")
# Of these the size is known, and no number is drawn.
_RANDOM = [
    *(np.random.rand, np.random.randn, np.random.random),
    *(np.random.normal, np.random.uniform, np.random.randint),
]
# So many elements are soon read.
_SMALL = 4e6
# Python's, beside those that pure_eval knows.
_PLAIN = (zip, enumerate, reversed, *(f for f in vars(math).values() if callable(f)))
# The arrays of which only the header is known, by their ids.
_BLANK: WeakValueDictionary[int, Any] = WeakValueDictionary()
# How a tuple with names keeps them.
_FIELD = type(getattr(namedtuple("_Any", "field"), "field"))  # noqa: B009, PYI024


def carefully(work: Callable[[], Any]) -> Any:
    """What torch or NumPy gives for shadows. Raises Unknown where they refuse."""
    try:
        with np.errstate(all="ignore"):
            return work()
    except Exception:  # noqa: BLE001 - whatever a rule raises, the answer is not known
        raise Unknown from None


def names_in(frame: types.FrameType) -> ChainMap[str, Any]:
    """What the names in a frame stand for."""
    return ChainMap(frame.f_locals, frame.f_globals, vars(builtins))


class Shadows(Evaluator):
    """What the expressions of one frame stand for: tensors by their shadows; else Unknown.

    What names of `changed` stand for now is not what they stood for. Those of `kin` share its
    memories: what shares a storage there does so here.
    """

    def __init__(
        self,
        names: ChainMap[str, Any],
        changed: frozenset[str] = frozenset(),
        kin: "Shadows | None" = None,
    ) -> None:
        super().__init__(names)
        self._chain = names
        self._changed = changed
        self._found: dict[ast.AST, Any] = {}
        self._memories: dict[int, torch.UntypedStorage] = {} if kin is None else kin._memories
        self._originals: dict[int, torch.Tensor] = {} if kin is None else kin._originals
        self._shadows: dict[int, tuple[Any, torch.Tensor]] = {} if kin is None else kin._shadows

    def operand(self, node: ast.AST) -> Operand:
        """What an expression stands for, as an operand."""
        value = MISSING
        with suppress(Unknown):
            value = self[node]  # type: ignore[index]
        return Operand(ast.unparse(node), value, self._found.get(node), node)

    # Shadows.

    def shadow(self, x: Any) -> Any:
        """A tensor's shadow; anything else itself.

        Raises Unknown for a class of somebody's, and for odd storages.
        """
        if type(x) in (list, tuple) and any(is_a(y, torch.Tensor) for y in x[:ITEMS_MOST]):
            return type(x)(self.shadow(y) for y in x)
        if not is_a(x, torch.Tensor):
            return x
        if id(x) not in self._shadows:
            self._shadows[id(x)] = x, self._shadow_of(x)
        return self._shadows[id(x)][1]

    def _shadow_of(self, x: torch.Tensor) -> torch.Tensor:
        if type(x) not in (torch.Tensor, torch.nn.Parameter) or x.layout is not torch.strided:
            raise Unknown
        # Under vmap and grad, what a name stands for is no tensor with memory of its own.
        if x.is_nested or x.is_quantized or torch._C._functorch.is_functorch_wrapped_tensor(x):
            raise Unknown
        if min(x.size(), default=0) < 0:
            # `resize_(-1)` fails, and leaves it so.
            raise Unknown
        storage, reach = x.untyped_storage(), layout_of(x).reach
        if reach is not None and (reach[1] + 1) * x.element_size() > storage.nbytes():
            # A failed resize_ leaves it so, and nobody may look at its memory any more.
            raise Unknown
        memory = storage if x.is_meta else self._memories.get(storage._cdata)
        if memory is None:
            make: Any = torch.UntypedStorage
            memory = self._memories[storage._cdata] = make(storage.nbytes(), device="meta")
        # What was made here of a tensor lies in the same memory, and has no values.
        if not x.is_meta:
            self._originals[memory._cdata] = x
        with torch.no_grad():
            made = torch.empty(0, dtype=x.dtype, device="meta")
            made.set_(memory, x.storage_offset(), x.size(), x.stride())
            made = made.conj() if x.is_conj() else made
        return made.requires_grad_(x.requires_grad)

    def drawable(self, x: Operand) -> Any:
        """What can be drawn of a tensor: itself with its values, or else its header."""
        shadow = x.value
        if x.is_array:
            return replace(subject_of("draw", shadow), readable=False) if _is_blank(x) else shadow
        original = self._originals.get(shadow.untyped_storage()._cdata, shadow)
        if (original.device.type, original.dtype) != ("cpu", shadow.dtype) or shadow.is_conj():
            return replace(subject_of("draw", shadow), device="cpu", notes=(), readable=False)
        with torch.no_grad():
            whole = torch.empty(0, dtype=shadow.dtype).set_(original.untyped_storage())
            return whole.as_strided(shadow.size(), shadow.stride(), shadow.storage_offset())

    # Look-ups.

    def _handle(self, node: ast.expr) -> Any:
        match node:
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.Subscript() | ast.Call():
                with suppress(Unknown):
                    operation = self.read(node)
                    made = self.perform(operation)
                    known = operation is None or not any(map(_is_blank, operation.tensors))
                    return made if known else _blank(made)
            case ast.Tuple() | ast.List():
                parts = [self._each(part) for part in node.elts]
                items = [item for part in parts for item in part]
                return tuple(items) if isinstance(node, ast.Tuple) else items
            case ast.ListComp() | ast.GeneratorExp() if len(node.generators) == 1:
                return [inner[node.elt] for inner in self._rounds(node.generators[0])]
            case ast.IfExp() if type(test := self[node.test]) in (bool, int):
                chosen = node.body if test else node.orelse
                value = self[chosen]
                if chosen in self._found:
                    self._found[node] = self._found[chosen]
                return value
            case ast.Slice():
                return slice(*(p and self[p] for p in (node.lower, node.upper, node.step)))
            case ast.Attribute() if is_tensor(x := self[node.value]):
                return _attribute_of(x, node.attr)
        found = self._look_up(node)
        owner = getattr(node, "value", None)
        if isinstance(node, ast.Name | ast.NamedExpr) or owner in self._found:
            self._found[node] = found
            return self.shadow(found)
        # A part of what is made here.
        return found

    def _look_up(self, node: ast.expr) -> Any:
        """The user's own object, as it lies there. Raises Unknown."""
        if isinstance(node, ast.NamedExpr):
            return self.names[node.target.id]
        if isinstance(node, ast.Name) and node.id in self._changed:
            raise Unknown
        with suppress(Unknown):
            return super()._handle(node)
        if isinstance(node, ast.Attribute):
            owner = self[node.value]
            getter = inspect.getattr_static(type(owner), node.attr, None)
            if type(getter) is _FIELD:
                return getter.__get__(owner)
            for name, part in parts_of(owner):
                if name == node.attr:
                    return part
        elif isinstance(node, ast.Subscript):
            owner, key = self[node.value], self[node.slice]
            if type(owner).__module__.startswith("torch.nn.modules"):
                parts = dict(parts_of(owner))
                return carefully(lambda: parts[key] if type(key) is str else [*parts.values()][key])
            if is_plain_sequence(owner) and type(key) in (int, slice):
                return carefully(lambda: owner[key])
        raise Unknown

    def _each(self, node: ast.expr) -> Any:
        """What stands in a list at some place: several items after a `*`."""
        many = self[node.value] if isinstance(node, ast.Starred) else [self[node]]
        if not is_plain_sequence(many):
            raise Unknown
        return many

    def _rounds(self, part: ast.comprehension) -> "Iterator[Shadows]":
        """The names in each round of a comprehension, over a plain sequence."""
        for item in self._each(ast.Starred(part.iter))[:ITEMS_MOST]:
            match part.target:
                case ast.Name(id=name):
                    bound = {name: item}
                case ast.Tuple(elts=names) if is_plain_sequence(item) and len(item) == len(names):
                    pairs = zip(names, item, strict=True)
                    bound = {name.id: x for name, x in pairs if isinstance(name, ast.Name)}
                case _:
                    raise Unknown
            inner = Shadows(ChainMap(bound, *self._chain.maps), self._changed - bound.keys(), self)
            if all(inner[test] for test in part.ifs):
                yield inner

    # Operations.

    def read(self, node: ast.AST) -> Operation | None:
        """The operation that an expression is, or a statement; None for what is none."""
        target: ast.AST | None = None
        match node:
            case ast.Call():
                return self._read_call(node)
            case ast.BinOp(left=a, op=op, right=b):
                name, parts = _sign(ast.BinOp(_X, op, _X)), [a, b]
            case ast.UnaryOp(op=op, operand=a):
                name, parts = _sign(ast.UnaryOp(op, _X)), [a]
            case ast.Compare(left=a, ops=[op], comparators=[b]):
                name, parts = _sign(ast.Compare(_X, [op], [_X])), [a, b]
            case ast.Subscript(value=a, slice=b):
                name, parts = "[]", [a, b]
            case ast.AugAssign(target=target, op=op, value=b):
                name, parts = f"{_sign(ast.BinOp(_X, op, _X))}=", [target, b]
            case ast.Assign(targets=[ast.Subscript(value=a, slice=b) as target], value=c):
                name, parts = "[]=", [a, b, c]
            case ast.Assign(targets=[ast.Attribute(value=a, attr="shape" | "dtype" as what)]):
                name, parts = f".{what}=", [a, node.value]
            case _:
                return None
        written = None if target is None else self.operand(target)
        return Operation(name, node, self, tuple(map(self.operand, parts)), target=written)

    def _read_call(self, node: ast.Call) -> Operation | None:
        args: list[Operand] = []
        kwargs: dict[str, Operand] = {}
        for part in node.args:
            given = self.operand(part.value if isinstance(part, ast.Starred) else part)
            if not isinstance(part, ast.Starred):
                args.append(given)
            elif is_plain_sequence(given.value):
                args += [Operand(f"{given.text}[{i}]", x) for i, x in enumerate(given.value)]
            else:
                return None
        for keyword in node.keywords:
            given = self.operand(keyword.value)
            if keyword.arg is not None:
                kwargs[keyword.arg] = given
            elif type(given.value) is dict:
                kwargs |= {k: Operand(f"{given.text}[{k!r}]", x) for k, x in given.value.items()}
            else:
                return None
        name, method = getattr(node.func, "attr", ast.unparse(node.func)), None
        if isinstance(node.func, ast.Attribute):
            owner = self.operand(node.func.value)
            if is_tensor(owner.found) or owner.is_tensor:
                kind: Any = np.ndarray if owner.is_array else torch.Tensor
                args, method = [owner, *args], getattr(kind, name, None)
        function: Any = method
        if method is None:
            with suppress(Unknown):
                function = self[node.func]
        if type(function) is functools.partial:
            ahead = [Operand(f"argument {i}", x) for i, x in enumerate(function.args)]
            fixed = {word: Operand(word, x) for word, x in function.keywords.items()}
            args, kwargs, function = [*ahead, *args], fixed | kwargs, function.func
        if _library_of(function):
            name = function.__name__.removeprefix("linalg_")
        elif method is None:
            name = f"?{name}"
        if not args and kwargs:
            args = [kwargs.pop(next(iter(kwargs)))]
        target = kwargs.get("out") or next(iter(args), None)
        writes = name.endswith("_") and (not name.endswith("__") or name.startswith("__i"))
        if not (writes or "out" in kwargs or name == "copyto" or _is_among(function, _WRITING)):
            target = None
        return Operation(name, node, self, tuple(args), kwargs, target, function)

    def perform(self, operation: Operation | None, again: bool = False) -> Any:
        """What an operation gives. Raises Unknown.

        A call in place has happened to what is the user's, unless it is to be tried `again`.
        """
        if operation is None:
            raise Unknown
        name, function = operation.name, operation.function
        args = [x.value for x in operation.args]
        kwargs = {k: x.value for k, x in operation.kwargs.items()}
        if not all(is_data(x) for x in (*args, *kwargs.values())):
            raise Unknown
        if name == "[]" and is_tensor(args[0]):
            return self._picked(*args)
        dtypes = {x.dtype for x in args if is_a(x, torch.Tensor)}
        if name in PRODUCTS and len(dtypes) > 1:
            # Of headers alone torch does not ask it.
            raise Unknown
        if function is None and not isinstance(operation.node, ast.Call):
            return _operated(name, *args)
        if function is len or (_is_among(function, _PLAIN) and not any(map(is_tensor, args))):
            found = carefully(lambda: function(*args))
            return [*found] if is_a(found, Iterator) else found
        if _is_among(function, _RANDOM):
            size = next(iter(args[0 if name == "?random" else 2 :]), ())
            size = args if name in ("?rand", "?randn") else kwargs.get("size", size)
            dtype = kwargs.get("dtype", int if name == "?randint" else float)
            return carefully(lambda: _blank(np.zeros(size, dtype)))
        if _library_of(function) is np:
            if operation.target is not None:
                raise Unknown
            return _on_arrays(name, function, args, kwargs)
        if is_a(function, torch.nn.Module):
            forward: Any = self._module(function).forward
            return carefully(lambda: forward(*args, **kwargs))
        if _library_of(function) is not torch:
            raise Unknown
        kwargs.pop("device", None)
        if getattr(torch.Tensor, name, None) is function:
            args = [x for x in args if type(x) not in (torch.device, str)]
            if name in ("cpu", "cuda", "pin_memory") or (name == "to" and not (args[1:] or kwargs)):
                return args[0]
            if operation.target is not None and "out" not in kwargs:
                x = args[0]
                if not again and any(x is shadow for _, shadow in self._shadows.values()):
                    return x
                # In place would change a shadow, which stands for what was before.
                x = torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device="meta")
                args = [x, *args[1:]]
        elif not _is_pure(function):
            raise Unknown
        with torch.device("meta"):
            return carefully(lambda: function(*args, **kwargs))

    def _picked(self, x: Any, key: Any) -> Any:
        """An item of a tensor or an array. Of a mask the values count."""
        if is_a(x, torch.Tensor):
            key = tuple(map(self._with_values, key if is_a(key, tuple) else (key,)))
        return carefully(lambda: x[key])

    def _with_values(self, part: Any) -> Any:
        """A part of an index; a mask with its values. Raises Unknown where these are not there."""
        if not is_a(part, torch.Tensor) or part.dtype not in (torch.bool, torch.uint8):
            return part
        mask = self.drawable(Operand("", part))
        if not is_a(mask, torch.Tensor) or mask.numel() > _SMALL:
            raise Unknown
        return mask.bool()

    def _module(self, module: Any) -> torch.nn.Module:
        """A copy of one of torch's own modules, on shadows of its tensors."""
        own = object.__getattribute__(module, "__dict__")
        hooks = [own.get(f"_forward_{kind}") for kind in ("hooks", "pre_hooks")]
        if not type(module).__module__.startswith("torch.nn.modules.") or any(hooks):
            raise Unknown
        copied: Any = object.__new__(type(module))
        copied.__dict__.update(own)
        for drawer in ("_parameters", "_buffers"):
            copied.__dict__[drawer] = {name: self.shadow(x) for name, x in own[drawer].items()}
        parts = own["_modules"].items()
        copied.__dict__["_modules"] = {name: part and self._module(part) for name, part in parts}
        return copied  # type: ignore[no-any-return]


_X = ast.Name("", ast.Load())
# What changes an array, though it is not called so.
_WRITING = (np.ndarray.sort, np.ndarray.fill, np.ndarray.resize)


def _sign(node: ast.AST) -> str:
    return ast.unparse(node).strip()


def parts_of(module: Any) -> Iterator[tuple[str, Any]]:
    """The tensors and modules of a torch module, which keeps them in dicts of its own."""
    for drawer in ("_parameters", "_buffers", "_modules"):
        with suppress(Unknown):
            kept = getattr_static(module, drawer)
            yield from kept.items() if type(kept) in (dict, OrderedDict) else ()


def layout_of(x: Any) -> Layout:
    """The header of a tensor or an array. Raises Unknown where strides are no whole elements."""
    if is_a(x, torch.Tensor):
        return Layout(tuple(x.size()), x.stride(), x.storage_offset())
    if any(step % x.itemsize for step in x.strides):
        raise Unknown
    return Layout(x.shape, tuple(step // x.itemsize for step in x.strides), 0)


def _is_among(x: Any, known: Iterable[Any]) -> bool:
    """Whether it is one of some things itself: nobody is asked whether it is equal."""
    return any(x is each for each in known)


def _library_of(function: Any) -> Any:
    """`torch` or `np`: whose modules and classes have a function by its own name; or None."""
    if type(function) not in _FUNCTIONS:
        return None
    name = function.__name__
    names = (name, name.removeprefix("linalg_").removeprefix("special_"))
    for library, homes in _HOMES.items():
        if any(getattr(home, n, None) is function for home in homes for n in names):
            return library
    return None


def _is_pure(function: Any) -> bool:
    """Whether a function of torch only makes a tensor of what it is given."""
    name = function.__name__
    if type(function) is types.BuiltinFunctionType and name != "from_file":
        return hasattr(torch.ops.aten, name) or name in _MAKERS
    return function.__module__ in ("torch.functional", "torch.nn.functional") or name in _MAKERS


def _attribute_of(x: Any, name: str) -> Any:
    if name not in _ATTRIBUTES:
        raise Unknown
    return carefully(lambda: getattr(x, name))


def _operated(sign: str, *values: Any) -> Any:
    """What an operator gives. Raises Unknown."""
    by_rule = sign != "@" and any(is_a(x, torch.Tensor) for x in values)
    if by_rule or _work(sign, values, is_ufunc=True) > _SMALL:
        return carefully(lambda: _by_rule(sign, *values))
    return carefully(lambda: _applied(sign, *values))


def _applied(sign: str, *values: Any) -> Any:
    text = f"x {sign} y" if values[1:] else f"{sign}x"
    return eval(text, {}, dict(zip("xy", values, strict=False)))


def _by_rule(sign: str, *values: Any) -> Any:
    """What an operator gives, by the rule: torch would take seconds to load what it needs."""
    dtype = _applied(sign, *map(_one_element, values)).dtype
    tensors = [x for x in values if is_a(x, torch.Tensor)]
    if sign == "@":
        product = torch.matmul(*(torch.empty(x.shape, device="meta") for x in values))
        return _blank(np.zeros(tuple(product.shape), dtype))
    if not tensors:
        dtypes = [None] * len(values) + [dtype]
        return _blank(np.nditer((*values, None), ["zerosize_ok"], op_dtypes=dtypes).operands[-1])
    size = np.broadcast_shapes(*map(np.shape, values))
    plans: list[Any] = [plan_expand(layout_of(x), size) for x in tensors]
    stride = stride_of_copy(size, [plan.stride for plan in plans])
    made = torch.empty_strided(size, stride, dtype=dtype, device="meta")
    return made.requires_grad_(dtype.is_floating_point and any(x.requires_grad for x in tensors))


def _one_element(x: Any) -> Any:
    """A tensor or an array of one element like those of another; anything else itself."""
    size = (1,) * bool(np.ndim(x))
    if is_a(x, torch.Tensor):
        return torch.ones(size, dtype=x.dtype)
    return np.ones(size, x.dtype) if type(x) is np.ndarray else x


def _blank(made: Any) -> Any:
    """What was made, of arrays only their headers. Raises Unknown for a number."""
    for x in _flat([made]):
        if is_a(x, np.generic):
            raise Unknown
        if type(x) is np.ndarray:
            _BLANK[id(x)] = x
    return made


def _is_blank(x: Operand) -> bool:
    """Whether it is an array of which only the header is known, or a view of one."""
    return x.is_array and any(id(array) in _BLANK for array in (x.value, x.value.base))


def _on_arrays(name: str, function: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What NumPy gives, once more: views, and what small arrays give."""
    is_ufunc = type(function) is np.ufunc
    known = is_ufunc or name in _PURE
    if not known or _work(name, _flat((args, list(kwargs.values()))), is_ufunc) > _SMALL:
        raise Unknown
    return carefully(lambda: function(*args, **kwargs))


def _work(name: str, values: Iterable[Any], is_ufunc: bool) -> float:
    """How many elements NumPy reads or makes, about. Raises Unknown where it would refuse."""
    arrays = [x for x in values if type(x) is np.ndarray]
    elements = sum(x.size for x in arrays)
    if name in _VIEWS:
        return 0
    if name in _PAIRED:
        # Each element of one may meet each of another, and to multiply two is soon done.
        return math.prod(x.size for x in arrays) / 2_000
    if is_ufunc or name == "where":
        return float(carefully(lambda: math.prod(np.broadcast_shapes(*(x.shape for x in arrays)))))
    if name in _GROWS:
        return math.prod(max(abs(x), 1) for x in values if type(x) is int) * max(elements, 1)
    return elements / 25 if name in _REDUCED else elements


def _flat(x: Any) -> list[Any]:
    return [z for y in x for z in _flat(y)] if is_plain_sequence(x) else [x]
