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
from stridekit.layouts.whole_numbers import as_int
from stridekit.tensors.dtypes import DType
from stridekit.tensors.headers import Header
from stridekit.tensors.nested import all_kinds, flattened, foreign, read_values

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


def tensors_in(key: Any) -> Iterator[Header]:
    """The tensors of a key whose memory is read while the key is used."""
    for item in key if isinstance(key, tuple | list) else (key,):
        if isinstance(item, Header):
            yield item


def _stands_for_tuple(key: Any) -> bool:
    # torch's heuristic, which was NumPy's until 1.23 (treatSequenceAsTuple).
    if not isinstance(key, list) or len(key) >= 32:
        return False
    numpy = sys.modules.get("numpy")
    kinds = (slice, Header, Sequence, *(() if numpy is None else (numpy.ndarray,)))
    return any(item is None or item is Ellipsis or isinstance(item, kinds) for item in key)


def _as_item(item: Any) -> Item:
    if type(item) is int:
        return as_int("[...]", "an index", item)
    if isinstance(item, Header):
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


def _tensor_item(index: Header, tables: tuple[str, ...] = _TABLES) -> Item:
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
