"""The subject that a tensor of any library is: what can be explained or drawn of it."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stridekit.errors import ArgumentError, InteropError, StorageError
from stridekit.tensors.interop import Composite, Subject
from stridekit.tensors.tensor import Tensor

Named = list[tuple[str, Subject]]
# Parts may be made of parts themselves; deeper than this, something holds itself.
DEEPEST = 8


def subject_of(call: str, x: object) -> Subject:
    """The subject that one tensor is, of whatever library.

    Records and masked arrays have a header as a whole. Raises InteropError for what is stored in
    several tensors, and for what has no memory to look at; ArgumentError for what is no tensor.

    >>> subject_of("draw", sk.arange(6).view(2, 3)).layout.stride
    (3, 1)
    """
    known = _known(call, x)
    whole = _composite_of(call, known) if _is_torch(known) else None
    if whole is None:
        return _alone(call, known)
    raise InteropError(
        f"{call}: what is stored in several tensors has no stride of its own. {whole.notes[0]} "
        f"Give one of them, such as x{whole.parts[-1].name}, or draw(x), which shows them all."
    )


def named_subjects_of(call: str, name: str, x: object, deepest: int = DEEPEST) -> Named:
    """The subjects that a tensor is made of, by name: itself, or its parts.

    A sparse tensor has its indices and values, a nested one its rows, records have their fields.
    Raises what `subject_of` raises, but for tensors of several parts.
    """
    known = _known(call, x)
    whole = None if isinstance(known, Subject | Tensor) else _composite_of(call, known)
    if whole is None:
        return [(name, _alone(call, known))]
    if not deepest:
        raise InteropError(
            f"{call}: this {type(x).__name__} is made of tensors that are made of tensors, and so "
            f"on, {DEEPEST} times. Give one that is made of memory."
        )
    found: Named = []
    for part in whole.parts:
        called = f"{name}{part.name}" if name else part.name.removeprefix(".")
        subjects = named_subjects_of(call, called, part.tensor, deepest - 1)
        if part.rows and subjects[0][0] == called:
            subjects = [(called, replace(subjects[0][1], rows=part.rows))]
        found += subjects
    # The first tells how they belong together.
    (name, first), *others = found
    first = replace(first, notes=(*whole.notes, *first.notes), facts=(*whole.facts, *first.facts))
    return [(name, first), *others]


def _known(call: str, x: Any) -> Any:
    """The tensor itself, or an array on the memory that something else offers."""
    if isinstance(x, Subject | Tensor) or _is_torch(x) or _is_numpy(x):
        return x
    return _from_elsewhere(call, x)


def _is_torch(x: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and (type(x) is torch.Tensor or isinstance(x, torch.Tensor))


def _is_numpy(x: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray | numpy.generic)


def _composite_of(call: str, x: Any) -> Composite | None:
    """What a tensor of torch or NumPy is stored in, if that is several; None for one."""
    if _is_torch(x):
        from stridekit.tensors.interop.torch_parts import composite_of_torch

        return composite_of_torch(call, x)
    from stridekit.tensors.interop.numpy_subjects import composite_of_numpy

    return composite_of_numpy(call, x)


def _alone(call: str, x: Any) -> Subject:
    if isinstance(x, Subject):
        return x
    if isinstance(x, Tensor):
        return _own(call, x)
    if _is_torch(x):
        from stridekit.tensors.interop.torch_subjects import subject_of_torch

        return subject_of_torch(call, x)
    from stridekit.tensors.interop.numpy_subjects import subject_of_numpy

    return subject_of_numpy(call, x)


def _from_elsewhere(call: str, x: Any) -> Any:
    """An array on the memory that an object offers by a protocol. Raises ArgumentError."""
    if not isinstance(x, bool | int | float | complex | str | list | tuple | dict | None):
        module = type(x).__module__.partition(".")[0]
        offers = hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__")
        if module not in _ADVICE and (offers or _is_buffer(x)):
            try:
                from stridekit.tensors.interop.others import as_array
            except ImportError:
                raise InteropError(
                    f"{call}: NumPy reads the memory of a {type(x).__name__}, and it is not "
                    "installed here. Install numpy, or give a stridekit tensor."
                ) from None
            array = as_array(call, x)
            if array is not None:
                return array
    raise ArgumentError(
        f"{call}: an object of type {type(x).__name__} has no size and stride. {_advice(x)}"
    )


def _is_buffer(x: Any) -> bool:
    try:
        memoryview(x).release()
    except (TypeError, BufferError, ValueError):
        return False
    return True


_GIVE = "Give a stridekit tensor, a torch tensor or a NumPy array."
# What to do with what is no tensor, by the library that it is of.
_ADVICE = {
    "pandas": "Each column has memory of its own: give one as an array, with .to_numpy().",
    "polars": "Each column has memory of its own: give one as an array, with .to_numpy().",
    "pyarrow": "Each column has memory of its own: give one as an array, with .to_numpy().",
    "scipy": "A sparse array is stored in several: give x.data, x.indices or x.indptr.",
}


def _advice(x: object) -> str:
    """What somebody can do who has this."""
    found = _ADVICE.get(type(x).__module__.partition(".")[0])
    if found:
        return found
    if x is None:
        return f"Perhaps a function gave nothing back. {_GIVE}"
    if isinstance(x, str):
        return (
            "To see its bytes, give text.encode(); for letters in boxes, numpy.array(list(text))."
        )
    if isinstance(x, dict | set | frozenset) or hasattr(x, "__next__"):
        return "Its items lie wherever Python has put them. Give the tensors in it one by one."
    return _GIVE


def _own(call: str, x: Tensor) -> Subject:
    storage, dtype = x.untyped_storage(), x.dtype
    itemsize = dtype.itemsize
    try:
        length = storage.nbytes() // itemsize
    except ValueError:
        raise StorageError(
            f"{call}: this tensor's storage is closed: its memory has been released. Make a new "
            "tensor."
        ) from None

    def unwritten(positions: Sequence[int]) -> frozenset[int]:
        if storage.is_written(0, storage.nbytes()):
            return frozenset()
        return frozenset(
            position
            for position in positions
            if not storage.is_written(position * itemsize, itemsize)
        )

    return Subject(
        library="stridekit",
        layout=x.layout,
        dtype=dtype.name,
        itemsize=itemsize,
        storage_length=length,
        storage_address=storage.data_ptr() or id(storage),
        base=x.layout if x.base is None else x.base.layout,
        read=lambda positions: dtype.unpack(storage.gather_at(positions, itemsize)),
        read_bytes=lambda positions: bytes(storage.gather_at(positions, 1)),
        unwritten=unwritten,
        may_grow=storage.resizable,
    )
