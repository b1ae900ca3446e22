"""What may stand between the brackets of `t[...]`, turned into plain data for the rules.

The order of work is torch's (torch/csrc/autograd/python_variable_indexing.cpp): an integer tensor
of rank 0 is an int, sequences become lists of indices, masks stay masks. Whatever else comes is
left to the rules, which refuse it.
"""

import sys
from collections.abc import Iterator, Sequence
from typing import Any
from warnings import warn

from stridekit.errors import ArgumentError, IndexKindError, StridekitWarning
from stridekit.layouts.indexing import Item, Key, Listed
from stridekit.layouts.layout import as_int
from stridekit.tensors.dtypes import DType
from stridekit.tensors.headers import Header
from stridekit.tensors.nested import all_kinds, flattened, read_values

_TABLES = ("bool", "int32", "int64")


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


def tensors_in(key: Any) -> Iterator[Header]:
    """The tensors of a key whose memory is read while the key is used."""
    for item in key if isinstance(key, tuple | list) else (key,):
        if isinstance(item, Header):
            yield item


def _stands_for_tuple(key: Any) -> bool:
    # torch's heuristic, which was NumPy's until 1.23 (treatSequenceAsTuple).
    if not isinstance(key, list) or len(key) >= 32:
        return False
    return any(
        item is None or item is Ellipsis or isinstance(item, slice | Header | Sequence)
        for item in key
    )


def _as_item(item: Any) -> Item:
    if type(item) is int:
        return as_int("[...]", "an index", item)
    if isinstance(item, Header):
        return _tensor_item(item)
    if isinstance(item, str | bytes):
        raise ArgumentError(f"[{item!r}] is no index: dims are counted, and have no names.")
    if isinstance(item, Sequence):
        return _listed(item)
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if torch is not None and isinstance(item, torch.Tensor):
        from stridekit.tensors.interop.torch import shared_torch

        return _tensor_item(Header(*shared_torch(item.detach())))
    if numpy is not None and isinstance(item, numpy.bool_):
        return bool(item)
    if numpy is not None and isinstance(item, numpy.ndarray):
        return _array_item(item)
    found: Item = item
    return found


def _tensor_item(index: Header) -> Item:
    dtype = index.dtype
    values = read_values(index)
    if not index.ndim and dtype.kind in ("bool", "int") and dtype.name != "uint8":
        (value,) = values
        assert isinstance(value, int)
        return value
    if dtype.name not in _TABLES:
        raise _no_index(f"a tensor of {dtype.name}", dtype)
    return Listed(
        index.shape,
        tuple(int(value) if dtype.kind == "int" else bool(value) for value in values),  # type: ignore[arg-type]
        is_mask=dtype.kind == "bool",
        stride=index.stride(),
    )


def _array_item(array: Any) -> Item:
    """An array as torch takes it: any whole numbers, and its strides count."""
    from stridekit.tensors.interop.numpy import shared_numpy

    index = Header(*shared_numpy(array))
    dtype = index.dtype
    if dtype.kind not in ("bool", "int") or dtype.name == "uint8":
        raise _no_index(f"an array of {dtype.name}", dtype)
    values = read_values(index)
    if not index.ndim:
        return values[0]  # type: ignore[return-value]
    return Listed(
        index.shape,
        tuple(values),  # type: ignore[arg-type]
        is_mask=dtype.kind == "bool",
        stride=index.stride(),
    )


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
