"""Calls a learner's function in this process: cases as plain data in, outcomes out."""

import contextlib
import io
import sys
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from stridekit.checks.limits import Clock, Limits, TimeUpError
from stridekit.checks.plain_data import foreign, plain
from stridekit.checks.seam import Case, Function, Outcome, SourceCall, TensorData, Watch
from stridekit.checks.watching import calls_in_source, watched
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor

# So much of what one call prints is kept, in characters.
PRINTED_MOST = 2000


class Local:
    """A function of this process."""

    def __init__(self, function: Function, limits: Limits | None = None) -> None:
        self.function = function
        self.limits = limits or Limits()

    def read(self) -> Sequence[SourceCall]:
        """The library calls in its source and in that of its helpers."""
        return calls_in_source(self.function)

    def run(self, cases: Iterable[Case], watch: Watch) -> Generator[Outcome, None, None]:
        """The outcome of each case, one after another.

        What the function prints, warns and logs is part of the outcome, and kept off the
        page: a check calls it thousands of times, and so much output would stop a grader.
        """
        with Clock(self.limits) as clock:
            for case in cases:
                if clock.is_spent:
                    yield Outcome("stopped", raised="all")
                    return
                yield self._outcome(case, watch, clock)

    def _outcome(self, case: Case, watch: Watch, clock: Clock) -> Outcome:
        given = _Given(case)
        with _listening() as heard:
            outcome = _call(self.function, given, watch, clock)
        return replace(outcome, printed=heard.getvalue()[:PRINTED_MOST], changed=given.changed())


def _call(function: Function, given: "_Given", watch: Watch, clock: Clock) -> Outcome:
    """The outcome, but for what was printed and changed."""
    calls: list[str] = []
    measure = _peak_meter() if given.case.measured else _unmeasured
    try:
        with clock.call():
            with watched(watch) as calls:
                # Reading the result takes memory too, and must not count.
                result, peak = measure(lambda: function(*given.arguments))
            outcome = replace(_returned(result, given), peak=peak)
    except TimeUpError:
        return Outcome("stopped", raised="call")
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - whatever it raises is its outcome
        outcome = _raised(error)
    calls = [*calls, *given.calls]
    return replace(outcome, calls=tuple(dict.fromkeys(calls)))


def _raised(error: BaseException) -> Outcome:
    try:
        said = " ".join(f"{error}".split())
    except Exception:  # noqa: BLE001 - somebody's own message
        said = ""
    bases = tuple(kind.__name__ for kind in type(error).__mro__ if kind is not object)
    return Outcome("raised", bases=bases, raised=said[:300])


class _Given:
    """The arguments of one call, made from their data, and what became of them."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.calls: list[str] = []
        self._memories: dict[int, Any] = {}
        self.arguments = tuple(
            self._made(each) if isinstance(each, TensorData) else each for each in case.arguments
        )
        self._addresses = [_address(each) for each in self.arguments]

    def _made(self, data: TensorData) -> Any:
        # One bytearray for each memory, so that views of one storage are views of one storage.
        memory = self._memories.setdefault(data.memory, bytearray(data.storage))
        if data.library == "stridekit":
            own = _Noted(data.layout, Storage.wrap(memory), dtypes.as_dtype(data.dtype))
            own.calls = self.calls
            return own
        return (_torch_tensor if data.library == "torch" else _array)(data, memory)

    def changed(self) -> int | None:
        """The number of the first argument that is not as it was given."""
        for number, (was, now) in enumerate(zip(self.case.arguments, self.arguments, strict=True)):
            if isinstance(was, TensorData) and not self._is_as_given(was, now):
                return number
        return None

    def _is_as_given(self, was: TensorData, now: Any) -> bool:
        if self._memories[was.memory] != was.storage:
            return False
        if was.library == "torch":
            header = tuple(now.size()), tuple(now.stride()), now.storage_offset()
            return header == (was.size, was.stride, was.storage_offset)
        if was.library == "numpy":
            itemsize = now.itemsize
            return (now.shape, tuple(step // itemsize for step in now.strides)) == (
                was.size,
                was.stride,
            )
        return bool(Tensor.size(now) == was.size and Tensor.stride(now) == was.stride)

    def number_of(self, result: Any) -> int | None:
        """Which argument the result is."""
        same = (n for n, each in enumerate(self.arguments) if each is result)
        return next(same, None)

    def aliased_by(self, result: Any) -> int | None:
        """Which argument's storage the result lies on."""
        address = _address(result)
        if address is None:
            return None
        low, high = address
        for number, own in enumerate(self._addresses):
            if own and low < own[1] and own[0] < high:
                return number
        return None


def _returned(result: Any, given: _Given) -> Outcome:
    data = _data_of(result)
    return Outcome(
        "value",
        value=plain(result) if data is None else data,
        is_argument=None if data is None else given.number_of(result),
        aliases=given.aliased_by(result),
    )


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
        with (
            contextlib.redirect_stdout(heard),
            contextlib.redirect_stderr(heard),
            warnings.catch_warnings(record=True) as warned,
        ):
            warnings.simplefilter("default")
            yield heard
        for warning in warned:
            heard.write(f"{warning.category.__name__}: {warning.message}\n")
    finally:
        for stream in told:
            del stream.write


class _Noted(Tensor):
    """A stridekit tensor that notes which of its names are used."""

    __slots__ = ("calls",)
    calls: list[str]

    def __repr__(self) -> str:
        # Printing reads all there is, and does no exercise.
        noted = len(self.calls)
        text = super().__repr__()
        del self.calls[noted:]
        return text

    def __getattribute__(self, name: str) -> Any:
        if not name.startswith("_") and name != "calls":
            self.calls.append(f"Tensor.{name}")
        return super().__getattribute__(name)


def _torch_tensor(data: TensorData, memory: bytearray) -> Any:
    import torch

    dtype = getattr(torch, data.dtype)
    flat = torch.frombuffer(memory, dtype=dtype) if memory else torch.empty(0, dtype=dtype)
    return flat.as_strided(data.size, data.stride, data.storage_offset)


def _array(data: TensorData, memory: bytearray) -> Any:
    import numpy as np

    dtype = np.dtype(data.dtype)
    steps = tuple(step * dtype.itemsize for step in data.stride)
    array: Any = np.ndarray(
        data.size, dtype, memory, offset=data.storage_offset * dtype.itemsize, strides=steps
    )
    array.flags.writeable = not data.read_only
    return array


def _address(thing: Any) -> tuple[int, int] | None:
    """The first byte of a tensor's storage, and the one after the last."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(thing, torch.Tensor):
        try:
            storage = torch.Tensor.untyped_storage(thing)
            low = storage.data_ptr()
        except (RuntimeError, NotImplementedError):
            return None
        return (low, low + storage.nbytes()) if storage.nbytes() else None
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(thing, numpy.ndarray):
        return tuple(numpy.lib.array_utils.byte_bounds(thing)) if thing.size else None
    return None


def _data_of(result: Any) -> Any:
    """A tensor or array as data, or what it looks like where it has none; None for the rest."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(result, torch.Tensor):
        if type(result) not in (torch.Tensor, torch.nn.Parameter):
            return foreign(result)
        if result.layout is not torch.strided or result.device.type != "cpu":
            return foreign(result)
        return _torch_data(result.detach())
    if numpy is not None and isinstance(result, numpy.ndarray):
        return foreign(result)
    return None


def _torch_data(tensor: Any) -> TensorData:
    import torch

    tensor = tensor.resolve_neg().resolve_conj()
    whole = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage())
    return TensorData(
        "torch",
        str(tensor.dtype).removeprefix("torch."),
        tuple(tensor.size()),
        tuple(tensor.stride()),
        tensor.storage_offset(),
        whole.numpy().tobytes(),
    )


def _unmeasured(call: Callable[[], Any]) -> tuple[Any, None]:
    return call(), None


def _peak_meter() -> Callable[[Callable[[], Any]], tuple[Any, int | None]]:
    from stridekit.checks.peak_memory import peak_meter

    return peak_meter()
