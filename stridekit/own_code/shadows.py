"""What an expression's tensors looked like, worked out without computing it again.

A torch tensor's *shadow* is a tensor on the meta device: the same header, and no memory. So an
operation on shadows runs torch's own rules for headers and nothing else: it reads no element,
changes nothing, and draws no random number. What a name stands for is known, and so a view of it
can be drawn with its values. NumPy has no such device: `arrays` says what its functions give.

Nothing of the user's runs: `pure_eval`, which comes with IPython, looks up names, attributes that
lie there and items of Python's own containers, and knows its functions. The rest is `Unknown`.
"""

import ast
import builtins
import functools
import math
import sys
import types
from collections import ChainMap, OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import torch
from pure_eval import Evaluator, getattr_static

from stridekit.layouts.layout import Layout
from stridekit.own_code.arrays import RANDOM, blank_of, corner, flat, made_of, mapped
from stridekit.own_code.operations import (
    ITEMS_MOST,
    MISSING,
    ORIGINAL,
    Blank,
    Operand,
    Operation,
    Unknown,
    exchanged,
    is_a,
    is_array,
    is_data,
    is_plain_sequence,
    is_short_list,
    is_tensor,
)
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import subject_of

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
PRODUCTS = ("@", "@=", "matmul", "mm", "mv", "bmm", "addmm", "baddbmm", "linear", "dot", "inner")
# What is of one dtype, of which headers alone are not asked; and what takes whole numbers, too.
_OF_ONE_DTYPE = (
    *(*PRODUCTS, "cdist", "conv1d", "conv2d", "conv3d", "grid_sample", "batch_norm"),
    "binary_cross_entropy",
)
_OF_SEVERAL = (torch.nn.Embedding, torch.nn.EmbeddingBag, torch.nn.modules.loss._Loss)
# These make a tensor, beside those that torch has as operations.
_MAKERS = ("tensor", "as_tensor", "from_numpy", "pad_sequence")
_ATTRIBUTES = ("T", "mT", "H", "mH", "real", "imag", "data", "shape", "dtype", "ndim", "size")
# What changes an array, though it is not called so.
_WRITING = (*(np.ndarray.sort, np.ndarray.fill, np.ndarray.resize, np.copyto, np.random.shuffle),)
# A mask of so many elements is soon read.
_MASK_MOST = 4e6
# Python's, beside those that pure_eval knows.
_PASSING = (len, zip, enumerate, reversed)
_PLAIN = (*_PASSING, max, min, sum, sorted, torch.device, *filter(callable, vars(math).values()))
_DICTS = (dict, OrderedDict, defaultdict)


@contextmanager
def _no_compilers() -> Iterator[None]:
    """The rules for headers tell torch's compilers to keep away, and loading these takes seconds.

    Where they are not loaded, there is nobody to tell. `_compile.py` has what is asked of them.
    """
    told: list[Any] = []

    def disable(function: Any, *_: Any, **__: Any) -> Any:
        told.append(function)
        return function

    kinds = {f"numpy_default_{kind}": f"{kind}64" for kind in ("int", "float")}
    config = types.SimpleNamespace(
        **kinds, numpy_default_complex="complex128", use_numpy_random_stream=False
    )
    asked: Any = types.ModuleType("torch._dynamo")
    asked.disable, asked.config = disable, config
    absent = asked.__name__ not in sys.modules
    stand_ins = {asked.__name__: asked, f"{asked.__name__}.config": config} if absent else {}
    sys.modules |= stand_ins
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]
        for function in told:
            del function.__dynamo_disable


class Refused(Unknown):
    """What torch or NumPy would not take."""


def carefully(work: Callable[[], Any]) -> Any:
    """What torch or NumPy gives for shadows. Raises Unknown where they refuse."""
    try:
        with np.errstate(all="ignore"), _no_compilers():
            return work()
    except (IndexError, TypeError, ValueError, RuntimeError) as error:
        # Headers alone have no number either.
        is_ours = isinstance(error, NotImplementedError) or "meta" in str(error)
        raise Unknown if is_ours else Refused from None
    except Exception:  # noqa: BLE001 - whatever a rule raises, the answer is not known
        raise Unknown from None


def names_in(frame: types.FrameType) -> ChainMap[str, Any]:
    """What the names in a frame stand for: its own first."""
    own, free = {**frame.f_locals}, frame.f_code.co_freevars
    outer = {name: own.pop(name) for name in free if name in own}
    return ChainMap(own, outer, frame.f_globals, vars(builtins))


class Shadows(Evaluator):
    """What the expressions of one frame stand for: tensors by their shadows; else Unknown.

    What names of `changed` stand for now is not what they stood for. Those of `kin` share its
    memories: what shares a storage there does so here.
    """

    names: ChainMap[str, Any]

    def __init__(
        self,
        names: ChainMap[str, Any],
        changed: frozenset[str] = frozenset(),
        kin: "Shadows | None" = None,
    ) -> None:
        super().__init__(names)
        self._changed = changed
        # By a tensor's id, it and its shadow; by a storage's address, what stands for its memory,
        # and one tensor there, which has its values.
        self._shadows: dict[int, tuple[Any, Any]] = kin._shadows if kin else {}
        self._memories: dict[int, tuple[Any, torch.Tensor]] = kin._memories if kin else {}

    def operand(self, node: ast.AST) -> Operand:
        """What an expression stands for, as an operand."""
        value = MISSING
        with suppress(Unknown):
            value = self[node]  # type: ignore[index]
        return Operand(ast.unparse(node), value, node)

    # Shadows.

    def shadow(self, x: Any) -> Any:
        """A tensor's shadow; anything else itself, and so what was made here.

        Raises Unknown for a class of somebody's, and for odd storages.
        """
        if type(x) in (list, tuple) and is_short_list(x) and any(is_a(y, torch.Tensor) for y in x):
            return type(x)(self.shadow(y) for y in x)
        if type(x) is np.memmap:
            return self._shadows.setdefault(id(x), (x, x.view(np.ndarray)))[1]
        if not is_a(x, torch.Tensor):
            return x
        if type(x) not in (torch.Tensor, torch.nn.Parameter):
            raise Unknown
        if hasattr(x, ORIGINAL):
            return x
        if id(x) not in self._shadows:
            self._shadows[id(x)] = x, carefully(lambda: self._shadow_of(x))
        return self._shadows[id(x)][1]

    def _shadow_of(self, x: torch.Tensor) -> torch.Tensor:
        # What has no storage, as under vmap and grad, refuses. What a failed resize_ leaves lies
        # over memory that is too short, and nobody may look at it any more.
        storage: Any = x.untyped_storage()
        reach = layout_of(x).reach
        if reach is not None and (reach[1] + 1) * x.element_size() > storage.nbytes():
            raise Unknown
        if storage._cdata not in self._memories:
            memory = type(storage)(storage.nbytes(), device="meta")
            self._memories[storage._cdata] = memory, x
        made = on_memory(self._memories[storage._cdata][0], x)
        made = made.conj() if x.is_conj() else made
        setattr(made.requires_grad_(x.requires_grad), ORIGINAL, x)
        return made

    def drawable(self, x: Operand) -> Any:
        """What can be drawn of a tensor: itself with its values, or else its header."""
        shadow = x.value
        if type(shadow) is Blank:
            return _without_values(shadow.view(np.ndarray))
        if x.is_array:
            return shadow
        memory = shadow.untyped_storage()._cdata
        known = (y for made, y in self._memories.values() if made._cdata == memory)
        original = next(known, shadow)
        if (original.device.type, original.dtype) != ("cpu", shadow.dtype) or shadow.is_conj():
            return _without_values(shadow)
        return on_memory(original.untyped_storage(), shadow)

    # Look-ups.

    def _handle(self, node: ast.expr) -> Any:
        match node:
            case ast.Call(
                func=ast.Attribute(value=a, attr="items" | "keys" | "values" as what), args=[]
            ) if type(owner := self[a]) in (*_DICTS, torch.nn.ModuleDict):
                owner = owner if type(owner) in _DICTS else dict(parts_of(owner))
                return self.shadow([*getattr(owner, what)()])
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.Subscript() | ast.Call():
                with suppress(Unknown):
                    return self.perform(self.read(node))
            case ast.Tuple() | ast.List():
                items = [item for part in node.elts for item in self._each(part)]
                return tuple(items) if isinstance(node, ast.Tuple) else items
            case ast.ListComp() | ast.GeneratorExp() if len(node.generators) == 1:
                return [inner[node.elt] for inner in self._rounds(node.generators[0])]
            case ast.IfExp():
                return self[node.body if self._is_so(node.test) else node.orelse]
            case ast.NamedExpr():
                return self[node.value]
            case ast.Slice():
                return slice(*(p and self[p] for p in (node.lower, node.upper, node.step)))
            case ast.Attribute() if is_tensor(x := self[node.value]):
                if node.attr in ("grad", "device"):
                    return self.shadow(carefully(lambda: getattr(getattr(x, ORIGINAL), node.attr)))
                if node.attr not in _ATTRIBUTES:
                    raise Unknown
                return carefully(lambda: getattr(x, node.attr))
        return self.shadow(self._look_up(node))

    def _look_up(self, node: ast.expr) -> Any:
        """The user's own object, as it lies there. Raises Unknown."""
        if isinstance(node, ast.Name) and node.id in self._changed:
            raise Unknown
        with suppress(Unknown):
            return super()._handle(node)
        if isinstance(node, ast.Attribute):
            owner = self[node.value]
            fields = getattr_static(type(owner), "_fields") if is_plain_sequence(owner) else ()
            if node.attr in fields:
                return owner[fields.index(node.attr)]
            return _under(dict(parts_of(owner)), node.attr)
        if isinstance(node, ast.Subscript):
            owner, key = self[node.value], self[node.slice]
            if type(owner).__module__.startswith("torch.nn.modules"):
                parts = dict(parts_of(owner))
                return carefully(lambda: parts[key] if type(key) is str else [*parts.values()][key])
            if type(owner) in _DICTS:
                return _under(owner, key)
            if is_plain_sequence(owner) and is_a(key, int | np.integer | slice):
                return carefully(lambda: owner[key])
        raise Unknown

    def _each(self, node: ast.expr) -> Any:
        """What stands in a list at some place: several items after a `*`."""
        many = self[node.value] if isinstance(node, ast.Starred) else [self[node]]
        if is_tensor(many):
            many = carefully(lambda: [*many[:ITEMS_MOST]])
        if type(many) in (torch.nn.ModuleList, torch.nn.Sequential):
            many = [part for _, part in parts_of(many)]
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
            inner = Shadows(ChainMap(bound, *self.names.maps), self._changed - bound.keys(), self)
            if all(map(inner._is_so, part.ifs)):
                yield inner

    def _is_so(self, node: ast.expr) -> bool:
        """The truth of an expression that is plain data. Raises Unknown."""
        value = self[node]
        if not is_data(value):
            raise Unknown
        return carefully(lambda: bool(value))  # type: ignore[no-any-return]

    def in_their_round(self, inside: list[Any]) -> "Shadows | None":
        """The names in the first round in which an expression is refused; None if it never is.

        It is the last of some; those before are comprehensions around it, the outermost first.
        Raises Unknown where a comprehension has several loops.
        """
        outer, *inner = inside
        if not inner:
            with suppress(Refused):
                self.perform(self.read(outer))
                return None
            return self
        if len(outer.generators) > 1:
            raise Unknown
        found = (names.in_their_round(inner) for names in self._rounds(outer.generators[0]))
        return next(filter(None, found), None)

    # Operations.

    def read(self, node: ast.AST) -> Operation | None:
        """The operation that an expression is, or a statement; None for what is none."""
        target: ast.AST | None = None
        match node:
            case ast.Call():
                return self._read_call(node)
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
                self.operand(item).value is MISSING
            ):
                node, name, parts = item, "[]", [a, b]
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.AugAssign():
                # Its sign is what is left of it without them.
                parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
                name = ast.unparse(exchanged(node, dict.fromkeys(parts, _X))).strip()
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
                if (row := self._row_in_a_loop(node)) is None:
                    return None
                name, parts = "unpack[]", [row]
            case ast.Assign(targets=[ast.Tuple(elts=parts) | ast.List(elts=parts)], value=a) if (
                not any(hasattr(part, "elts") for part in parts)
            ):
                name, parts = "unpack[]", [a]
            case ast.Assign(
                targets=[ast.Attribute(value=a, attr="shape" | "dtype" | "grad" as what)]
            ):
                name, parts = f".{what}=", [a, node.value]
            case _:
                return None
        written = None if target is None else self.operand(target)
        return Operation(name, node, self, tuple(map(self.operand, parts)), target=written)

    def _row_in_a_loop(self, names: Any) -> ast.expr | None:
        """What some names of a loop stand for: of a tensor all rows are of one size."""
        target: Any = names.parent if isinstance(names.parent, ast.Tuple) else names
        many: Any = getattr(target.parent, "iter", None)
        if target is not names:
            # As of `i, (x, y) in enumerate(points)`.
            passes = ast.unparse(many.func) if isinstance(many, ast.Call) else ""
            given = [None, *many.args[:1]] if passes == "enumerate" else []
            given = many.args if passes == "zip" else given
            many = next(islice(given, target.elts.index(names), None), None)
        if many is None or not self.operand(many).is_tensor:
            return None
        return ast.Subscript(many, ast.Constant(0), ast.Load())

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
        name, function = getattr(node.func, "attr", ast.unparse(node.func)), None
        if isinstance(node.func, ast.Attribute):
            owner = self.operand(node.func.value)
            if owner.is_tensor:
                kind: Any = np.ndarray if owner.is_array else torch.Tensor
                args, function = [owner, *args], getattr(kind, name, None)
            elif isinstance(inner := node.func.value, ast.Call) and name == "cast":
                # As of `memoryview(a).cast("B")`.
                args = [*map(self.operand, inner.args), *args]
        if function is None:
            with suppress(Unknown):
                function = self[node.func]
        if _library_of(function):
            name = getattr(function, "__name__", name).removeprefix("linalg_")
        else:
            name = f"?{name}"
        target = kwargs.get("out") or next(iter(args), None)
        writes = name.endswith("_") and (not name.endswith("__") or name.startswith("__i"))
        if not ((writes and name[0] != "?") or "out" in kwargs or _is_among(function, _WRITING)):
            target = None
        return Operation(name, node, self, tuple(args), kwargs, target, function)

    def perform(self, operation: Operation | None, again: bool = False) -> Any:
        """What an operation gives. Raises Unknown.

        A call in place has happened to what is the user's, unless it is to be tried `again`.
        """
        if operation is None:
            raise Unknown
        args = [x.value for x in operation.args]
        kwargs = {k: x.value for k, x in operation.kwargs.items()}
        try:
            made = self._performed(operation, args, kwargs, again)
        except Unknown as unknown:
            if isinstance(unknown, Refused):
                raise
            # A header has no values, and they may be all that was asked for.
            args, kwargs = mapped(self.value, [args, kwargs])
            made = self._performed(operation, args, kwargs, again)
        for x in flat([made]):
            if is_a(x, torch.Tensor) and not hasattr(x, ORIGINAL):
                setattr(x, ORIGINAL, None)
        return made

    def _performed(
        self, operation: Operation, args: list[Any], kwargs: dict[str, Any], again: bool
    ) -> Any:
        name, function = operation.name, operation.function
        given = flat([*args, *kwargs.values()])
        if not all(is_data(x) or (function is len and is_plain_sequence(x)) for x in given):
            raise Unknown
        if name == "[]" and is_tensor(args[0]):
            if any(type(part) is Blank and part.dtype == bool for part in flat([args[1]])):
                raise Unknown
            return carefully(lambda: args[0][args[1]])
        dtypes = {x.dtype for x in given if is_a(x, torch.Tensor)}
        listed = any(is_a(x, torch.Tensor) and x.ndim for x in given if not _is_among(x, args))
        if name.rstrip("_") in _OF_ONE_DTYPE and len(dtypes) > 1:
            raise Refused
        if name == "tensor" and listed:
            raise Unknown
        if isinstance(operation.node, ast.stmt):
            return carefully(lambda: self._written(operation))
        if not isinstance(operation.node, ast.Call):
            function = functools.partial(_applied, name)
            is_numpys = any(map(is_array, given))
            return carefully(
                lambda: made_of(name, function, args, kwargs) if is_numpys else function(*args)
            )
        if function is abs and is_tensor(args[0]):
            name, function = "abs", np.abs if is_array(args[0]) else torch.abs
        asked = args[function is len :] if _is_among(function, _PASSING) else given
        if _is_among(function, _PLAIN) and not any(map(is_tensor, asked)):
            found = carefully(lambda: function(*args, **kwargs))
            return [*found] if is_a(found, Iterator) else found
        library = _library_of(function)
        if library is np and operation.target is None:
            return carefully(lambda: made_of(name, function, args, kwargs))
        if is_a(function, torch.nn.Module):
            copied: Any = carefully(lambda: self._module(function))
            several = any(is_a(part, _OF_SEVERAL) for part in copied.modules())
            several &= not is_a(function, torch.nn.BCELoss)
            tensors = (x for x in (*given, *copied.parameters()) if is_a(x, torch.Tensor))
            if len({x.dtype for x in tensors if x.is_floating_point() or not several}) > 1:
                raise Unknown
            return carefully(lambda: copied.forward(*args, **kwargs))
        if library is not torch:
            raise Unknown
        kwargs.pop("device", None)
        if name == "numpy" and not args[0].requires_grad:
            real = self.drawable(operation.args[0])
            is_there = is_a(real, torch.Tensor)
            return carefully(lambda: real.detach().numpy() if is_there else blank_of(args[0]))
        if getattr(torch.Tensor, name, None) is function:
            args = [x for x in args if type(x) not in (torch.device, str)]
            if name in ("cpu", "cuda", "pin_memory") or (name == "to" and not (args[1:] or kwargs)):
                return args[0]
            if operation.target is not None and "out" not in kwargs:
                if not again and operation.args[0].found is not None:
                    return args[0]
                # In place would change a shadow, which stands for what was before.
                args = [_alike(args[0]), *args[1:]]
        elif not _is_pure(function):
            raise Unknown
        with torch.device("meta"):
            made = carefully(lambda: function(*args, **kwargs))
        if is_a(made, torch.Tensor) and not made.is_meta:
            # It lies in an array's memory. Where that is not there, it has a header alone.
            blank = any(type(x) is Blank for x in given)
            made = made.to("meta") if blank else self.shadow(made)
            setattr(made, ORIGINAL, None)
        return made

    def _written(self, operation: Operation) -> Any:
        """What takes an assignment, done to something else like it. Raises what is raised."""
        own, value = operation.target, operation.args[-1].value
        if own is None or own.value is MISSING:
            raise Unknown
        # An item of an array is not an array.
        x = own.value if own.is_tensor else operation.written.value[:0]
        if is_a(x, torch.Tensor):
            x = _alike(x)
        elif x.flags.writeable:
            # A mere number has no dtype of its own.
            value = corner(np.broadcast_to(value, x.shape)) if np.shape(value) else value
            x = corner(x)
        else:
            raise Unknown
        sign = operation.name if isinstance(operation.node, ast.AugAssign) else "="
        exec(f"x[...] {sign} y", {}, {"x": x, "y": value})
        return x

    def value(self, x: Any) -> Any:
        """An argument; a mask, or a single whole number, with its value. Raises Unknown."""
        if x is MISSING:
            raise Unknown
        if type(x) is slice:
            return slice(*map(self.value, (x.start, x.stop, x.step)))
        if not is_a(x, torch.Tensor) or x.is_floating_point() or x.is_complex():
            return x
        if x.numel() > (_MASK_MOST if x.dtype in (torch.bool, torch.uint8) else 1):
            return x
        values = self.drawable(Operand("", x))
        if not is_a(values, torch.Tensor):
            raise Unknown
        return values.clone()

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


def _applied(sign: str, *values: Any) -> Any:
    """What an operator gives."""
    text = f"x {sign} y" if values[1:] else f"{sign}x"
    return eval(text, {}, dict(zip("xy", values, strict=False)))


def on_memory(storage: Any, x: torch.Tensor) -> torch.Tensor:
    """A new tensor of the same header, on some storage."""
    made = torch.empty(0, dtype=x.dtype, device=storage.device)
    return made.set_(storage, x.storage_offset(), x.size(), x.stride())


def _without_values(shadow: Any) -> Subject:
    """What is drawn of something that is known by its header alone."""
    subject = subject_of("draw", shadow)
    facts = (*subject.facts, "cells show positions")
    return replace(subject, device="cpu", notes=(), facts=facts, readable=False)


def _alike(x: torch.Tensor) -> torch.Tensor:
    """A new tensor of the same header, but for its offset, which may be written to."""
    return torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device="meta")


def parts_of(module: Any) -> Iterator[tuple[str, Any]]:
    """The tensors and modules of a torch module, which keeps them in dicts of its own."""
    for drawer in ("_parameters", "_buffers", "_modules"):
        with suppress(Unknown):
            kept = getattr_static(module, drawer)
            yield from kept.items() if type(kept) in (dict, OrderedDict) else ()


def _under(owner: dict[Any, Any], key: Any) -> Any:
    """What a dict has under a number or a text. Asks no other key whether it is equal."""
    for each, value in owner.items():
        if type(each) is type(key) and type(key) in (int, str) and each == key:
            return value
    raise Unknown


def layout_of(x: Any) -> Layout:
    """The header of a tensor or an array. Raises Unknown where strides are not whole elements."""
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
    if _is_among(function, RANDOM):
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


def _is_pure(function: Any) -> bool:
    """Whether a function of torch only makes a tensor of what it is given."""
    name = function.__name__
    if type(function) is types.BuiltinFunctionType and name != "from_file":
        return hasattr(torch.ops.aten, name) or name in _MAKERS
    return function.__module__ in ("torch.functional", "torch.nn.functional") or name in _MAKERS
