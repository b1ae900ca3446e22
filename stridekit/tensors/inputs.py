"""What callers hand over, as plain data: numbers, nested lists and arrays, index keys, options.

The order of work in a key is torch's (torch/csrc/autograd/python_variable_indexing.cpp): an integer
tensor of rank 0 is an int, sequences become lists of indices, masks stay masks. Whatever else comes
is left to the rules, which refuse it.
"""

import sys
from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple, TypeVar, cast

from stridekit.errors import (
    ArgumentError,
    ConversionError,
    IndexKindError,
    MagnitudeError,
    NoNumberError,
    NotOfferedError,
    SizeError,
    StorageError,
    caution,
    needing,
    quoted,
)
from stridekit.layouts.indexing import Item, Key, Listed
from stridekit.layouts.layout import Ints, Layout, contiguous_stride
from stridekit.layouts.whole_numbers import WIDEST, a_type, as_int, as_ints, spell_long
from stridekit.tensors.dtypes import (
    BY_NAME,
    DEFAULTS,
    DType,
    Number,
    as_dtype,
    float32,
    kind_of,
    promote,
)
from stridekit.tensors.header import TensorHeader, checked
from stridekit.tensors.storage import Storage, allocated

T = TypeVar("T", bound=TensorHeader)


def foreign(
    call: str,
    value: Any,
    kind: type[T] = TensorHeader,  # type: ignore[assignment]
) -> T | None:
    """The tensor over the memory of an array, a torch tensor, or what offers its memory by DLPack.

    None for anything else. Raises what `from_numpy` and `from_torch` raise.
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(value, numpy.ndarray):
        from stridekit.tensors.interop.numpy import shared_numpy

        return kind(*shared_numpy(call, value))
    if torch is not None and isinstance(value, torch.Tensor):
        from stridekit.tensors.interop.torch import shared_torch

        return kind(*shared_torch(call, value.detach()))
    if hasattr(value, "__dlpack__") and not isinstance(value, type):
        with needing(call, "numpy"):
            from stridekit.tensors.interop.numpy import as_array

        return foreign(call, as_array(call, value), kind)
    return None


def read_values(x: TensorHeader) -> list[Number]:
    """All values of a tensor in row-major order."""
    return x.untyped_storage().values(x.layout, x.dtype)


# One number.


def is_number(value: object) -> bool:
    """Whether it is a plain number, or one of NumPy's."""
    if isinstance(value, bool | int | float | complex):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.number)


def as_number(call: str, value: Any) -> Number:
    """One plain number from a number, one of NumPy's, or a tensor of rank 0.

    Raises ArgumentError for anything else, MagnitudeError for whole numbers past 64 bits.
    """
    if not isinstance(value, bool | int | float | complex):
        if not is_number(value) and not (isinstance(value, TensorHeader) and not value.ndim):
            said = f"{call}: give a number or a stridekit tensor, not {quoted(value)}."
            raise ArgumentError(said)
        value = value.item()
    number: Number = value
    if isinstance(number, int) and not -WIDEST - 1 <= number <= 2 * WIDEST + 1:
        raise MagnitudeError(
            f"{call}: {spell_long(number)} is past 64 bits, and no dtype holds such a number. "
            "Write it as a float."
        )
    return number


# Numbers in nested lists.


# As many dims as torch's tensors can have.
_MOST_DIMS = 64
# What a number in a list takes at least, in bytes.
_NUMBER = 36


class Nest(NamedTuple):
    """A size, the values in row-major order, and the dtypes that were among them."""

    size: Ints
    values: list[Number]
    dtypes: frozenset[DType]

    @property
    def dtype(self) -> DType:
        """The dtype that has room for all: float32 for nothing. Raises SizeError."""
        return reduce(promote, self.dtypes) if self.dtypes else float32


def flattened(call: str, nested: Any, outer: tuple[int, ...] = ()) -> Nest:
    """Nested sequences of numbers taken apart. NumPy's numbers and arrays bring their dtype.

    `outer` are the ids of the lists that this one stands in. Raises ConversionError for ragged
    lists, ArgumentError where numbers stand beside lists or a list holds itself, NoNumberError for
    what is not a number.

    >>> flattened("tensor", [[1, 2], [3, 4]])[:2]
    ((2, 2), [1, 2, 3, 4])
    """
    # A memoryview of several dims is a Sequence, and gives none of its parts.
    is_listed = isinstance(nested, Sequence) and getattr(nested, "ndim", 1) == 1
    if not is_listed or isinstance(nested, str | bytes):
        return _leaf(call, nested, inside=bool(outer))
    if id(nested) in outer:
        raise ArgumentError(f"{call}: a list holds itself, so it has no end and no size.")
    if len(outer) >= _MOST_DIMS:
        raise ConversionError(
            f"{call}: lists more than {_MOST_DIMS} deep. No tensor has so many dims."
        )
    if isinstance(nested, range):
        # Before its numbers are counted out: whether there is room for them.
        allocated(_NUMBER * len(nested))
    types = set(map(type, nested))
    if types <= {int, float, bool, complex}:
        dtypes = {DEFAULTS[kind_of(kind())] for kind in types}
        return Nest((len(nested),), list(nested), frozenset(dtypes))
    parts: list[Nest] = []
    for each in nested:
        parts.append(flattened(call, each, (*outer, id(nested))))
        inner, size = parts[0].size, parts[-1].size
        if size != inner and () in (size, inner):
            raise ArgumentError(
                f"{call}: {quoted(nested)} mixes numbers and lists. Give one or the other."
            )
        if size != inner:
            raise ConversionError(
                f"{call}: the lists are ragged: one part has size {inner}, another {size}. "
                "Parts of one list must have one size."
            )
    return Nest(
        (len(parts), *inner),
        [value for part in parts for value in part.values],
        frozenset().union(*(part.dtypes for part in parts)),
    )


def _leaf(call: str, value: Any, *, inside: bool) -> Nest:
    """A number, or what knows its dtype: one of NumPy's numbers, an array, a tensor of one element.

    Raises what `flattened` raises.
    """
    if isinstance(value, bool | int | float | complex) and not hasattr(value, "dtype"):
        return Nest((), [value], frozenset({DEFAULTS[kind_of(value)]}))
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
        dtype = BY_NAME.get(value.dtype.name)
        if dtype is None:
            raise ArgumentError(f"{call}: there is no dtype here like NumPy's {value.dtype}.")
        return Nest(value.shape, value.ravel().tolist(), frozenset({dtype}))
    x = value if isinstance(value, TensorHeader) else foreign(call, value)
    if x is not None:
        if x.numel() != 1:
            raise ConversionError(
                f"{call}: a tensor of size {x.shape} stands in a list, and only tensors of one "
                "element may stand for a number there. torch.stack makes one of several."
            )
        return Nest((), read_values(x), frozenset({x.dtype}))
    said = (
        f"{call}: {quoted(value)} is not a number. Give numbers, in lists, or an array or tensor."
    )
    if isinstance(value, str | bytes):
        raise (ConversionError if inside else ArgumentError)(said)
    raise NoNumberError(said)


# What may stand between the brackets of `t[...]`.


_TABLES = ("bool", "int32", "int64")
_IN_ARRAYS = ("int8", "int16", "uint16", "uint32", "uint64")


def as_key(key: Any) -> Key:
    """An index key with its lists, arrays and tensors as plain data.

    Raises IndexKindError, ArgumentError, ConversionError or WideIntError.
    """
    if _stands_for_tuple(key):
        caution(
            f"[{quoted(key)}]: a list that holds lists, slices, None or tensors counts as a tuple "
            "of indices in torch, and as one table of indices in NumPy. Here it is as in torch. "
            "Write [tuple(key)] for the one, [key,] for the other."
        )
        key = tuple(key)
    return tuple(map(_as_item, key)) if isinstance(key, tuple) else _as_item(key)


def _stands_for_tuple(key: Any) -> bool:
    # torch's heuristic, which was NumPy's until 1.23 (treatSequenceAsTuple).
    if not isinstance(key, list) or len(key) >= 32:
        return False
    return any(
        item is None
        or item is Ellipsis
        or isinstance(item, slice | Sequence)
        # Tensors, of whatever library.
        or hasattr(type(item), "__dlpack__")
        for item in key
    )


def _as_item(item: Any) -> Item:
    if type(item) is int:
        return as_int("[...]", "an index", item)
    if isinstance(item, TensorHeader):
        return _tensor_item(item)
    if isinstance(item, str | bytes):
        raise ArgumentError(
            f"[{quoted(item)}] is not an index: dims are counted, and have no names."
        )
    if isinstance(item, Sequence):
        return _listed(item)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(item, numpy.bool_):
        raise IndexKindError("[numpy.bool] is not an index, as in torch. bool(...) makes it one.")
    shared = foreign("[...]", item)
    if shared is not None:
        # Of arrays any whole numbers are taken, of torch tensors what is taken of ours.
        is_array = numpy is not None and isinstance(item, numpy.ndarray)
        return _tensor_item(shared, (*_TABLES, *_IN_ARRAYS) if is_array else _TABLES)
    return cast(Item, item)


def _tensor_item(index: TensorHeader, tables: tuple[str, ...] = _TABLES) -> Item:
    dtype = index.dtype
    if not index.ndim and dtype.kind in ("bool", "int") and dtype.name != "uint8":
        return cast(Item, read_values(index)[0])
    if dtype.name not in tables:
        reason = (
            "it would be a mask in torch and a list of indices in NumPy"
            if dtype.name == "uint8"
            else "tensors of int64, int32 or bool are, arrays of whole numbers or bools, and "
            "integer tensors of rank 0"
        )
        raise IndexKindError(
            f"[a tensor of {dtype.name}] is not an index: {reason}. Convert it: to(int64) or "
            "to(bool)."
        )
    values: tuple[Any, ...] = tuple(read_values(index))
    return Listed(index.shape, values, is_mask=dtype.kind == "bool", stride=index.stride())


def _listed(nested: "Sequence[Any]") -> Listed:
    nest = flattened("index", nested)
    kinds = {dtype.kind for dtype in nest.dtypes}
    if kinds == {"bool"}:
        return Listed(nest.size, tuple(map(bool, nest.values)), is_mask=True)
    if kinds - {"int"}:
        raise IndexKindError(
            f"[{quoted(nested)}] is not an index: a list of ints names elements, a list of bools "
            "is a mask."
        )
    return Listed(nest.size, tuple(as_int("[...]", "an index", n) for n in nest.values))  # type: ignore[arg-type]


def require_truth(call: str, name: str, value: Any) -> None:
    """Refuse what is not True or False. Raises ArgumentError."""
    if not isinstance(value, bool):
        raise ArgumentError(
            f"{call}: {name} is True or False, and {quoted(value)} is {a_type(value)}."
        )


# The header that `set_` means.


# Stands for no source; None is refused, as in torch.
NO_SOURCE = Storage(0)


def header_to_set(
    x: TensorHeader, source: Any, storage_offset: Any, size: Any, stride: Any
) -> tuple[Layout, Storage]:
    """The header and the storage that the arguments of `set_` mean, for a tensor.

    Raises SizeError, ArgumentError, LayoutError.
    """
    is_given = [part is not None for part in (storage_offset, size)]
    if (stride is not None or any(is_given)) and (source is NO_SOURCE or not all(is_given)):
        raise ArgumentError(
            "set_: a header goes with a source, and has a storage_offset and a size: "
            "set_(source, 0, (2, 3)). A stride may follow."
        )
    storage = Storage(0) if source is NO_SOURCE else source
    offset = 0 if storage_offset is None else as_int("set_", "storage_offset", storage_offset)
    if isinstance(source, TensorHeader):
        storage = source.untyped_storage()
        offset += source.storage_offset()
        if size is None:
            if source.dtype != x.dtype:
                raise SizeError(
                    f"set_: this tensor has dtype {x.dtype.name}, and the source has "
                    f"{source.dtype.name}. Convert one of them: to(dtype)."
                )
            return source.layout, storage
        if not source.is_contiguous():
            raise SizeError(
                f"set_: a header over a tensor counts from its first element, and this one, of "
                f"stride {source.stride()}, is not contiguous. Give its untyped_storage()."
            )
    if not isinstance(storage, Storage):
        raise ArgumentError(f"set_: give a stridekit tensor or storage, not {a_type(source)}.")
    sizes: Ints = (storage.nbytes() // x.itemsize,)
    if size is not None:
        sizes = as_ints("set_", "a size", size)
    # Without a stride the same size keeps its own, as in resize_.
    strides = x.stride() if sizes == x.shape else contiguous_stride(sizes)
    if stride is not None:
        strides = as_ints("set_", "a stride", stride)
    layout = Layout(sizes, strides, offset)
    if offset < 0 or min(strides, default=0) < 0:
        raise SizeError(f"set_: stride {strides} and storage_offset {offset} must not be negative.")
    if stride is None and sizes == x.shape:
        # What is kept is measured as if it were row-major (ATen/native/Resize.h, checkSetStorage).
        checked(Layout(sizes, contiguous_stride(sizes), offset), storage, x.dtype)
    return layout, storage


# Devices, and what else torch's constructors take: here there is one answer to each.


def target_of(args: tuple[Any, ...], **named: Any) -> tuple[DType | None, bool]:
    """The dtype and the copy flag that the arguments of `to` mean, as torch reads them."""
    first, *rest = args or (None,)
    if isinstance(first, TensorHeader):
        args = (None, first.dtype, *rest)
    elif not _is_device(first) and (first is not None or (rest and isinstance(rest[0], bool))):
        args = (None, *args)
    if len(args) > len(named):
        raise ArgumentError(
            "to: give a dtype, a tensor or a device, then non_blocking and copy, and no more."
        )
    for name, value in zip(named, args, strict=False):
        if named[name] is not None and named[name] is not False:
            raise ArgumentError(
                f"to: {name}={quoted(named[name])} stands beside arguments by place that decide it "
                "already. Give one of the two."
            )
        named[name] = value
    require_plain("to", {"device": named["device"]})
    for name in ("non_blocking", "copy"):
        require_truth("to", name, named[name])
    dtype = named["dtype"]
    return None if dtype is None else as_dtype(dtype), named["copy"]


_PLAIN: dict[str, tuple[str | None, ...]] = {
    "device": (None, "cpu", "cpu:0"),
    "requires_grad": ("False",),
    "pin_memory": (None, "False"),
    "layout": (None, "torch.strided"),
    "out": (None,),
}


def require_plain(call: str, options: dict[str, Any]) -> None:
    """Refuse what asks for another device, for gradients, or for a layout without strides.

    Raises StorageError, NotOfferedError, and ArgumentError for what is not a device, or for a
    keyword that nobody knows.
    """
    for name, value in options.items():
        if name not in _PLAIN:
            raise ArgumentError(f"{call}: there is no keyword {quoted(name)}.")
        if (value if value is None else str(value)) in _PLAIN[name]:
            continue
        if name != "device":
            raise NotOfferedError(
                f"{call}({name}={quoted(value)}): a tensor here is a header over the computer's "
                "own memory, without a history and always new. t.torch() gives torch's tensor."
            )
        if not _is_device(value):
            raise ArgumentError(f"{call}: {quoted(value)} is not a device. There is one, the cpu.")
        raise StorageError(
            f"{call}(device={quoted(str(value))}): the memory here is the computer's own, the cpu."
        )


def _is_device(value: Any) -> bool:
    """Whether it says a device as torch says it: by a name, a number, or one of its objects."""
    is_torch_s = type(value).__module__ == "torch" and type(value).__name__ == "device"
    return is_torch_s or type(value) is int or (isinstance(value, str) and value not in BY_NAME)
