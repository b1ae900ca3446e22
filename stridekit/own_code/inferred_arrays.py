"""What NumPy expressions looked like: views are taken, and all else is zeros of that shape."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from stridekit.own_code.safe_lookup import Unknown, is_a

_ARRAY_VIEWS = frozenset({"transpose", "swapaxes", "squeeze", "diagonal", "view"})

_ARRAY_FACTORIES = frozenset({"arange", "empty", "eye", "full", "linspace", "ones", "zeros"})

_NUMPY_VIEWS = frozenset(
    {
        "broadcast_to",
        "transpose",
        "swapaxes",
        "moveaxis",
        "expand_dims",
        "flip",
        "fliplr",
        "flipud",
        "squeeze",
    }
)

_DATA = (int, float, complex, bool, str, bytes, types.NoneType, slice, types.EllipsisType)

_TORCH_DATA = (torch.dtype, torch.device, torch.memory_format, torch.layout)

# So many elements are cheap to make anew, zeros all of them.
_SMALL = 1e6


def carefully(work: Callable[[], Any]) -> Any:
    """What torch or NumPy gives for shadows. Raises Unknown where they refuse."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - whatever a rule raises, the answer is not known
        raise Unknown(str(error)) from None


def is_data(x: Any) -> bool:
    """Whether it is data through and through, so that torch calls nothing of the user's."""
    if is_a(x, torch.Tensor) or type(x) is np.ndarray:
        return True
    if type(x) is slice:
        return all(type(part) in _DATA for part in (x.start, x.stop, x.step))
    if type(x) in (list, tuple, torch.Size):
        return all(is_data(item) for item in x)
    return type(x) in _DATA or is_a(x, _TORCH_DATA) or _is_numpy_data(x)


def _is_numpy_data(x: Any) -> bool:
    return is_a(x, np.dtype) or (type(x) is type and issubclass(x, np.generic))


def each_of(x: Any) -> tuple[Any, ...]:
    """The items of a list or tuple; anything else alone."""
    return tuple(x) if is_a(x, list | tuple) else (x,)


def _header_array(shape: Any, dtype: Any) -> Any:
    """An array of a shape that takes the memory of one element."""
    strides = np.lib.stride_tricks.as_strided
    return strides(np.zeros(1, dtype), tuple(shape), (0,) * len(tuple(shape)), writeable=False)


def broadcast_array(values: list[Any]) -> Any:
    """What an operator gives for arrays and numbers. Raises Unknown."""
    if not all(type(v) in (np.ndarray, int, float, complex, bool) for v in values):
        raise Unknown(values)
    shapes = [v.shape for v in values if type(v) is np.ndarray]
    dtype = carefully(lambda: np.result_type(*values))
    return carefully(lambda: _fresh(np.broadcast_shapes(*shapes), dtype))


def _fresh(shape: Any, dtype: Any) -> Any:
    """What a new C-ordered array of a shape looks like. It is small, or only its shape is right."""
    if np.prod(shape, dtype=float) <= _SMALL:
        return np.zeros(shape, dtype)
    return _header_array(shape, dtype)


def array_method(x: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a method of an array gives. Raises Unknown."""
    if not all(is_data(v) for v in (*args, *kwargs.values())):
        raise Unknown(name)
    if name in _ARRAY_VIEWS:
        return carefully(lambda: getattr(x, name)(*args, **kwargs))
    if name == "reshape":
        if kwargs:
            raise Unknown(name)
        size = args[0] if len(args) == 1 else tuple(args)
        shape = carefully(lambda: _header_array(x.shape, np.uint8).reshape(size).shape)
        try:
            return x.reshape(shape, copy=False)
        except ValueError:
            return _fresh(shape, x.dtype)
    if name in ("copy", "astype") and len(args) == (name == "astype") and not kwargs:
        return _fresh(x.shape, args[0] if args else x.dtype)
    raise Unknown(name)


def numpy_function(function: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function of NumPy gives. Raises Unknown."""
    if name in _ARRAY_FACTORIES:
        if any(is_a(x, np.ndarray) for x in args) or _too_many(args):
            raise Unknown(name)
        return carefully(lambda: function(*args, **kwargs))
    if name in _NUMPY_VIEWS and args and type(args[0]) is np.ndarray:
        return carefully(lambda: function(*args, **kwargs))
    if name == "frombuffer" and args and type(args[0]) is bytes:
        return carefully(lambda: function(*args, **kwargs))
    if name == "array" and not kwargs and len(args) == 1 and type(args[0]) is list:
        return carefully(lambda: function(*args))
    raise Unknown(name)


def _too_many(args: list[Any]) -> bool:
    numbers = [abs(n) for x in args for n in each_of(x) if type(n) in (int, float)]
    return bool(np.prod([max(n, 1) for n in numbers], dtype=float) > _SMALL)
