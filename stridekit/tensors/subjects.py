"""Whatever comes from outside becomes a `Subject`, or several.

`look_at` has one entry for each kind of thing: what reads its header. Everything else asks that.
"""

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from stridekit.errors import ArgumentError, InteropError, StorageError, needing
from stridekit.layouts.layout import Layout
from stridekit.tensors.dtypes import uint8
from stridekit.tensors.interop import Composite, Subject, near
from stridekit.tensors.interop.objects import advice_on, held_by
from stridekit.tensors.storage import Storage
from stridekit.tensors.tensor import Tensor

Named = list[tuple[str, Subject]]
# Parts may be made of parts themselves; deeper than this, something holds itself.
DEEPEST = 8


def subject_of(call: str, x: object) -> Subject:
    """The subject that one tensor is, of whatever library.

    Records and masked arrays have a header as a whole. Raises InteropError for what is stored in
    several tensors, and for what has no memory to look at; ArgumentError for what is not a tensor.

    >>> subject_of("draw", sk.arange(6).view(2, 3)).layout.stride
    (3, 1)
    """
    found = look_at(call, x)
    found = found.whole or found if isinstance(found, Composite) else found
    if isinstance(found, Subject):
        return found
    lead = "".join(f"{note} " for note in found.notes[:1])
    raise InteropError(
        f"{call}: what is stored in several tensors has no stride of its own. {lead}"
        f"Give one of them, such as x{found.parts[-1].name}, or draw(x), which shows them all."
    )


def named_subjects_of(
    call: str, name: str, x: object, item: str = "", deepest: int = DEEPEST
) -> Named:
    """The subjects that a tensor is made of, by name: itself, or its parts.

    A sparse tensor has its indices and values, a nested one its rows, records have their fields;
    a container and a module have the tensors that they hold. Where it is one of several, `item`
    says which. Raises what `subject_of` raises, but for tensors of several parts.
    """
    whole = look_at(call, x, f"{item} ({name})" if item else "")
    if isinstance(whole, Subject):
        return [(name, whole)]
    if not deepest:
        raise InteropError(
            f"{call}: this {type(x).__name__} is made of tensors that are made of tensors, and so "
            f"on, {DEEPEST} times. Give one that is made of memory."
        )
    found: Named = []
    for part in whole.parts:
        called = f"{name}{part.name}" if name else part.name.lstrip(".: ")
        subjects = named_subjects_of(call, called, part.tensor, item or "item", deepest - 1)
        if part.rows and subjects[0][0] == called:
            subjects = [(called, replace(subjects[0][1], rows=part.rows))]
        found += subjects
    # The first tells how they belong together.
    (name, first), *others = found
    first = replace(first, notes=(*whole.notes, *first.notes), facts=(*whole.facts, *first.facts))
    return [(name, first), *others]


def look_at(call: str, x: Any, where: str = "") -> Subject | Composite:
    """What something is: one header, or the tensors that it is stored in.

    `where` says which of several things it is. Raises ArgumentError, with what to do, for what has
    no memory and holds no tensors; InteropError for what cannot be looked at.
    """
    if isinstance(x, Subject):
        return x
    if isinstance(x, Storage):
        x = Tensor(Layout.of((x.nbytes(),)), x, uint8)
    if isinstance(x, Tensor):
        return _own(call, x)
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if torch is not None and isinstance(
        x, (torch.Tensor, torch.UntypedStorage, torch.TypedStorage)
    ):
        from stridekit.tensors.interop.torch_parts import look_at_torch

        return look_at_torch(call, x)
    if numpy is not None and isinstance(x, numpy.ndarray | numpy.generic):
        from stridekit.tensors.interop.numpy import look_at_numpy

        return look_at_numpy(call, x)
    held = held_by(x)
    if held and held.parts:
        return held
    view = _buffer_of(x)
    if (
        held is None
        and not isinstance(x, type)
        and (view is not None or hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__"))
    ):
        with needing(f"{call}: reading the memory of a {type(x).__name__}", "numpy"):
            from stridekit.tensors.interop.numpy import as_array

        return look_at(call, as_array(call, x, view), where)
    kind = f"an object of type {type(x).__name__}"
    raise ArgumentError(
        f"{call}: {f'{where}, {kind},' if where else kind} has no size and stride. "
        f"{'It holds no tensors.' if held else advice_on(x)}{' Or leave it out.' if where else ''}"
    )


def _buffer_of(x: Any) -> memoryview | None:
    """The memory that it offers as a buffer, if it does; a ctypes pointer offers none."""
    with suppress(TypeError, BufferError, ValueError):
        return None if hasattr(x, "contents") else memoryview(x)
    return None


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
        # Pictures of pixels ask for thousands, and nearly always all are.
        if storage.is_written(0, storage.nbytes()):
            return frozenset()
        return frozenset(p for p in positions if not storage.is_written(p * itemsize, itemsize))

    return Subject(
        library="stridekit",
        layout=x.layout,
        dtype=dtype.name,
        itemsize=itemsize,
        storage_length=length,
        storage_address=storage.data_ptr() or id(storage),
        base=x.layout if x.base is None else x.base.layout,
        bytes_at=near(lambda: storage.memory),
        decode=dtype.unpack,
        storage_id=id(storage),
        unwritten=unwritten,
        may_grow=storage.resizable,
    )
