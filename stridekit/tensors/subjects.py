"""The subject that a tensor of any library is: what can be explained or drawn of it."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stridekit.errors import ArgumentError, InteropError, StorageError
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import uint8
from stridekit.tensors.interop import Composite, Subject
from stridekit.tensors.interop.objects import advice_on, held_by
from stridekit.tensors.storage import Storage
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
    known = _known(call, x, "")
    whole = known if isinstance(known, Composite) else None
    if _is_torch(known):
        whole = _composite_of(call, known)
    if whole is None:
        return _alone(call, known)
    raise InteropError(
        f"{call}: what is stored in several tensors has no stride of its own. "
        f"{''.join(f'{note} ' for note in whole.notes[:1])}"
        f"Give one of them, such as x{whole.parts[-1].name}, or draw(x), which shows them all."
    )


def named_subjects_of(
    call: str, name: str, x: object, item: str = "", deepest: int = DEEPEST
) -> Named:
    """The subjects that a tensor is made of, by name: itself, or its parts.

    A sparse tensor has its indices and values, a nested one its rows, records have their fields;
    a container and a module have the tensors that they hold. Where it is one of several, `item`
    says which. Raises what `subject_of` raises, but for tensors of several parts.
    """
    known = _known(call, x, f"{item} ({name})" if item else "")
    whole = _composite_of(call, known)
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
        subjects = named_subjects_of(call, called, part.tensor, item or "item", deepest - 1)
        if part.rows and subjects[0][0] == called:
            subjects = [(called, replace(subjects[0][1], rows=part.rows))]
        found += subjects
    # The first tells how they belong together.
    (name, first), *others = found
    first = replace(first, notes=(*whole.notes, *first.notes), facts=(*whole.facts, *first.facts))
    return [(name, first), *others]


def _known(call: str, x: Any, where: str) -> Any:
    """The tensor itself, an array on the memory that something else offers, or what holds tensors.

    Raises ArgumentError, with what to do, for what is none of these; InteropError as `as_array`.
    """
    if isinstance(x, Subject | Tensor) or _is_torch(x) or _is_numpy(x):
        return x
    if isinstance(x, Storage):
        return Tensor(Layout.of((x.nbytes(),)), x, uint8)
    held = held_by(x)
    if held is not None and held.parts:
        return held
    array = None if held else _from_elsewhere(call, x)
    if array is not None:
        return array
    kind = f"an object of type {type(x).__name__}"
    raise ArgumentError(
        f"{call}: {f'{where}, {kind},' if where else kind} has no size and stride. "
        + ("It holds no tensors." if held else advice_on(x))
        + (" Or leave it out." if where else "")
    )


def _is_torch(x: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and (type(x) is torch.Tensor or isinstance(x, torch.Tensor))


def _is_numpy(x: object) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(x, numpy.ndarray | numpy.generic)


def _composite_of(call: str, x: Any) -> Composite | None:
    """What it is stored in, if that is several; None for one tensor."""
    if isinstance(x, Composite):
        return x
    if isinstance(x, Subject | Tensor):
        return None
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
    """An array on the memory that an object offers by a protocol; None where it offers none."""
    offers = hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__") or _is_storage(x)
    is_pointer = hasattr(x, "contents")
    if isinstance(x, type) or is_pointer or not (offers or _is_buffer(x)):
        return None
    if _is_storage(x):
        from stridekit.tensors.interop.torch_subjects import over_storage

        return over_storage(x)
    try:
        from stridekit.tensors.interop.others import as_array
    except ImportError:
        raise InteropError(
            f"{call}: NumPy reads the memory of a {type(x).__name__}, and it is not "
            "installed here. Install numpy, or give a stridekit tensor."
        ) from None
    return as_array(call, x)


def _is_storage(x: object) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.UntypedStorage | torch.TypedStorage)


def _is_buffer(x: Any) -> bool:
    try:
        memoryview(x).release()
    except (TypeError, BufferError, ValueError):
        return False
    return True


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
