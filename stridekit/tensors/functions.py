"""torch's functions: those that join several tensors, and the functional forms of methods."""

from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any, SupportsIndex

from stridekit.errors import ArgumentError, ConversionError, SizeError
from stridekit.layouts.broadcasting import Misfit, broadcast_sizes
from stridekit.layouts.layout import Ints, wrap_dim
from stridekit.layouts.memory_formats import contiguous_format, suggested
from stridekit.layouts.whole_numbers import as_ints
from stridekit.tensors.constructors import empty
from stridekit.tensors.dtypes import promote
from stridekit.tensors.tensor import Tensor

# These take their sizes or dims in one tuple; as methods they take them one by one, too.
_IN_ONE_TUPLE = frozenset({"broadcast_to", "flip", "permute", "reshape", "tile"})


@cache
def function_of(name: str) -> Callable[..., Any]:
    """The function that calls the method of a name, or reads the attribute.

    >>> function_of("reshape")(sk.arange(6), (2, 3)).shape
    (2, 3)
    >>> function_of("real")(sk.tensor([1 + 2j])).tolist()
    [1.0]
    """

    def function(input: Any, *args: Any, **named: Any) -> Any:  # noqa: A002 - torch's name
        if not isinstance(input, Tensor):
            raise ArgumentError(
                f"{name}: give a stridekit tensor, not a {type(input).__name__}. from_torch and "
                "from_numpy make one of theirs."
            )
        if name in _IN_ONE_TUPLE and args and not isinstance(args[0], tuple | list):
            raise ArgumentError(f"{name}: give what comes after the tensor as one tuple.")
        found = getattr(input, name)
        return found(*args, **named) if callable(found) else found

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`input.{name}(...)`: see `Tensor.{name}`."
    return function


def cat(tensors: Sequence[Tensor], dim: SupportsIndex = 0) -> Tensor:
    """A copy of tensors, one after another along one dim; row-major, or in the one format of all.

    All other sizes must agree; the dtype has room for all. A row without elements fits everywhere,
    as in torch. Raises SizeError, DimError, ConversionError for no tensors at all.

    >>> from stridekit import arange
    >>> cat([arange(2), arange(3)]).tolist()
    [0, 1, 0, 1, 2]
    """
    parts = _tensors("cat", tensors)
    if not parts:
        raise ConversionError("cat: there are no tensors to join. Give one at least.")
    for x in parts:
        if not x.ndim:
            raise SizeError("cat: a tensor of rank 0 has no dim to join along. stack makes one.")
    fitting = [x for x in parts if x.shape != (0,)]
    first = fitting[0] if fitting else parts[0]
    at = wrap_dim("cat", dim, first.ndim) if fitting else 0
    dtype = reduce(promote, (x.dtype for x in parts))
    for x in fitting:
        if x.ndim != first.ndim or any(
            a != b for d, (a, b) in enumerate(zip(x.shape, first.shape, strict=True)) if d != at
        ):
            raise SizeError(
                f"cat along dim {at}: sizes {first.shape} and {x.shape} must agree in all other "
                "dims."
            )
    size = list(first.shape)
    size[at] = sum(x.shape[at] for x in fitting)
    formats = {suggested(x.layout) for x in parts}
    result = empty(
        tuple(size),
        dtype=dtype,
        memory_format=formats.pop() if len(formats) == 1 else contiguous_format,
    )
    start = 0
    for x in fitting:
        result.narrow(at, start, x.shape[at]).copy_(x)
        start += x.shape[at]
    return result


def stack(tensors: Sequence[Tensor], dim: SupportsIndex = 0) -> Tensor:
    """A copy of tensors of one size, along a new dim. Raises SizeError, DimError.

    >>> from stridekit import arange
    >>> stack([arange(2), arange(2)], dim=1).tolist()
    [[0, 0], [1, 1]]
    """
    parts = _tensors("stack", tensors)
    if not parts:
        raise SizeError("stack: there are no tensors to join. Give one at least.")
    for x in parts:
        if x.shape != parts[0].shape:
            raise SizeError(
                f"stack: sizes {parts[0].shape} and {x.shape} differ. cat joins along a dim there."
            )
    at = wrap_dim("stack", dim, parts[0].ndim + 1)
    return cat([x.unsqueeze(at) for x in parts], at)


def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """A copy side by side: along dim 1, or along the one dim there is."""
    parts = [_one_dim(x) for x in _tensors("hstack", tensors)]
    return cat(_some("hstack", parts), 0 if parts[0].ndim == 1 else 1)


def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """A copy one below another: along dim 0 of at least 2."""
    return cat(_some("vstack", [_two_dims(x) for x in _tensors("vstack", tensors)]), 0)


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """A copy one behind another: along dim 2 of at least 3."""
    return cat(_some("dstack", [_three_dims(x) for x in _tensors("dstack", tensors)]), 2)


def atleast_1d(*tensors: Any) -> Any:
    """A view of at least 1 dim, or the tensor itself; of several, a tuple. Raises ArgumentError."""
    return _each("atleast_1d", tensors, _one_dim)


def atleast_2d(*tensors: Any) -> Any:
    """A view of at least 2 dims, new ones at the left, or the tensor itself; of several, a tuple.

    Raises ArgumentError.
    """
    return _each("atleast_2d", tensors, _two_dims)


def atleast_3d(*tensors: Any) -> Any:
    """A view of at least 3 dims, or the tensor itself; of several, a tuple.

    A row becomes the middle dim. Raises ArgumentError.

    >>> from stridekit import zeros
    >>> atleast_3d(zeros(2)).shape, [x.shape for x in atleast_3d(zeros(2), zeros(()))]
    ((1, 2, 1), [(1, 2, 1), (1, 1, 1)])
    """
    return _each("atleast_3d", tensors, _three_dims)


def _one_dim(x: Tensor) -> Tensor:
    return x if x.ndim else x.reshape(1)


def _two_dims(x: Tensor) -> Tensor:
    return x if x.ndim >= 2 else _one_dim(x).unsqueeze(0)


def _three_dims(x: Tensor) -> Tensor:
    return x if x.ndim >= 3 else _two_dims(x).unsqueeze(-1)


def _each(call: str, tensors: tuple[Any, ...], change: Callable[[Tensor], Tensor]) -> Any:
    """One tensor changed; or several, given one by one or in one list, in a tuple."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return change(tensors[0])
    given = tensors[0] if len(tensors) == 1 else tensors
    return tuple(map(change, _tensors(call, given)))


def _some(call: str, tensors: list[Tensor]) -> list[Tensor]:
    if not tensors:
        raise SizeError(f"{call}: there are no tensors to join. Give one at least.")
    return tensors


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Each tensor expanded to the size that all broadcast to: views. Raises SizeError.

    >>> from stridekit import zeros
    >>> [x.stride() for x in broadcast_tensors(zeros(3, 1), zeros(2))]
    [(1, 0), (0, 1)]
    """
    parts = _tensors("broadcast_tensors", tensors)
    size = broadcast_shapes(*(x.shape for x in parts))
    return tuple(x.expand(size) for x in parts)


def broadcast_shapes(*sizes: Any) -> Ints:
    """The size that all sizes broadcast to. Raises SizeError.

    >>> broadcast_shapes((3, 1), (2,))
    (3, 2)
    """
    whole = [(size,) if isinstance(size, int) else size for size in sizes]
    found = broadcast_sizes(*(as_ints("broadcast_shapes", "a size", size) for size in whole))
    if isinstance(found, Misfit):
        raise SizeError(found.message)
    return found


def _tensors(call: str, tensors: Any) -> list[Tensor]:
    if not isinstance(tensors, tuple | list):
        raise ArgumentError(
            f"{call}: give tensors in a tuple or list, not a {type(tensors).__name__}."
        )
    for x in tensors:
        if not isinstance(x, Tensor):
            raise ArgumentError(
                f"{call}: {type(x).__name__} is no stridekit tensor. from_torch "
                "and from_numpy make one of theirs."
            )
    return list(tensors)
