"""What callers hand over, as plain data: nested numbers and arrays, index keys, devices.

The order of work in a key is torch's (torch/csrc/autograd/python_variable_indexing.cpp): an integer
tensor of rank 0 is an int, sequences become lists of indices, masks stay masks. Whatever else comes
is left to the rules, which refuse it.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, NamedTuple
from warnings import warn

from stridekit.errors import (
    ArgumentError,
    ConversionError,
    DeviceError,
    IndexKindError,
    MagnitudeError,
    NoNumberError,
    NotOfferedError,
    ShapeError,
    StridekitWarning,
    WideIntError,
)
from stridekit.layouts.indexing import Item, Key, Listed
from stridekit.layouts.layout import Ints
from stridekit.layouts.whole_numbers import WIDEST, as_int, spell_long
from stridekit.tensors.base import TensorBase
from stridekit.tensors.dtypes import BY_NAME, DEFAULTS, DType, Number, float32, kind_of, promote

# As many dims as torch's tensors can have.
_MOST_DIMS = 64


class Nest(NamedTuple):
    """A size, the values in row-major order, and the dtypes that were among them."""

    size: Ints
    values: list[Number]
    dtypes: frozenset[DType]

    @property
    def dtype(self) -> DType:
        """The dtype that has room for all: float32 for nothing. Raises SizeError."""
        return reduce(promote, self.dtypes) if self.dtypes else float32


def flattened(call: str, nested: Any) -> Nest:
    """Nested sequences of numbers taken apart. NumPy's numbers and arrays bring their dtype.

    Raises ShapeError for ragged lists, ArgumentError where numbers stand beside lists or a list
    holds itself, NoNumberError for what is no number.

    >>> flattened("tensor", [[1, 2], [3, 4]])[:2]
    ((2, 2), [1, 2, 3, 4])
    """
    return _flattened(call, nested, ())


def _flattened(call: str, nested: Any, outer: tuple[int, ...]) -> Nest:
    if type(nested) in (int, float, bool, complex):
        return Nest((), [nested], frozenset({DEFAULTS[kind_of(nested)]}))
    if not _is_sequence(nested):
        return _leaf(call, nested, inside=bool(outer))
    if id(nested) in outer:
        raise ArgumentError(f"{call}: a list holds itself, so it has no end and no size.")
    if len(outer) >= _MOST_DIMS:
        raise ShapeError(f"{call}: lists more than {_MOST_DIMS} deep. No tensor has so many dims.")
    types = set(map(type, nested))
    if types <= {int, float, bool, complex}:
        dtypes = {DEFAULTS[kind_of(kind())] for kind in types}
        return Nest((len(nested),), list(nested), frozenset(dtypes))
    return _joined(call, nested, [_flattened(call, part, (*outer, id(nested))) for part in nested])


def _joined(call: str, nested: Any, parts: list[Nest]) -> Nest:
    inner = parts[0].size if parts else ()
    for part in parts:
        if () in (part.size, inner) and part.size != inner:
            raise ArgumentError(f"{call}: {nested!r} mixes numbers and lists. Give one of both.")
        if part.size != inner:
            raise ShapeError(
                f"{call}: the lists are ragged: one part has size {inner}, another {part.size}. "
                "Parts of one list must have one size."
            )
    return Nest(
        (len(parts), *inner),
        [value for part in parts for value in part.values],
        frozenset().union(*(part.dtypes for part in parts)),
    )


def _is_sequence(nested: Any) -> bool:
    return isinstance(nested, Sequence) and not isinstance(nested, str | bytes)


def _leaf(call: str, value: Any, *, inside: bool) -> Nest:
    """A number that knows its dtype, or an array. Raises what `flattened` raises."""
    if isinstance(value, TensorBase):
        return _one_of(call, value)
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.ndarray):
        shared = foreign(value)
        if shared is not None:
            return _one_of(call, shared)
    if numpy is not None and isinstance(value, numpy.ndarray | numpy.generic):
        dtype = BY_NAME.get(value.dtype.name)
        if dtype is None:
            raise ArgumentError(f"{call}: there is no dtype here like NumPy's {value.dtype}.")
        plain = value.tolist()
        nest = Nest((), [plain], frozenset()) if value.ndim == 0 else flattened(call, plain)
        return Nest(value.shape, nest.values, frozenset({dtype}))
    # Subclasses of the four, such as an IntEnum.
    if isinstance(value, bool | int | float | complex):
        return Nest((), [value], frozenset({DEFAULTS[kind_of(value)]}))
    said = f"{call}: {value!r} is no number. Give numbers, in lists, or an array or tensor."
    if isinstance(value, str | bytes):
        raise (ShapeError if inside else ArgumentError)(said)
    raise NoNumberError(said)


def _one_of(call: str, x: TensorBase) -> Nest:
    """The one value of a tensor that stands in a list, as torch takes it."""
    if x.numel() != 1:
        raise ConversionError(
            f"{call}: a tensor of size {x.shape} stands in a list, and only tensors of one element "
            "may stand for a number there. stack([...]) makes one tensor of several."
        )
    return Nest((), read_values(x), frozenset({x.dtype}))


def flattened_as(call: str, nested: Any, dtype: DType | None) -> tuple[Ints, DType, list[Number]]:
    """A size, a dtype, and the values as it holds them; None is the dtype that has room for all.

    Raises what `flattened` raises, and ArgumentError, ValueRangeError or WideIntError for a number
    that the dtype does not take.
    """
    try:
        nest = flattened(call, nested)
    except NoNumberError as error:
        if dtype is None:
            raise
        # With a dtype torch asks for numbers, without one it looks for their dtype.
        raise ArgumentError(str(error)) from None
    kind = dtype or nest.dtype
    return nest.size, kind, [_stored(kind, value) for value in nest.values]


def _stored(dtype: DType, value: Number) -> Number:
    """A number as it is put into a new tensor: floats round, to infinity if they must."""
    if dtype.kind in ("int", "float") and isinstance(value, complex):
        raise ArgumentError(f"tensor({value}): {dtype.name} has no imaginary part.")
    if dtype.kind == "bool":
        return bool(value)
    if dtype.kind in ("float", "complex"):
        try:
            return dtype.cast(value)
        except OverflowError:
            raise MagnitudeError(
                f"tensor: {spell_long(int(value.real))} is too large for any float."
            ) from None
    if dtype.name == "uint64" and not isinstance(value, int):
        raise ArgumentError(f"tensor({value}): uint64 takes whole numbers alone.")
    if dtype.name == "uint64" and isinstance(value, int) and value < 0:
        raise MagnitudeError(f"tensor({value}): uint64 holds no negative numbers.")
    widest = 2 * WIDEST + 1 if dtype.name == "uint64" else WIDEST
    if isinstance(value, int) and not -WIDEST - 1 <= value <= widest:
        raise WideIntError(f"tensor: {spell_long(value)} does not fit the 64 bits of int64.")
    return dtype.hold("tensor", value)


def foreign(value: Any) -> TensorBase | None:
    """The header over an array's or a torch tensor's own memory; None for anything else.

    Raises what `from_numpy` and `from_torch` raise.
    """
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(value, numpy.ndarray):
        from stridekit.tensors.interop.numpy import shared_numpy

        return TensorBase(*shared_numpy(value))
    if torch is not None and isinstance(value, torch.Tensor):
        from stridekit.tensors.interop.torch import shared_torch

        return TensorBase(*shared_torch(value.detach()))
    return None


def read_values(x: TensorBase) -> list[Number]:
    """All values of a tensor in row-major order."""
    return x.dtype.unpack(x.untyped_storage().gather(x.layout, x.element_size()))


def is_number(value: object) -> bool:
    """Whether it is a plain number, or one of NumPy's."""
    if isinstance(value, bool | int | float | complex):
        return True
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.number)


def all_kinds(dtypes: Iterable[DType]) -> set[str]:
    """The kinds of some dtypes."""
    return {dtype.kind for dtype in dtypes}


def as_number(call: str, value: Any) -> Number:
    """One plain number from a number, one of NumPy's, or a tensor of rank 0.

    Raises ArgumentError for anything else, MagnitudeError for whole numbers past 64 bits.
    """
    if not isinstance(value, bool | int | float | complex):
        rank = value.ndim if isinstance(value, TensorBase) else None
        if not is_number(value) and rank != 0:
            raise ArgumentError(f"{call}: give a number or a stridekit tensor, not {value!r}.")
        value = value.item()
    number: Number = value
    if isinstance(number, int) and not -WIDEST - 1 <= number <= 2 * WIDEST + 1:
        raise MagnitudeError(
            f"{call}: {spell_long(number)} is past 64 bits, and no dtype holds such a number. "
            "Write it as a float."
        )
    return number


def warn_imaginary(call: str, source: DType, target: DType) -> None:
    """Warn, as torch does, of complex values that lose their imaginary parts."""
    if source.kind == "complex" and target.kind not in ("complex", "bool"):
        warn(
            f"{call}: {source.name} values go to {target.name}, so their imaginary parts are lost.",
            StridekitWarning,
            stacklevel=3,
        )


# What may stand between the brackets of `t[...]`.


_TABLES = ("bool", "int32", "int64")
_IN_ARRAYS = ("int8", "int16", "uint16", "uint32", "uint64")


def as_key(key: Any) -> Key:
    """An index key with its lists, arrays and tensors as plain data.

    Raises IndexKindError, ArgumentError, ShapeError or WideIntError.
    """
    if isinstance(key, tuple):
        return tuple(map(_as_item, key))
    if _stands_for_tuple(key):
        warn(
            f"[{key!r}]: a list that holds lists, slices, None or tensors counts as a tuple of "
            "indices in torch, and as one table of indices in NumPy. Here it is as in torch. "
            "Write [tuple(key)] for the one, [key,] for the other.",
            StridekitWarning,
            stacklevel=3,
        )
        return tuple(map(_as_item, key))
    return _as_item(key)


def tensors_in(key: Any) -> Iterator[TensorBase]:
    """The tensors of a key whose memory is read while the key is used."""
    for item in key if isinstance(key, tuple | list) else (key,):
        if isinstance(item, TensorBase):
            yield item


def _stands_for_tuple(key: Any) -> bool:
    # torch's heuristic, which was NumPy's until 1.23 (treatSequenceAsTuple).
    if not isinstance(key, list) or len(key) >= 32:
        return False
    numpy = sys.modules.get("numpy")
    kinds = (slice, TensorBase, Sequence, *(() if numpy is None else (numpy.ndarray,)))
    return any(item is None or item is Ellipsis or isinstance(item, kinds) for item in key)


def _as_item(item: Any) -> Item:
    if type(item) is int:
        return as_int("[...]", "an index", item)
    if isinstance(item, TensorBase):
        return _tensor_item(item)
    if isinstance(item, str | bytes):
        raise ArgumentError(f"[{item!r}] is no index: dims are counted, and have no names.")
    if isinstance(item, Sequence):
        return _listed(item)
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(item, numpy.bool_):
        raise IndexKindError("[numpy.bool] is no index, as in torch. bool(...) makes it one.")
    shared = foreign(item)
    if shared is not None:
        # Of arrays any whole numbers are taken, of torch tensors what is taken of ours.
        is_array = numpy is not None and isinstance(item, numpy.ndarray)
        return _tensor_item(shared, (*_TABLES, *_IN_ARRAYS) if is_array else _TABLES)
    found: Item = item
    return found


def _tensor_item(index: TensorBase, tables: tuple[str, ...] = _TABLES) -> Item:
    dtype = index.dtype
    if not index.ndim and dtype.kind in ("bool", "int") and dtype.name != "uint8":
        value: Any = read_values(index)[0]
        found: Item = value
        return found
    if dtype.name not in tables:
        raise _no_index(f"a tensor of {dtype.name}", dtype)
    values: tuple[Any, ...] = tuple(read_values(index))
    return Listed(index.shape, values, is_mask=dtype.kind == "bool", stride=index.stride())


def _no_index(what: str, dtype: DType) -> IndexKindError:
    reason = (
        "it would be a mask in torch and a list of indices in NumPy"
        if dtype.name == "uint8"
        else "tensors of int64, int32 or bool are, arrays of whole numbers or bools, and integer "
        "tensors of rank 0"
    )
    return IndexKindError(f"[{what}] is no index: {reason}. Convert it: to(int64) or to(bool).")


def _listed(nested: "Sequence[Any]") -> Listed:
    nest = flattened("index", nested)
    kinds = all_kinds(nest.dtypes)
    if kinds == {"bool"}:
        return Listed(nest.size, tuple(map(bool, nest.values)), is_mask=True)
    if kinds - {"int"}:
        raise IndexKindError(
            f"[{nested!r}] is no index: a list of ints names elements, a list of bools is a mask."
        )
    return Listed(nest.size, tuple(as_int("[...]", "an index", n) for n in nest.values))  # type: ignore[arg-type]


# Where torch's tensors can lie, and what else its constructors take: here there is one answer.


# What torch's constructors take besides, and which values of it change nothing.
_OPTIONS: dict[str, tuple[Any, ...]] = {
    "requires_grad": (False,),
    "pin_memory": (False, None),
    "layout": (None,),
    "out": (None,),
}


def require_plain(call: str, options: dict[str, Any]) -> None:
    """Refuse what asks for another device, for gradients, or for another layout than strides.

    Raises DeviceError, NotOfferedError, and ArgumentError for a keyword that nobody knows.
    """
    for name, value in options.items():
        if name == "device":
            require_cpu(call, value)
        elif name not in _OPTIONS:
            raise ArgumentError(f"{call}: there is no keyword {name!r}.")
        elif not any(value is plain for plain in _OPTIONS[name]) and not _is_strided(value):
            raise NotOfferedError(
                f"{call}({name}={value!r}): a tensor here is a header over the computer's own "
                "memory, without a history and always new. t.torch() gives torch's tensor."
            )


def require_cpu(call: str, device: Any) -> None:
    """Refuse any device but the computer's own memory. Raises DeviceError or ArgumentError."""
    if device is None or str(device) in ("cpu", "cpu:0"):
        return
    if isinstance(device, bool) or not (isinstance(device, int | str) or is_device(device)):
        raise ArgumentError(f"{call}: {device!r} is no device. There is one, the cpu.")
    if isinstance(device, int) and not -WIDEST - 1 <= device <= WIDEST:
        raise WideIntError(f"{call}: a device is not counted past 64 bits. There is one, the cpu.")
    raise DeviceError(
        f"{call}(device={str(device)!r}): the memory here is the computer's own, the cpu."
    )


def is_device(value: Any) -> bool:
    """Whether it is one of torch's devices."""
    return type(value).__module__ == "torch" and type(value).__name__ == "device"


def _is_strided(value: Any) -> bool:
    return str(value) == "torch.strided"
