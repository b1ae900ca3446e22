"""Where a learner's function is called: cases go in as plain data, outcomes come out as such.

Nothing that the learner's code can touch crosses the seam but numbers, strings and bytes.
The verdict is formed elsewhere, from these alone.
"""

import contextlib
import io
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal

from stridekit import dtypes
from stridekit.layout import Ints, Layout
from stridekit.storage import Storage
from stridekit.tensor import Tensor

Function = Callable[..., Any]
# So much of what one call prints is kept, in characters.
PRINTED_MOST = 2000


@dataclass(frozen=True, slots=True)
class TensorData:
    """A tensor as plain data: what it is made from, or what came back.

    Sizes, strides and offset in elements; `storage` holds the bytes.
    """

    library: str
    dtype: str
    size: Ints
    stride: Ints
    storage_offset: int
    storage: bytes

    @property
    def layout(self) -> Layout:
        """The header without the dtype."""
        return Layout(self.size, self.stride, self.storage_offset)

    def values(self) -> bytes:
        """The elements in row-major order, as bytes."""
        itemsize = dtypes.as_dtype(self.dtype).itemsize
        return bytes(Storage.wrap(self.storage).gather(self.layout, itemsize))


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call did: it gave a value, gave a tensor, or raised.

    `type` is the name of the value's or the exception's type. A tensor says whether it is the
    argument itself and whether it shares the argument's storage. `calls` are the torch
    functions, or the names on a stridekit tensor, that were used.
    """

    kind: Literal["value", "tensor", "raised"]
    type: str = ""
    value: object = None
    tensor: TensorData | None = None
    is_argument: bool = False
    shares_storage: bool = False
    raised: str = ""
    printed: str = ""
    mutated: bool = False
    calls: tuple[str, ...] = ()


def run(function: Function, arguments: Iterable[TensorData]) -> Iterator[Outcome]:
    """The outcome of the function on each argument, one after another.

    What the function prints, warns and logs is part of the outcome, and kept off the page: a
    check calls it thousands of times, and so much output would stop a grader.
    """
    for data in arguments:
        with _listening() as heard:
            outcome = (_run_torch if data.library == "torch" else _run_own)(function, data)
        yield replace(outcome, printed=heard.getvalue()[:PRINTED_MOST])


@contextlib.contextmanager
def _listening() -> Iterator[io.StringIO]:
    heard = io.StringIO()
    # A logging handler keeps the stream that it was made with, so replacing sys.stderr is not
    # enough. A notebook's streams can be told to write elsewhere; a terminal's cannot.
    told = []
    for stream in {sys.stdout, sys.stderr}:
        try:
            stream.write = heard.write  # type: ignore[method-assign]
        except AttributeError:
            continue
        told.append(stream)
    try:
        with contextlib.redirect_stdout(heard), contextlib.redirect_stderr(heard):
            yield heard
    finally:
        for stream in told:
            del stream.write


class _Watched(Tensor):
    """A stridekit tensor that notes which of its names are used."""

    __slots__ = ("calls",)
    calls: list[str]

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and name != "calls":
            self.calls.append(name)
        return super().__getattribute__(name)


def _run_own(function: Function, data: TensorData) -> Outcome:
    memory = bytearray(data.storage)
    argument = _Watched(data.layout, Storage.wrap(memory), dtypes.as_dtype(data.dtype))
    argument.calls = []
    result = _call(function, argument)
    outcome = result if isinstance(result, Outcome) else _plain(result)
    return replace(
        outcome, mutated=bytes(memory) != data.storage, calls=tuple(dict.fromkeys(argument.calls))
    )


def _run_torch(function: Function, data: TensorData) -> Outcome:
    import torch

    argument = _torch_tensor(data)
    watch = _torch_watch()()
    with watch:
        result = _call(function, argument)
    if isinstance(result, Outcome):
        outcome = result
    elif isinstance(result, torch.Tensor):
        outcome = Outcome(
            "tensor",
            type="Tensor",
            tensor=_torch_data(result),
            is_argument=result is argument,
            shares_storage=_address(result) == _address(argument) != 0,
        )
    else:
        outcome = _plain(result)
    return replace(
        outcome, mutated=_torch_data(argument) != data, calls=tuple(dict.fromkeys(watch.calls))
    )


@cache
def _torch_watch() -> Any:
    from torch.overrides import TorchFunctionMode, resolve_name

    class Watch(TorchFunctionMode):
        """Notes which torch functions and attributes are used while it is entered."""

        def __init__(self) -> None:
            super().__init__()
            self.calls: list[str] = []

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            name = str(resolve_name(func) or getattr(func, "__name__", func))
            self.calls.append(name.removeprefix("torch.").removesuffix(".__get__"))
            return func(*args, **(kwargs or {}))

    return Watch


def _call(function: Function, argument: object) -> Any:
    """The result, or the outcome of an exception."""
    try:
        return function(argument)
    except Exception as error:  # noqa: BLE001 - whatever it raises is its outcome
        return Outcome("raised", type=type(error).__name__, raised=f"{error}".strip())


def _plain(result: object) -> Outcome:
    plain = result if isinstance(result, bool | int | float | str | None) else repr(result)
    return Outcome("value", type=type(result).__name__, value=plain)


def _address(tensor: Any) -> int:
    return int(tensor.untyped_storage().data_ptr())


def _torch_tensor(data: TensorData) -> Any:
    import torch

    dtype = getattr(torch, data.dtype)
    if not data.storage:
        flat = torch.empty(0, dtype=dtype)
    else:
        flat = torch.frombuffer(bytearray(data.storage), dtype=dtype)
    return flat.as_strided(data.size, data.stride, data.storage_offset)


def _torch_data(tensor: Any) -> TensorData:
    import torch

    whole = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())
    return TensorData(
        "torch",
        str(tensor.dtype).removeprefix("torch."),
        tuple(tensor.size()),
        tuple(tensor.stride()),
        tensor.storage_offset(),
        whole.numpy().tobytes(),
    )
