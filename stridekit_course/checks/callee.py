"""What crosses between a check and the function it checks: plain data, both ways.

A batch of cases goes in, an outcome for each comes out. Nothing else passes, so the function
may as well live in another process. The verdict is formed from the outcomes alone.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, Literal, NamedTuple

from stridekit.layouts.layout import Ints, Layout, contiguous_stride, count
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage

Function = Callable[..., Any]
Watch = Literal["plain", "tensors", "torch", "nothing"]
"""Which calls are noted while a function runs: all into torch, NumPy and stridekit; those on
tensors, and into NumPy and stridekit; those on tensors alone; none."""


class TensorData(NamedTuple):
    """A tensor or an array as plain data: what it is made from, or what came back.

    Sizes, strides and offset in elements; `storage` holds the bytes. Arguments of one case
    with the same `memory` lie on one storage. `apart` is how many bytes of it lie before the
    storage of this one, where two storages of torch lie on one buffer of NumPy. `read_only` is
    for NumPy's arrays.
    """

    library: Literal["torch", "stridekit", "numpy"]
    dtype: str
    size: Ints
    stride: Ints
    storage_offset: int
    storage: bytes
    memory: int = 0
    read_only: bool = False
    apart: int = 0

    @property
    def layout(self) -> Layout:
        """The header without the dtype."""
        return Layout(self.size, self.stride, self.storage_offset)

    @property
    def itemsize(self) -> int:
        """The bytes of one element."""
        return dtypes.as_dtype(self.dtype).itemsize

    def values(self) -> bytes:
        """The elements in row-major order, as bytes."""
        if (
            self.stride == contiguous_stride(self.size)
            and self.storage_offset == self.apart == 0
            and len(self.storage) == prod(self.size) * self.itemsize
        ):
            return self.storage
        return bytes(Storage.wrap(self.storage[self.apart :]).gather(self.layout, self.itemsize))


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value that is not plain: only its type and what it looks like come through."""

    type: str
    shown: str


Argument = Any
"""An int, a str, None, tuples of these, or a TensorData."""
Plain = Any
"""None, bool, int, float, str, tuples and lists of these, TensorData, Foreign."""


class Case(NamedTuple):
    """One call: the arguments, in order. `measured` asks for the peak of memory that it takes."""

    arguments: tuple[Argument, ...]
    measured: bool = False

    @property
    def tensors(self) -> tuple[TensorData, ...]:
        """The arguments that are tensors or arrays."""
        return tuple(each for each in self.arguments if isinstance(each, TensorData))


class SourceLine(NamedTuple):
    """A line of the learner's: its number in the cell or file, its text, and where it stands.

    `helper` is the name of the helper that it stands in, empty for the function itself. For an
    exception, `raises` says whether a `raise` of that very line raised it.
    """

    line: int
    text: str = ""
    helper: str = ""
    raises: bool = False

    @property
    def where(self) -> str:
        """Behind what stands there: ` in line 3`, or ` in line 3 of its helper f`."""
        helper = f" of its helper {self.helper}" if self.helper else ""
        return f" in line {self.line}{helper}" if self.line else ""


class SourceCall(NamedTuple):
    """A call of a library and the line of the learner's that it stands in."""

    name: str
    place: SourceLine


class Outcome(NamedTuple):
    """What one call did: it gave a value, raised, or was stopped because it took too long.

    `value` may be a TensorData; then `is_argument` is the number of the argument that it is, and
    `aliases` that of the argument whose memory it shares; `is_kept` says whether that memory is
    another call's. `bases` are the names of the exception's classes, those that are not Python's
    own with their module; `raised` is its message, `place` the line of the learner's that it came
    from. `changed` is the number of an argument that was changed, `calls` are the library functions
    that were called for the first time, each with its line, `peak` is the most memory in bytes that
    the call held beyond what was there before, and beyond what it holds for tensors of one element.
    Of a call that was stopped, `raised` says what there was too much of: it computed ("call"), it
    did not ("wait"), or all calls together took too long ("all").

    `printed`, `raised` and `place` are only told where one looks closely.
    """

    kind: Literal["value", "raised", "stopped"]
    value: Plain = None
    is_argument: int | None = None
    aliases: int | None = None
    bases: tuple[str, ...] = ()
    raised: str = ""
    printed: str = ""
    changed: int | None = None
    calls: tuple[SourceCall, ...] = ()
    peak: int | None = None
    place: SourceLine | None = None
    is_kept: bool = False

    @property
    def answer(self) -> tuple[object, ...]:
        """What counts when two outcomes are compared: no stride along which nobody steps."""
        value, where = self.value, (self.is_argument, self.aliases, self.is_kept)
        if type(value) is not TensorData:
            return self.kind, repr(value), where, self.bases[:1]
        steps = zip(value.size, value.stride, strict=True)
        stride = tuple(step if n > 1 else 0 for n, step in steps)
        return self.kind, value._replace(stride=stride), where, self.bases[:1]


class BatchOutcomes(NamedTuple):
    """The outcomes of a batch: one for each case in order, fewer where it was stopped.

    `talks` says whether anything was printed, warned or logged.
    """

    outcomes: tuple[Outcome, ...]
    talks: bool = False


class Callee(ABC):
    """A function to be checked, wherever it lives."""

    __slots__ = ()

    @abstractmethod
    def read(self) -> Sequence[SourceCall]:
        """The library calls in its source, helpers included; empty where there is no source."""

    @abstractmethod
    def run(self, cases: Sequence[Case], watch: Watch, *, closely: bool = False) -> BatchOutcomes:
        """The outcome of each case, in order: its value as it is after the last of the calls.

        Closely means: each case by itself, with what it printed and where it raised.
        """


def same(a: Plain, b: Plain) -> bool:
    """Equal, in types too: plain data that is spelt alike is.

    >>> same((1, 2), (1, 2)), same(1, True), same((1,), [1])
    (True, False, False)
    """
    return a == b and repr(a) == repr(b)


# What a function returned, as plain data: exact types, bounded size, nothing of its own.


SHOWN_MOST = 120
ITEMS_MOST = 100_000
DEPTH_MOST = 6
INT_MOST = 10**300
_WHOLE = {int, bool}


def plain(value: Any, depth: int = 0) -> Plain:
    """The value as plain data.

    A subclass of tuple or list passes as the tuple or list that it is, be it torch.Size or a
    named tuple; so does a subclass of int, except bool. NumPy's numbers are not plain: they
    overflow and round where Python's do not.
    """
    kind = type(value)
    if (kind is tuple or kind is list) and {*map(type, value)} <= _WHOLE and _are_small(value):
        # Much the most frequent answers. A list may be changed later.
        return kind(value)
    if value is None or kind is bool or kind is float:
        return value
    if isinstance(value, int):
        number = int.__index__(value)
        return number if abs(number) < INT_MOST else Foreign("int", "a number of over 300 digits")
    if kind.__module__.split(".")[0] == "numpy":
        return foreign(value)
    if isinstance(value, str):
        return str.__str__(value)[:ITEMS_MOST]
    for base in (tuple, list):
        if isinstance(value, base):
            return _items(base, depth, value)
    return foreign(value)


def _are_small(numbers: Sequence[int]) -> bool:
    return not numbers or (
        len(numbers) <= ITEMS_MOST and min(numbers) > -INT_MOST and max(numbers) < INT_MOST
    )


def _items(kind: Any, depth: int, value: Any) -> Plain:
    items = [*kind.__iter__(value)]
    if depth == DEPTH_MOST or len(items) > ITEMS_MOST:
        return Foreign(type(value).__name__, f"a {kind.__name__} of {count(len(items), 'item')}")
    return kind(plain(item, depth + 1) for item in items)


def printable(text: str) -> str:
    r"""Text that no terminal takes for orders: what cannot be seen stands there as its escape.

    >>> printable("a\x1b[31mb\ud800")
    'a\\x1b[31mb\\ud800'
    """
    # Pictures have thousands of characters, and most lines are what they seem.
    if text.replace("\n", "").isprintable():
        return text
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode()
        for each in text
    )


def foreign(value: Any) -> Foreign:
    """Only the type, and what the value looks like."""
    kind = type(value)
    name = kind.__name__
    if kind.__module__ not in ("builtins", "__main__"):
        name = f"{kind.__module__.split('.')[0]}.{name}"
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001 - somebody's own repr
        shown = f"a {name}"
    # Where it lies is another place each time.
    shown = printable(re.sub(r" at 0x[0-9a-fA-F]+", "", " ".join(shown.split())))
    return Foreign(name, shown if len(shown) <= SHOWN_MOST else shown[: SHOWN_MOST - 1] + "…")
