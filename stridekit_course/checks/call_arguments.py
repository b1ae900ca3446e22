"""The arguments of a call, made from their data; what became of them; and what came back."""

import sys
from ctypes import string_at
from typing import Any

from stridekit.layouts.layout import Layout
from stridekit.tensors import dtypes
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor
from stridekit_course.checks.callee import Case, Outcome, TensorData, foreign, plain

# So many bytes lie between one memory and the next: what reaches too far meets nothing by chance.
BETWEEN = 4096
# A result's storage is read whole if it has at most so many bytes, and else as far as the elements
# reach, but no further than any argument's do: a stride that is too long makes gigabytes.
READ_WHOLE, READ_MOST = 2**15, 2**21


class Arguments:
    """The arguments of one call."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._memories: dict[int, memoryview] = {}
        self._make()

    def _make(self) -> None:
        self.values: tuple[Any, ...] = ()
        for data in self.case.arguments:
            self.values += (self._made(data),)
        # Where each begins and ends, as it was given.
        self._addresses = [*map(_address, self.values)]

    def _made(self, data: Any) -> Any:
        if type(data) is not TensorData:
            return data
        first = self.case.arguments.index(data)
        if first < len(self.values):
            # What is given twice is the same object.
            return self.values[first]
        # One object for each memory, so that views of one storage are views of one storage.
        memory = self._memories.get(data.memory)
        if memory is None:
            room = bytearray(len(data.storage) + BETWEEN)
            memory = self._memories[data.memory] = memoryview(room)[: len(data.storage)]
            memory[:] = data.storage
        if data.library == "stridekit":
            return Tensor(data.layout, Storage.wrap(memory), dtypes.as_dtype(data.dtype))
        return (_torch_tensor if data.library == "torch" else _array)(data, memory)

    def refill(self, case: Case) -> bool:
        """Let the same memory hold another case; unless that needs more of it, or less.

        If it differs in values alone, its arguments are the same objects.
        """
        lengths = {number: len(memory) for number, memory in self._memories.items()}
        if lengths != {data.memory: len(data.storage) for data in case.tensors}:
            return False
        was, self.case = self.case, case
        for data in case.tensors:
            self._memories[data.memory][:] = data.storage
        if [*map(_without_values, was.arguments)] != [*map(_without_values, case.arguments)]:
            self._make()
        return True

    def changed(self) -> int | None:
        """The number of the first argument that is not as it was given, in any way it can be."""
        for number, (was, now) in enumerate(zip(self.case.arguments, self.values, strict=True)):
            if type(was) is TensorData and not self._is_as_given(was, now):
                return number
        return None

    def _is_as_given(self, was: TensorData, now: Any) -> bool:
        # A view of memory would be compared number by number.
        if bytes(self._memories[was.memory]) != was.storage:
            return False
        if was.library == "torch":
            return _torch_header(now) == (was.size, was.stride, was.storage_offset, was.dtype)
        if was.library == "numpy":
            itemsize = was.itemsize
            steps = tuple(step * itemsize for step in was.stride)
            facts = now.shape, now.strides, now.dtype.name, now.flags.writeable
            return bool(facts == (was.size, steps, was.dtype, not was.read_only))
        return bool(Tensor.size(now) == was.size and Tensor.stride(now) == was.stride)

    def outcome(self, result: Any, others: set[int]) -> Outcome:
        """What a call with these arguments returned, as data.

        `others` are where storages of other results begin, and that of this one is entered.
        """
        data = _data_of(result)
        if data is None:
            return Outcome("value", plain(result))
        is_argument = next((n for n, each in enumerate(self.values) if each is result), None)
        address = _address(result)
        if address is None:
            return Outcome("value", data, is_argument)
        low, high = address
        own = (n for n, at in enumerate(self._addresses) if at and low < at[1] and at[0] < high)
        is_kept = low in others
        others.add(low)
        return Outcome("value", data, is_argument, next(own, None), is_kept=is_kept)


def _without_values(argument: Any) -> Any:
    """An argument, as far as it can be seen without reading elements."""
    if type(argument) is not TensorData:
        return argument
    return argument._replace(storage=b"")


def _torch_tensor(data: TensorData, memory: memoryview) -> Any:
    import torch

    dtype = getattr(torch, data.dtype)
    itemsize = dtype.itemsize
    # What is left over at the end is less than an element.
    count = (len(memory) - data.apart) // itemsize
    if count <= 0:
        flat = torch.empty(0, dtype=dtype)
        return flat.as_strided(data.size, data.stride, data.storage_offset)
    flat = torch.frombuffer(memory, dtype=dtype, offset=data.apart, count=count)
    header = data.storage_offset, data.size, data.stride
    # Torch calls some a view and some not, of each kind of header: no function may go by that.
    if hash(header) // 7 % 2:
        return flat.set_(flat.untyped_storage(), *header)
    return flat.as_strided(data.size, data.stride, data.storage_offset)


def _torch_header(tensor: Any) -> tuple[object, ...] | None:
    """Size, stride, offset and dtype; None where something else has been done to it."""
    if tensor.requires_grad or tensor.is_conj() or tensor.is_neg() or vars(tensor):
        return None
    dtype = str(tensor.dtype).removeprefix("torch.")
    return tuple(tensor.size()), tensor.stride(), tensor.storage_offset(), dtype


def _array(data: TensorData, memory: memoryview) -> Any:
    import numpy as np

    dtype = np.dtype(data.dtype)
    steps = tuple(step * dtype.itemsize for step in data.stride)
    # Some have an array as their base and some have none: no function may go by that.
    whole = np.frombuffer(memory, np.uint8) if hash((data.size, steps)) // 7 % 2 else memory
    array: Any = np.ndarray(
        data.size, dtype, whole, offset=data.storage_offset * dtype.itemsize, strides=steps
    )
    array.flags.writeable = not data.read_only
    return array


def _address(thing: Any) -> tuple[int, int] | None:
    """The first byte of a tensor's storage, and the one after the last."""
    torch = sys.modules.get("torch")
    # A subclass may answer for itself, and is not a tensor here.
    if torch is not None and type(thing) in (torch.Tensor, torch.nn.Parameter):
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
    kind = type(result)
    # Torch takes long to say of what is none of its tensors that it is none.
    if torch is not None and (kind is torch.Tensor or isinstance(result, torch.Tensor)):
        if kind is not torch.Tensor and kind is not torch.nn.Parameter:
            return foreign(result)
        if result.layout is not torch.strided or result.is_nested or not result.is_cpu:
            return foreign(result)
        return _torch_data(result)
    if numpy is not None and isinstance(result, numpy.ndarray):
        return foreign(result)
    return None


def _torch_data(tensor: Any) -> TensorData:
    if tensor.is_neg() or tensor.is_conj():
        tensor = tensor.resolve_neg().resolve_conj()
    storage = tensor.untyped_storage()
    length = storage.nbytes()
    header = tuple(tensor.size()), tensor.stride(), tensor.storage_offset()
    if length > READ_WHOLE:
        length = min(length, Layout(*header).needed * tensor.element_size(), READ_MOST)
    return TensorData(
        "torch",
        str(tensor.dtype).removeprefix("torch."),
        *header,
        string_at(storage.data_ptr(), length) if length else b"",
    )
