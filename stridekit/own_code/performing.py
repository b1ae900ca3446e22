"""What an operation gives, without computing it again: torch's and NumPy's own rules on headers."""

import ast
import functools
import math
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from stridekit.own_code.arrays import blank_of, corner, flat, made_of, mapped
from stridekit.own_code.operations import (
    MISSING,
    ORIGINAL,
    Blank,
    Operation,
    Unknown,
    is_a,
    is_array,
    is_data,
    is_plain_sequence,
    is_tensor,
)
from stridekit.own_code.reading import is_among, library_of

PRODUCTS = ("@", "@=", "matmul", "mm", "mv", "bmm", "addmm", "baddbmm", "linear", "dot", "inner")
# What is of one dtype, of which headers alone are not asked; and what takes whole numbers, too.
_OF_ONE_DTYPE = (
    *(*PRODUCTS, "cdist", "conv1d", "conv2d", "conv3d", "grid_sample", "batch_norm"),
    "binary_cross_entropy",
)
_OF_SEVERAL = (torch.nn.Embedding, torch.nn.EmbeddingBag, torch.nn.modules.loss._Loss)
# These make a tensor, beside those that torch has as operations.
_MAKERS = ("tensor", "as_tensor", "from_numpy", "pad_sequence")
# Python's, beside those that pure_eval knows.
_PASSING = (len, zip, enumerate, reversed)
_PLAIN = (*_PASSING, max, min, sum, sorted, torch.device, *filter(callable, vars(math).values()))


@contextmanager
def _no_compilers() -> Iterator[None]:
    """The rules for headers tell torch's compilers to keep away, and loading these takes seconds.

    Where they are not loaded, there is nobody to tell. `_compile.py` has what is asked of them.
    """
    told: list[Any] = []

    def disable(function: Any, *_: Any, **__: Any) -> Any:
        told.append(function)
        return function

    kinds = {f"numpy_default_{kind}": f"{kind}64" for kind in ("int", "float")}
    config = types.SimpleNamespace(
        **kinds, numpy_default_complex="complex128", use_numpy_random_stream=False
    )
    asked: Any = types.ModuleType("torch._dynamo")
    asked.disable, asked.config = disable, config
    absent = asked.__name__ not in sys.modules
    stand_ins = {asked.__name__: asked, f"{asked.__name__}.config": config} if absent else {}
    sys.modules |= stand_ins
    try:
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]
        for function in told:
            del function.__dynamo_disable


class Refused(Unknown):
    """What torch or NumPy would not take."""


def carefully(work: Callable[[], Any]) -> Any:
    """What torch or NumPy gives for shadows. Raises Unknown where they refuse."""
    try:
        with np.errstate(all="ignore"), _no_compilers():
            return work()
    except (IndexError, TypeError, ValueError, RuntimeError) as error:
        # Headers alone have no number either.
        is_ours = isinstance(error, NotImplementedError) or "meta" in str(error)
        raise Unknown if is_ours else Refused from None
    except Exception:  # noqa: BLE001 - whatever a rule raises, the answer is not known
        raise Unknown from None


def performed(operation: Operation | None, again: bool = False) -> Any:
    """What an operation gives. Raises Unknown.

    A call in place has happened to what is the user's, unless it is to be tried `again`.
    """
    if operation is None:
        raise Unknown
    args = [x.value for x in operation.args]
    kwargs = {k: x.value for k, x in operation.kwargs.items()}
    try:
        made = _performed(operation, args, kwargs, again)
    except Unknown as unknown:
        if isinstance(unknown, Refused):
            raise
        # A header has no values, and they may be all that was asked for.
        args, kwargs = mapped(operation.site.value, [args, kwargs])
        made = _performed(operation, args, kwargs, again)
    for x in flat([made]):
        if is_a(x, torch.Tensor) and not hasattr(x, ORIGINAL):
            setattr(x, ORIGINAL, None)
    return made


def _performed(operation: Operation, args: list[Any], kwargs: dict[str, Any], again: bool) -> Any:
    site = operation.site
    name, function = operation.name, operation.function
    given = flat([*args, *kwargs.values()])
    if not all(is_data(x) or (function is len and is_plain_sequence(x)) for x in given):
        raise Unknown
    if name == "[]" and is_tensor(args[0]):
        if any(type(part) is Blank and part.dtype == bool for part in flat([args[1]])):
            raise Unknown
        return carefully(lambda: args[0][args[1]])
    dtypes = {x.dtype for x in given if is_a(x, torch.Tensor)}
    listed = any(is_a(x, torch.Tensor) and x.ndim for x in given if not is_among(x, args))
    if name.rstrip("_") in _OF_ONE_DTYPE and len(dtypes) > 1:
        raise Refused
    if name == "tensor" and listed:
        raise Unknown
    if isinstance(operation.node, ast.stmt):
        return carefully(lambda: _written(operation))
    if not isinstance(operation.node, ast.Call):
        function = functools.partial(_applied, name)
        is_numpys = any(map(is_array, given))
        return carefully(
            lambda: made_of(name, function, args, kwargs) if is_numpys else function(*args)
        )
    if function is abs and is_tensor(args[0]):
        name, function = "abs", np.abs if is_array(args[0]) else torch.abs
    asked = args[function is len :] if is_among(function, _PASSING) else given
    if is_among(function, _PLAIN) and not any(map(is_tensor, asked)):
        found = carefully(lambda: function(*args, **kwargs))
        return [*found] if is_a(found, Iterator) else found
    library = library_of(function)
    if library is np and operation.target is None:
        return carefully(lambda: made_of(name, function, args, kwargs))
    if is_a(function, torch.nn.Module):
        copied: Any = carefully(lambda: site.module(function))
        several = any(is_a(part, _OF_SEVERAL) for part in copied.modules())
        several &= not is_a(function, torch.nn.BCELoss)
        tensors = (x for x in (*given, *copied.parameters()) if is_a(x, torch.Tensor))
        if len({x.dtype for x in tensors if x.is_floating_point() or not several}) > 1:
            raise Unknown
        return carefully(lambda: copied.forward(*args, **kwargs))
    if library is not torch:
        raise Unknown
    kwargs.pop("device", None)
    if name == "numpy" and not args[0].requires_grad:
        real = site.drawable(operation.args[0])
        is_there = is_a(real, torch.Tensor)
        return carefully(lambda: real.detach().numpy() if is_there else blank_of(args[0]))
    if getattr(torch.Tensor, name, None) is function:
        args = [x for x in args if type(x) not in (torch.device, str)]
        if name in ("cpu", "cuda", "pin_memory") or (name == "to" and not (args[1:] or kwargs)):
            return args[0]
        if operation.target is not None and "out" not in kwargs:
            if not again and operation.args[0].found is not None:
                return args[0]
            # In place would change a shadow, which stands for what was before.
            args = [_alike(args[0]), *args[1:]]
    elif not _is_pure(function):
        raise Unknown
    with torch.device("meta"):
        made = carefully(lambda: function(*args, **kwargs))
    if is_a(made, torch.Tensor) and not made.is_meta:
        # It lies in an array's memory. Where that is not there, it has a header alone.
        blank = any(type(x) is Blank for x in given)
        made = made.to("meta") if blank else site.shadow(made)
        setattr(made, ORIGINAL, None)
    return made


def _written(operation: Operation) -> Any:
    """What takes an assignment, done to something else like it. Raises what is raised."""
    own, value = operation.target, operation.args[-1].value
    if own is None or own.value is MISSING:
        raise Unknown
    # An item of an array is not an array.
    x = own.value if own.is_tensor else operation.written.value[:0]
    if is_a(x, torch.Tensor):
        x = _alike(x)
    elif x.flags.writeable:
        # A mere number has no dtype of its own.
        value = corner(np.broadcast_to(value, x.shape)) if np.shape(value) else value
        x = corner(x)
    else:
        raise Unknown
    sign = operation.name if isinstance(operation.node, ast.AugAssign) else "="
    exec(f"x[...] {sign} y", {}, {"x": x, "y": value})
    return x


def _applied(sign: str, *values: Any) -> Any:
    """What an operator gives."""
    text = f"x {sign} y" if values[1:] else f"{sign}x"
    return eval(text, {}, dict(zip("xy", values, strict=False)))


def _alike(x: torch.Tensor) -> torch.Tensor:
    """A new tensor of the same header, but for its offset, which may be written to."""
    return torch.empty_strided(x.size(), x.stride(), dtype=x.dtype, device="meta")


def _is_pure(function: Any) -> bool:
    """Whether a function of torch only makes a tensor of what it is given."""
    name = function.__name__
    if type(function) is types.BuiltinFunctionType and name != "from_file":
        return hasattr(torch.ops.aten, name) or name in _MAKERS
    return function.__module__ in ("torch.functional", "torch.nn.functional") or name in _MAKERS
