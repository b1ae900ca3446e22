"""What crosses between a check and the function it checks: plain data, both ways.

A batch of cases goes in, an outcome for each comes out. Nothing else passes, so the function
may as well live in another process. The verdict is formed from the outcomes alone.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, runtime_checkable

from stridekit.layouts.layout import Ints, Layout
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage

Function = Callable[..., Any]
Watch = Literal["plain", "tensors"]
"""Which calls are noted while a function runs: all into torch, NumPy and stridekit, or those
on tensors."""


@dataclass(frozen=True, slots=True)
class TensorData:
    """A tensor or an array as plain data: what it is made from, or what came back.

    Sizes, strides and offset in elements; `storage` holds the bytes. Arguments of one case
    with the same `memory` lie on one storage. `read_only` is for NumPy's arrays.
    """

    library: Literal["torch", "stridekit", "numpy"]
    dtype: str
    size: Ints
    stride: Ints
    storage_offset: int
    storage: bytes
    memory: int = 0
    read_only: bool = False

    @property
    def layout(self) -> Layout:
        """The header without the dtype."""
        return Layout(self.size, self.stride, self.storage_offset)

    def values(self) -> bytes:
        """The elements in row-major order, as bytes."""
        itemsize = dtypes.as_dtype(self.dtype).itemsize
        return bytes(Storage.wrap(self.storage).gather(self.layout, itemsize))


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value that is not plain: only its type and what it looks like come through."""

    type: str
    shown: str


Argument = Any
"""An int, a str, None, tuples of these, or a TensorData."""
Plain = Any
"""None, bool, int, float, str, tuples and lists of these, TensorData, Foreign."""


@dataclass(frozen=True, slots=True)
class Case:
    """One call: the arguments, in order. `measured` asks for the peak of memory that it takes."""

    arguments: tuple[Argument, ...]
    measured: bool = False

    @property
    def tensors(self) -> tuple[TensorData, ...]:
        """The arguments that are tensors or arrays."""
        return tuple(each for each in self.arguments if isinstance(each, TensorData))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call did: it gave a value, raised, or was stopped because it took too long.

    `value` may be a TensorData; then `is_argument` is the number of the argument that it is,
    and `aliases` that of the argument whose storage it shares. `bases` are the names of the
    exception's classes, `raised` its message. `changed` is the number of an argument that was
    changed, `calls` names the library functions that were called, `peak` is the most memory
    in bytes that the call held beyond what was there before.
    """

    kind: Literal["value", "raised", "stopped"]
    value: Plain = None
    is_argument: int | None = None
    aliases: int | None = None
    bases: tuple[str, ...] = ()
    raised: str = ""
    printed: str = ""
    changed: int | None = None
    calls: tuple[str, ...] = ()
    peak: int | None = None

    @property
    def answer(self) -> tuple[object, ...]:
        """What counts when two outcomes are compared."""
        return self.kind, _exactly(self.value), self.is_argument, self.aliases, self.bases[:1]


@dataclass(frozen=True, slots=True)
class SourceCall:
    """A call that stands in the source: `.name` where it is not known on what."""

    name: str
    line: int


@runtime_checkable
class Callee(Protocol):
    """A function to be checked, wherever it lives."""

    def read(self) -> Sequence[SourceCall]:
        """The calls in its source, helpers included; empty where there is no source."""

    def run(self, cases: Iterable[Case], watch: Watch) -> Generator[Outcome, None, None]:
        """The outcome of each case, in order."""


def _exactly(value: Plain) -> object:
    """The value with its types, for True is equal to 1 and 1 to 1.0."""
    if isinstance(value, tuple | list):
        return type(value), tuple(_exactly(item) for item in value)
    return type(value), value


def same(a: Plain, b: Plain) -> bool:
    """Equal, in types too.

    >>> same((1, 2), (1, 2)), same(1, True), same((1,), [1])
    (True, False, False)
    """
    return _exactly(a) == _exactly(b)
