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
import types
from collections import ChainMap, OrderedDict, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from pure_eval import Evaluator, getattr_static

from stridekit.own_code.operations import (
    ITEMS_MOST,
    MISSING,
    ORIGINAL,
    Blank,
    Operand,
    Unknown,
    is_a,
    is_data,
    is_plain_sequence,
    is_short_list,
    is_tensor,
    layout_of,
)
from stridekit.own_code.performing import Refused, carefully, performed
from stridekit.own_code.reading import operation_at
from stridekit.tensors.interop import Subject
from stridekit.tensors.subjects import subject_of

_ATTRIBUTES = ("T", "mT", "H", "mH", "real", "imag", "data", "shape", "dtype", "ndim", "size")
# A mask of so many elements is soon read.
_MASK_MOST = 4e6
_DICTS = (dict, OrderedDict, defaultdict)


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
                    return performed(operation_at(node, self))
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
                performed(operation_at(outer, self))
                return None
            return self
        if len(outer.generators) > 1:
            raise Unknown
        found = (names.in_their_round(inner) for names in self._rounds(outer.generators[0]))
        return next(filter(None, found), None)

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

    def module(self, module: Any) -> torch.nn.Module:
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
        copied.__dict__["_modules"] = {name: part and self.module(part) for name, part in parts}
        return copied  # type: ignore[no-any-return]


def on_memory(storage: Any, x: torch.Tensor) -> torch.Tensor:
    """A new tensor of the same header, on some storage."""
    made = torch.empty(0, dtype=x.dtype, device=storage.device)
    return made.set_(storage, x.storage_offset(), x.size(), x.stride())


def _without_values(shadow: Any) -> Subject:
    """What is drawn of something that is known by its header alone."""
    subject = subject_of("draw", shadow)
    facts = (*subject.facts, "cells show positions")
    return replace(subject, device="cpu", notes=(), facts=facts, readable=False)


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
