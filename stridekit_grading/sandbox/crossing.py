"""Values that cross between a test cell and a learner's process: data, of exact types, as JSON.

What is data crosses by value, with what is shared and what goes round in circles. What is not
(an instance of a learner's class, a function) stays where it is, and crosses as a name for it.
Things that can change and were sent along come back as they have become.

A value is a graph: a scalar as it is, or `{"@": n}` for the node of that number. A node is a list
that begins with its kind.
"""

import binascii
import builtins
import collections
import datetime as dt
import decimal
import fractions
import sys
import types
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from stridekit_grading.sandbox.rebuilt_values import (
    MAKERS,
    array_of,
    dtype_told,
    identifier,
    in_text,
    tensor_of,
)

# So many things may be in one message, and so many bytes in one array.
NODES_MOST = 2_000_000
BYTES_MOST = 32 * 1024 * 1024

Graph = dict[str, Any]


class CrossingError(Exception):
    """A message that no value makes."""


class CannotCrossError(BaseException):
    """A test cell asks for what cannot cross. No `except Exception` of a test may catch it."""


class Sent:
    """What was sent in one message, so that the answer can name it."""

    def __init__(self) -> None:
        self.nodes: dict[int, Any] = {}
        self.numbers: dict[int, int] = {}

    def add(self, number: int, thing: Any) -> None:
        """Enter something that can change."""
        self.nodes[number] = thing
        self.numbers[id(thing)] = number


class Border:
    """One side of the border between two processes: it keeps what the other side has names for."""

    def __init__(
        self, stand_in: Callable[[int, str, str, list[str]], Any], own: Callable[[Any], int | None]
    ) -> None:
        """What stands for things of the other side is made by one, and known by the other.

        `stand_in(number, sort, name, bases)` makes it; `own(thing)` gives its number, or None.
        """
        self.stand_in, self.own = stand_in, own
        self._kept: dict[int, Any] = {}
        self._number_of: dict[int, int] = {}

    def keep(self, thing: Any) -> int:
        """The number by which the other side can name a thing that stays here."""
        number = self._number_of.get(id(thing))
        if number is None:
            number = len(self._kept)
            self._kept[number] = thing
            self._number_of[id(thing)] = number
        return number

    def kept(self, number: Any) -> Any:
        """The thing that the other side names. Raises CrossingError."""
        if type(number) is not int or number not in self._kept:
            raise CrossingError("a name for nothing")
        return self._kept[number]

    def pack(self, value: Any, sent: Sent | None = None, answers: Sent | None = None) -> Graph:
        """A value as a graph. `sent` is filled; `answers` is what the message answers to."""
        return _Packer(self, sent or Sent(), answers).graph(value)

    def unpack(self, graph: Any, received: Sent | None = None, answers: Sent | None = None) -> Any:
        """The value of a graph. Raises CrossingError.

        `received` is filled; things of `answers` become what the message says of them.
        """
        try:
            return _Unpacker(self, graph, received or Sent(), answers).value()
        except (
            TypeError,
            ValueError,
            KeyError,
            IndexError,
            AttributeError,
            OverflowError,
            ArithmeticError,
            RuntimeError,
            RecursionError,
            binascii.Error,
        ) as error:
            raise CrossingError(f"no value: {error}") from error


_SCALARS = (type(None), bool, float, str)
_SMALL = 1 << 62
_ITERABLES: dict[type, str] = {
    list: "list",
    tuple: "tuple",
    set: "set",
    frozenset: "frozenset",
    collections.deque: "deque",
}
_MAPPINGS: dict[type, str] = {
    dict: "dict",
    collections.OrderedDict: "ordered",
    collections.Counter: "counter",
    collections.defaultdict: "default",
}
_CHANGE = (
    list,
    set,
    bytearray,
    collections.deque,
    dict,
    collections.OrderedDict,
    collections.Counter,
    collections.defaultdict,
)
_BUILTIN_TYPES = {thing: name for name, thing in vars(builtins).items() if isinstance(thing, type)}


class _Packer:
    """Makes one graph."""

    def __init__(self, border: Border, sent: Sent, answers: Sent | None) -> None:
        self.border, self.sent, self.answers = border, sent, answers
        self.nodes: list[Any] = []
        self.places: dict[int, int] = {}
        self.alive: list[Any] = []

    def graph(self, value: Any) -> Graph:
        return {"root": self.reference(value), "nodes": self.nodes}

    def reference(self, value: Any) -> Any:
        kind = type(value)
        if kind in _SCALARS or (kind is int and -_SMALL < value < _SMALL):
            return value
        place = self.places.get(id(value))
        if place is None:
            place = len(self.nodes)
            if place >= NODES_MOST:
                raise CannotCrossError(f"a value of more than {NODES_MOST:,} parts cannot cross.")
            self.nodes.append(None)
            self.places[id(value)] = place
            self.alive.append(value)
            node = self.node(value, kind)
            known = self.answers.numbers.get(id(value)) if self.answers else None
            self.nodes[place] = node if known is None else ["same", known, node]
            if kind in _CHANGE or node[0] in ("array", "tensor"):
                self.sent.add(place, value)
        return {"@": place}

    def node(self, value: Any, kind: type) -> list[Any]:
        # Before anything is asked of it: what stands for another thing has no type of its own.
        number = self.border.own(value)
        if number is not None:
            return ["yours", number]
        if kind in _ITERABLES:
            return [_ITERABLES[kind], [*map(self.reference, value)]]
        if kind in _MAPPINGS:
            pairs = [[self.reference(key), self.reference(item)] for key, item in value.items()]
            return [_MAPPINGS[kind], pairs]
        if kind is int:
            return ["int", hex(value)]
        if kind is complex:
            return ["complex", value.real, value.imag]
        if kind is bytes or kind is bytearray:
            return [kind.__name__, in_text(value)]
        if kind is range:
            return ["range", *map(self.reference, (value.start, value.stop, value.step))]
        if kind is slice:
            return ["slice", *map(self.reference, (value.start, value.stop, value.step))]
        if value is Ellipsis or value is NotImplemented:
            return ["constant", repr(value)]
        if kind is fractions.Fraction:
            return ["fraction", hex(value.numerator), hex(value.denominator)]
        if kind is decimal.Decimal:
            return ["decimal", str(value)]
        if kind in (dt.date, dt.datetime, dt.time):
            return [kind.__name__, value.isoformat()]
        if kind is dt.timedelta:
            return ["timedelta", value.days, value.seconds, value.microseconds]
        if kind is type and value in _BUILTIN_TYPES:
            return ["type", _BUILTIN_TYPES[value]]
        if issubclass(kind, tuple) and (fields := _fields_of(kind)):
            return ["named", kind.__name__, fields, [*map(self.reference, value)]]
        if isinstance(value, types.ModuleType) and sys.modules.get(value.__name__) is value:
            return ["module", value.__name__]
        return self.of_a_library(value, kind) or self.kept(value, kind)

    def of_a_library(self, value: Any, kind: type) -> list[Any] | None:
        numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
        if numpy is not None and issubclass(kind, numpy.generic):
            if kind.__module__ != "numpy" or value.dtype.hasobject:
                return None
            return ["scalar", dtype_told(value.dtype), in_text(value.tobytes())]
        if numpy is not None and kind is numpy.ndarray:
            return self.array(value)
        if numpy is not None and issubclass(kind, numpy.dtype) and not value.hasobject:
            return ["dtype", dtype_told(value)]
        if torch is None:
            return None
        if kind is torch.Size:
            return ["size", [*map(int, value)]]
        if kind is torch.dtype:
            return ["torch.dtype", str(value).removeprefix("torch.")]
        if kind is torch.Tensor or kind is torch.nn.Parameter:
            return self.tensor(value, kind)
        return None

    def array(self, value: Any) -> list[Any] | None:
        if value.dtype.hasobject:
            return ["objects", [*value.shape], [*map(self.reference, value.ravel().tolist())]]
        if value.nbytes > BYTES_MOST:
            raise CannotCrossError(f"an array of {value.nbytes:,} bytes cannot cross.")
        # With its strides as they are where they are in some order; else in order.
        order = "F" if value.flags.f_contiguous and not value.flags.c_contiguous else "C"
        flat = in_text(value.tobytes(order=order))
        kind, writeable = dtype_told(value.dtype), bool(value.flags.writeable)
        return ["array", kind, [*value.shape], order, flat, writeable]

    def tensor(self, value: Any, kind: type) -> list[Any] | None:
        import torch

        if value.layout is not torch.strided or value.device.type != "cpu" or value.is_quantized:
            return None
        plain = value.detach().resolve_conj().resolve_neg()
        storage = torch.empty(0, dtype=torch.uint8).set_(plain.untyped_storage())
        if storage.numel() > BYTES_MOST:
            raise CannotCrossError(f"a storage of {storage.numel():,} bytes cannot cross.")
        return [
            "tensor",
            str(plain.dtype).removeprefix("torch."),
            [*plain.size()],
            [*plain.stride()],
            plain.storage_offset(),
            in_text(storage.numpy().tobytes()),
            bool(value.requires_grad and value.is_leaf),
            kind is not torch.Tensor,
        ]

    def kept(self, value: Any, kind: type) -> list[Any]:
        if issubclass(kind, type) and issubclass(value, Exception) and _is_of_a_library(value):
            return ["error", value.__module__, value.__qualname__]
        sort = "object"
        if issubclass(kind, type):
            sort = "error" if issubclass(value, BaseException) else "class"
        elif callable(value):
            sort = "function"
        name = getattr(value, "__name__", "") if sort != "object" else kind.__name__
        bases = []
        if sort == "error":
            bases = [each.__name__ for each in value.__mro__ if each.__module__ == "builtins"]
        return ["mine", self.border.keep(value), sort, str(name)[:200], bases]


class _Unpacker:
    """Takes one graph apart, with care: a stranger may have written it."""

    def __init__(self, border: Border, graph: Any, received: Sent, answers: Sent | None) -> None:
        self.border, self.received, self.answers = border, received, answers
        self.root, self.nodes = graph["root"], graph["nodes"]
        if type(self.nodes) is not list or len(self.nodes) > NODES_MOST:
            raise ValueError("no list of nodes")
        self.made: dict[int, Any] = {}

    def value(self) -> Any:
        return self.of(self.root)

    def of(self, reference: Any) -> Any:
        if type(reference) is not dict:
            if type(reference) is list:
                raise ValueError("a list where a value was expected")
            return reference
        place = reference["@"]
        if type(place) is not int or not 0 <= place < len(self.nodes):
            raise ValueError("a node that is none")
        if place not in self.made:
            node = self.nodes[place]
            same = None
            if node[0] == "same":
                if self.answers is None:
                    raise ValueError("an answer to nothing")
                same, node = self.answers.nodes[node[1]], node[2]
            thing = self.thing(place, node, same)
            self.made[place] = thing
            if type(thing) in _CHANGE or node[0] in ("array", "tensor"):
                self.received.add(place, thing)
        return self.made[place]

    def all(self, references: Iterable[Any]) -> Iterable[Any]:
        return map(self.of, references)

    def thing(self, place: int, node: list[Any], same: Any) -> Any:
        kind, *parts = node
        maker = MAKERS.get(kind)
        if maker is not None:
            made = maker(*parts)
            if kind == "bytearray" and same is not None and same != made:
                same[:] = made
            return made if same is None else same
        if kind in ("array", "tensor"):
            made = array_of(parts) if kind == "array" else tensor_of(parts)
            return made if same is None else _become(same, made)
        if kind in _EMPTY:
            # What goes round in circles finds it there.
            thing = self.made[place] = _EMPTY[kind]() if same is None else same
            self.fill(thing, kind, parts[0])
            return thing
        if kind == "tuple":
            return tuple(self.all(parts[0]))
        if kind == "frozenset":
            return frozenset(self.all(parts[0]))
        if kind in ("range", "slice"):
            return {"range": range, "slice": slice}[kind](*self.all(parts))
        if kind == "named":
            name, fields, items = parts
            made_of = collections.namedtuple(identifier(name), [*map(identifier, fields)])  # type: ignore[misc]  # noqa: PYI024
            return made_of(*self.all(items))
        if kind == "objects":
            return self.objects(*parts)
        if kind == "yours":
            return self.border.kept(parts[0])
        if kind == "mine":
            number, sort, name, bases = parts
            return self.border.stand_in(int(number), str(sort), str(name), [*map(str, bases)])
        raise ValueError(f"nothing is called {str(kind)[:40]}")

    def fill(self, thing: Any, kind: str, content: list[Any]) -> None:
        if kind in ("list", "deque", "set"):
            items = [*self.all(content)]
            if kind == "list":
                thing[:] = items
            else:
                thing.clear()
                (thing.update if kind == "set" else thing.extend)(items)
            return
        pairs = [(self.of(key), self.of(item)) for key, item in content]
        thing.clear()
        for key, item in pairs:
            thing[key] = item

    def objects(self, shape: list[int], items: list[Any]) -> Any:
        import numpy as np

        flat: Any = np.empty(len(items), dtype=object)
        for place, item in enumerate(self.all(items)):
            flat[place] = item
        return flat.reshape([int(size) for size in shape])


_EMPTY: dict[str, Callable[[], Any]] = {
    "list": list,
    "set": set,
    "deque": collections.deque,
    "dict": dict,
    "ordered": collections.OrderedDict,
    "counter": collections.Counter,
    "default": collections.defaultdict,
}


def _fields_of(kind: type) -> list[str]:
    """The fields of a named tuple that has nothing but fields."""
    fields = getattr(kind, "_fields", None)
    if kind.__bases__ != (tuple,) or type(fields) is not tuple:
        return []
    return [*fields] if all(type(each) is str for each in fields) else []


def _become(same: Any, made: Any) -> Any:
    """Write what an array or tensor has become into the one that was sent."""
    if type(same) is not type(made):
        raise ValueError("something else came back")
    if tuple(same.shape) != tuple(made.shape) or same.dtype != made.dtype:
        raise CannotCrossError("a header that was changed in place cannot cross.")
    if not same.size if hasattr(same, "flags") else not same.numel():
        return same
    if hasattr(same, "flags"):
        if same.tobytes() != made.tobytes():
            same[...] = made
        return same
    import torch

    with torch.no_grad():
        same.detach().copy_(made)
    return same


def _is_of_a_library(kind: type) -> bool:
    """Whether the other side finds the same class under that name."""
    if kind.__module__ == "__main__":
        return False
    try:
        return attrgetter(kind.__qualname__)(sys.modules[kind.__module__]) is kind
    except (AttributeError, KeyError):
        return False
