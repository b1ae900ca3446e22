"""Values of one kind, made again from what is told of them: a stranger may have told it."""

import base64
import builtins
import datetime as dt
import decimal
import fractions
import keyword
import sys
from collections.abc import Callable
from operator import attrgetter
from typing import Any


def in_text(some: bytes) -> str:
    """Bytes, for JSON."""
    return base64.b64encode(some).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)


def identifier(name: Any) -> str:
    """A name that may stand in code. Raises ValueError."""
    if type(name) is not str or not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError("no name")
    return name


def dtype_told(dtype: Any) -> Any:
    """A dtype as NumPy describes it: a word, or a list of fields."""
    if dtype.names is None:
        return dtype.str
    import numpy as np

    return [list(each) for each in np.lib.format.dtype_to_descr(dtype)]


def _as_dtype(told: Any) -> Any:
    import numpy as np

    dtype = np.dtype(told if type(told) is str else [tuple(each) for each in told])
    if dtype.hasobject:
        raise ValueError("a dtype of objects")
    return dtype


def _scalar(dtype: Any, some: str) -> Any:
    import numpy as np

    return np.frombuffer(_bytes(some), _as_dtype(dtype))[0]


def array_of(parts: list[Any]) -> Any:
    """An array, with memory of its own. Raises ValueError."""
    import numpy as np

    dtype, shape, order, some, writeable = parts
    flat: Any = np.frombuffer(bytearray(_bytes(some)), _as_dtype(dtype))
    array = flat.reshape([int(size) for size in shape], order="F" if order == "F" else "C")
    if not writeable:
        array.flags.writeable = False
    return array


def tensor_of(parts: list[Any]) -> Any:
    """A tensor over a storage of its own. Raises ValueError."""
    import torch

    dtype, size, stride, offset, some, requires_grad, is_parameter = parts
    kind = getattr(torch, identifier(dtype))
    if type(kind) is not torch.dtype:
        raise ValueError("no dtype")
    storage = bytearray(_bytes(some))
    flat = torch.frombuffer(storage, dtype=kind) if storage else torch.empty(0, dtype=kind)
    tensor = flat.as_strided(size, stride, offset)
    if is_parameter:
        return torch.nn.Parameter(tensor, requires_grad=requires_grad)
    return tensor.requires_grad_() if requires_grad else tensor


def _type_of(name: str) -> Any:
    thing = vars(builtins)[name]
    if not isinstance(thing, type):
        raise ValueError("no type")
    return thing


def _size(items: list[int]) -> Any:
    import torch

    return torch.Size(items)


def _module(name: str) -> Any:
    """A module that is loaded here too. What a stranger names is not imported for it."""
    return sys.modules[name]


def _library_error(module: str, name: str) -> Any:
    kind = attrgetter(name)(sys.modules[module])
    if not (isinstance(kind, type) and issubclass(kind, Exception)):
        raise ValueError("no exception")
    return kind


def _torch_dtype(name: str) -> Any:
    import torch

    thing = getattr(torch, identifier(name))
    if type(thing) is not torch.dtype:
        raise ValueError("no dtype")
    return thing


MAKERS: dict[str, Callable[..., Any]] = {
    "int": lambda text: int(text, 16),
    "complex": lambda real, imaginary: complex(float(real), float(imaginary)),
    "bytes": _bytes,
    "bytearray": lambda text: bytearray(_bytes(text)),
    "constant": {"Ellipsis": Ellipsis, "NotImplemented": NotImplemented}.__getitem__,
    "fraction": lambda n, d: fractions.Fraction(int(n, 16), int(d, 16)),
    "decimal": decimal.Decimal,
    "date": dt.date.fromisoformat,
    "datetime": dt.datetime.fromisoformat,
    "time": dt.time.fromisoformat,
    "timedelta": lambda days, seconds, micro: dt.timedelta(days, seconds, micro),
    "type": _type_of,
    "module": _module,
    "error": _library_error,
    "scalar": _scalar,
    "dtype": _as_dtype,
    "size": _size,
    "torch.dtype": _torch_dtype,
}
